package parts

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"strings"
	"syscall"

	"kdd/compiler/diag"
	format "kdd/format/parts"
)

// tempPrefix begins the names of files that are not whole yet.
const tempPrefix = ".kdd-"

// place writes a file under a temporary name, syncs it and gives it its own.
func (w *writer) place(name string, data []byte) error {
	dir := path.Dir(name)
	if err := w.root.MkdirAll(dir, 0o777); err != nil {
		return w.wrong(dir, err)
	}
	temp := path.Join(dir, fmt.Sprintf("%s%016x", tempPrefix, rand.Uint64()))
	err := w.fill(temp, data)
	if err == nil {
		err = w.root.Rename(temp, name)
	}
	if err != nil {
		w.root.Remove(temp)
		return w.wrong(name, err)
	}
	return nil
}

// fill makes a file and has it on the disk.
func (w *writer) fill(name string, data []byte) error {
	f, err := w.root.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	synced := f.Sync()
	if errors.Is(synced, errors.ErrUnsupported) || errors.Is(synced, syscall.EINVAL) {
		synced = nil // a file system that cannot
	}
	return errors.Join(err, synced, f.Close())
}

// named returns the parts that the manifests of the folder name, but for that of the artifact, which is written anew.
func (w *writer) named(own string) (map[string]bool, error) {
	kept := map[string]bool{}
	if w.root == nil {
		return kept, nil
	}
	entries, err := fs.ReadDir(w.root.FS(), ".")
	if err != nil {
		return nil, w.wrong("", err)
	}
	for _, e := range entries {
		if e.Name() == own || !strings.HasSuffix(e.Name(), format.Extension) {
			continue
		}
		data, err := w.read(e.Name(), format.MaxManifestBytes)
		var m *format.Manifest
		if err == nil {
			m, err = format.Parse(data)
		}
		if err != nil {
			return nil, diag.Cure("mend or remove it, or leave --prune out: parts that it names would be removed",
				"%s: %w", join(w.o.Dir, e.Name()), err)
		}
		for _, sum := range m.Parts {
			kept[sum] = true
		}
	}
	return kept, nil
}

// prune removes parts that are neither the artifact's nor kept, and what an interrupted run left beside them.
func (w *writer) prune(kept map[string]bool) error {
	if w.root == nil {
		return nil
	}
	shards, err := fs.ReadDir(w.root.FS(), format.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return w.wrong(format.Folder, err)
	}
	for _, shard := range shards {
		dir := path.Join(format.Folder, shard.Name())
		if !shard.IsDir() {
			continue // another's
		}
		files, err := fs.ReadDir(w.root.FS(), dir)
		if err != nil {
			return w.wrong(dir, err)
		}
		for _, f := range files {
			name := path.Join(dir, f.Name())
			part := format.IsPath(name) && f.Type().IsRegular()
			if part && (w.seen[f.Name()] || kept[f.Name()]) || !part && !strings.HasPrefix(f.Name(), tempPrefix) {
				continue
			}
			if part {
				w.report.Removed++
			}
			if w.o.DryRun {
				continue
			}
			if err := w.root.Remove(name); err != nil {
				return w.wrong(name, err)
			}
		}
		if !w.o.DryRun {
			w.root.Remove(dir) // which fails unless it is empty
		}
	}
	return nil
}
