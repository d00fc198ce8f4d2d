package runtime

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"kdd/format"
	"kdd/format/text"
	"kdd/runtime/lexical"
	"kdd/runtime/wire"
)

// storeOptions say which artifacts there are and how their sources are named; see Config.
type storeOptions struct {
	Index   []string
	Dir     string
	Environ map[string]string
	Root    string
	Private bool
	Weights func(*format.Weights)
}

// store has the artifacts that are answered from. It is safe for concurrent use. Nothing is opened before the first call.
type store struct {
	config storeOptions

	mu      sync.Mutex
	sources []*source // once they have been found
}

// newStore returns a store; it reads nothing yet.
func newStore(o storeOptions) *store { return &store{config: o} }

// close releases the mappings once running calls have ended.
func (s *store) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, src := range s.sources {
		src.close()
	}
	s.sources = nil
}

// source is one artifact that a Service answers from; it may be replaced while the Service runs.
type source struct {
	name, path string
	looked     bool                  // found by looking into a folder: where it is gone, another may be there
	weights    func(*format.Weights) // Config.Weights

	mu   sync.Mutex
	open *artifact // nil until first used
}

// artifact is an open file with what queries derive from it once. It is unmapped when its last user is done.
type artifact struct {
	*format.Index
	name string
	rows func() *lexical.Rows
	sem  func() (*semantic, error)
	old  func() *roaring.Bitmap // documents that are no longer in force

	whole atomic.Bool // every byte of the file was verified since it was opened

	mu   sync.Mutex
	uses int // the source's own, and one per running call
}

// openArtifact opens a file; weights changes the constants of its ranking, nil = they stay.
func openArtifact(name, path string, weights func(*format.Weights)) (*artifact, error) {
	x, err := format.OpenIndex(path)
	if err != nil {
		return nil, err
	}
	if x.Meta.Analyzer != text.Version {
		x.File.Close()
		return nil, wire.NewError(wire.CodeIndexVersion, fmt.Sprintf("%s: its words were cut by analyzer %d, this kdd has %d", path, x.Meta.Analyzer, text.Version), `rebuild it with "kdd build"`).
			With("got", x.Meta.Analyzer).With("want", text.Version)
	}
	if weights != nil {
		weights(&x.Meta.Weights)
	}
	if err := checkWeights(path, &x.Meta.Weights); err != nil {
		x.File.Close()
		return nil, err
	}
	return &artifact{
		Index: x, name: name, uses: 1,
		rows: sync.OnceValue(func() *lexical.Rows { return lexical.NewRows(x) }),
		sem:  sync.OnceValues(func() (*semantic, error) { return openSemantic(x) }),
		old:  sync.OnceValue(func() *roaring.Bitmap { return x.Facet(format.StaleField, format.StaleValue) }),
	}, nil
}

// stale says whether a document is no longer in force.
func (a *artifact) stale(d format.DocID) bool { return a.old().Contains(uint32(d)) }

// checkWeights refuses constants of the ranking that are missing, or with which scores would be no numbers.
func checkWeights(path string, w *format.Weights) error {
	const most = 1000
	bad := func(name string, v float64, most int) error {
		return &format.CorruptError{Block: format.Tag{'M', 'E', 'T', 'A'}, Offset: -1, Reason: fmt.Sprintf("the weight %s is %g, want 0 to %d", name, v, most)}
	}
	for _, one := range w.Table() {
		v := *one.Value
		if math.IsNaN(v) {
			return wire.NewError(wire.CodeIndexVersion, path+": another kdd made it, its ranking has no weight "+one.Name, `rebuild it with "kdd build"`)
		}
		limit := most
		if one.Name == "b" || one.Name == "other_accents" || one.Name == "plain_accents" {
			limit = 1
		}
		if !(v >= 0 && v <= float64(limit)) {
			return bad(one.Name, v, limit)
		}
	}
	for _, c := range w.Calibration {
		if !(c.A >= 0 && c.A <= most) {
			return bad("a of "+c.Mode, c.A, most)
		}
		if !(c.C >= 0 && c.C <= most) {
			return bad("c of "+c.Mode, c.C, most)
		}
		if !(c.B >= -most && c.B <= most) {
			return bad("b of "+c.Mode, c.B, most)
		}
	}
	return nil
}

