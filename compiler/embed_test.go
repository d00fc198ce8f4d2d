package compiler

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kdd/compiler/embedding"
	"kdd/compiler/embedding/vectorfile"
	"kdd/compiler/filetest"
	"kdd/format/index"
)

// TestParts checks that parts give the file that one machine gives: for some numbers of shards, in any order, with runs
// that are stopped and resumed, with duplicates, and with or without an engine at the end.
func TestParts(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "docs")
	newCorpus(31, 150).write(t, dir)
	o := withVectors(dir, smallModel(t, 1, "passage: "))
	o.Output = filepath.Join(parent, "one.kddx")
	_, want := mustBuild(t, o)
	for _, shards := range []int{1, 2, 3, 7, 16} {
		t.Run(strconv.Itoa(shards), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(uint64(shards), 4))
			parts := t.TempDir()
			texts, embedded := 0, 0
			for _, shard := range rng.Perm(shards) {
				r := embedPart(t, rng, o, parts, Part{Shard: shard, Shards: shards})
				texts += r.Texts
				embedded += r.Embedded + r.Resumed
				if r.Texts == 0 && shards < 16 || r.Path != filepath.Join(parts, fmt.Sprintf("part-%d.kddv", shard)) {
					t.Errorf("shard %d: %+v", shard, r)
				}
			}
			if texts != embedded {
				t.Errorf("%d texts, %d of them embedded", texts, embedded)
			}
			names, err := filepath.Glob(filepath.Join(parts, "*"))
			if err != nil || len(names) != shards {
				t.Fatalf("files of the parts: %q, %v", names, err)
			}
			copyFile(t, names[rng.IntN(shards)], filepath.Join(parts, "again.kddv"))
			rng.Shuffle(len(names), func(i, k int) { names[i], names[k] = names[k], names[i] })
			for _, tt := range []struct {
				name  string
				parts []string
				only  bool
			}{
				{"a pattern, with a duplicate", []string{filepath.Join(parts, "*.kddv")}, true},
				{"names, twice", append(names, names...), true},
				{"with an engine", names, false},
			} {
				b := o
				b.Output, b.Parts, b.PartsOnly = filepath.Join(t.TempDir(), "parts.kddx"), tt.parts, tt.only
				if tt.only {
					b.Engine = "auto" // none is opened
				}
				r, got := mustBuild(t, b)
				sameBytes(t, tt.name, got, want)
				if r.Given < texts || r.Embedded != 0 { // a sentence that is a chunk's text is asked for twice
					t.Errorf("%s: %d given, %d embedded, want %d, none", tt.name, r.Given, r.Embedded, texts)
				}
			}
			// A part of the parts: the rest is embedded here.
			b := o
			b.Output, b.Parts = filepath.Join(t.TempDir(), "some.kddx"), names[:1]
			_, got := mustBuild(t, b)
			sameBytes(t, "one part", got, want)
		})
	}
}

// embedPart makes a part by runs that are stopped, at random, until one comes to the end. What was stopped may lack
// its last bytes, as on a machine that failed.
func embedPart(t *testing.T, rng *rand.Rand, o Options, dir string, p Part) *EmbedReport {
	t.Helper()
	p.Resume = true
	path := filepath.Join(dir, fmt.Sprintf("part-%d.kddv", p.Shard))
	for range 3 {
		left := rng.IntN(1500)
		ctx, cancel := context.WithCancel(t.Context())
		o.Output, o.Progress = dir, stepWatch(func() {
			if left--; left <= 0 {
				cancel()
			}
		})
		_, err := Embed(ctx, o, p)
		cancel()
		if err == nil {
			break
		} else if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if info, err := os.Stat(path + ".partial"); err == nil && info.Size() > 0 && rng.IntN(2) == 0 {
			if err := os.Truncate(path+".partial", info.Size()-rng.Int64N(info.Size())); err != nil {
				t.Fatal(err)
			}
		}
	}
	o.Progress = nil
	o.Output = dir
	if _, err := os.Stat(path); err == nil { // no run was stopped
		p.Resume = rng.IntN(2) == 0
	}
	r, err := Embed(t.Context(), o, p)
	if err != nil {
		t.Fatal(err)
	}
	r.Embedded += r.Reused // from the part that it replaces
	return r
}

// stepWatch is called for each text.
type stepWatch func()

func (w stepWatch) Phase(string, int) {}

