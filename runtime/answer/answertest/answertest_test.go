package answertest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	first := Question{"q1", "natural", "react", "en", Answerable, "learn/a.md#b", "how do I?"}
	for _, test := range []struct {
		name, text string
		want       []Question
		err        string
	}{
		{"one", "# id\thalf\nq1\tnatural\treact\ten\tanswerable\tlearn/a.md#b\thow do I?\r\n\n", []Question{first}, ""},
		{"too few", "q1\tnatural\treact\n", nil, ":1: got 3 columns, want 7"},
		{"none", "# id\n", nil, "no questions"},
	} {
		t.Run(test.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "asked.tsv")
			if err := os.WriteFile(path, []byte(test.text), 0o644); err != nil {
				t.Fatal(err)
			}
			got, err := Read(path)
			if !slices.Equal(got, test.want) || (err != nil) != (test.err != "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("Read(%q) = %v, %v, want %v, an error with %q", test.text, got, err, test.want, test.err)
			}
		})
	}
}
