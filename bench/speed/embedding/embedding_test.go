package embedding

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kdd/bench/internal/harness"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/compiler/embedding/modeldir/checkout"
	"kdd/compiler/embedding/modeltest"
)

func init() { checkout.Use() } // finds ONNX Runtime too

// small imports a small made model and writes some documents, two of them equal.
func small(t *testing.T) (modelDir, docs string) {
	t.Helper()
	dir := t.TempDir()
	tokenizer, err := os.ReadFile(filepath.Join("..", "..", "..", "format", "encoder", "testdata", "small-tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := modeltest.New(modeltest.MiniLM, tokenizer).Write(filepath.Join(dir, "model")); err != nil {
		t.Fatal(err)
	}
	o := model.ImportOptions{Dir: filepath.Join(dir, "models"), Engine: engine.Options{Kind: engine.Go}}
	imported, err := model.Import(t.Context(), filepath.Join(dir, "model"), o)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for i, word := range strings.Fields("harbour lighthouse keeper ship river night tower tower") {
		files[fmt.Sprintf("docs/%d.md", i)] = fmt.Sprintf("# The %s\n\nOn the %s and what it does at the sea.\n", word, word)
	}
	if err := harness.WriteFiles(dir, files); err != nil {
		t.Fatal(err)
	}
	return imported.Path, filepath.Join(dir, "docs")
}

// embed is Run with the small model; it returns both outputs and the exit code.
func embed(t *testing.T, args ...string) (string, int) {
	t.Helper()
	modelDir, docs := small(t)
	var out, messages strings.Builder
	code := Run(slices.Concat([]string{"-model", modelDir, "-rounds", "2"}, args, []string{docs}), &out, &messages)
	return out.String() + messages.String(), code
}

var row = regexp.MustCompile(`(?m)^\| ([^|]+) \| \d+ \| \d+ \| [\d.]+ \([^|]*\| [\d.]+ \([^|]*\| \d+ \| (\d+) \|$`)

// rows are the names and the last columns of a table's rows.
func rows(table string) (all []string) {
	for _, m := range row.FindAllStringSubmatch(table, -1) {
		all = append(all, m[1]+" "+m[2])
	}
	return all
}

func TestRunGo(t *testing.T) {
	out, code := embed(t, "-engine", "go", "-n", "4")
	if want := []string{"kdd 0", "each alone 0", "once 0", "kdd 0", "each alone 0", "once 0"}; code != 0 || !slices.Equal(rows(out), want) {
		t.Errorf("rows %q, exit code %d, want %q:\n%s", rows(out), code, want, out)
	}
	// Equal documents are embedded once.
	for _, want := range []string{
		"A build of 8 chunks embeds 7 chunks (7 distinct", "\n4 chunks, ", "\n4 sentences, ", "to the once",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// TestRunONNX runs a bare loop with each setting that can be named: none would change an artifact.
func TestRunONNX(t *testing.T) {
	if _, err := engine.FindLibrary(""); err != nil || !engine.Supported {
		t.Skipf("ONNX Runtime is absent: %v", err)
	}
	try := "threads=2,workers=1 batch=3,pieces=64 longest=false level=none level=all pattern=true arena=false" +
		" session.set_denormal_as_zero=1"
	out, code := embed(t, "-n", "0", "-kinds", "chunks", "-try", try)
	want := []string{"kdd 0", "each alone 0", "once 0", "bare loop 0"}
	for name := range strings.FieldsSeq(try) {
		want = append(want, name+" 0")
	}
	if code != 0 || !slices.Equal(rows(out), want) || strings.Contains(out, " sentences, ") {
		t.Errorf("rows %q, exit code %d, want %q, of chunks alone:\n%s", rows(out), code, want, out)
	}
}

func TestParseSetting(t *testing.T) {
	for _, test := range []struct{ text, wrong string }{
		{"threads=2,workers=1", ""},
		{"threads=0", `"threads=0"`},
		{"batch=8,level=most", `"level=most"`},
		{"pattern=perhaps", `"pattern=perhaps"`},
		{"session.x=", `"session.x="`},
		{"", `""`},
	} {
		t.Run(test.text, func(t *testing.T) {
			s, err := parseSetting(test.text, 4)
			if test.wrong == "" {
				if err != nil || s.threads != 2 || s.workers != 1 || s.batch != 1 || s.level != "basic" {
					t.Errorf("parseSetting(%q) = %+v, %v", test.text, s, err)
				}
			} else if err == nil || !strings.Contains(err.Error(), "got "+test.wrong+", want ") {
				t.Errorf("parseSetting(%q): %v, want an error that names %s", test.text, err, test.wrong)
			}
		})
	}
}

func TestBatches(t *testing.T) {
	texts := [][]int32{{1}, {2, 3}, {4}, {5, 6}, {7}}
	for _, test := range []struct {
		name string
		setting
		want string
	}{
		{"alone", setting{batch: 1, longest: true}, "[[1] [3] [0] [2] [4]]"},
		{"in order", setting{batch: 1}, "[[0] [1] [2] [3] [4]]"},
		{"together", setting{batch: 2, longest: true}, "[[1 3] [0 2] [4]]"},
		{"together as far as they are small", setting{batch: 3, pieces: 3, longest: true}, "[[1] [3] [0 2 4]]"},
		{"together where neighbours are of one length", setting{batch: 2}, "[[0] [1] [2] [3] [4]]"},
	} {
		if got := fmt.Sprint(test.batches(texts)); got != test.want {
			t.Errorf("%s: batches = %s, want %s", test.name, got, test.want)
		}
	}
}
