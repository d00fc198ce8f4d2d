package mcpserver

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/txtar"

	"kdd/runtime"
	"kdd/runtime/wire/schema"
)

// resolved returns a schema ready to validate with.
func resolved(t *testing.T, data json.RawMessage) *jsonschema.Resolved {
	t.Helper()
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		t.Fatal(err)
	}
	r, err := s.Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// validates checks a golden answer against the schema that its schema_version names.
func validates(t *testing.T, what string, answer map[string]any) {
	t.Helper()
	version, _ := answer["schema_version"].(string)
	data := schema.Response(version)
	if data == nil {
		t.Errorf("%s: schema_version %q has no schema", what, version)
		return
	}
	if err := resolved(t, data).Validate(answer); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// Every golden answer is what its schema says: those of the transcripts, against the output schema of its tool too, and
// those of the operations.
func TestGoldensKeepTheirSchemas(t *testing.T) {
	outputs := outputSchemas(t)
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	checked, failures := map[string]int{}, 0
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range strings.Split("\n"+string(archive.Files[0].Data), "\n> ")[1:] {
			sent, answer, _ := strings.Cut(step, "\n")
			var call struct {
				Method string
				Params struct{ Name string }
			}
			var got struct {
				Result struct {
					IsError           bool
					StructuredContent map[string]any
					Content           []struct{ Text string }
				}
			}
			if json.Unmarshal([]byte(sent), &call) != nil || call.Method != "tools/call" {
				continue
			}
			answer, _, _ = strings.Cut(answer, "\n- ")
			answer, _, _ = strings.Cut(answer, "\n= ")
			answer, _, _ = strings.Cut(answer, "\n* ")
			if err := json.Unmarshal([]byte(answer), &got); err != nil {
				t.Fatalf("%s: the answer to %s: %v", file, sent, err)
			}
			what := fmt.Sprintf("%s: %s", file, sent)
			switch {
			case got.Result.StructuredContent != nil:
				checked[call.Params.Name]++
				validates(t, what, got.Result.StructuredContent)
				if err := outputs[call.Params.Name].Validate(got.Result.StructuredContent); err != nil {
					t.Errorf("%s: %v", what, err)
				}
			case got.Result.IsError:
				failures++
				var e map[string]any
				if err := json.Unmarshal([]byte(got.Result.Content[0].Text), &e); err != nil {
					t.Fatalf("%s: %v", what, err)
				}
				validates(t, what, e)
			}
		}
	}
	for name := range outputs {
		if checked[name] == 0 {
			t.Errorf("no transcript has an answer of %s", name)
		}
	}
	if failures == 0 {
		t.Error("no transcript has a failure")
	}
	files, err = filepath.Glob("../runtime/testdata/answers/*/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden answers: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var answer map[string]any
		if err := json.Unmarshal(data, &answer); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		validates(t, file, answer)
	}
}

// Some hosts show a model neither ranges nor defaults nor examples of a schema: they stand in the words too.
func TestLimitsAndExamplesAreInWords(t *testing.T) {
	for _, o := range runtime.Tools() {
		if len(o.Examples) == 0 {
			t.Errorf("%s has no example", o.Tool)
		}
		if len(o.Params) > 2 && !strings.Contains(o.Describe, "{") {
			t.Errorf("%s: no example in its description", o.Tool)
		}
		input := resolved(t, schema.Input(o.Tool))
		for _, example := range o.Examples {
			data, err := json.Marshal(example)
			if err != nil {
				t.Fatal(err)
			}
			var args map[string]any
			if err := json.Unmarshal(data, &args); err != nil {
				t.Fatal(err)
			}
			if err := input.Validate(args); err != nil {
				t.Errorf("%s: example %s: %v", o.Tool, data, err)
			}
			if _, err := o.Decode(args); err != nil {
				t.Errorf("%s: example %s: %v", o.Tool, data, err)
			}
		}
		for _, p := range o.Params {
			if p.Type != runtime.IntParam && p.Type != runtime.NumberParam || p.Max > 1e9 {
				continue
			}
			for _, limit := range []float64{p.Min, p.Max} {
				if !strings.Contains(p.Help, fmt.Sprint(limit)) {
					t.Errorf("%s: the help of %s does not say %v: %s", o.Tool, p.Name, limit, p.Help)
				}
			}
		}
	}
}