func (a *artifact) release() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.uses--; a.uses == 0 {
		a.File.Close()
	}
}

// acquire returns the artifact for one call, opening it if need be, or opening its replacement.
func (s *source) acquire() (*artifact, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open != nil {
		switch s.open.File.Changed() {
		case format.Written:
			s.drop()
			return nil, writtenError(s.path)
		case format.Replaced:
			if a, err := openArtifact(s.name, s.path, s.weights); err == nil {
				s.drop()
				s.open = a
			} else if !errors.Is(err, fs.ErrNotExist) {
				return nil, fileError(s.path, err)
			} // a file that is gone still answers from its mapping
		}
	}
	if s.open == nil {
		a, err := openArtifact(s.name, s.path, s.weights)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, wire.NewError(wire.CodeIndexNotFound, s.path+": no such file", `build it with "kdd build", or name another with -i`).Because(err)
		}
		if err != nil {
			return nil, fileError(s.path, err)
		}
		s.open = a
	}
	s.open.mu.Lock()
	s.open.uses++
	s.open.mu.Unlock()
	return s.open, nil
}

func (s *source) drop() {
	if s.open != nil {
		s.open.release()
		s.open = nil
	}
}

func (s *source) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop()
}

func writtenError(path string) error {
	return wire.NewError(wire.CodeIndexCorrupt, path+": the file was changed in place while it was open", "ask again; to update an index write a new file and rename it over the old one, as kdd build does")
}

// set is the artifacts of one call.
type set struct {
	artifacts []*artifact
	where     func(*artifact) *locator
}

// acquire opens the artifacts for one call, or takes those that are open. The caller releases the set.
func (s *store) acquire() (*set, error) {
	sources, err := s.find()
	if err != nil {
		return nil, err
	}
	set := &set{where: func(a *artifact) *locator { return s.locator(a, len(sources) > 1) }}
	for _, src := range sources {
		a, err := src.acquire()
		if err != nil {
			set.release()
			s.forget(src)
			return nil, err
		}
		set.artifacts = append(set.artifacts, a)
	}
	return set, nil
}

func (s *set) release() {
	for _, a := range s.artifacts {
		a.release()
	}
}

// written returns an error if one of the files was changed in place while the call ran.
func (s *set) written() error {
	for _, a := range s.artifacts {
		if a.File.Changed() == format.Written {
			return writtenError(a.File.Path)
		}
	}
	return nil
}

// path names the file that an error is about: of several those in which the block that it names is damaged, else all of them.
//
// Cost: of several, one pass over each file. It is for the way of an error alone.
func (s *set) path(err error) string {
	var all, damaged []string
	var corrupt *format.CorruptError
	known := errors.As(err, &corrupt)
	for _, a := range s.artifacts {
		path := a.File.Path
		all = append(all, path)
		if len(s.artifacts) == 1 || !known {
			continue
		}
		problems, err := format.VerifyFile(path)
		if err != nil || slices.ContainsFunc(problems, func(p format.Problem) bool { return p.Block == corrupt.Block.String() }) {
			damaged = append(damaged, path)
		}
	}
	if len(damaged) > 0 {
		all = damaged
	}
	return strings.Join(all, ", ")
}

// several says whether more than one artifact answers, so that answers name them.
func (s *set) several() bool { return len(s.artifacts) > 1 }

// indexes returns the format's view of each artifact.
func (s *set) indexes() []*format.Index {
	list := make([]*format.Index, len(s.artifacts))
	for i, a := range s.artifacts {
		list[i] = a.Index
	}
	return list
}

// stem is the name of an artifact that none was given for.
func stem(path string) string {
	base := filepath.Base(path)
	if name := strings.TrimSuffix(base, filepath.Ext(base)); name != "" {
		return name
	}
	return base
}
