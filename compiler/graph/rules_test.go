package graph

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kdd/format/index"
)

func TestParseRulesErrors(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string // each a line of the error
	}{
		{"unknown key", "kinds: []\nkindz: []\n", []string{`kdd.yaml:2:1: unknown key "kindz" in the rules (did you mean "kinds"?)`}},
		{"unknown key far from all", "xyzzy: 1\n", []string{`kdd.yaml:1:1: unknown key "xyzzy" in the rules (want one of kinds, layers,`}},
		{"inside a kind", "kinds:\n  - name: a\n    folder: [x]\n", []string{`kdd.yaml:3:5: unknown key "folder" in an item of "kinds" (did you mean "folders"?)`}},
		{"under graph", "title: x\ngraph:\n  layer: [a]\n", []string{`kdd.yaml:3:3: unknown key "layer"`}},
		{"no list", "layers: one\n", []string{`kdd.yaml:1:9: "layers": got "one", want a list`}},
		{"no map", "- a\n", []string{`kdd.yaml:1:1: the rules: got a list, want keys and values`}},
		{"not text", "layers: [[a]]\n", []string{`kdd.yaml:1:10: an item of "layers": got a list, want text`}},
		{"not a number", "edges: [{name: A, weight: much}]\n", []string{`"weight": got "much", want a whole number`}},
		{"twice", "layers: []\nlayers: []\n", []string{`kdd.yaml:2:1: key "layers" appears twice`}},
		{"not YAML", "a: [\n", []string{`kdd.yaml:1:1: not YAML: `}},
		{"bad pattern", "kinds: [{name: a, prefix: A, id: '('}]\n", []string{`id pattern "(": missing closing )`}},
		{"empty pattern", "ids: ['x*']\n", []string{`id pattern "x*": it matches the empty text`}},
		{"bad prefix", "kinds: [{name: a, prefix: 'a b'}]\n", []string{`prefix "a b" of kind "a"`}},
		{"sign without a condition", "kinds: [{name: a, signs: [{dated: true}]}]\n", []string{`a sign of kind "a": want one of stem, folder`}},
		{"sign with a bad pattern", "kinds: [{name: a, signs: [{stem: '('}]}]\n", []string{`stem pattern "(": missing closing )`}},
		{"sign with a pattern of nothing", "kinds: [{name: a, signs: [{headings: ['x*']}]}]\n", []string{`heading pattern "x*": it matches the empty text`}},
		{"sign with a bad share", "kinds: [{name: a, signs: [{stem: b, share: 101}]}]\n", []string{"share 101, want 0 or more, and 0 to 100"}},
		{"aside is no text", "kinds: [{name: a, aside: often}]\n", []string{`"aside": got "often", want true or false`}},
		{"unknown edge", "relations: {needs: DEPENDS_OF}\n", []string{`kdd.yaml:1:20: unknown edge type "DEPENDS_OF" (did you mean "DEPENDS_ON"?)`}},
		{"coverage without edges", "coverage:\n  - {kinds: [entity], name: owners}\n", []string{`kdd.yaml:2:5: coverage "owners": want edges, or off: true`}},
		{"coverage off that is not there", "coverage:\n  - {kinds: [command], name: evnts, off: true}\n", []string{`kdd.yaml:2:5: coverage "evnts": the kind command has no such row to turn off; it has events, use cases`}},
		{"coverage without a name", "coverage:\n  - {kinds: [entity], edges: [EMITS]}\n", []string{`kdd.yaml:2:5: coverage "": want a name and kinds, such as {kinds: [use-case], name: scenarios, edges: [VALIDATES], side: in}`}},
		{"coverage of a wrong side and type", "coverage:\n  - {kinds: [entity], name: x, edges: [EMIT], side: up}\n", []string{`kdd.yaml:2:39: unknown edge type "EMIT" (did you mean "EMITS"?)`, `kdd.yaml:2:53: side "up": want out, in, any`}},
		{"unknown kind", "sections:\n  - kinds: [usecas]\n    edge: EMITS\n", []string{`kdd.yaml:2:12: unknown kind "usecas" (did you mean "use-case"?)`}},
		{"no kinds", "sections: [{edge: EMITS}]\n", []string{`section rule for "EMITS": want kinds`}},
		{"bad impact", "edges: [{name: A, impact: maybe}]\n", []string{`impact "maybe": want follow, direct, no`}},
		{"bad weight", "edges: [{name: A, weight: 101}]\n", []string{`weight 101: want 1 to 100`}},
		{"bad edge name", "edges: [{name: needs}]\n", []string{`edge name "needs": want capitals`}},
		{"bad chunk", "kinds: [{name: a, prefix: A, chunk: BIG}]\n", []string{`chunk "BIG": want ENTITY, USE_CASE, RULE, PROCESS, DEFAULT`}},
		{"document", "kinds: [{name: document, prefix: D}]\n", []string{`kind name "document"`}},
		{"domain without star", "domains: [services]\n", []string{`domain folder "services": want one segment to be "*"`}},
		{"star alone", "relations: {'*': DEPENDS_ON}\n", []string{`field "*": "*" may only stand at the end of a name`}},
		{"star within", "relations: {a*b: DEPENDS_ON}\n", []string{`field "a*b": "*" may only stand at the end of a name`}},
		{"several", "layer: [a]\nkindz: []\n", []string{`kdd.yaml:1:1: unknown key "layer"`, `kdd.yaml:2:1: unknown key "kindz"`}},
		{"bomb", "kinds: &a [" + strings.Repeat("{name: a}, ", 500) + "]\nlayers: *a\n", []string{`an item of "layers"`}},
		{"huge", strings.Repeat("#", maxRulesBytes+1), []string{"bytes of rules: the limit is"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := ParseRules([]byte(test.text), "kdd.yaml")
			var rulesErr *RulesError
			if !errors.As(err, &rulesErr) {
				t.Fatalf("ParseRules(%.60q) = %v, want a *RulesError", test.text, err)
			}
			lines := strings.Split(err.Error(), "\n")
			for i, want := range test.want {
				if i >= len(lines) || !strings.Contains(lines[i], want) {
					t.Errorf("ParseRules(%.60q) = %.300q, want line %d with %q", test.text, err, i+1, want)
				}
			}
		})
	}
}

