package peers

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kdd/bench/internal/harness"
	"kdd/compiler"
	inference "kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/compiler/embedding/modeltest"
	"kdd/format/index"
	"kdd/runtime/artifact"
)

// prints is the environment's variable with what this program prints where it stands for Python; without it, it fails.
const prints = "PEERS_TEST_PRINTS"

// TestMain lets this program be started as kdd, as the command speed, and as a Python.
func TestMain(m *testing.M) {
	switch arg := append(os.Args, "")[1]; arg {
	case "--version":
		fmt.Println("kdd 1.0.0")
	case "build": // CORPUS -o FILE
		report, err := compiler.Build(context.Background(), compiler.Options{Sources: os.Args[2:3], Output: os.Args[4], NoVectors: true})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		json.NewEncoder(os.Stdout).Encode(report)
	case "peers":
		os.Exit(Run(os.Args[2:], os.Stdout, os.Stderr))
	case "peers.py":
		text := os.Getenv(prints)
		if text == "" {
			fmt.Fprintln(os.Stderr, "Segmentation fault")
			os.Exit(139)
		}
		fmt.Println(text)
	default:
		os.Exit(m.Run())
	}
}

// run is Run with this program in the place of kdd and Python.
func run(t *testing.T, args ...string) (table string, code int) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var out, messages bytes.Buffer
	code = Run(append([]string{"-kdd", self, "-python", self, "-script", "peers.py", "-chunks", "60", "-queries", "4", "-rounds", "1"}, args...), &out, &messages)
	return out.String() + messages.String(), code
}