func (w stepWatch) Step(n int) {
	for range n {
		w()
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestEmbedRepeats checks that a part is the same file each time, whatever its vectors were taken from.
func TestEmbedRepeats(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "docs")
	newCorpus(33, 40).write(t, dir)
	o := withVectors(dir, smallModel(t, 1, ""))
	var want []byte
	for _, tt := range []struct {
		name   string
		part   Part
		edit   func(o *Options)
		reused bool
	}{
		{"first", Part{Shard: 1, Shards: 2}, func(o *Options) {}, false},
		{"over itself", Part{Shard: 1, Shards: 2}, func(o *Options) {}, true},
		{"resumed, with nothing left", Part{Shard: 1, Shards: 2, Resume: true}, func(o *Options) {}, true},
		{"of other vectors", Part{Shard: 1, Shards: 2}, func(o *Options) {
			o.Output, o.Parts = filepath.Join(parent, "other.kddv"), []string{filepath.Join(parent, "p.kddv")}
		}, true},
		{"with a cache", Part{Shard: 1, Shards: 2}, func(o *Options) {
			o.Output, o.CacheDir = filepath.Join(parent, "c.kddv"), filepath.Join(parent, "cache")
		}, false},
		{"of the cache", Part{Shard: 1, Shards: 2}, func(o *Options) {
			o.Output, o.CacheDir = filepath.Join(parent, "d.kddv"), filepath.Join(parent, "cache")
		}, true},
	} {
		b := o
		b.Output = filepath.Join(parent, "p.kddv")
		tt.edit(&b)
		r, err := Embed(t.Context(), b, tt.part)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		got, err := os.ReadFile(b.Output)
		if err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = got
		}
		sameBytes(t, tt.name, got, want)
		if r.FileBytes != int64(len(got)) || r.Texts != r.Embedded+r.Reused+r.Resumed || tt.reused != (r.Embedded == 0) || r.Texts >= r.AllTexts {
			t.Errorf("%s: %+v", tt.name, r)
		}
	}
}

