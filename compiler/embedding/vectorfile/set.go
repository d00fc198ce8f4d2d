package vectorfile

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"kdd/compiler/diag"
	"kdd/compiler/embedding/engine"
	"kdd/format/index"
)

// Set are files of one recipe, read together. A nil Set has no vectors. Its methods may be called from several
// goroutines. Memory: 8 bytes a row.
type Set struct {
	files []*File
	mixed bool // vectors of several engines are taken
}

// OpenSet opens files. They must have vectors of one recipe and length, and where two have one of the same text it has
// to be the same vector (the same int8 row, where engines agree once rounded); else the error names both. mixed takes
// vectors of several engines, whose last bits differ. Of two of one text, the first file's counts.
func OpenSet(paths []string, mixed bool) (s *Set, err error) {
	set := &Set{mixed: mixed}
	defer func() {
		if err != nil {
			set.Close()
		}
	}()
	for _, path := range paths {
		f, err := Open(path)
		if err != nil {
			return nil, err
		}
		set.files = append(set.files, f)
		if err := set.fits(f); err != nil {
			return nil, err
		}
	}
	return set, set.agree()
}

// fits reports a file whose vectors are not those of the first.
func (s *Set) fits(f *File) error {
	first := s.files[0]
	recipe := f.Head.Recipe
	if s.mixed {
		recipe.Engine = first.Head.Recipe.Engine
	}
	if d := first.Head.Recipe.Difference(&recipe); d != nil {
		cure := "give parts of one build only"
		if d.Field == "engine" {
			cure = "give parts made on machines of one kind, or take them as they are with --mixed-engines"
		}
		return diag.Cure(cure,
			"%s: vectors of %s %q, those of %s have %q", f.Path, d.Field, d.Other, first.Path, d.Mine)
	}
	if f.Head.Dim != first.Head.Dim {
		return diag.Cure(damaged, "%s: vectors of %d numbers, those of %s have %d", f.Path, f.Head.Dim, first.Path, first.Head.Dim)
	}
	return nil
}

// place is where a row is.
type place struct {
	prefix    uint64 // the beginning of its key
	file, row int32
}

// agree reports two vectors of one text that differ.
func (s *Set) agree() error {
	if len(s.files) < 2 {
		return nil
	}
	n := 0
	for _, f := range s.files {
		n += f.Len()
	}
	places := make([]place, 0, n)
	for k, f := range s.files {
		for i, prefix := range f.prefix {
			places = append(places, place{prefix, int32(k), int32(i)})
		}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.prefix, b.prefix) })
	for i := 0; i < len(places); {
		k := i + 1
		for k < len(places) && places[k].prefix == places[i].prefix {
			k++
		}
		if err := s.equal(places[i:k]); err != nil {
			return err
		}
		i = k
	}
	return nil
}

// equal reports two rows of one key, of some with one prefix, that differ.
func (s *Set) equal(places []place) error {
	if len(places) < 2 {
		return nil
	}
	seen := map[Key]Entry{}
	firsts := map[Key]place{}
	for _, p := range places {
		f := s.files[p.file]
		e, err := f.Entry(int(p.row))
		if err != nil {
			return err
		}
		before, ok := seen[e.Key]
		if !ok {
			seen[e.Key], firsts[e.Key] = e, p
			continue
		}
		first := firsts[e.Key]
		other := s.files[first.file]
		if before.check == e.check || f.Head.Recipe.Engine != other.Head.Recipe.Engine {
			continue
		}
		if same, err := sameRounded(other, f, int(first.row), int(p.row)); err != nil {
			return err
		} else if !same {
			return diag.Cure("remove one of them, and embed its texts again", "%s and %s: other vectors of the same text", other.Path, f.Path)
		}
	}
	return nil
}

// sameRounded says whether two files of engines that agree once rounded have the same int8 row of a text: row i of a and
// row k of b.
func sameRounded(a, b *File, i, k int) (bool, error) {
	if !engine.Agrees(a.Head.Recipe.Engine) {
		return false, nil
	}
	x, y := make([]float32, a.Head.Dim), make([]float32, b.Head.Dim)
	if err := cmp.Or(a.Row(x, i), b.Row(y, k)); err != nil {
		return false, err
	}
	p, s := index.QuantiseRows(x, a.Head.Dim)
	q, t := index.QuantiseRows(y, b.Head.Dim)
	return bytes.Equal(p, q) && s[0] == t[0], nil
}

// Has says whether there is a vector of a text.
func (s *Set) Has(key Key) (bool, error) {
	f, _, err := s.find(&key)
	return f != nil, err
}

// Get reads the vector of a text, [Dim], and says whether there is one. Cost: a search in each file and two reads.
//
// Errors: of reading, and where the row is damaged.
func (s *Set) Get(dst []float32, key Key) (bool, error) {
	f, i, err := s.find(&key)
	if err != nil || f == nil {
		return false, err
	}
	return true, f.Row(dst, i)
}

// find returns the file that has a text's vector, nil if none, and the row.
func (s *Set) find(key *Key) (*File, int, error) {
	if s == nil {
		return nil, 0, nil
	}
	for _, f := range s.files {
		if i, ok, err := f.find(key); ok || err != nil {
			return f, i, err
		}
	}
	return nil, 0, nil
}

// Head is the first file's, or nil.
func (s *Set) Head() *Head {
	if s == nil || len(s.files) == 0 {
		return nil
	}
	return &s.files[0].Head
}

// Engines are the engines of all files, sorted.
func (s *Set) Engines() []string {
	var list []string
	for _, f := range s.files {
		list = append(list, f.Head.Recipe.Engine)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// First is the path of the first file.
func (s *Set) First() string { return s.files[0].Path }

// Absent returns which parts are not among the files, as "3/16"; none if the files are not of one number of parts.
func (s *Set) Absent() []string {
	if s.Head() == nil {
		return nil
	}
	n := s.Head().Shards
	there := make(map[int]bool, n)
	for _, f := range s.files {
		if f.Head.Shards != n {
			return nil
		}
		there[f.Head.Shard] = true
	}
	var absent []string
	for i := range n {
		if !there[i] {
			absent = append(absent, fmt.Sprintf("%d/%d", i, n))
		}
	}
	return absent
}

// Close closes the files.
func (s *Set) Close() {
	if s == nil {
		return
	}
	for _, f := range s.files {
		f.Close()
	}
}
