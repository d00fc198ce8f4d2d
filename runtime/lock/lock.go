package lock

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"kdd/runtime/wire"
)

// FileName is what a lock is called where it is looked for.
const FileName = "kdd.lock"

// Version is that of the form of the file.
const Version = 1

// Limits of what is read.
const (
	maxBytes     = 1 << 19 // of the file
	maxArtifacts = 1000
	maxKeys      = 16 // of one artifact
)

// Lock is one kdd.lock.
type Lock struct {
	Path      string  // of the file, as messages have it
	Artifacts []Entry // sorted by name

	data []byte // as it was read; nil if there is none yet
}

// Entry pins one artifact.
type Entry struct {
	Name     string   // that answers and links have
	Source   string   // where it is published: https://…, oci://…, or a path below the lock's folder, with "/"
	Resolved string   // what Source stood for when it was pinned, where that has a name that never moves; else ""
	Root     string   // its root hash, 64 hex digits
	Bytes    int64    // of the file, without the signatures behind it
	SignedAs string   // the name that it has to be signed under; "" = any
	Keys     []string // public keys, one of which has to have signed it, a line each; none = no signature is asked for

	line int // in the file, for messages; 0 if it was not read
}

// IsLock says whether a path is that of a lock, by its extension.
func IsLock(path string) bool { return filepath.Ext(path) == filepath.Ext(FileName) }

// Find returns the path of the lock in dir ("" = the working folder) or the nearest folder above it inside the same
// repository; "" if there is none.
func Find(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		if path := filepath.Join(dir, FileName); exists(path) {
			return path, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir || exists(filepath.Join(dir, ".git")) {
			return "", nil
		}
		dir = parent
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Read reads the lock at path. What is wrong with its text is an error of code invalid_input that names the line; what
// is wrong with the file is one of the operating system.
func Read(path string) (*Lock, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return nil, wire.NewError(wire.CodeInvalidInput, wire.Clean(path)+": not a file, want a lock", "name a file, or remove it")
	}
	data, err := io.ReadAll(io.LimitReader(f, maxBytes+1))
	if err != nil {
		return nil, err
	}
	return Parse(path, data)
}

// Dir is the folder that paths in the lock begin at.
func (l *Lock) Dir() string { return filepath.Dir(l.Path) }

// Entry returns the artifact of a name, nil if the lock has none.
func (l *Lock) Entry(name string) *Entry {
	for i := range l.Artifacts {
		if l.Artifacts[i].Name == name {
			return &l.Artifacts[i]
		}
	}
	return nil
}

// Names returns the names of the artifacts, sorted.
func (l *Lock) Names() []string {
	names := make([]string, len(l.Artifacts))
	for i := range l.Artifacts {
		names[i] = l.Artifacts[i].Name
	}
	return names
}

// Choose returns the artifacts of these names, all for none. A name that the lock lacks is an error of code not_found.
func (l *Lock) Choose(names []string) ([]*Entry, error) {
	var list []*Entry
	if len(names) == 0 {
		for i := range l.Artifacts {
			list = append(list, &l.Artifacts[i])
		}
		return list, nil
	}
	for _, name := range names {
		e := l.Entry(name)
		if e == nil {
			hint := "it is empty; add one with \"kdd add NAME SOURCE\""
			if len(l.Artifacts) > 0 {
				hint = "it has " + wire.Alternatives(l.Names())
			}
			if near := wire.Nearest(name, l.Names()); near != "" {
				hint = fmt.Sprintf("did you mean %q?", near)
			}
			return nil, wire.NewError(wire.CodeNotFound,
				fmt.Sprintf("%s: no artifact %s", wire.Clean(l.Path), wire.Quote(name)), hint)
		}
		if !slices.Contains(list, e) {
			list = append(list, e)
		}
	}
	return list, nil
}

// Put adds an artifact, or takes the place of the one of its name.
func (l *Lock) Put(e Entry) {
	if old := l.Entry(e.Name); old != nil {
		*old = e
		return
	}
	l.Artifacts = append(l.Artifacts, e)
	slices.SortFunc(l.Artifacts, func(a, b Entry) int { return cmp.Compare(a.Name, b.Name) })
}

// Place says where an entry stands, for messages: path:line.
func (l *Lock) Place(e *Entry) string {
	if e.line == 0 {
		return wire.Clean(l.Path)
	}
	return fmt.Sprintf("%s:%d", wire.Clean(l.Path), e.line)
}

// IsPath says whether an entry's source is a path, and not a URL.
func (e *Entry) IsPath() bool { return !strings.Contains(e.Source, "://") }

// File returns the path of an entry whose source is one. A link that leads out of the lock's folder is an error.
func (l *Lock) File(e *Entry) (string, error) {
	path := filepath.Join(l.Dir(), filepath.FromSlash(e.Source))
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return path, nil // that it is missing is told by whoever opens it
	}
	folder, err := filepath.EvalSymlinks(l.Dir())
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err == nil {
		folder, err = filepath.Abs(folder)
	}
	if err != nil {
		return "", err
	}
	if below, err := filepath.Rel(folder, real); err != nil || !filepath.IsLocal(below) {
		return "", wire.NewError(wire.CodeInvalidInput,
			fmt.Sprintf("%s: %s is a link out of the folder of the lock", l.Place(e), wire.Quote(e.Source)),
			"put a copy of the file there, or publish it and name its address")
	}
	return path, nil
}