// TestPartsRefused checks that vectors which this build would not make are refused by name.
func TestPartsRefused(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "docs")
	filetest.Write(t, dir, map[string]string{"a.md": "# A\n\nText of a.\n\n## More\n\nMore of a.\n", "b.md": "# B\n\nSee [a](a.md).\n"})
	o := withVectors(dir, smallModel(t, 1, ""))
	o.Output = filepath.Join(parent, "out.kddx")
	for i := range 2 {
		b := o
		b.Output = parent
		if _, err := Embed(t.Context(), b, Part{Shard: i, Shards: 2}); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := os.ReadFile(filepath.Join(parent, "part-0.kddv"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := openEmbedder(t.Context(), &o)
	if err != nil {
		t.Fatal(err)
	}
	recipe := e.recipe
	e.close()
	// part writes a part with one vector, of a recipe.
	part := func(edit func(r *embedding.Recipe), row []float32) func(w io.Writer) error {
		return func(f io.Writer) error {
			head := vectorfile.Head{Recipe: recipe, Dim: len(row), Shards: 1, Texts: 1}
			edit(&head.Recipe)
			w, err := vectorfile.NewWriter(f, &head)
			if err != nil {
				return err
			}
			if err := w.Put([32]byte{1}, row); err != nil {
				return err
			}
			return w.Finish()
		}
	}
	bytes := func(b []byte) func(w io.Writer) error {
		return func(w io.Writer) error { _, err := w.Write(b); return err }
	}
	unit := func(dim, axis int) []float32 { row := make([]float32, dim); row[axis] = 1; return row }
	same := func(*embedding.Recipe) {}
	tests := []struct {
		name  string
		files map[string]func(w io.Writer) error
		edit  func(o *Options)
		want  string
	}{
		{"model", map[string]func(io.Writer) error{"x": part(func(r *embedding.Recipe) { r.ModelSHA256 = "m" }, unit(smallHidden, 0))}, nil, `x has vectors of model "m", want "` + recipe.ModelSHA256 + `"; make the parts again`},
		{"precision", map[string]func(io.Writer) error{"x": part(func(r *embedding.Recipe) { r.Precision = "int8" }, unit(smallHidden, 0))}, nil, `x has vectors of precision "int8", want "float32"`},
		{"engine", map[string]func(io.Writer) error{"x": part(func(r *embedding.Recipe) { r.Engine = "go 1 arm64" }, unit(smallHidden, 0))}, nil, `x has vectors of engine "go 1 arm64", want "` + recipe.Engine + `"; embed on machines of this kind, build with --vectors-only`},
		{"graph", map[string]func(io.Writer) error{"x": part(func(r *embedding.Recipe) { r.Engine, r.ONNXSHA256 = "onnx 1", "g" }, unit(smallHidden, 0))}, func(o *Options) { o.PartsOnly = true }, `x has vectors of model graph "g", want "`},
		{"tokenizer", map[string]func(io.Writer) error{"x": part(func(r *embedding.Recipe) { r.Tokenizer = "t" }, unit(smallHidden, 0))}, nil, `x has vectors of tokenizer "t", want "` + recipe.Tokenizer + `"`},
		{"prefix", map[string]func(io.Writer) error{"x": part(func(r *embedding.Recipe) { r.Prefix = "doc: " }, unit(smallHidden, 0))}, nil, `x has vectors of document prefix "doc: ", want ""`},
		{"limit", map[string]func(io.Writer) error{"x": part(func(r *embedding.Recipe) { r.Limit = 9 }, unit(smallHidden, 0))}, nil, `x has vectors of text limit "9", want "48"`},
		{"another kdd", map[string]func(io.Writer) error{"x": part(func(r *embedding.Recipe) { r.Chunker = 99 }, unit(smallHidden, 0))}, nil, `x has vectors of chunker "99", want`},
		{"length", map[string]func(io.Writer) error{"x": part(same, unit(8, 0))}, nil, `x has vectors of vector length "8", want "16"`},
		{"two recipes", map[string]func(io.Writer) error{"x": part(same, unit(smallHidden, 0)), "y": part(func(r *embedding.Recipe) { r.Precision = "int8" }, unit(smallHidden, 0))}, nil, `precision "int8"`},
		{"duplicates that differ", map[string]func(io.Writer) error{"x": part(same, unit(smallHidden, 0)), "y": part(same, unit(smallHidden, 1))}, nil, "y: other vectors of the same text; remove one of them"},
		{"cut short", map[string]func(io.Writer) error{"x": bytes(whole[:len(whole)-9])}, nil, "x: "},
		{"no part", map[string]func(io.Writer) error{"x": bytes([]byte("# A\n"))}, nil, "x: "},
		{"empty", map[string]func(io.Writer) error{"x": bytes(nil)}, nil, "x: "},
		{"none", nil, func(o *Options) { o.Parts = []string{filepath.Join(parent, "none-*.kddv")} }, `none-*.kddv: no such file; make such files with "kdd embed"`},
		{"the old spelling", nil, func(o *Options) { o.Parts = []string{"float32"} }, "--vectors float32: no such file; --stored-vectors says how vectors are stored"},
		{"pattern", nil, func(o *Options) { o.Parts = []string{"["} }, "--vectors [: no pattern of file names"},
		{"only, without parts", nil, func(o *Options) { o.PartsOnly = true }, "--vectors-only without --vectors"},
		{"a part is missing", nil, func(o *Options) { o.Parts, o.PartsOnly = []string{filepath.Join(parent, "part-0.kddv")}, true }, "texts are in no file of --vectors: "},
		{"which part is missing", nil, func(o *Options) { o.Parts, o.PartsOnly = []string{filepath.Join(parent, "part-0.kddv")}, true }, "; run kdd embed --shard 1/2"},
		{"documents have changed", nil, func(o *Options) {
			filetest.Write(t, dir, map[string]string{"c.md": "# C\n\nNew text.\n"})
			o.Parts, o.PartsOnly = []string{filepath.Join(parent, "part-?.kddv")}, true
		}, `texts are in no file of --vectors: c.md:3-3; run "kdd embed" on these documents again`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b, files := o, t.TempDir()
			for _, name := range slices.Sorted(maps.Keys(tt.files)) {
				f, err := os.Create(filepath.Join(files, name))
				if err != nil {
					t.Fatal(err)
				}
				if err := errors.Join(tt.files[name](f), f.Close()); err != nil {
					t.Fatal(err)
				}
				b.Parts = append(b.Parts, f.Name())
			}
			if tt.edit != nil {
				tt.edit(&b)
			}
			r, err := Build(t.Context(), b)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !errors.Is(err, ErrOption) {
				t.Errorf("Build = %v, %v, want %q", r, err, tt.want)
			}
			if got := leftovers(t, parent, "docs", "part-0.kddv", "part-1.kddv"); got != nil {
				t.Errorf("left behind: %q", got)
			}
		})
	}
}

// TestMixedEngines builds of a part of another engine and of texts that it lacks: the artifact names both engines, and
// gives its own vectors to no other build.
func TestMixedEngines(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "docs")
	newCorpus(35, 10).write(t, dir)
	o := withVectors(dir, smallModel(t, 1, ""))
	o.Output = filepath.Join(parent, "p.kddv")
	if _, err := Embed(t.Context(), o, Part{Shard: 0, Shards: 2}); err != nil {
		t.Fatal(err)
	}
	set, err := vectorfile.OpenSet([]string{o.Output}, false)
	if err != nil {
		t.Fatal(err)
	}
	own := set.Head().Recipe.Engine
	set.Close()
	data, err := os.ReadFile(o.Output)
	if err != nil {
		t.Fatal(err)
	}
	elsewhere := rewritten(t, data, own)
	o.Parts, o.Output = []string{elsewhere}, filepath.Join(parent, "out.kddx")
	if _, err := Build(t.Context(), o); err == nil || !strings.Contains(err.Error(), "--mixed-engines") {
		t.Fatalf("Build = %v, want an error that names --mixed-engines", err)
	}
	o.MixedEngines = true
	r, once := mustBuild(t, o)
	if r.Given == 0 || r.Embedded == 0 {
		t.Errorf("%d given, %d embedded, want some of both", r.Given, r.Embedded)
	}
	x, err := index.Open(o.Output)
	if err != nil {
		t.Fatal(err)
	}
	engine := x.Meta.Model.Engine
	x.File.Close()
	if want := own + ", " + otherEngine(own); engine != want {
		t.Errorf("the artifact's engine is %q, want %q", engine, want)
	}
	again, twice := mustBuild(t, o)
	sameBytes(t, "again", twice, once)
	if again.Reused == 0 {
		t.Error("nothing reused by the same build")
	}
	o.MixedEngines, o.Parts = false, nil
	if r, _ := mustBuild(t, o); r.Reused != 0 {
		t.Errorf("%d vectors of other engines reused", r.Reused)
	}
}

