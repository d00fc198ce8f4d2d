package source

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"os"
	"slices"

	"kdd/compiler/diag"
)

// Options says what Walk reads.
type Options struct {
	// Dirs are source folders or single files. With several, the path of each file begins with its folder's base name.
	Dirs []string
	// FollowLinks follows symbolic links, also out of the source folder. Without it they are skipped.
	FollowLinks bool
	// Include and Exclude are doublestar globs on paths as the artifact has them. A pattern without "/" is tried on
	// each name of the path; one that matches a folder covers what is in it. No Include means all.
	Include, Exclude []string
	// Extensions of documents, in any case, with or without the dot; none means DefaultExtensions.
	Extensions []string
	// MaxFileBytes is the largest file that is read; 0 means DefaultMaxFileBytes.
	MaxFileBytes int64
	// KeepGoing leaves out what cannot be read, with a diagnostic. Without it that is an IncompleteError.
	KeepGoing bool
}

// DefaultExtensions are the extensions of documents.
func DefaultExtensions() []string { return []string{".md", ".markdown", ".mdx", ".feature"} }

// DefaultMaxFileBytes is the largest file that Walk reads unless told otherwise.
const DefaultMaxFileBytes = 64 << 20

// File is one document as it was read.
type File struct {
	Path   string   // slash path as the artifact has it: Rel, with several folders prefixed by Root.Base
	Dir    int      // index into Tree.Roots
	Rel    string   // slash path relative to Roots[Dir].Abs
	Size   int64    // bytes on disk
	SHA256 [32]byte // of the bytes on disk
	// Data is the text: the bytes on disk, a UTF-8 byte order mark included, or their transcription. It may hold bytes
	// that are not UTF-8.
	Data       []byte
	Transcoded bool // Data is UTF-8 made from UTF-16, without byte order mark
}

// Reasons of a Skip. They are stable: reports count by them.
const (
	ReasonHidden      = "hidden"       // a name that begins with "."
	ReasonVendored    = "vendored"     // a folder called node_modules or vendor
	ReasonIgnored     = "ignored"      // .gitignore or .kddignore
	ReasonExtension   = "extension"    // not a document's extension
	ReasonExcluded    = "excluded"     // Include and Exclude
	ReasonLink        = "link"         // a symbolic link within the source folder, or one that leads nowhere
	ReasonLinkOutside = "link-outside" // a symbolic link that leaves the source folder
	ReasonSpecial     = "special"      // a pipe, socket or device
	ReasonBinary      = "binary"       // not text
	ReasonTooLarge    = "too-large"    // over MaxFileBytes
	ReasonTooDeep     = "too-deep"     // a folder below maxDepth
	ReasonUnreadable  = "unreadable"   // the system gave an error
	ReasonDraft       = "draft"        // for later phases: draft: true or published: false
	ReasonEmpty       = "empty"        // for later phases: nothing to index
)

// Skip is an entry that was not taken. A folder has "/" at its end and stands for all that is in it.
type Skip struct {
	Path   string
	Reason string
}

// Root is one source.
type Root struct {
	Abs  string // absolute path of the folder that Rel is relative to; never stored
	Base string // base name of the folder or file as it was named
	File bool   // the source is a single file: Abs is its folder, and paths are not prefixed
	// Hint is Abs below the top of its repository ("." at the top), else its base name: a slash path without "..".
	Hint string
}

// Tree is what Walk found.
type Tree struct {
	Files   []File // sorted by Path, bytewise
	Skipped []Skip // sorted by Path, bytewise
	Diags   []diag.Diagnostic
	Hash    [32]byte // over path, size and SHA-256 of each file
	Roots   []Root
	// Included are the files that documents include, sorted by Path, where SetIncluded gave them: documents or not.
	Included []File

	ignores map[string]*scope // by the path of the folder that the ignore files lie in
}

// ReasonCount is how many entries were skipped for one reason.
type ReasonCount struct {
	Reason string
	N      int
}

// SkipCounts counts skips by reason, most frequent first, then by name.
func SkipCounts(skipped []Skip) []ReasonCount {
	byReason := make(map[string]int)
	for _, s := range skipped {
		byReason[s.Reason]++
	}
	counts := make([]ReasonCount, 0, len(byReason))
	for reason, n := range byReason {
		counts = append(counts, ReasonCount{reason, n})
	}
	slices.SortFunc(counts, func(a, b ReasonCount) int {
		return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Reason, b.Reason))
	})
	return counts
}

