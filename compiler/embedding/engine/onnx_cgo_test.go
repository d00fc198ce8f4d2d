//go:build cgo

package engine

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kdd/compiler/embedding/onnx"
)

// needLibrary returns the options that find ONNX Runtime, or skips the test where it is absent.
func needLibrary(tb testing.TB) Options {
	tb.Helper()
	o := Options{Kind: ONNX}
	if _, err := FindLibrary(""); err != nil {
		tb.Skipf("ONNX Runtime is absent: %v", err)
	}
	return o
}

// oldLibrary builds a shared library that says it is ONNX Runtime 1.17.0 and has no API as new as is asked for.
func oldLibrary(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	source := filepath.Join(dir, "old.c")
	code := `
static const void *api(unsigned v) { return 0; }
static const char *version(void) { return "1.17.0"; }
static struct { const void *(*api)(unsigned); const char *(*version)(void); } base = { api, version };
const void *OrtGetApiBase(void) { return &base; }
`
	if err := os.WriteFile(source, []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	name, _ := fakeLibrary("1")
	library := filepath.Join(dir, strings.TrimSuffix(name, ".1"))
	compile(t, "-shared", "-fPIC", "-o", library, source)
	return library
}

// compile runs the compiler that cgo has too.
func compile(t *testing.T, args ...string) {
	t.Helper()
	cc := cmp.Or(os.Getenv("CC"), "cc")
	if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cc, err, out)
	}
}

// childVariable makes TestMain open the engine that it describes instead of running tests.
const childVariable = "KDD_TEST_OPEN"

// child is what a process opens.
type child struct {
	Source  Source
	Options Options
}

func TestMain(m *testing.M) {
	described := os.Getenv(childVariable)
	if described == "" {
		os.Exit(m.Run())
	}
	var c child
	if err := json.Unmarshal([]byte(described), &c); err != nil {
		panic(err)
	}
	e, _, err := Open(c.Source, c.Options)
	if err != nil {
		fmt.Println(errors.Is(err, ErrLibrary), err)
		return
	}
	vector := make([]float32, e.Dim())
	if err := e.Embed(vector, []int32{1, 2, 3}); err != nil {
		panic(err)
	}
	fmt.Println(ID(e), vector)
}

// missing is a model that is not there.
var missing = Source{ONNX: "none.onnx", Dim: 1, Vocab: 1, MaxIDs: 1}

// openInChild opens a model in a process of its own, since a process has one ONNX Runtime and keeps it. It returns
// whether the error was ErrLibrary, and its text; without an error the engine's name and a vector.
func openInChild(t *testing.T, src Source, o Options, environment ...string) string {
	t.Helper()
	described, err := json.Marshal(child{src, o})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), childVariable+"="+string(described)), environment...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("child: %v\n%s", err, out)
	}
	return strings.TrimSpace(string(out))
}

func TestOpenOldLibrary(t *testing.T) {
	if got := openInChild(t, missing, Options{Library: oldLibrary(t)}); !strings.HasPrefix(got, "true ") || !strings.Contains(got, "this ONNX Runtime is too old") {
		t.Errorf("Open = %s, want %v about its age", got, ErrLibrary)
	}
}

func TestOpenOtherLibrary(t *testing.T) {
	name, data := fakeLibrary("1.31.1")
	if data == nil {
		return // no head of a library is known for this system
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if got := openInChild(t, missing, Options{Library: path}); !strings.HasPrefix(got, "true "+path+": ") {
		t.Errorf("Open = %s, want %v that names the file", got, ErrLibrary)
	}
}

// ONNX Runtime 1.29 and later stores an id of the machine in the cache folder and sends what it is used for, unless it
// is told not to before it is loaded. In CI it keeps quiet of itself.
func TestOpenReportsNothing(t *testing.T) {
	needLibrary(t)
	library, err := FindLibrary("")
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	environment := []string{"HOME=" + home, "XDG_CACHE_HOME=" + filepath.Join(home, "cache"), "ORT_DISABLE_TELEMETRY=0", "ORT_RUNNING_UNIT_TESTS="}
	for _, name := range []string{"CI", "TF_BUILD", "GITHUB_ACTIONS", "GITLAB_CI", "BUILD_ID", "BUILD_BUILDID", "JENKINS_URL", "TEAMCITY_VERSION", "TRAVIS", "CIRCLECI", "APPVEYOR", "CODEBUILD_BUILD_ID"} {
		environment = append(environment, name+"=")
	}
	if got := openInChild(t, missing, Options{Library: library.Path}, environment...); !strings.HasPrefix(got, "false ") {
		t.Fatalf("Open = %s, want a library that loads and a model that is not there", got)
	}
	if left, err := os.ReadDir(home); err != nil || len(left) > 0 {
		t.Errorf("the library left %v, %v behind", left, err)
	}
}

// Two libraries in one process would be two global states behind one binding.
func TestOpenSecondLibrary(t *testing.T) {
	o := needLibrary(t)
	e, _, err := Open(writeGraph(t, small, onnx.Fused), o)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := loadLibrary("other"); !errors.Is(err, ErrLibrary) || !strings.Contains(err.Error(), "another ONNX Runtime is already loaded") {
		t.Errorf("loadLibrary = %v, want %v about the other one", err, ErrLibrary)
	}
}

// TestGraphsAgreeWithArithmetic runs each form of the graph in ONNX Runtime and compares it with plain loops.
func TestGraphsAgreeWithArithmetic(t *testing.T) {
	o := needLibrary(t)
	cls := small
	cls.Pooling = onnx.CLS
	roberta := small
	roberta.Offset, roberta.Types, roberta.Activation, roberta.Pooling = 2, 1, onnx.GELUTanh, onnx.Max
	relu := small
	relu.Activation = onnx.ReLU
	for _, tt := range []struct {
		name   string
		config onnx.Config
		form   onnx.Form
		want   float64 // smallest cosine
	}{
		{"fused", small, onnx.Fused, .999999},
		{"fused cls", cls, onnx.Fused, .999999},
		{"plain", small, onnx.Plain, .999999},
		{"plain cls", cls, onnx.Plain, .999999},
		{"fused roberta", roberta, onnx.Fused, .999999},
		{"plain roberta", roberta, onnx.Plain, .999999},
		{"fused relu", relu, onnx.Fused, .999999},
		{"plain relu", relu, onnx.Plain, .999999},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e, notice, err := Open(writeGraph(t, tt.config, tt.form), o)
			if err != nil || notice != "" {
				t.Fatalf("Open = %q, %v, want an engine", notice, err)
			}
			defer e.Close()
			rng := rand.New(rand.NewPCG(1, 2))
			for n := 1; n <= tt.config.Positions; n++ {
				ids := make([]int32, n)
				for i := range ids {
					ids[i] = int32(rng.IntN(tt.config.Vocab))
				}
				got, want := make([]float32, e.Dim()), forward(tt.config, ids)
				if err := e.Embed(got, ids); err != nil {
					t.Fatal(err)
				}
				var dot, length float64
				for i, v := range got {
					dot += float64(v) * want[i]
					length += float64(v) * float64(v)
				}
				if dot < tt.want || math.Abs(length-1) > 1e-5 {
					t.Errorf("vector of %d ids: cosine %.7f, length² %.6f, want %g or more and 1", n, dot, length, tt.want)
				}
			}
		})
	}
}

