package beside

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kdd/bench/internal/harness"
)

// TestRun asks one question of two folders' artifacts, of which only the second has the words of the answer.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	for folder, text := range map[string]string{"old": "Coffee of one kind.\n", "new": "Tea of one kind.\n"} {
		docs := filepath.Join(dir, folder+"-docs")
		files := map[string]string{"a.md": "# A\n\n" + text, "b.md": "# B\n\nWater.\n"}
		if err := harness.WriteFiles(docs, files); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := harness.BuildWords(t.Context(), docs, filepath.Join(dir, folder, "drinks.kddx")); err != nil {
			t.Fatal(err)
		}
	}
	questions := filepath.Join(dir, "drinks.tsv")
	if err := os.WriteFile(questions, []byte("q1\tdrinks\ten\tvalue\ta.md#a\tone kind\ttea\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	first, other := filepath.Join(dir, "old"), "new="+filepath.Join(dir, "new")
	args := []string{"-sources", questions, "-mode", "lexical", "-first", first, other}
	var out, errs bytes.Buffer
	if code := Run(args, &out, &errs); code != 0 {
		t.Fatalf("exit code %d: %s", code, &errs)
	}
	for _, want := range []string{
		"| first | 0.000 | 0.0000 | +0.0000 (+0.0000 to +0.0000) |",
		"| new | 1.000 | 1.0000 | +1.0000 (+1.0000 to +1.0000) |", "| | value (1) |", "| new | 1.000 |\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("report lacks %q:\n%s", want, &out)
		}
	}
	gone := "gone=" + filepath.Join(dir, "gone")
	for _, wrong := range [][]string{{"-sources", questions}, append(args, "new"), append(args, gone)} {
		if code := Run(wrong, &out, &errs); code == 0 {
			t.Errorf("%q is taken", wrong)
		}
	}
}