func TestParseRulesMerges(t *testing.T) {
	text := `
title: all of kdd.yaml
graph:
  kinds:
    - {name: runbook, prefix: RUN, link_prefix: RUN-, id: 'RUN-\d+', folders: [ops/runbooks], chunk: PROCESS, required: [owner], aliases: [Playbook]}
    - {name: adr, folders: [architecture]}
  domains: ['services/*/docs']
  ids: ['T\d+']
  edges:
    - {name: RUNS_ON, depends: to, weight: 70, impact: direct, about: a runbook's machine}
    - {name: LINK, weight: 50}
  relations:
    runs_on: RUNS_ON
    x-*: {edge: DEPENDS_ON, reverse: true}
  sections:
    - {kinds: [playbook], headings: [Steps, Schritte], edge: RUNS_ON}
`
	r, err := ParseRules([]byte(text), "kdd.yaml")
	if err != nil {
		t.Fatalf("ParseRules() = %v, want no error", err)
	}
	if i, ok := r.kindOf("Playbook"); !ok || r.kinds[i].name != "runbook" || r.kinds[i].chunk != "PROCESS" {
		t.Errorf("kindOf(Playbook) = %d, %v, want runbook", i, ok)
	}
	if kinds, folder := r.folderKinds("x/architecture"); len(kinds) != 1 || r.kinds[kinds[0]].name != "adr" || folder != "architecture" {
		t.Errorf("folderKinds(x/architecture) = %v, %q, want adr by architecture", kinds, folder)
	}
	if kinds, _ := r.folderKinds("a/00-requirements/decisions"); len(kinds) != 1 || r.kinds[kinds[0]].name != "adr" {
		t.Errorf("folderKinds(a/00-requirements/decisions) = %v, want adr", kinds)
	}
	if got := r.domainOf("services/pay/docs/a.md"); got != "pay" {
		t.Errorf("domainOf(services/pay/docs/a.md) = %q, want pay", got)
	}
	if got := r.domainOf("domains/auth/a.md"); got != "auth" {
		t.Errorf("domainOf(domains/auth/a.md) = %q, want auth", got)
	}
	if e, _ := r.edgeType(Link); e.Weight != 50 || e.Impact != index.ImpactDirect {
		t.Errorf("edgeType(LINK) = %+v, want weight 50 and the built-in impact", e)
	}
	for field, want := range map[string]relation{
		"runsOn": {"RUNS_ON", false}, "x-needs": {"DEPENDS_ON", true}, "Superseded By": {"SUPERSEDES", true},
		"relations.requires": {"DEPENDS_ON", false}, "related_anything": {"REFERENCES", false},
	} {
		if got, loose, ok := r.relationOf(field); !ok || loose || got != want {
			t.Errorf("relationOf(%q) = %v, %v, want %v", field, got, ok, want)
		}
	}
	if got, _, ok := r.relationOf("python.requires"); ok {
		t.Errorf("relationOf(python.requires) = %v, want none", got)
	}
	if _, ok := Default().kindOf("runbook"); ok {
		t.Error("ParseRules changed the built-in rules")
	}
	if e, _ := Default().edgeType(Link); e.Weight != 40 {
		t.Errorf("built-in weight of LINK = %d after ParseRules, want 40", e.Weight)
	}
	for _, text := range []string{"", "# nothing\n", "graph:\n", "null\n", "{}\n"} {
		if _, err := ParseRules([]byte(text), "kdd.yaml"); err != nil {
			t.Errorf("ParseRules(%q) = %v, want no error", text, err)
		}
	}
}

