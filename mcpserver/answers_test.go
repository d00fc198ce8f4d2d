package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"kdd/runtime"
	"kdd/runtime/wire"
)

// outputSchemas returns the resolved output schema of each tool that has one.
func outputSchemas(t *testing.T) map[string]*jsonschema.Resolved {
	t.Helper()
	schemas := map[string]*jsonschema.Resolved{}
	for _, o := range runtime.Tools() {
		if o.Prose {
			continue
		}
		var s jsonschema.Schema
		if err := json.Unmarshal(listedOutput(outputSchema(&o)), &s); err != nil {
			t.Fatal(err)
		}
		resolved, err := s.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		schemas[o.Tool] = resolved
	}
	return schemas
}

// namesIn returns paths and node ids of the documents.
func namesIn(t *testing.T, svc *runtime.Service) []string {
	t.Helper()
	list, err := svc.List(t.Context(), wire.ListRequest{Limit: 200, Page: wire.Page{MaxBytes: -1}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range list.Documents {
		names = append(names, d.Path, d.NodeID)
	}
	return names
}

// randomArguments are mostly valid, with names and words of the corpus.
func randomArguments(r *rand.Rand, o *runtime.Operation, names []string) map[string]any {
	words := []string{"authentication", "token", "ADR-0004", "RF-AUTH-001", "webhook", "security", "requirement", "guides/**", "security/auth.md#refresh", "AuthService",
		"accepted", "es", "2025-01", "UC-001", "CMD-001", "KDDDocument", "index level", "Hidden", "Größe", "漢字", "<b>&\u202e\x1b", "", strings.Repeat("retry ", 200), "IMPLEMENTS"}
	word := func() string {
		if r.IntN(3) == 0 {
			return names[r.IntN(len(names))]
		}
		return words[r.IntN(len(words))]
	}
	args := map[string]any{}
	for i := range o.Params {
		p := &o.Params[i]
		if !p.Required && r.IntN(5) > 0 {
			continue
		}
		switch p.Type {
		case runtime.IntParam:
			args[p.Name] = p.Min + float64(r.IntN(int(min(p.Max-p.Min, 6000))+1))
		case runtime.NumberParam:
			args[p.Name] = r.Float64()
		case runtime.BoolParam:
			args[p.Name] = r.IntN(2) == 0
		case runtime.StringsParam:
			args[p.Name] = []any{word(), word()}
		case runtime.WhereParam:
			args[p.Name] = map[string]any{"owner": word()}
		default:
			args[p.Name] = word()
		}
		if len(p.Enum) > 0 {
			args[p.Name] = p.Enum[r.IntN(len(p.Enum))]
		}
	}
	return args
}

func TestEveryAnswerKeepsItsSchemaAndBudget(t *testing.T) {
	corpora := map[string][]string{"handbook": {testIndex(t)}, "kdd-specs": {compiledFrom(t, "../testdata/corpora/kdd-specs")}, "hostile": {hostileIndex(t)}}
	corpora["two"] = []string{"a=" + corpora["handbook"][0], "b=" + corpora["kdd-specs"][0]}
	for name, index := range corpora {
		t.Run(name, func(t *testing.T) { everyAnswer(t, index) })
	}
}

// everyAnswer asks every tool with random arguments, and checks what comes: the output schema, the budget, the text.
func everyAnswer(t *testing.T, index []string) {
	svc := runtime.New(runtime.Config{Index: index})
	defer svc.Close()
	schemas, names := outputSchemas(t), namesIn(t, svc)
	r := rand.New(rand.NewPCG(3, 4))
	operations := runtime.Tools()
	rounds, answered := 30*len(operations), map[string]int{}
	if testing.Short() {
		rounds = 8 * len(operations)
	}
	for i := range rounds {
		o := &operations[i%len(operations)]
		args := randomArguments(r, o, names)
		raw, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		result := callTool(t.Context(), o, svc, toolCall(raw))
		said := text(t, result)
		if result.IsError {
			var e wire.Error
			if err := json.Unmarshal([]byte(said), &e); err != nil || e.SchemaVersion != "error.v1" || e.Code == "" || e.Code == wire.CodeInternal {
				t.Errorf("%s(%s) = %s, %v, want an error.v1 that is no internal one", o.Tool, raw, said, err)
			}
			continue
		}
		answered[o.Name]++
		most := 4096
		if n, ok := args["max_bytes"].(float64); ok {
			most = int(n)
		}
		if o.Name == "context" { // its budget is of text: around each piece stand its place and way
			tokens := 4000
			if n, ok := args["max_tokens"].(float64); ok {
				tokens = int(n)
			}
			most = 8*tokens + 8192
		}
		if o.Name == "ask" && args["explain"] == true { // what decided stands below it
			most *= 4
		}
		if o.Name == "ask" { // one or the other stands in its text: sources, or that there are none
			if result.StructuredContent != nil || len(said) > most || wire.CleanLines(said) != said || strings.Contains(said, "\n[1] ") == !strings.Contains(said, "\noutcome answered, ") {
				t.Errorf("%s(%s) = %s of %d bytes", o.Tool, raw, said, len(said))
			}
			continue
		}
		if o.Tool == "kdd_inspect" {
			if result.StructuredContent != nil || len(said) > most || wire.CleanLines(said) != said {
				t.Errorf("%s(%s) = %s of %d bytes", o.Tool, raw, said, len(said))
			}
			continue
		}
		if o.Prose {
			header, markdown, _ := strings.Cut(said, "\n")
			if result.StructuredContent != nil || !strings.Contains(header, " lines ") || args["max_bytes"] != nil && len(markdown) > most {
				t.Errorf("%s(%s) = %.200s of %d bytes", o.Tool, raw, said, len(markdown))
			}
			continue
		}
		data, ok := result.StructuredContent.(json.RawMessage)
		brief := o.Param(runtime.Detail) != nil && args[runtime.Detail] != wire.DetailFull // its text says more
		if !ok || len(data) > most || len(said) > most || len(said) > len(data) && !brief {
			t.Errorf("%s(%s): %d bytes of JSON, %d of text, want at most %d", o.Tool, raw, len(data), len(said), most)
		}
		var decoded map[string]any
		if err := json.Unmarshal(data, &decoded); err != nil {
			t.Fatalf("%s(%s) = %s: %v", o.Tool, raw, data, err)
		}
		if err := schemas[o.Tool].Validate(decoded); err != nil {
			t.Errorf("%s(%s) = %s: %v", o.Tool, raw, data, err)
		}
		if wire.CleanLines(said) != said || string(wire.CleanJSON(data)) != string(data) {
			t.Errorf("%s(%s): text with controls: %q, %s", o.Tool, raw, said, data)
		}
	}
	for _, o := range operations {
		if answered[o.Name] == 0 && !testing.Short() {
			t.Errorf("%s was never answered in %d rounds", o.Name, rounds)
		}
	}
}

// A host gets the very bytes that the command line prints, with --detail brief where there is that flag.
func TestStructuredContentIsTheWireJSON(t *testing.T) {
	svc := runtime.New(runtime.Config{Index: []string{testIndex(t)}})
	defer svc.Close()
	// its first answer says that the file was verified now
	if _, err := svc.Doctor(t.Context(), wire.DoctorRequest{}); err != nil {
		t.Fatal(err)
	}
	arguments := map[string]string{
		"search":    `{"query":"<access> & token \\u003c \u2028 é","limit":3}`,
		"find-spec": `{"name":"ADR-0004"}`, "related": `{"entity":"AuthService"}`, "similar": `{"file":"security/auth.md#refresh"}`, "impact": `{"entity":"RF-AUTH-001"}`, "lint": `{"rules":["orphans"]}`, "context": `{"hints":["AuthService","token expiry"]}`, "list": `{"limit":4}`, "stats": `{}`, "schema": `{"tool":"kdd_read_section"}`, "doctor": `{}`,
	}
	operations := runtime.Tools()
	for i := range operations {
		o := &operations[i]
		if o.Prose {
			continue
		}
		var args map[string]any
		if err := json.Unmarshal([]byte(arguments[o.Name]), &args); err != nil {
			t.Fatalf("%s: %v", o.Name, err)
		}
		if o.Param(runtime.Detail) != nil {
			args[runtime.Detail] = wire.DetailBrief
		}
		answer, err := o.Run(t.Context(), svc, args)
		if err != nil {
			t.Fatalf("%s = %v", o.Name, err)
		}
		script := hello + "\n" + fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, o.Tool, arguments[o.Name])
		var out lockedBuffer
		if err := ServeStdio(t.Context(), svc, strings.NewReader(script), &out, nil, Info{Name: "kddq", Version: "1"}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(out.String(), "\n")
		var message struct {
			Result struct {
				StructuredContent json.RawMessage `json:"structuredContent"`
			} `json:"result"`
		}
		if err := json.Unmarshal([]byte(lines[1]), &message); err != nil {
			t.Fatal(err)
		}
		got, want := withoutMemory(withoutTime(message.Result.StructuredContent)), withoutMemory(withoutTime(wire.Encode(answer)))
		if !bytes.Equal(got, want) {
			t.Errorf("%s: structured content\n%s\nwant\n%s", o.Name, got, want)
		}
	}
}

// withoutMemory replaces what doctor says of the machine's memory, which differs from call to call.
func withoutMemory(data []byte) []byte {
	return regexp.MustCompile(`("name":"memory","ok":)[a-z]+(,"detail":")[^"]*`).ReplaceAll(data, []byte("$1$2"))
}

// withoutTime replaces the value of time_ms, which is the last field of an answer.
func withoutTime(data []byte) []byte {
	before, _, ok := bytes.Cut(data, []byte(`"time_ms":`))
	if !ok {
		return data
	}
	return append(bytes.Clone(before), '}')
}
