package runtime

import (
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kdd/runtime/wire"
)

func operationNamed(t testing.TB, name string) *Operation {
	all := Operations()
	i := slices.IndexFunc(all, func(o Operation) bool { return o.Name == name })
	if i < 0 {
		t.Fatalf("no operation %q", name)
	}
	return &all[i]
}

func parsed(t testing.TB, text string) map[string]any {
	var args map[string]any
	if err := json.Unmarshal([]byte(text), &args); err != nil {
		t.Fatalf("arguments %s: %v", text, err)
	}
	return args
}

// sorted returns a request as JSON with its names in order.
func sorted(t *testing.T, request any) string {
	t.Helper()
	var names map[string]any
	if err := json.Unmarshal(wire.Encode(request), &names); err != nil {
		t.Fatal(err)
	}
	return string(wire.Encode(names))
}

func TestDecode(t *testing.T) {
	const search = `"limit":5,"max_bytes":4096,"mode":"hybrid","query":"x"`
	tests := []struct{ name, op, args, want string }{
		{"defaults", "search", `{"query":"x"}`, `{` + search + `}`},
		{"null is absent", "search", `{"query":"x","limit":null,"kinds":null,"where":null,"mode":null}`, `{` + search + `}`},
		{"empty is absent", "search", `{"query":"x","limit":"","kinds":[],"domains":[""],"where":{},"mode":"","since":" "}`, `{` + search + `}`},
		{"least limit", "search", `{"query":"x","limit":1}`, `{` + strings.Replace(search, `:5`, `:1`, 1) + `}`},
		{"most limit", "search", `{"query":"x","limit":100}`, `{` + strings.Replace(search, `:5`, `:100`, 1) + `}`},
		{"alias", "search", `{"query":"x","k":7}`, `{` + strings.Replace(search, `:5`, `:7`, 1) + `}`},
		{"alias beside null", "search", `{"query":"x","k":7,"limit":null}`, `{` + strings.Replace(search, `:5`, `:7`, 1) + `}`},
		{"number as text", "search", `{"query":"x","limit":" 7 "}`, `{` + strings.Replace(search, `:5`, `:7`, 1) + `}`},
		{"whole float", "search", `{"query":"x","limit":7.0}`, `{` + strings.Replace(search, `:5`, `:7`, 1) + `}`},
		{"exponent", "search", `{"query":"x","limit":"1e1"}`, `{` + strings.Replace(search, `:5`, `:10`, 1) + `}`},
		{"enum in capitals", "search", `{"query":"x","mode":"LEXICAL"}`, `{` + strings.Replace(search, `hybrid`, `lexical`, 1) + `}`},
		{"enum list", "search", `{"query":"x","chunk_types":["use-case","Rule"]}`, `{"chunk_types":["USE_CASE","RULE"],` + search + `}`},
		{"one text for a list", "search", `{"query":"x","domains":"security"}`, `{"domains":["security"],` + search + `}`},
		{"split list", "search", `{"query":"x","kind":"a, b,,c"}`, `{"kinds":["a","b","c"],` + search + `}`},
		{"score as text", "search", `{"query":"x","min_score":"0.5"}`, `{` + search + `,"score_threshold":0.5}`},
		{"bool as text", "search", `{"query":"x","explain":"Yes"}`, `{"explain":true,` + search + `}`},
		{"where object", "search", `{"query":"x","where":{"owner":"ana","v":[2,true,"b=c"]}}`, `{` + search + `,"where":{"owner":["ana"],"v":["2","true","b=c"]}}`},
		{"where list", "search", `{"query":"x","where":["owner=ana","owner = bob","e=","owner=ana"]}`, `{` + search + `,"where":{"e":[""],"owner":["ana","bob"]}}`},
		{"where text", "search", `{"query":"x","where":"owner=a=b"}`, `{` + search + `,"where":{"owner":["a=b"]}}`},
		{"list kind", "list", `{"kind":"requirement","limit":10}`, `{"kind":"requirement","limit":10,"max_bytes":4096}`},
		{"related", "related", `{"node_id":"RF-AUTH-001","edge_types":["IMPLEMENTS","DEPENDS_ON"]}`,
			`{"depth":1,"direction":"both","edge_types":["IMPLEMENTS","DEPENDS_ON"],"entity":"RF-AUTH-001","limit":20,"max_bytes":4096}`},
		{"read", "read", `{"path":"a.md#b","offset":"4096"}`, `{"file":"a.md#b","max_bytes":16384,"offset":4096}`},
		{"names of other systems", "search", `{"q":"x","top_k":7}`, `{` + strings.Replace(search, `:5`, `:7`, 1) + `}`},
		{"another word for a value", "search", `{"query":"x","mode":"Semantic"}`, `{` + strings.Replace(search, `hybrid`, `vector`, 1) + `}`},
		{"direction as answers write it", "related", `{"path":"a.md","direction":"incoming"}`, `{"depth":1,"direction":"in","entity":"a.md","limit":20,"max_bytes":4096}`},
		{"a list of one for a text", "list", `{"kinds":["requirement"]}`, `{"kind":"requirement","limit":20,"max_bytes":4096}`},
		{"a hit's address", "read", `{"url":"kdd://doc/a.md#b"}`, `{"file":"kdd://doc/a.md#b","max_bytes":16384}`},
		{"similar keeps path as a filter", "similar", `{"chunk":"a.md~1","path":"b/**"}`, `{"file":"a.md~1","limit":5,"max_bytes":4096,"path_glob":"b/**"}`},
		{"not UTF-8", "find-spec", `{"name":"\ud800"}`, `{"limit":5,"max_bytes":4096,"name":"` + "\ufffd" + `"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := operationNamed(t, test.op).Decode(parsed(t, test.args))
			if err != nil || sorted(t, got) != test.want {
				t.Errorf("Decode(%s) = %+v, %v, want %s", test.args, got, err, test.want)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	big := strings.Repeat("é", maxArgumentBytes/2) + "x"
	tests := []struct{ name, op, args, code, want string }{
		{"unknown", "search", `{"query":"x","zzz":1}`, wire.CodeInvalidInput, `unknown argument "zzz"; search takes query, mode, `},
		{"did you mean", "search", `{"qury":"x"}`, wire.CodeInvalidInput, `unknown argument "qury"; did you mean "query"? `},
		{"camel case", "search", `{"query":"x","maxBytes":9}`, wire.CodeInvalidInput, `did you mean "max_bytes"? `},
		{"near an alias", "search", `{"query":"x","domian":"a"}`, wire.CodeInvalidInput, `did you mean "domains"? `},
		{"unknown for what is missing", "search", `{"zz":"x"}`, wire.CodeInvalidInput, `unknown argument "zz"; did you mean "query"? `},
		{"unknown for what is missing, another", "find-spec", `{"zz":"x","limit":3}`, wire.CodeInvalidInput, `unknown argument "zz"; did you mean "name"? `},
		{"first unknown by name", "search", `{"b":1,"a":2}`, wire.CodeInvalidInput, `unknown argument "a"; `},
		{"unknown is made harmless", "search", `{"a\u001b[31m\u202eb":1}`, wire.CodeInvalidInput, "unknown argument \"a\ufffd[31mb\"; "},
		{"missing", "search", `{}`, wire.CodeInvalidInput, `query: got nothing, want a string: question or keywords; for example "how does authentication work"`},
		{"a cursor alone", "search", `{"cursor":"abc"}`, wire.CodeInvalidInput, `query: got nothing, want a string: question or keywords; a cursor goes on with the request that gave it: repeat that with all its arguments`},
		{"two for a text", "read", `{"file":["a.md","b.md"]}`, wire.CodeInvalidInput, `file: got a list, want a string`},
		{"blank", "search", `{"query":" \n"}`, wire.CodeInvalidInput, `query: got " `},
		{"first in order", "search", `{"limit":0,"query":7}`, wire.CodeInvalidInput, `query: got 7, want a string`},
		{"both names", "search", `{"query":"x","limit":1,"k":1}`, wire.CodeInvalidInput, `limit: got "limit" and "k", which are the same argument; `},
		{"below", "search", `{"query":"x","limit":0}`, wire.CodeInvalidInput, `limit: got 0, want a whole number from 1 to 100`},
		{"above", "search", `{"query":"x","limit":"101"}`, wire.CodeInvalidInput, `limit: got "101", want a whole number from 1 to 100`},
		{"fraction", "search", `{"query":"x","limit":1.5}`, wire.CodeInvalidInput, `limit: got 1.5, want a whole number`},
		{"not a number", "search", `{"query":"x","limit":"NaN"}`, wire.CodeInvalidInput, `limit: got "NaN", want a whole number`},
		{"hexadecimal", "search", `{"query":"x","limit":"0x10"}`, wire.CodeInvalidInput, `limit: got "0x10", want`},
		{"huge", "search", `{"query":"x","limit":1e300}`, wire.CodeInvalidInput, `limit: got 1e+300, want`},
		{"over float64", "search", `{"query":"x","score_threshold":"1e999"}`, wire.CodeInvalidInput, `score_threshold: got "1e999", want a number from 0 to 1`},
		{"no limit on the wire", "search", `{"query":"x","max_bytes":-1}`, wire.CodeInvalidInput, `max_bytes: got -1, want a whole number from 512 to 65536`},
		{"number for a bool", "search", `{"query":"x","explain":1}`, wire.CodeInvalidInput, `explain: got 1, want true or false`},
		{"object for text", "search", `{"query":{"a":1}}`, wire.CodeInvalidInput, `query: got an object, want a string`},
		{"enum", "search", `{"query":"x","mode":"hybird"}`, wire.CodeInvalidInput, `mode: got "hybird", want hybrid, lexical or vector; did you mean "hybrid"?`},
		{"enum in a list", "search", `{"query":"x","chunk_types":"RULE,PROCES"}`, wire.CodeInvalidInput, `chunk_types: got "PROCES", want a list of ENTITY, USE_CASE, RULE, PROCESS or DEFAULT; did you mean "PROCESS"?`},
		{"number in a list", "search", `{"query":"x","tags":["a",7]}`, wire.CodeInvalidInput, `tags: got a list with 7, want a list of strings`},
		{"object for a list", "search", `{"query":"x","tags":{}}`, wire.CodeInvalidInput, `tags: got an object, want a list of strings`},
		{"where without =", "search", `{"query":"x","where":["owner"]}`, wire.CodeInvalidInput, `where: got "owner", want an object of field and value`},
		{"where of an object", "search", `{"query":"x","where":{"a":{"b":1}}}`, wire.CodeInvalidInput, `where: got an object for the field "a", want`},
		{"where number", "search", `{"query":"x","where":3}`, wire.CodeInvalidInput, `where: got 3, want`},
		{"nameless field", "search", `{"query":"x","where":{" ":"a"}}`, wire.CodeInvalidInput, `where: got a field without a name, want`},
		{"long query", "search", `{"query":"` + big + `"}`, wire.CodeTooLarge, `query: got 65537 bytes, want at most 65536`},
		{"long list", "search", `{"query":"x","tags":"` + strings.Repeat("a,", maxListValues) + `a"}`, wire.CodeTooLarge, `tags: got 1001 values or more, want at most 1000`},
		{"offset", "read", `{"file":"a","offset":-1}`, wire.CodeInvalidInput, `offset: got -1, want a whole number from 0 to `},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := operationNamed(t, test.op).Decode(parsed(t, test.args))
			if err == nil {
				t.Fatalf("Decode(%.80s) = nil, want %q", test.args, test.want)
			}
			e := wire.AsError(err)
			if e.Code != test.code || !strings.HasPrefix(e.Error(), test.want) && !strings.Contains(e.Hint, test.want) {
				t.Errorf("Decode(%.80s) = %s: %s, want %s: %s", test.args, e.Code, e.Error(), test.code, test.want)
			}
			if e.Details["field"] == nil {
				t.Errorf("Decode(%.80s): error without the field: %v", test.args, e.Details)
			}
		})
	}
}