// TestSchema compares schema.json with the types that YAML is decoded into, key by key.
func TestSchema(t *testing.T) {
	text, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema map[string]any
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	compareSchema(t, "graph", schema, reflect.TypeFor[yamlRules]())
}

func compareSchema(t *testing.T, at string, schema map[string]any, typ reflect.Type) {
	t.Helper()
	if options, ok := schema["oneOf"].([]any); ok { // "field: EDGE" for "field: {edge: EDGE}"
		schema = options[len(options)-1].(map[string]any)
	}
	if typ.Kind() == reflect.Pointer { // absent is not false
		typ = typ.Elem()
	}
	want := map[reflect.Kind]string{
		reflect.Struct: "object", reflect.Map: "object", reflect.Slice: "array", reflect.String: "string", reflect.Bool: "boolean",
		reflect.Int: "integer",
	}[typ.Kind()]
	if schema["type"] != want {
		t.Errorf("schema of %s: type %v, want %s", at, schema["type"], want)
		return
	}
	switch typ.Kind() {
	case reflect.Slice:
		compareSchema(t, at+"[]", schema["items"].(map[string]any), typ.Elem())
	case reflect.Map:
		compareSchema(t, at+".*", schema["additionalProperties"].(map[string]any), typ.Elem())
	case reflect.Struct:
		if schema["additionalProperties"] != false {
			t.Errorf("schema of %s takes unknown keys", at)
		}
		properties := schema["properties"].(map[string]any)
		keys := keysOf(typ)
		for key := range properties {
			if !slices.Contains(keys, key) {
				t.Errorf("schema of %s has %q, which is not read", at, key)
			}
		}
		for i, key := range keys {
			if property, ok := properties[key].(map[string]any); ok {
				compareSchema(t, at+"."+key, property, typ.Field(i).Type)
			} else {
				t.Errorf("schema of %s lacks %q", at, key)
			}
		}
	}
}

func FuzzParseRules(f *testing.F) {
	f.Add(builtinYAML)
	f.Add([]byte("kinds: [{name: a, prefix: A}]\nrelations: {x: {edge: LINK}}"))
	f.Add([]byte("graph: &a [*a]"))
	f.Add([]byte("layers: &a\n- *a"))
	f.Fuzz(func(t *testing.T, text []byte) {
		rules, err := ParseRules(text, "kdd.yaml")
		if (rules == nil) == (err == nil) {
			t.Errorf("ParseRules(%q) = %v, %v, want one of the two", text, rules, err)
		}
		if err != nil && !errors.As(err, new(*RulesError)) {
			t.Errorf("ParseRules(%q) = %T, want a *RulesError", text, err)
		}
	})
}