// The form of the file.
type (
	document struct {
		Version   int              `yaml:"version"`
		Artifacts map[string]entry `yaml:"artifacts"`
	}
	entry struct {
		Source   string   `yaml:"source"`
		Resolved string   `yaml:"resolved,omitempty"`
		Root     string   `yaml:"root"`
		Bytes    int64    `yaml:"bytes"`
		SignedAs string   `yaml:"signed_as,omitempty"`
		Keys     []string `yaml:"keys,omitempty"`
	}
)

// head begins each file.
const head = `# The artifacts that are asked in this folder and below it. "kdd add" and "kdd update" write this file,
# "kdd fetch" gets what it pins. Commit it.
`

// Text returns the file: the same bytes for the same artifacts.
func (l *Lock) Text() []byte {
	doc := document{Version: Version, Artifacts: map[string]entry{}}
	for _, e := range l.Artifacts {
		doc.Artifacts[e.Name] = entry{e.Source, e.Resolved, e.Root, e.Bytes, e.SignedAs, e.Keys}
	}
	var b bytes.Buffer
	b.WriteString(head)
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := encoder.Encode(doc); err != nil {
		panic(err) // texts and numbers can be written
	}
	return b.Bytes()
}

// Differs says whether Write would change the file.
func (l *Lock) Differs() bool { return !bytes.Equal(l.data, l.Text()) }

// Write writes the lock, whole or not at all. A file that was changed since it was read stays as it is, and that is an
// error. It says whether the file changed.
func (l *Lock) Write() (changed bool, err error) {
	text := l.Text()
	switch there, err := os.ReadFile(l.Path); {
	case err == nil && !bytes.Equal(there, l.data):
		return false, wire.NewError(wire.CodeIO, wire.Clean(l.Path)+": the file was changed while this ran", "run the command again")
	case err == nil && bytes.Equal(there, text):
		return false, nil
	case err != nil && !os.IsNotExist(err):
		return false, err
	}
	if err := replaceFile(l.Path, text); err != nil {
		return false, err
	}
	l.data = text
	return true, nil
}

// replaceFile writes a file beside path, and renames it.
func replaceFile(path string, text []byte) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	temporary := fmt.Sprintf("%s.%d.tmp", path, os.Getpid())
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = cmp.Or(err, f.Sync())
	err = cmp.Or(f.Close(), err)
	if err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		os.Remove(temporary)
	}
	return err
}
