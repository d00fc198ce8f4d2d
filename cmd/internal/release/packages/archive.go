package main

import (
	"io"
	"os"
	"slices"

	"kdd/cmd/internal/release/pack"
)

// archiveName is the file name of a build's archive.
func (r *release) archiveName(b *build) string {
	if b.os == "windows" {
		return b.label(r.version) + ".zip"
	}
	return b.label(r.version) + ".tar.gz"
}

// archives writes one for each build: the program, licences and completions, without a folder around them.
func (r *release) archives() error {
	for _, b := range r.builds {
		data, err := os.ReadFile(b.path)
		if err != nil {
			return err
		}
		program := pack.File{Name: b.exe(), Data: data, Executable: true}
		files := slices.Concat([]pack.File{program}, r.licences, r.completions[b.program])
		err = r.file(r.archiveName(b), func(w io.Writer) error {
			if b.os == "windows" {
				return pack.Zip(w, files)
			}
			return pack.TarGz(w, files)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
