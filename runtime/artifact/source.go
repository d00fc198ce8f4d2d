package artifact

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"

	"kdd/format"
	"kdd/format/index"
	"kdd/format/sign"
	"kdd/format/text"
	"kdd/runtime/search/lexical"
	"kdd/runtime/trust"
	"kdd/runtime/wire"
)

// Source is a file that queries are answered from. The file may be replaced while the program runs.
type Source struct {
	Name, Path string
	looked     bool                 // found by looking into a folder: if it is gone, another file may be there
	pin        *pin                 // of a lock; nil for what is named by its file or URL
	weights    func(*index.Weights) // StoreOptions.Weights
	remote     *remote              // opens it if Path is a URL; else nil
	policy     func() (*trust.Policy, error)
	log        *slog.Logger // StoreOptions.Log

	mu      sync.Mutex
	Current *Artifact // the file as it is open now; nil until first used
	// refused are the stamps of the file that was renamed over Current and cannot be used, and of the signatures beside it
	refused  []format.Stamp
	signedAs []string // names under which the last one that a policy accepted is signed
}

// Artifact is an open file and what queries derive from it once. It is unmapped when its last user is done.
type Artifact struct {
	*index.Index
	Name    string
	Rows    func() *lexical.Rows
	Encoder func() (*Encoder, error)
	stale   func() *roaring.Bitmap // documents that are no longer in force
	paths   func() *pathFolders
	// paths was called
	foldersKnown atomic.Bool
	folders      sourceFolders

	Verified atomic.Bool // every byte of the file was verified after it was opened

	mu   sync.Mutex
	Uses int // one for the source, and one for each running call
}

// open opens the file. Source.weights, if not nil, changes the constants of its ranking.
func (s *Source) open(meaning bool) (x *Artifact, err error) {
	policy, err := s.policy()
	switch {
	case err != nil:
		return nil, err
	case s.remote != nil:
		var accept func(*format.File) error
		if policy != nil {
			accept = func(f *format.File) error { return s.accept(policy, f, "") }
		}
		return s.opened(s.remote.open(s.Path, meaning, accept))
	}
	var accept func(*format.File) error
	if policy != nil {
		accept = func(f *format.File) error { return s.accept(policy, f, s.Path) }
	}
	switch {
	case s.pin != nil:
		return s.opened(s.pin.open(s.Name, s.Path, accept))
	case accept != nil:
		return s.opened(openChecked(format.OpenHashed, s.Path, accept))
	}
	return s.opened(index.Open(s.Path))
}

// accept asks the policy about a file. What takes the place of an artifact has to be signed under one of its names.
func (s *Source) accept(policy *trust.Policy, f *format.File, path string) error {
	names, err := policy.Accept(f, path)
	if err != nil {
		return err
	}
	same := func(name string) bool { return slices.Contains(s.signedAs, name) }
	if len(s.signedAs) > 0 && !slices.ContainsFunc(names, same) {
		return &sign.Refusal{
			Reason: fmt.Sprintf("it is signed as %q, and the one in its place before as %q", names[0], s.signedAs[0]),
			Hint:   "start the program again if that is meant"}
	}
	s.signedAs = names
	return nil
}

// Open opens the file at path for a look that is no answer, such as an export. With a policy it has to accept it.
func Open(path string, policy *trust.Policy) (*index.Index, error) {
	if policy == nil {
		return index.Open(path)
	}
	return openChecked(format.OpenHashed, path, func(f *format.File) error {
		_, err := policy.Accept(f, path)
		return err
	})
}

// openChecked opens a file that accept accepts, before anything of it is used. With format.OpenHashed all of it that is
// read later is compared with its root hash.
func openChecked(open func(path string) (*format.File, error), path string, accept func(*format.File) error) (x *index.Index, err error) {
	f, err := open(path)
	if err != nil {
		return nil, err
	}
	if err = format.Guard(func() error { return accept(f) }); err == nil {
		x, err = index.New(f)
	}
	if err != nil {
		f.Close()
	}
	return x, err
}

// opened returns an index as an artifact.
func (s *Source) opened(x *index.Index, err error) (*Artifact, error) {
	name, path, weights := s.Name, s.Path, s.weights
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
	return &Artifact{
		Index: x, Name: name, Uses: 1,
		Rows:    sync.OnceValue(func() *lexical.Rows { return lexical.NewRows(x) }),
		Encoder: sync.OnceValues(func() (*Encoder, error) { return openEncoder(x) }),
		paths:   sync.OnceValue(func() *pathFolders { return newPathFolders(x) }),
		stale:   sync.OnceValue(func() *roaring.Bitmap { return x.Facet(index.StaleField, index.StaleValue) }),
	}, nil
}

// IsStale says whether a document is no longer in force.
func (a *Artifact) IsStale(d index.DocID) bool { return a.stale().Contains(uint32(d)) }

