package format

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
)

// Begins says whether a file begins as every .kddx does, whole or cut off.
func Begins(head []byte) bool { return bytes.HasPrefix(head, magic[:]) }

// sniff tells a .kddx from the files that people pass for one, by its first bytes.
func sniff(b []byte, size int64) error {
	head := b[:min(len(b), 512)]
	if len(head) >= headerSize && Begins(head) {
		return nil
	}
	text := bytes.ToLower(bytes.TrimLeft(head, "\xef\xbb\xbf \t\r\n"))
	switch {
	case size == 0:
		return &ForeignError{"an empty file", `build it with "kdd build", or download it again`}
	case bytes.HasPrefix(head, magic[:4]) && len(head) >= 8 && !bytes.Equal(head[4:8], magic[4:]):
		return &ForeignError{"a .kddx whose line ends were converted (a text-mode copy)",
			"copy it as binary; in git, mark *.kddx as binary in .gitattributes"}
	case bytes.HasPrefix(head, magic[:min(len(head), 8)]):
		return headerError(size, "the file is cut off: %d bytes, a header alone has %d", size, headerSize)
	case bytes.HasPrefix(head, []byte("version https://git-lfs")):
		return &ForeignError{"a Git LFS pointer", `run "git lfs pull" to get the file itself`}
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return &ForeignError{"a zip archive", "unpack it and pass the .kddx inside"}
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		return &ForeignError{"a gzip file", "unpack it (gunzip) and pass the .kddx inside"}
	case bytes.HasPrefix(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return &ForeignError{"a zstd file", "unpack it (zstd -d) and pass the .kddx inside"}
	case bytes.HasPrefix(text, []byte("<!doctype html")), bytes.HasPrefix(text, []byte("<html")):
		return &ForeignError{"an HTML page",
			"the download gave an error or login page; open its address in a browser to see which"}
	case bytes.HasPrefix(text, []byte("{")), bytes.HasPrefix(text, []byte("<?xml")):
		return &ForeignError{"a text document (JSON or XML)", "the download probably gave an error message; read it"}
	case bytes.HasPrefix(head, []byte("SQLite format 3")):
		return &ForeignError{"a SQLite database", `an index of another tool; build a .kddx with "kdd build"`}
	}
	return &ForeignError{fmt.Sprintf("something else (it begins with %q)",
		head[:min(len(head), 8)]), `pass a file that "kdd build" wrote`}
}

// kindOf names what a path leads to when it is no regular file.
func kindOf(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "folder"
	case m&fs.ModeNamedPipe != 0:
		return "pipe"
	case m&fs.ModeSocket != 0:
		return "socket"
	}
	return "device"
}

// openRegular opens a regular file; it looks before it opens, since opening a pipe would wait for its other end.
func openRegular(path string) (*os.File, fs.FileInfo, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, &ForeignError{"a " + kindOf(info.Mode()), "pass the .kddx file itself"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	if info, err = f.Stat(); err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}
