package query

import (
	"fmt"
	"strings"
	"testing"

	"kdd/compiler/corpustest"
	"kdd/format/index"
	"kdd/runtime/wire"
)

// What there is instead is named as a filter takes it, the most frequent first.
func TestUnknownValues(t *testing.T) {
	xs := []*index.Index{
		corpustest.Index(t, map[string]string{"a.md": "# A\n[b](b.md)\n[c](c.md)\n", "b.md": "# B\n", "c.md": "# C\n## D\n"}),
		corpustest.Index(t, map[string]string{"d.md": "---\nkind: entity\n---\n# E\n"}),
	}
	tests := []struct {
		name   string
		xs     []*index.Index
		filter wire.Filter
		edges  []string
		want   string
	}{
		{"chunk type", xs, wire.Filter{ChunkTypes: []string{"PROCESS"}}, nil, `no document has chunk type "PROCESS"; chunk types are DEFAULT, ENTITY`},
		{"chunk type in small letters", xs[:1], wire.Filter{ChunkTypes: []string{"rule"}}, nil, `no document has chunk type "rule"; chunk types are DEFAULT`},
		{"chunk type that is there", xs, wire.Filter{ChunkTypes: []string{"entity"}}, nil, ""},
		{"no edge types", xs, wire.Filter{}, nil, ""},
		{"edge type that is there", xs, wire.Filter{}, []string{"LINK"}, ""},
		{"edge type of another artifact", xs[1:], wire.Filter{}, []string{"LINK"}, `no edge has type "LINK"; edge types are CONTAINS`},
		{"edge types of which one is there", xs, wire.Filter{}, []string{"SUPERSEDES", "LINK"}, `no edge has type "SUPERSEDES"; edge types are CONTAINS, LINK`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(append(Unknown(tt.xs, &tt.filter), UnknownEdges(tt.xs, tt.edges)...), "|"); got != tt.want {
				t.Errorf("Unknown = %q, want %q", got, tt.want)
			}
		})
	}
}

// Of many values those like the one that was asked for are named first, and the frequent ones where none is.
func TestUnknownOfManyValues(t *testing.T) {
	files := map[string]string{"b.md": "---\nticket: OPS-9999\nteam: x\n---\n# B\n", "c.md": "---\nticket: OPS-9999\n---\n# C\n"}
	for i := range 30 {
		files[fmt.Sprintf("d%d.md", i)] = fmt.Sprintf("---\nticket: DOCS-%d\n---\n# D\n", 1000+37*i)
	}
	for i, name := range []string{"Ana Lind", "Zoe Meyer-Lansky", "Bo Ek", "Cy Roe"} {
		files[fmt.Sprintf("e%d.md", i)] = "---\nticket: " + name + "\n---\n# E\n"
	}
	xs := []*index.Index{corpustest.Index(t, files)}
	for asked, want := range map[string]string{
		"DOCS-1998":     `; did you mean "docs-1999"?; values are docs-1999, `,
		"lansky, meyer": `; values are zoe meyer-lansky, ops-9999, ana lind, bo ek, cy roe, docs-1000, docs-1037, docs-1074 and 27 more`,
		"docs-2037-b":   `; did you mean "docs-2036"?; values are docs-2036, `,
		"nothing":       `; values are ops-9999, ana lind, bo ek, cy roe, docs-1000, docs-1037, docs-1074, docs-1111 and 27 more`,
		"DOCS 1037 the": `; did you mean "docs-1037"?; values are docs-1037, `,
		"":              `; values are ops-9999, `,
	} {
		if got := strings.Join(Unknown(xs, &wire.Filter{Where: map[string][]string{"ticket": {asked}}}), "|"); !strings.HasPrefix(got, "no document has ticket "+quote(asked)+want) {
			t.Errorf("Unknown(%q) = %q, want %q", asked, got, want)
		}
	}
}

// A glob or a date that no document has says so, with what was meant: zero hits alone look like an answer.
func TestUnknownPathsAndDates(t *testing.T) {
	dated := corpustest.Index(t, map[string]string{
		"guides/auth/login.md": "---\ndate: 2024-05-02\n---\n# Login\n",
		"guides/deploy.md":     "---\ndate: 2023\n---\n# Deploy\n",
		"api/index.md":         "# API\n",
	})
	undated := corpustest.Index(t, map[string]string{"a.md": "# A\n"})
	both := []*index.Index{undated, dated}
	tests := []struct {
		name   string
		xs     []*index.Index
		filter wire.Filter
		want   string
	}{
		{"a path that is there", both, wire.Filter{PathGlob: "guides/**"}, ""},
		{"a folder alone", both, wire.Filter{PathGlob: "guides"}, `no document has a path like "guides"; did you mean "guides/**"?`},
		{"a folder with a slash", both, wire.Filter{PathGlob: "./guides/auth/"}, `no document has a path like "./guides/auth/"; did you mean "guides/auth/**"?`},
		{"below the folder of the sources", both, wire.Filter{PathGlob: "docs/guides/**"}, `no document has a path like "docs/guides/**"; did you mean "guides/**"?`},
		{"a file somewhere", both, wire.Filter{PathGlob: "login.md"}, `no document has a path like "login.md"; did you mean "**/login.md"?`},
		{"nothing like it", both, wire.Filter{PathGlob: "specs/*.txt"}, `no document has a path like "specs/*.txt"; folders are api/, guides/`},
		{"no folders", both[:1], wire.Filter{PathGlob: "specs/*.txt"}, `no document has a path like "specs/*.txt"`},
		{"a glob that is refused", both, wire.Filter{PathGlob: "a["}, ""},
		{"a glob of too many ways", both, wire.Filter{PathGlob: strings.Repeat("{a,b}", 20)}, ""},
		{"a date that is there", both, wire.Filter{Since: "2024-05"}, ""},
		{"later than all", both, wire.Filter{Since: "2024-06"}, "no document is dated on or after 2024-06; the newest is of 2024-05-02"},
		{"no dates", both[:1], wire.Filter{Since: "2024"}, "no document is dated on or after 2024: none has a date"},
		{"a date that is refused", both, wire.Filter{Since: "soon"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(Unknown(tt.xs, &tt.filter), "|"); got != tt.want {
				t.Errorf("Unknown = %q, want %q", got, tt.want)
			}
		})
	}
}