func TestEmbedErrors(t *testing.T) {
	e, _, err := Open(writeGraph(t, small, onnx.Fused), needLibrary(t))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	for _, tt := range []struct {
		name string
		dst  int
		ids  []int32
		want string
	}{
		{"empty", small.Hidden, nil, "text of 0 wordpieces, want 1 to 20"},
		{"too long", small.Hidden, make([]int32, small.Positions+1), "text of 21 wordpieces, want 1 to 20"},
		{"negative", small.Hidden, []int32{1, -1}, "wordpiece 1 is -1, want 0 to 39"},
		{"above the vocabulary", small.Hidden, []int32{40}, "wordpiece 0 is 40, want 0 to 39"},
		{"short vector", small.Hidden - 1, []int32{1}, "vector of 31 numbers, want 32"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := e.Embed(make([]float32, tt.dst), tt.ids); err == nil || err.Error() != tt.want {
				t.Errorf("Embed = %v, want %s", err, tt.want)
			}
		})
	}
}

// Many goroutines share a session; each vector must be the one that its text has alone.
func TestEmbedConcurrently(t *testing.T) {
	e, _, err := Open(writeGraph(t, small, onnx.Fused), needLibrary(t))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	text := func(i int) []int32 {
		ids := make([]int32, 1+i%small.Positions)
		for k := range ids {
			ids[k] = int32((i + k) % small.Vocab)
		}
		return ids
	}
	const texts = 200
	want := make([][]float32, texts)
	for i := range want {
		want[i] = make([]float32, e.Dim())
		if err := e.Embed(want[i], text(i)); err != nil {
			t.Fatal(err)
		}
	}
	var group sync.WaitGroup
	for g := range 4 {
		group.Go(func() {
			got := make([]float32, e.Dim())
			for i := range texts {
				i = (i*7 + g*50) % texts
				if err := e.Embed(got, text(i)); err != nil {
					t.Error(err)
					return
				}
				for k := range got {
					if math.Float32bits(got[k]) != math.Float32bits(want[i][k]) {
						t.Errorf("vector of text %d differs at %d: %g, alone %g", i, k, got[k], want[i][k])
						return
					}
				}
			}
		})
	}
	group.Wait()
}

func TestOpenBadGraph(t *testing.T) {
	o := needLibrary(t)
	good := writeGraph(t, small, onnx.Fused)
	page := filepath.Join(t.TempDir(), "model.onnx")
	if err := os.WriteFile(page, []byte("<!DOCTYPE html>"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		edit func(*Source)
	}{
		{"a web page", func(s *Source) { s.ONNX = page }},
		{"missing", func(s *Source) { s.ONNX = filepath.Join(filepath.Dir(page), "none.onnx") }},
		{"another width", func(s *Source) { s.Dim = 16 }},
		{"other inputs", func(s *Source) { s.Inputs, s.Output = []string{"input_ids"}, "last_hidden_state" }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			src := good
			tt.edit(&src)
			if _, _, err := Open(src, o); !errors.Is(err, ErrModel) || !strings.HasPrefix(err.Error(), ErrModel.Error()+": "+src.ONNX) {
				t.Errorf("Open = %v, want %v that names %s", err, ErrModel, src.ONNX)
			}
		})
	}
}
