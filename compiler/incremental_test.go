package compiler

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	goruntime "runtime"
)

// TestIncremental edits a corpus at random and builds it in every way in which vectors can come about: all give the
// bytes of a clean build.
func TestIncremental(t *testing.T) {
	for _, tt := range []struct {
		name, prefix string
		floats       bool
		encoder      string
	}{
		{"distilled", "", false, EncoderDistilled},
		{"floats and a prefix", "passage of ", true, EncoderDistilled},
		{"exact", "", false, EncoderExact},
		{"none", "", false, EncoderNone},
	} {
		t.Run(tt.name, func(t *testing.T) { testIncremental(t, smallModel(t, 1, tt.prefix), tt.floats, tt.encoder) })
	}
}

func testIncremental(t *testing.T, model string, floats bool, encoder string) {
	dir := filepath.Join(t.TempDir(), "docs")
	out := t.TempDir()
	caches := map[string]string{"cached": t.TempDir(), "damaged": t.TempDir()}
	o := withVectors(dir, model)
	o.Floats, o.Encoder = floats, encoder
	c := newCorpus(7, 6)
	memory := &Memory{}
	defer memory.Close()
	reused := 0
	for step := range 12 {
		what := "start"
		if step > 0 {
			what = c.edit()
		}
		c.write(t, dir)
		clean := o
		clean.Output = filepath.Join(out, fmt.Sprintf("clean-%d.kddx", step))
		r, want := mustBuild(t, clean)
		if r.Reused != 0 {
			t.Fatalf("a clean build reused %d vectors", r.Reused)
		}
		again := o
		again.Output = filepath.Join(out, "old.kddx") // of the step before
		again.Memory = memory
		r, got := mustBuild(t, again)
		sameBytes(t, fmt.Sprintf("step %d (%s), over the old artifact", step, what), got, want)
		if reused += r.Reused; step > 0 && r.Reused == 0 {
			t.Errorf("step %d (%s): nothing was reused", step, what)
		}
		for name, cache := range caches {
			cached := o
			cached.CacheDir, cached.Output = cache, filepath.Join(out, name+"-new.kddx")
			os.Remove(cached.Output)
			_, got := mustBuild(t, cached)
			sameBytes(t, fmt.Sprintf("step %d (%s), with a %s cache", step, what, name), got, want)
		}
		damageFiles(t, caches["damaged"], step)
	}
	if reused == 0 {
		t.Error("no build reused a vector")
	}
}

// damageFiles flips a byte of each file in a folder: in another place at each step.
func damageFiles(t *testing.T, dir string, step int) {
	t.Helper()
	for _, path := range leftovers(t, dir) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b[(step*7919+len(b)-1)%len(b)] ^= 0x40
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReuseRefused builds over old artifacts that may not be taken from.
func TestReuseRefused(t *testing.T) {
	dir, out := filepath.Join(t.TempDir(), "docs"), t.TempDir()
	newCorpus(3, 4).write(t, dir)
	model := smallModel(t, 1, "")
	o := withVectors(dir, model)
	o.Output = filepath.Join(out, "clean.kddx")
	_, want := mustBuild(t, o)
	other := withVectors(dir, smallModel(t, 2, ""))
	other.Output = filepath.Join(out, "other.kddx")
	_, otherModel := mustBuild(t, other)
	plain := withVectors(dir, model)
	plain.NoVectors, plain.Output = true, filepath.Join(out, "plain.kddx")
	_, noVectors := mustBuild(t, plain)
	at := blockPlace(t, o.Output, "VECS")
	flipped := bytes.Clone(want)
	flipped[at+64+5] ^= 1
	newer := bytes.Clone(want)
	newer[8] = 99
	tests := []struct {
		name string
		old  []byte
	}{
		{"another model", otherModel},
		{"no vectors", noVectors},
		{"a vector with a flipped bit", flipped},
		{"another format version", newer},
		{"cut off", want[:len(want)/2]},
		{"empty", nil},
		{"a Git LFS pointer", []byte("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := o
			o.Output = filepath.Join(t.TempDir(), "old.kddx")
			if err := os.WriteFile(o.Output, tt.old, 0o644); err != nil {
				t.Fatal(err)
			}
			r, got := mustBuild(t, o)
			if r.Reused != 0 {
				t.Errorf("%d vectors were reused, want none", r.Reused)
			}
			sameBytes(t, tt.name, got, want)
		})
	}
	t.Run("float32 rows wanted, int8 rows there", func(t *testing.T) {
		o := o
		o.Output, o.Floats = filepath.Join(t.TempDir(), "old.kddx"), true
		_, clean := mustBuild(t, o)
		if err := os.WriteFile(o.Output, want, 0o644); err != nil {
			t.Fatal(err)
		}
		r, got := mustBuild(t, o)
		if r.Reused != 0 {
			t.Errorf("%d vectors were reused, want none", r.Reused)
		}
		sameBytes(t, "floats", got, clean)
	})
}

// TestDeterminism builds one corpus from other folders, by relative and absolute paths, with other outputs and numbers
// of processors.
func TestDeterminism(t *testing.T) {
	model := smallModel(t, 1, "")
	for _, noVectors := range []bool{true, false} {
		var want []byte
		for i, processors := range []int{2, 1, 4, 3} {
			parent := t.TempDir()
			dir := filepath.Join(parent, "docs")
			newCorpus(11, 30).write(t, dir)
			o := withVectors(dir, model)
			o.NoVectors = noVectors
			o.Output = filepath.Join(t.TempDir(), fmt.Sprintf("out%d.kddx", i))
			if i%2 == 1 {
				t.Chdir(parent)
				o.Sources, o.Output = []string{"./x/../docs"}, ""
				if err := os.Mkdir("x", 0o755); err != nil {
					t.Fatal(err)
				}
			}
			before := goruntime.GOMAXPROCS(processors)
			r, got := mustBuild(t, o)
			goruntime.GOMAXPROCS(before)
			if o.Output == "" && r.Path != "docs.kddx" {
				t.Errorf("the default output is %q, want docs.kddx", r.Path)
			}
			if want == nil {
				want = got
			}
			sameBytes(t, fmt.Sprintf("vectors %t, GOMAXPROCS %d", !noVectors, processors), got, want)
			if bytes.Contains(got, []byte(parent)) {
				t.Errorf("the artifact holds the absolute path %s", parent)
			}
		}
	}
}
