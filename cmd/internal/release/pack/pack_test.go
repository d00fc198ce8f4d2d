package pack

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"slices"
	"testing"
)

var files = []File{
	{Name: "b/c/run", Data: []byte("#!/bin/sh\n"), Executable: true},
	{Name: "a", Data: []byte("text")},
	{Name: "b/d", Data: nil},
}

func TestTar(t *testing.T) {
	var out bytes.Buffer
	if err := TarGz(&out, files); err != nil {
		t.Fatal(err)
	}
	unzipped, err := gzip.NewReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if !h.ModTime.Equal(Time) || h.Uid != 0 || h.Uname != "" {
			t.Errorf("%s: time %v, owner %d %q", h.Name, h.ModTime, h.Uid, h.Uname)
		}
		got = append(got, fmt.Sprintf("%s %o %d", h.Name, h.Mode, h.Size))
	}
	want := []string{"a 644 4", "b/ 755 0", "b/c/ 755 0", "b/c/run 755 10", "b/d 644 0"}
	if !slices.Equal(got, want) {
		t.Errorf("TarGz writes %q, want %q", got, want)
	}
}

func TestZip(t *testing.T) {
	var out bytes.Buffer
	if err := Zip(&out, files); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range z.File {
		got = append(got, fmt.Sprintf("%s %o %d %t", f.Name, f.Mode(), f.UncompressedSize64, f.Modified.Equal(Time)))
	}
	want := []string{"a 644 4 true", "b/c/run 755 10 true", "b/d 644 0 true"}
	if !slices.Equal(got, want) {
		t.Errorf("Zip writes %q, want %q", got, want)
	}
}

// The order in which files are given, and the run, change nothing; what no archive can have is refused.
func TestSameAndRefused(t *testing.T) {
	other := slices.Clone(files)
	slices.Reverse(other)
	for name, write := range map[string]func(io.Writer, []File) error{"Zip": Zip, "TarGz": TarGz} {
		var a, b bytes.Buffer
		if err := errors.Join(write(&a, files), write(&b, other)); err != nil || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s gives other bytes for another order: %v", name, err)
		}
		for _, bad := range [][]File{{{Name: "../a"}}, {{Name: "/a"}}, {{Name: ""}}, {{Name: "a"}, {Name: "a"}}} {
			if err := write(io.Discard, bad); err == nil {
				t.Errorf("%s(%v) = nil, want an error", name, bad)
			}
		}
	}
}