// A flag parser has Go values, and may ask for an answer without a limit.
func TestDecodeGoValues(t *testing.T) {
	args := map[string]any{"query": "x", "limit": 3, "kinds": []string{"a", "b,c"}, "explain": true, "score_threshold": 0.25,
		"where": map[string][]string{"owner": {"ana", "bob"}}, "max_bytes": NoLimit}
	want := `{"explain":true,"kinds":["a","b","c"],"limit":3,"max_bytes":-1,"mode":"hybrid","query":"x","score_threshold":0.25,"where":{"owner":["ana","bob"]}}`
	got, err := operationNamed(t, "search").Decode(args)
	if err != nil || sorted(t, got) != want {
		t.Errorf("Decode(%v) = %+v, %v, want %s", args, got, err, want)
	}
	for _, bad := range []map[string]any{{"query": "x", "limit": NoLimit}, {"query": "x", "score_threshold": math.NaN()}, {"query": []int{1}}, {"query": "x", "limit": uint(3)}} {
		if _, err := operationNamed(t, "search").Decode(bad); err == nil {
			t.Errorf("Decode(%v) = nil, want an error", bad)
		}
	}
}

// Every operation's own examples and defaults are valid.
func TestOperationsAgreeWithThemselves(t *testing.T) {
	for _, o := range Operations() {
		for _, example := range o.Examples {
			if _, err := o.Decode(example); err != nil {
				t.Errorf("%s: example %v: %v", o.Name, example, err)
			}
		}
		seen := map[string]bool{}
		for i := range o.Params {
			p := &o.Params[i]
			for _, name := range append([]string{p.Name}, p.Aliases...) {
				if seen[name] {
					t.Errorf("%s: %q names two parameters", o.Name, name)
				}
				seen[name] = true
			}
			if field := o.request.FieldByIndex(o.fields()[i]); p.Default != nil && !reflect.TypeOf(p.Default).ConvertibleTo(field.Type) {
				t.Errorf("%s: the default of %s is %v, of its field %v", o.Name, p.Name, p.Default, field.Type)
			}
			for _, value := range append([]any{p.Default}, p.Examples...) {
				if _, err := p.decode(value); err != nil {
					t.Errorf("%s: %s = %v: %v", o.Name, p.Name, value, err)
				}
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{"query":"x"}`, `{"query":"x","where":{"a":[1,"b"]},"kinds":"a,b","limit":"9"}`, `{"file":"a#b","offset":1e3}`,
		`{"qurey":[null]}`, `{"entity":"\ud800","depth":null,"chunk_types":["rule"]}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var args map[string]any
		if json.Unmarshal([]byte(text), &args) != nil {
			return
		}
		for _, o := range Operations() {
			first, err := o.Decode(args)
			again, err2 := o.Decode(args)
			if !reflect.DeepEqual(first, again) || (err == nil) != (err2 == nil) || err != nil && err.Error() != err2.Error() {
				t.Fatalf("%s: Decode(%s) = %+v, %v, then %+v, %v", o.Name, text, first, err, again, err2)
			}
			if err != nil {
				if e, ok := err.(*wire.Error); !ok || e.Code == wire.CodeInternal {
					t.Fatalf("%s: Decode(%s) = %v, want invalid_input or too_large", o.Name, text, err)
				}
				continue
			}
			var decoded map[string]any
			if err := json.Unmarshal([]byte(sorted(t, first)), &decoded); err != nil {
				t.Fatal(err)
			}
			if twice, err := o.Decode(decoded); err != nil || !reflect.DeepEqual(twice, first) {
				t.Fatalf("%s: Decode(%+v) = %+v, %v, want it unchanged", o.Name, first, twice, err)
			}
		}
	})
}
