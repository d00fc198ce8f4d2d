package query

import (
	"strings"
	"testing"

	"kdd/compiler/corpustest"
	"kdd/format"
	"kdd/runtime/shape"
)

// A glob or a date that no document has says so, with what was meant: zero hits alone look like an answer.
func TestUnknownPathsAndDates(t *testing.T) {
	dated := corpustest.Index(t, map[string]string{
		"guides/auth/login.md": "---\ndate: 2024-05-02\n---\n# Login\n",
		"guides/deploy.md":     "---\ndate: 2023\n---\n# Deploy\n",
		"api/index.md":         "# API\n",
	})
	undated := corpustest.Index(t, map[string]string{"a.md": "# A\n"})
	both := []*format.Index{undated, dated}
	tests := []struct {
		name   string
		xs     []*format.Index
		filter shape.Filter
		want   string
	}{
		{"a path that is there", both, shape.Filter{PathGlob: "guides/**"}, ""},
		{"a folder alone", both, shape.Filter{PathGlob: "guides"}, `no document has a path like "guides"; did you mean "guides/**"?`},
		{"a folder with a slash", both, shape.Filter{PathGlob: "./guides/auth/"}, `no document has a path like "./guides/auth/"; did you mean "guides/auth/**"?`},
		{"below the folder of the sources", both, shape.Filter{PathGlob: "docs/guides/**"}, `no document has a path like "docs/guides/**"; did you mean "guides/**"?`},
		{"a file somewhere", both, shape.Filter{PathGlob: "login.md"}, `no document has a path like "login.md"; did you mean "**/login.md"?`},
		{"nothing like it", both, shape.Filter{PathGlob: "specs/*.txt"}, `no document has a path like "specs/*.txt"; folders are api/, guides/`},
		{"no folders", both[:1], shape.Filter{PathGlob: "specs/*.txt"}, `no document has a path like "specs/*.txt"`},
		{"a glob that is refused", both, shape.Filter{PathGlob: "a["}, ""},
		{"a glob of too many ways", both, shape.Filter{PathGlob: strings.Repeat("{a,b}", 20)}, ""},
		{"a date that is there", both, shape.Filter{Since: "2024-05"}, ""},
		{"later than all", both, shape.Filter{Since: "2024-06"}, "no document is dated on or after 2024-06; the newest is of 2024-05-02"},
		{"no dates", both[:1], shape.Filter{Since: "2024"}, "no document is dated on or after 2024: none has a date"},
		{"a date that is refused", both, shape.Filter{Since: "soon"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := strings.Join(Unknown(tt.xs, &tt.filter), "|"); got != tt.want {
				t.Errorf("Unknown = %q, want %q", got, tt.want)
			}
		})
	}
}