// checkWeights returns an error if constants of the ranking are missing, or out of range so that scores would not be
// finite.
func checkWeights(path string, w *index.Weights) error {
	const maxWeight = 1000
	check := func(name string, v, low, limit float64) error {
		if v >= low && v <= limit {
			return nil
		}
		return &format.CorruptError{Block: format.Tag{'M', 'E', 'T', 'A'}, Offset: -1, Reason: fmt.Sprintf("the weight %s is %g, want 0 to %g", name, v, limit)}
	}
	for _, one := range w.Table() {
		v := *one.Value
		if math.IsNaN(v) {
			return wire.NewError(wire.CodeIndexVersion, path+": another kdd made it, its ranking has no weight "+one.Name, `rebuild it with "kdd build"`)
		}
		limit := float64(maxWeight)
		if one.Name == "b" || one.Name == "other_accents" || one.Name == "plain_accents" {
			limit = 1
		}
		if err := check(one.Name, v, 0, limit); err != nil {
			return err
		}
	}
	for _, c := range w.Calibration {
		if err := cmp.Or(check("a of "+c.Mode, c.A, 0, maxWeight), check("c of "+c.Mode, c.C, 0, maxWeight), check("b of "+c.Mode, c.B, -maxWeight, maxWeight)); err != nil {
			return err
		}
	}
	return nil
}

// Release ends one use of the artifact.
func (a *Artifact) Release() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.Uses--; a.Uses == 0 {
		a.File.Close()
	}
}

// Acquire returns the artifact for one call. It opens the file if it is not open or was replaced. Of one that lies
// elsewhere it reads what each call needs; with meaning also what the comparison of meanings needs.
func (s *Source) Acquire(meaning bool) (*Artifact, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Current != nil {
		switch s.Current.File.Changed() {
		case format.Written:
			s.drop()
			return nil, WrittenError(s.Path)
		case format.Replaced:
			if err := s.replace(meaning); err != nil {
				return nil, err
			}
		}
	}
	if s.Current == nil {
		a, err := s.open(meaning)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, wire.NewError(wire.CodeIndexNotFound, s.Path+": no such file", `build it with "kdd build", or name another with -i`).Because(err)
		}
		if err != nil {
			return nil, FileError(s.Path, err)
		}
		s.Current = a
	}
	if err := index.FetchHot(s.Current.File, meaning); err != nil {
		return nil, FileError(s.Path, err)
	}
	s.Current.mu.Lock()
	s.Current.Uses++
	s.Current.mu.Unlock()
	return s.Current, nil
}

// replace takes up the file that was renamed over the open one. If it cannot be opened, or was removed, the open one goes
// on answering from its mapping, and the log says why, once for each file that is there. An artifact that lies elsewhere
// has no mapping to go on with: then that is the error.
func (s *Source) replace(meaning bool) error {
	var stamps []format.Stamp
	if s.remote == nil {
		stamp, err := format.StampOf(s.Path)
		if err != nil {
			return nil
		}
		stamps = []format.Stamp{stamp}
		for _, path := range sign.PathsBeside(s.Path) {
			stamp, _ := format.StampOf(path)
			stamps = append(stamps, stamp)
		}
		if slices.EqualFunc(s.refused, stamps, func(a, b format.Stamp) bool { return a.Change(b) == format.Same }) {
			return nil
		}
	}
	a, err := s.open(meaning)
	switch {
	case err == nil:
		s.drop()
		s.Current = a
	case s.remote != nil:
		return FileError(s.Path, err)
	case !errors.Is(err, fs.ErrNotExist):
		s.refused = stamps
		s.logger().Error("the new artifact cannot be used: answers go on coming from the one before it", "path", s.Path,
			"error", FileError(s.Path, err).Error())
	}
	return nil
}

func (s *Source) logger() *slog.Logger {
	if s.log == nil {
		return slog.Default()
	}
	return s.log
}

// Gone says whether there is no such file. Of a host it does not know.
func (s *Source) Gone() bool { return s.remote == nil && !Exists(s.Path) }

// IsOpen says whether the file is open now.
func (s *Source) IsOpen() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.Current != nil
}

// drop releases the open artifact, if there is one.
func (s *Source) drop() {
	if s.Current != nil {
		s.Current.Release()
		s.Current = nil
	}
}

func (s *Source) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop()
}

// NameOf returns the name of an artifact that was given none.
func NameOf(pathOrURL string) string { return stem(pathOrURL) }

// stem returns the name of an artifact that was given none: its file name without extension.
func stem(path string) string {
	if IsURL(path) {
		return urlStem(path)
	}
	base := filepath.Base(path)
	if name := strings.TrimSuffix(base, filepath.Ext(base)); name != "" {
		return name
	}
	return base
}