// Check returns the error that Walk would return before it reads a folder: for sources that are not there, and for
// sources or patterns that cannot be used.
func Check(o Options) error {
	_, _, _, err := o.prepare()
	return err
}

// prepare reads the options and finds the sources.
func (o *Options) prepare() (*selection, []place, []diag.Diagnostic, error) {
	pick, err := newSelection(*o)
	if err != nil {
		return nil, nil, nil, &OptionError{err}
	}
	sources, diags, err := resolve(o.Dirs)
	if err != nil && !errors.Is(err, ErrMissing) {
		err = &OptionError{err}
	}
	return pick, sources, diags, err
}

// Walk reads all documents below o.Dirs.
//
// Anything wrong with a single entry becomes a diagnostic. Errors are a MissingError for a source that is not there, an
// IncompleteError unless o.KeepGoing is set, for files and folders that are too large, too deep or that the system does
// not give, an EmptyError if there is no document at all, an OptionError for sources or patterns that cannot be used, and ctx's
// cause once it is done. Cost: linear in entries and bytes, all documents in memory.
func Walk(ctx context.Context, o Options) (*Tree, error) {
	pick, sources, diags, err := o.prepare()
	if err != nil {
		return nil, err
	}
	w := &walker{ctx: ctx, pick: pick, follow: o.FollowLinks, diags: diags}
	defer w.close()
	for i, s := range sources {
		if err := w.source(i, s, len(sources) > 1); err != nil {
			return nil, err
		}
	}
	if err := w.followLinks(); err != nil {
		return nil, err
	}
	files, err := w.read(cmp.Or(o.MaxFileBytes, DefaultMaxFileBytes))
	if err != nil {
		return nil, err
	}
	if err := incomplete(w.diags); err != nil && !o.KeepGoing {
		return nil, err
	}
	t := &Tree{Files: files, Skipped: w.skipped, ignores: w.ignores}
	perRoot := make([]int, len(sources))
	for _, f := range files {
		perRoot[f.Dir]++
	}
	for i, s := range sources {
		t.Roots = append(t.Roots, s.Root)
		if perRoot[i] == 0 && len(files) > 0 {
			w.add(diag.New(diag.NothingInside, s.Base, "no document in this source"))
		}
	}
	slices.SortFunc(t.Skipped, func(a, b Skip) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Reason, b.Reason))
	})
	if len(files) == 0 {
		return nil, &EmptyError{Dirs: slices.Clone(o.Dirs), Extensions: pick.extensions, Skipped: t.Skipped, Diags: diag.Sort(w.diags)}
	}
	t.Diags = diag.Sort(append(w.diags, sameNames(files)...))
	t.Hash = hashFiles(files)
	return t, nil
}

// Folders returns the folders in which Walk finds what it reads, absolute and without links in them, sorted: of a source
// that is a file, its own. It reads ignore files and no document. Errors are those of Check, and ctx's cause.
func Folders(ctx context.Context, o Options) ([]string, error) {
	pick, sources, _, err := o.prepare()
	if err != nil {
		return nil, err
	}
	w := &walker{ctx: ctx, pick: pick, follow: o.FollowLinks}
	defer w.close()
	for i, s := range sources {
		if s.File {
			w.folders = append(w.folders, s.real)
		} else if err := w.source(i, s, len(sources) > 1); err != nil {
			return nil, err
		}
	}
	if err := w.followLinks(); err != nil {
		return nil, err
	}
	slices.Sort(w.folders)
	return slices.Compact(w.folders), nil
}

// hashFiles names the set of files: SHA-256 over the path (its length before it), size and SHA-256 of each.
func hashFiles(files []File) [32]byte {
	h := sha256.New()
	h.Write([]byte("kdd sources 1\n"))
	var buf []byte
	for _, f := range files {
		buf = binary.LittleEndian.AppendUint64(buf[:0], uint64(len(f.Path)))
		buf = append(buf, f.Path...)
		buf = binary.LittleEndian.AppendUint64(buf, uint64(f.Size))
		buf = append(buf, f.SHA256[:]...)
		h.Write(buf)
	}
	return [32]byte(h.Sum(nil))
}

// reason returns what the system said about a path, without the path: messages name it already.
func reason(err error) string {
	var pathErr *os.PathError
	var linkErr *os.LinkError
	var callErr *os.SyscallError
	switch {
	case errors.As(err, &pathErr):
		err = pathErr.Err
	case errors.As(err, &linkErr):
		err = linkErr.Err
	case errors.As(err, &callErr):
		err = callErr.Err
	}
	return err.Error()
}
