package harness

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestQuestions(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []string // nil: an error
	}{
		{"with ids", "q1\thow do I log in\nq2\twho may\t a column more\r\n", []string{"how do I log in", "who may"}},
		{"alone", "how do I log in\n\n  \nwho may", []string{"how do I log in", "who may"}},
		{"an id alone", "q1\t\nq2\twho\n", []string{"who"}},
		{"empty", "\n", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "queries.tsv")
			if err := os.WriteFile(path, []byte(test.text), 0o644); err != nil {
				t.Fatal(err)
			}
			got, err := Questions(path)
			if (err != nil) != (test.want == nil) || !slices.Equal(got, test.want) {
				t.Errorf("Questions(%q) = %q, %v, want %q", test.text, got, err, test.want)
			}
		})
	}
	if _, err := Questions(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("Questions of no file: no error")
	}
}
