package sets

import (
	"strings"
	"testing"

	"kdd/bench/internal/harness"
)

// folder makes a set of files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if err := harness.WriteFiles(dir, files); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestLoadErrors(t *testing.T) {
	for _, test := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"no corpus", map[string]string{"queries.tsv": "q\tt\n", "qrels.tsv": ""}, "corpus.path"},
		{"no queries", map[string]string{"corpus/a.md": "", "qrels.tsv": ""}, "queries.tsv"},
		{"query twice", map[string]string{"corpus/a.md": "", "queries.tsv": "q\tt\nq\tu\n", "qrels.tsv": "q\ta.md\t-\t1\n"}, `queries.tsv:2: question "q" is there twice`},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := Load(folder(t, test.files)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("Load = %v, want an error with %q", err, test.want)
			}
		})
	}
}
