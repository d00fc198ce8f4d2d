package runtime

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"kdd/runtime/wire"
)

// verbatim are the fields that are as the documents have them: addresses, which other requests take, and markdown.
var verbatim = map[string]bool{
	"path": true, "anchor": true, "url": true, "node_id": true, "chunk": true, "markdown": true, "cursor": true, "source_url": true, "superseded_by": true, "duplicates": true,
}

// TestAnswersAreClean builds documents whose front matter and headings have control characters and characters that turn
// text around, and looks for them in the JSON of every operation.
func TestAnswersAreClean(t *testing.T) {
	const dirt = `\u202eb\u001bc\u200bd`
	docs := tree{}
	for i := range 3 {
		docs[fmt.Sprintf("d%d.md", i)] = fmt.Sprintf("---\nid: RF-%d\ntitle: \"title%s\"\nkind: \"kind%s\"\ndomain: \"domain%s\"\nstatus: \"status%s\"\nversion: \"1%s\"\ntags: [\"tag%s\"]\nowner: \"me%s\"\ndepends_on: [RF-%d, \"nowhere%s\"]\n---\n# Token \u202eturned\u200b\n\nA token lives an hour. See [other \u202etext](d%d.md) and [[none\u202esuch]].\n\n## Rules\n\n- MUST be \u202egood.\n",
			i, dirt, dirt, dirt, dirt, dirt, dirt, dirt, (i+1)%3, dirt, (i+1)%3)
	}
	s := serve(t, docs.compile(t))
	seen := 0
	for _, q := range []struct {
		operation string
		args      map[string]any
	}{
		{"search", map[string]any{"query": "token", "facets": true, "explain": true, "expand": 2, "detail": "full"}},
		{"ask", map[string]any{"query": "how long does a token live"}},
		{"find-spec", map[string]any{"name": "RF-1"}}, {"similar", map[string]any{"file": "d1.md"}},
		{"related", map[string]any{"entity": "RF-1", "depth": 2}}, {"impact", map[string]any{"entity": "RF-1"}},
		{"context", map[string]any{"hints": []string{"RF-1", "token\u202e"}}}, {"coverage", map[string]any{"node": "RF-1"}},
		{"read", map[string]any{"file": "d1.md"}}, {"list", map[string]any{"facets": true}}, {"lint", nil}, {"violations", nil}, {"orphans", nil},
		{"graph", map[string]any{"node": "RF-1"}}, {"stats", nil},
	} {
		raw, err := json.Marshal(answerOf(t, s, q.operation, q.args))
		if err != nil {
			t.Fatal(err)
		}
		var answer any
		if err := json.Unmarshal(raw, &answer); err != nil {
			t.Fatal(err)
		}
		var walk func(at string, v any)
		walk = func(at string, v any) {
			switch v := v.(type) {
			case map[string]any:
				for k, one := range v {
					if wire.Clean(k) != k {
						t.Errorf("%s: %s has the key %q", q.operation, at, k)
					}
					if !verbatim[k] {
						walk(at+"."+k, one)
					}
				}
			case []any:
				for _, one := range v {
					walk(at+"[]", one)
				}
			case string:
				if wire.CleanLines(v) != v {
					t.Errorf("%s: %s is %q", q.operation, at, v)
				}
				if strings.Contains(v, "title") || strings.Contains(v, "kind") || strings.Contains(v, "turned") {
					seen++
				}
			}
		}
		walk("", answer)
	}
	if seen < 10 {
		t.Errorf("only %d texts of the documents were in the answers", seen)
	}
}