// otherEngine is the name of an engine on another machine, as long as this one's.
func otherEngine(own string) string { return own[:len(own)-1] + "~" }

// rewritten writes a part as the other engine would have.
func rewritten(t *testing.T, data []byte, own string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "other.kddv")
	source := filepath.Join(t.TempDir(), "own.kddv")
	if err := os.WriteFile(source, data, 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := vectorfile.Open(source)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	head := f.Head
	head.Recipe.Engine = otherEngine(own)
	w, err := vectorfile.NewWriter(out, &head)
	if err != nil {
		t.Fatal(err)
	}
	row := make([]float32, head.Dim)
	for i := range f.Len() {
		e, err := f.Entry(i)
		if err == nil {
			err = f.Row(row, i)
		}
		if err == nil {
			err = w.Put(e.Key, row)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Finish(), out.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestEmbedRefused checks what Embed says of bad input.
func TestEmbedRefused(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "docs")
	filetest.Write(t, dir, map[string]string{"a.md": "# A\n\nText of a.\n"})
	filetest.Write(t, parent, map[string]string{"notes.txt": "mine", "other.kddv.partial": "mine", "folder.kddv.partial/x": ""})
	o := withVectors(dir, smallModel(t, 1, ""))
	tests := []struct {
		name string
		part Part
		edit func(o *Options)
		want string
	}{
		{"below", Part{Shard: -1, Shards: 2}, nil, "shard -1 of 2, want one of 0 to 1; give I from 0 to N-1"},
		{"above", Part{Shard: 2, Shards: 2}, nil, "shard 2 of 2, want one of 0 to 1"},
		{"none", Part{}, nil, "shard 0 of 0"},
		{"too many", Part{Shards: maxShards + 1}, nil, "shard 0 of"},
		{"a file that is no part", Part{Shards: 1}, func(o *Options) { o.Output = filepath.Join(parent, "notes.txt") }, "notes.txt"},
		{"a partial that is none", Part{Shards: 1, Resume: true}, func(o *Options) { o.Output = filepath.Join(parent, "other.kddv") }, "other.kddv.partial: a file that kdd has not made would be overwritten; remove it"},
		{"a partial that is a folder", Part{Shards: 1, Resume: true}, func(o *Options) { o.Output = filepath.Join(parent, "folder.kddv") }, "folder.kddv.partial: not a file; remove it"},
		{"standard output", Part{Shards: 1}, func(o *Options) { o.Output = "-" }, "--output -: the file is not printed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := o
			b.Output = filepath.Join(t.TempDir(), "p.kddv")
			if tt.edit != nil {
				tt.edit(&b)
			}
			if r, err := Embed(t.Context(), b, tt.part); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("Embed = %v, %v, want %q", r, err, tt.want)
			}
		})
	}
	if data, err := os.ReadFile(filepath.Join(parent, "notes.txt")); err != nil || string(data) != "mine" {
		t.Errorf("notes.txt = %q, %v", data, err)
	}
}
