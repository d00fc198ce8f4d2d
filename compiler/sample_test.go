package compiler

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/compiler/embedding/remote/remotetest"
	"kdd/format/index"
)

// negating is an engine whose vectors point the other way.
type negating struct{ engine.Engine }

func (n negating) Embed(dst []float32, ids []int32) error {
	err := n.Engine.Embed(dst, ids)
	for i := range dst {
		dst[i] = -dst[i]
	}
	return err
}

// smallEngine opens the engine that a build takes: raw where it stores rows of float32.
func smallEngine(t *testing.T, dir string, raw bool) engine.Engine {
	t.Helper()
	m, err := model.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	e, _, err := m.Engine(engine.Options{Kind: engine.Go})
	if err != nil {
		t.Fatal(err)
	}
	if raw {
		return e
	}
	return m.Agreed(e)
}

// TestPoisoned builds over an artifact whose checksums and recipe are right and whose vectors are of other texts: none
// is reused, and a note says so. Where the cache has them too, only Fresh makes them anew.
func TestPoisoned(t *testing.T) {
	for _, floats := range []bool{false, true} {
		parent := t.TempDir()
		dir := filepath.Join(parent, "docs")
		newCorpus(5, 6).write(t, dir)
		small := smallModel(t, 1, "")
		o := withVectors(dir, small)
		o.Floats, o.CacheDir = floats, "-"
		o.Output = filepath.Join(parent, "clean.kddx")
		_, want := mustBuild(t, o)
		var notes []string
		o.Notice = func(text string) { notes = append(notes, text) }
		if r, got := mustBuild(t, o); r.Reused != r.Counts.Chunks || len(notes) != 0 {
			t.Errorf("floats %v: %d of %d vectors of a good artifact reused, notes %q", floats, r.Reused, r.Counts.Chunks, notes)
		} else {
			sameBytes(t, "over a good artifact", got, want)
		}
		o.Fresh = true
		if r, got := mustBuild(t, o); r.Reused != 0 {
			t.Errorf("floats %v: a fresh build reused %d vectors of a good artifact", floats, r.Reused)
		} else {
			sameBytes(t, "fresh over a good artifact", got, want)
		}
		o.Fresh = false

		cache := filepath.Join(parent, "cache")
		bad := o
		bad.Output, bad.CacheDir, bad.Embedder = filepath.Join(parent, "out.kddx"), cache, negating{smallEngine(t, small, floats)}
		_, poison := mustBuild(t, bad)
		o.Output = bad.Output
		r, got := mustBuild(t, o)
		sameBytes(t, "over a poisoned artifact", got, want)
		if r.Reused != 0 || len(notes) != 1 || !strings.Contains(notes[0], "not those of its texts") {
			t.Errorf("floats %v: %d poisoned vectors reused, notes %q", floats, r.Reused, notes)
		}

		if err := os.WriteFile(o.Output, poison, 0o644); err != nil {
			t.Fatal(err)
		}
		o.CacheDir, o.Fresh = cache, true
		r, got = mustBuild(t, o)
		sameBytes(t, "fresh, with a poisoned cache too", got, want)
		if r.Reused != 0 {
			t.Errorf("floats %v: a fresh build reused %d vectors", floats, r.Reused)
		}
		o.Fresh = false
		os.Remove(o.Output)
		_, got = mustBuild(t, o)
		sameBytes(t, "with the cache that a fresh build has mended", got, want)
	}
}

// TestPoisonedServer builds over a poisoned artifact with a server, whose vectors are compared nearly.
func TestPoisonedServer(t *testing.T) {
	parent := t.TempDir()
	docs := filepath.Join(parent, "docs")
	newCorpus(43, 12).write(t, docs)
	words := remotetest.Words(40)
	s := remotetest.New("words-40", words)
	defer s.Close()
	o := fromServer(docs, smallModel(t, 1, ""), s)
	o.Output = filepath.Join(parent, "out.kddx")
	mustBuild(t, o)
	s.Edit = func(n int, rows [][]float32) [][]float32 { // last bits differ from one answer to the next
		for _, row := range rows {
			row[n%len(row)] *= 1 + 1e-5
		}
		return rows
	}
	if r, _ := mustBuild(t, o); r.Reused != r.Counts.Chunks {
		t.Errorf("%d of %d vectors reused", r.Reused, r.Counts.Chunks)
	}
	old := openOldRow(t, o.Output)
	for _, tt := range []struct {
		name string
		edit func(row []float32)
		want bool
	}{
		{"as it is", func(row []float32) {}, true},
		{"last bits", func(row []float32) { row[0] *= 1.0001 }, true},
		{"longer", func(row []float32) {
			for i := range row {
				row[i] *= 2
			}
		}, false},
		{"another direction", func(row []float32) {
			for i := range row {
				row[i] = -row[i]
			}
		}, false},
		{"nothing", func(row []float32) { clear(row) }, false},
	} {
		row := old.row(0)
		tt.edit(row)
		if got := old.equals(0, row, true); got != tt.want {
			t.Errorf("%s: equals = %v, want %v", tt.name, got, tt.want)
		}
	}
}

// openOldRow opens the vectors of an artifact, whatever made them.
func openOldRow(t *testing.T, path string) *oldVectors {
	t.Helper()
	x, err := index.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer x.File.Close()
	v, err := x.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	old := &oldVectors{vectors: vectors{dim: v.Dim}}
	old.rows, old.scales, old.floats = v.Stored(false)
	return old
}

// row is the vector that row k stands for.
func (o *oldVectors) row(k int) []float32 {
	return index.DequantiseRows(o.rows[k*o.dim:(k+1)*o.dim], o.scales[k:k+1], o.dim)
}
