package source

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"kdd/compiler/diag"
)

// What bytes that begin like this are.
const (
	markUTF8    = "\xef\xbb\xbf"
	markUTF16LE = "\xff\xfe"
	markUTF16BE = "\xfe\xff"
	markUTF32LE = "\xff\xfe\x00\x00"
	markUTF32BE = "\x00\x00\xfe\xff"
)

// Limits of what counts as text.
const (
	// A NUL byte among the first binaryProbe bytes means binary, as it does to git; further on, more than one in
	// nulShare bytes does.
	binaryProbe = 8000
	nulShare    = 1000
	// More than one invalid byte in invalidShare means binary. Latin-1 text in French or German has one in ten or
	// fewer.
	invalidShare = 3
)

// classify decides what the bytes of a file are: text, text in another encoding, or binary.
func classify(path string, data []byte) result {
	var r result
	note := func(d diag.Diagnostic) { r.diags = append(r.diags, d) }
	binaryFile := func(format string, args ...any) result {
		return result{reason: ReasonBinary, diags: []diag.Diagnostic{diag.New(diag.Binary, path, format, args...)}}
	}
	head := string(data[:min(len(data), 4)])
	switch {
	case head == markUTF32LE || head == markUTF32BE:
		return binaryFile("UTF-32, want UTF-8").withHint("convert it, such as: iconv -f UTF-32 -t UTF-8")
	case strings.HasPrefix(head, markUTF16LE), strings.HasPrefix(head, markUTF16BE):
		text, lost, line := decodeUTF16(data)
		if bytes.IndexByte(text, 0) >= 0 {
			return binaryFile("begins like UTF-16, but holds NUL characters")
		}
		if lost*invalidShare > len(data)/2 {
			return binaryFile("begins like UTF-16, but %d of %d code units are not characters", lost, len(data)/2)
		}
		if lost > 0 {
			note(diag.At(diag.BrokenUTF16, path, line, 0, "%d code units of the UTF-16 text are not characters; they became U+FFFD", lost))
		}
		note(diag.New(diag.UTF16, path, "read as UTF-16"))
		r.file.Data, r.file.Transcoded = text, true
	default:
		if nul := bytes.IndexByte(data, 0); nul >= 0 {
			count := bytes.Count(data, []byte{0})
			if nul < binaryProbe || count > len(data)/nulShare {
				return binaryFile("not text: NUL bytes, the first at byte %d", nul)
			}
			line, col := position(data, nul)
			note(diag.At(diag.NULByte, path, line, col, "NUL byte in a text (%d in all)", count))
		}
		if first, count := invalidUTF8(data); count > 0 {
			if count > len(data)/invalidShare {
				return binaryFile("not text: %d of %d bytes are not UTF-8", count, len(data)).
					withHint("if it is text in an older encoding, convert it, such as: iconv -f CP1251 -t UTF-8")
			}
			line, col := position(data, first)
			note(diag.At(diag.NotUTF8, path, line, col, "byte 0x%02x is not UTF-8 (%d in all)", data[first], count))
		}
		r.file.Data = data
	}
	switch {
	case len(bytes.TrimSpace(bytes.TrimPrefix(r.file.Data, []byte(markUTF8)))) == 0:
		note(diag.New(diag.EmptyFile, path, "the file has no text"))
	case isLFSPointer(r.file.Data):
		note(diag.New(diag.LFSPointer, path, "a Git LFS pointer, not its content"))
	}
	return r
}

// withHint sets the hint of a result's only diagnostic.
func (r result) withHint(hint string) result {
	r.diags[0].Hint = hint
	return r
}

// invalidUTF8 returns the offset of the first byte that is not part of UTF-8, and how many there are.
func invalidUTF8(data []byte) (first, count int) {
	if utf8.Valid(data) {
		return 0, 0
	}
	for i := 0; i < len(data); {
		if data[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			if count == 0 {
				first = i
			}
			count++
		}
		i += size
	}
	return first, count
}

// position returns the line and column, both from 1, of an offset.
func position(data []byte, offset int) (line, col int) {
	before := data[:offset]
	return bytes.Count(before, []byte{'\n'}) + 1, diag.Col(before[bytes.LastIndexByte(before, '\n')+1:])
}

// decodeUTF16 turns UTF-16 with a byte order mark into UTF-8 without one. It counts code units that belong to no
// character (a last odd byte included) and gives the line of the first; they become U+FFFD.
func decodeUTF16(data []byte) (text []byte, lost, line int) {
	var order binary.ByteOrder = binary.LittleEndian
	if strings.HasPrefix(string(data[:2]), markUTF16BE) {
		order = binary.BigEndian
	}
	text = make([]byte, 0, len(data)/2+len(data)/4)
	at := 1
	bad := func() {
		if lost == 0 {
			line = at
		}
		lost++
		text = utf8.AppendRune(text, utf8.RuneError)
	}
	rest := data[2:]
	for len(rest) >= 2 {
		r := rune(order.Uint16(rest))
		rest = rest[2:]
		if utf16.IsSurrogate(r) {
			low := rune(0)
			if len(rest) >= 2 {
				low = rune(order.Uint16(rest))
			}
			if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
				bad()
				continue
			}
			rest = rest[2:]
		}
		if r == '\n' {
			at++
		}
		text = utf8.AppendRune(text, r)
	}
	if len(rest) > 0 {
		bad()
	}
	return text, lost, line
}

// maxPointerBytes is the size that the Git LFS specification allows a pointer file.
const maxPointerBytes = 1024

// isLFSPointer reports whether data is what git-lfs leaves where it has not fetched a file.
func isLFSPointer(data []byte) bool {
	if len(data) > maxPointerBytes || !bytes.HasPrefix(data, []byte("version ")) {
		return false
	}
	first, rest, _ := strings.Cut(string(data), "\n")
	return strings.Contains(first, "git-lfs.github.com/spec/") && strings.Contains("\n"+rest, "\noid sha256:")
}

// sameNames warns of files whose paths are equal after normalisation to NFC and folding of case.
func sameNames(files []File) []diag.Diagnostic {
	var diags []diag.Diagnostic
	fold := cases.Fold()
	first := make(map[string]string, len(files))
	for _, f := range files {
		key := norm.NFC.String(fold.String(norm.NFC.String(f.Path)))
		if other, ok := first[key]; ok {
			diags = append(diags, diag.New(diag.SameName, f.Path, "the same name as %q but for case or accents", other))
			continue
		}
		first[key] = f.Path
	}
	return diags
}