// donor compiles an artifact with vectors and a query encoder, by a small made model.
func donor(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	tokenizer, err := os.ReadFile(filepath.Join("..", "..", "..", "format", "encoder", "testdata", "small-tokenizer.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := modeltest.New(modeltest.MiniLM, tokenizer).Write(filepath.Join(dir, "model")); err != nil {
		t.Fatal(err)
	}
	imported, err := model.Import(t.Context(), filepath.Join(dir, "model"), model.ImportOptions{Dir: filepath.Join(dir, "models"), Engine: inference.Options{Kind: inference.Go}})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for i, word := range strings.Fields("harbour lighthouse keeper ship river night tower island") {
		files[fmt.Sprintf("docs/%d.md", i)] = fmt.Sprintf("# The %s\n\nOn the %s and what it does at the sea.\n", word, word)
	}
	if err := harness.WriteFiles(dir, files); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "donor.kddx")
	o := compiler.Options{Sources: []string{filepath.Join(dir, "docs")}, Output: path, Model: imported.Path, Engine: "go", CacheDir: "-"}
	if _, err := compiler.Build(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRun: kdd answers in each way from the corpus, with the vectors of an artifact; engines print their figures.
func TestRun(t *testing.T) {
	t.Setenv(prints, `{"version":"2","settings":"best","build_s":1.5,"build_cpu_s":1.2,"bytes":2000000,"memory_mb":30,"ms":[3,1,2],"cpu_ms":[1],"hits":[[0],[1],[2],[3]]}`)
	work, out := t.TempDir(), t.TempDir()
	table, code := run(t, "-rows", donor(t), "-work", work, "-out", out)
	if code != 0 {
		t.Fatalf("exit code %d:\n%s", code, table)
	}
	for _, want := range []string{
		"the 8 rows of an artifact", "| tantivy | words | 1.50 | 1.20 | 2.0 | 30 | 2.00 | 3.00 | 1.00 | 1.00 | – |", "| tantivy | 2 | best |",
		"| kdd-words | 1.0.0 | a search of the Service", "| kdd-vectors | 1.0.0 | int8 rows |",
	} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
	if strings.Contains(table, "absent") || strings.Contains(table, "failed") {
		t.Errorf("a row has no figures:\n%s", table)
	}
	var results []result
	raw, err := os.ReadFile(filepath.Join(out, "raw-60.json"))
	if err == nil {
		err = json.Unmarshal(raw, &results)
	}
	if err != nil || len(results) != len(engines) {
		t.Fatalf("raw figures of %d engines, %v, want %d", len(results), err, len(engines))
	}
	for _, r := range results {
		if own := strings.HasPrefix(r.Engine, "kdd-"); own && (len(r.MS) != 4 || len(r.Hits) != 4 || len(r.Hits[0]) == 0 || r.Bytes == 0) {
			t.Errorf("%s: %+v, want the hits of four queries", r.Engine, r)
		}
		if r.Engine == "kdd-vectors" && (r.Recall == nil || *r.Recall == 0) {
			t.Errorf("kdd-vectors: %+v, want some of the nearest rows, which are nearly equal", r)
		}
	}
	if problems, err := artifact.Verify(t.Context(), filepath.Join(work, "60", "vectors.kddx")); err != nil || len(problems) > 0 {
		t.Errorf("the artifact with vectors: %v, %v", problems, err)
	}
	x, err := index.Open(filepath.Join(work, "60", "vectors.kddx"))
	if err != nil {
		t.Fatal(err)
	}
	defer x.File.Close()
	if x.Meta.Encoder != index.EncoderDistilled {
		t.Errorf("its query encoder is %q, want the donor's", x.Meta.Encoder)
	}
}

// TestWrongInput: what is wrong ends its rows with a message, and the others are measured.
func TestWrongInput(t *testing.T) {
	seconds := regexp.MustCompile(`\b\d+\.\d\d\b`) // and milliseconds: how many there are is no matter
	words := filepath.Join(t.TempDir(), "words.kddx")
	docs := t.TempDir()
	if err := harness.WriteFiles(docs, map[string]string{"a.md": "# A\n\nText.\n"}); err != nil {
		t.Fatal(err)
	}
	if err := harness.BuildWords(t.Context(), docs, words); err != nil {
		t.Fatal(err)
	}
	const fine = `{"version":"2","ms":[1]}`
	for _, test := range []struct {
		name, printed string
		args          []string
		want          []string
	}{
		{"an engine is not installed", `{"absent":"No module named 'x'"}`, nil, []string{"| tantivy | words | absent: No module named 'x' |||||||||"}},
		{"an engine fails", `{"failed":"OSError: a|b\nc"}`, nil, []string{"| tantivy | words | failed: OSError: a/b c |||||||||", "| kdd-words | words | 0.00"}},
		{"an engine dies", "", nil, []string{"| tantivy | words | failed: exit status 139: Segmentation fault |||||||||"}},
		{"an engine prints no figures", "Killed", nil, []string{"| tantivy | words | failed: invalid character 'K'"}},
		{"no Python", fine, []string{"-python", "/none/python"}, []string{"| duckdb | vectors | failed: fork/exec /none/python: ", "| kdd-vectors | vectors | 0.00"}},
		{"no query encoder", fine, nil, []string{"| kdd-hybrid | both | absent: random rows have no query encoder", "| usearch | vectors | 0.00", "| 1.000 |\n"}},
		{"rows of no file", fine, []string{"-rows", "/none.kddx"}, []string{"vectors are\nnone (-rows: none.kddx: ", "| kdd-vectors | vectors | failed: -rows: none.kddx: ", "| tantivy | words | 0.00"}},
		{"rows without vectors", fine, []string{"-rows", words}, []string{"| duckdb | vectors | failed: -rows: words.kddx: it has no vectors", "| kdd-words | words | 0.00"}},
		{"no kdd", fine, []string{"-kdd", "/none/kdd"}, []string{"## 60 sections\n\nNot made: fork/exec /none/kdd: "}},
		{"no place for a corpus", fine, []string{"-work", words}, []string{"Not made: mkdir "}},
		{"no sets", fine, []string{"-eval", "/none/sets", "-engines", "tantivy"}, []string{"- sets: absent: open /none/sets: "}},
		{"a folder without sets", fine, []string{"-eval", docs, "-engines", "tantivy"}, []string{": absent: neither it nor a folder in it has judgements"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv(prints, test.printed)
			table, code := run(t, append([]string{"-engines", "kdd-words,tantivy,kdd-vectors,usearch,duckdb,kdd-hybrid"}, test.args...)...)
			if code != 0 {
				t.Errorf("exit code %d, want 0", code)
			}
			table = seconds.ReplaceAllString(table, "0.00")
			for _, want := range test.want {
				if !strings.Contains(table, want) {
					t.Errorf("no %q in\n%s", want, table)
				}
			}
		})
	}
	for _, args := range [][]string{{"-chunks", "1000,x"}, {"-chunks", "0"}, {"-engines", "tantivy,elastic"}, {"-no"}} {
		if table, code := run(t, args...); code != 2 {
			t.Errorf("%v: exit code %d, want 2:\n%s", args, code, table)
		}
	}
}

// TestSets: engines' hits become documents, which are scored; a set without its corpus is absent.
func TestSets(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"one/queries.tsv": "q\twhich apples\n", "one/qrels.tsv": "q\t2.md\t-\t1\n",
		"two/queries.tsv": "q\tpears\n", "two/qrels.tsv": "q\t1.md\t-\t1\n",
	}
	for i := range 3 {
		files[fmt.Sprintf("one/corpus/%d.md", i)] = fmt.Sprintf("# Part %d\n\nOn %s.\n", i, []string{"pears", "plums", "apples"}[i])
	}
	if err := harness.WriteFiles(dir, files); err != nil {
		t.Fatal(err)
	}
	work := t.TempDir()
	if err := os.Mkdir(filepath.Join(work, "sets"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := harness.BuildWords(t.Context(), filepath.Join(dir, "one", "corpus"), filepath.Join(work, "sets", "one-lexical.kddx")); err != nil {
		t.Fatal(err)
	}
	t.Setenv(prints, `{"hits":[[0,2,77,"x"]]}`)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s := &settings{kdd: filepath.Join(dir, "none"), python: self, script: "peers.py", work: work, eval: dir}
	picked, err := chosen("kdd-words,tantivy,faiss-flat")
	if err != nil {
		t.Fatal(err)
	}
	sets, err := s.judged(t.Context(), picked, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	got := quality(picked, sets)
	want := `| engine | asked by | one |
|---|---|---:|
| kdd-words | words | 1.000 |
| tantivy | words | 0.631 |
| faiss-flat | vectors | – |

- two: absent: stat `
	if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, "\n- faiss-flat on one: no vectors: there is no model\n") {
		t.Errorf("quality:\n%s\nwant at the beginning\n%s", got, want)
	}
}

// TestScript: peers.py answers by an engine of Python's own, and tells one that is not installed from one that fails.
func TestScript(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no python3")
	}
	dir := t.TempDir()
	if err := harness.WriteFiles(dir, map[string]string{
		"sections.jsonl": `{"id":0,"path":"a.md","text":"pears and plums"}` + "\n" + `{"id":1,"path":"b.md","text":"apples"}` + "\n",
		"queries.jsonl":  `{"text":"which apple"}` + "\n" + `{"text":"plum"}` + "\n",
		"py/faiss.py":    "raise ImportError('no faiss here')\n", "py/tantivy.py": "raise OSError('a broken library')\n",
	}); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PYTHONPATH", filepath.Join(dir, "py"))
	t.Setenv("PYTHONDONTWRITEBYTECODE", "1")
	for _, test := range []struct{ engine, want string }{
		{"sqlite-fts5", "[[1] [0]]"}, {"faiss-flat", "absent: no faiss here"}, {"tantivy", "failed: OSError: a broken library"}, {"none", "failed: KeyError: 'none'"},
	} {
		r := measured(t.Context(), python, "peers.py", test.engine, dir, "10", "2")
		got := fmt.Sprint(r.Hits)
		if r.Absent != "" {
			got = "absent: " + r.Absent
		} else if r.Failed != "" {
			got = "failed: " + r.Failed
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.engine, got, test.want)
		}
	}
}

// TestBest: the largest scores, largest first, and of equal ones the first row.
func TestBest(t *testing.T) {
	for _, test := range []struct {
		scores []float32
		k      int
		want   string
	}{
		{nil, 3, "[]"}, {[]float32{.1}, 3, "[0]"}, {[]float32{.1, .3, .2, .3, -1}, 3, "[1 3 2]"}, {[]float32{5, 4, 3, 2, 1}, 1, "[0]"}, {[]float32{1, 1, 1}, 2, "[0 1]"},
	} {
		if got := fmt.Sprint(best(test.scores, test.k)); got != test.want {
			t.Errorf("best(%v, %d) = %s, want %s", test.scores, test.k, got, test.want)
		}
	}
}

// TestRows: an engine that is absent or failed has its reason in place of figures, never zeros.
func TestRows(t *testing.T) {
	share := .5
	got := rows([]result{
		{Engine: "a", By: byWords, BuildS: 1.5, BuildCPU: 1.2, Bytes: 2_000_000, MemoryMB: 30, MS: []float64{3, 1, 2}, CPU: []float64{1}},
		{Engine: "b", By: byVectors, Absent: "No module named 'b'"},
		{Engine: "c", By: byBoth, Failed: "exit status 1:\nx|y"},
		{Engine: "d", By: byVectors, MS: []float64{1}, Recall: &share},
	})
	want := "| a | words | 1.50 | 1.20 | 2.0 | 30 | 2.00 | 3.00 | 1.00 | 1.00 | – |\n| b | vectors | absent: No module named 'b' |||||||||\n" +
		"| c | both | failed: exit status 1: x/y |||||||||\n| d | vectors | 0.00 | 0.00 | 0.0 | 0 | 1.00 | 1.00 | 0.00 | 0.00 | 0.500 |\n"
	if !strings.HasSuffix(got, want) {
		t.Errorf("rows:\n%s\nwant at the end\n%s", got, want)
	}
}

// TestRecall: the share of exact rows among the hits; queries without an answer count.
func TestRecall(t *testing.T) {
	exact := [][]int{{1, 2}, {3, 4}}
	for _, test := range []struct {
		hits [][]any
		want float64
	}{
		{[][]any{{1., 2.}, {4., 3.}}, 1}, {[][]any{{1., "x"}, {9.}}, .25}, {nil, 0},
	} {
		if got := recall(test.hits, exact); got == nil || *got != test.want {
			t.Errorf("recall(%v) = %v, want %g", test.hits, got, test.want)
		}
	}
}
