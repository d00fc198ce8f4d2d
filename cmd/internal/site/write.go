package site

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"kdd/compiler/diag"
)

// marker is the list of what a run wrote: it says that a folder is a site of kdd.
const marker = ".kdd-site.json"

// marked is site_files.v1.
type marked struct {
	SchemaVersion string   `json:"schema_version"`
	Files         []string `json:"files"`
}

// folderWriter is the folder that is written to. No link in it leads out of it.
type folderWriter struct {
	dir    string
	dry    bool
	root   *os.Root // nil in a dry run where nothing is there
	before map[string]bool
	now    []string
	report *Report
}

// openFolder opens the folder, and makes it. One with other files is refused, unless only the search is written.
func openFolder(dir string, dry, widget bool, report *Report) (*folderWriter, error) {
	w := &folderWriter{dir: dir, dry: dry, before: map[string]bool{}, report: report}
	if !dry {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, w.wrong("", err)
		}
	}
	root, err := os.OpenRoot(dir)
	switch {
	case dry && errors.Is(err, fs.ErrNotExist):
		return w, nil
	case err != nil:
		return nil, w.wrong("", err)
	}
	w.root = root
	data, err := root.ReadFile(marker)
	switch {
	case err == nil:
		var m marked
		if err := json.Unmarshal(data, &m); err != nil || m.SchemaVersion != "site_files.v1" {
			w.close()
			return nil, diag.Cure(
				"remove it, or name another folder with -o",
				"%s: no list of files of kdd site",
				w.place(marker),
			)
		}
		for _, name := range m.Files {
			if fs.ValidPath(name) {
				w.before[name] = true
			}
		}
	case !errors.Is(err, fs.ErrNotExist):
		w.close()
		return nil, w.wrong(marker, err)
	case !widget:
		if names, err := fs.ReadDir(root.FS(), "."); err != nil || len(names) > 0 {
			w.close()
			if err != nil {
				return nil, w.wrong("", err)
			}
			return nil, diag.Cure(
				"name a new or empty folder with -o",
				"%s: has files that kdd site did not write, such as %s",
				dir,
				names[0].Name(),
			)
		}
	}
	return w, nil
}

func (w *folderWriter) close() {
	if w.root != nil {
		w.root.Close()
	}
}

func (w *folderWriter) place(name string) string {
	return strings.TrimSuffix(w.dir, string(os.PathSeparator)) + string(os.PathSeparator) + name
}

func (w *folderWriter) wrong(name string, err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	place := w.dir
	if name != "" {
		place = w.place(name)
	}
	return diag.Cure("name another folder with -o", "%s: cannot be written: %w", place, err)
}

// put writes a file that is not there or is another one.
func (w *folderWriter) put(name string, data []byte) error {
	return w.copy(name, bytes.NewReader(data), int64(len(data)))
}

// copy is put of a file that is not in memory.
func (w *folderWriter) copy(name string, from io.ReaderAt, size int64) error {
	w.now = append(w.now, name)
	w.report.Files++
	w.report.Bytes += size
	if w.same(name, io.NewSectionReader(from, 0, size)) {
		return nil
	}
	w.report.Written++
	if w.dry {
		return nil
	}
	return w.write(name, io.NewSectionReader(from, 0, size))
}

// write writes a file under another name until it is whole, so that nobody is served half of it.
func (w *folderWriter) write(name string, from io.Reader) error {
	if dir := path.Dir(name); dir != "." {
		if err := w.root.MkdirAll(dir, 0o777); err != nil {
			return w.wrong(name, err)
		}
	}
	draft := name + ".kdd-new"
	f, err := w.root.Create(draft)
	if err != nil {
		return w.wrong(name, err)
	}
	_, err = io.Copy(f, from)
	if err = errors.Join(err, f.Close()); err == nil {
		err = w.root.Rename(draft, name)
	}
	if err != nil {
		return w.wrong(name, errors.Join(err, w.root.Remove(draft)))
	}
	return nil
}

// same says whether a file is there with these bytes.
func (w *folderWriter) same(name string, want *io.SectionReader) bool {
	if w.root == nil {
		return false
	}
	f, err := w.root.Open(name)
	if err != nil {
		return false
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() != want.Size() {
		return false
	}
	var have, wanted [32 << 10]byte
	for {
		n, err := io.ReadFull(f, have[:])
		m, _ := io.ReadFull(want, wanted[:])
		if !bytes.Equal(have[:n], wanted[:m]) {
			return false
		}
		if err != nil {
			return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		}
	}
}

// finish removes what a former run wrote and this one did not, and writes the list of files.
func (w *folderWriter) finish(clean bool) error {
	slices.Sort(w.now)
	left := slices.Clone(w.now)
	for name := range w.before {
		if _, found := slices.BinarySearch(w.now, name); found {
			continue
		}
		if !clean {
			left = append(left, name)
			continue
		}
		w.report.Removed++
		if w.dry || w.root == nil {
			continue
		}
		if err := w.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return w.wrong(name, err)
		}
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			if w.root.Remove(dir) != nil { // other files are in it
				break
			}
		}
	}
	if w.dry {
		return nil
	}
	slices.Sort(left)
	data, err := json.MarshalIndent(marked{"site_files.v1", left}, "", " ")
	if err != nil {
		return err
	}
	data = append(data, '\n')
	if reader := io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data))); w.same(marker, reader) {
		return nil
	}
	return w.write(marker, bytes.NewReader(data))
}
