package source

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"kdd/compiler/diag"
)

const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n"

func TestClassify(t *testing.T) {
	long := strings.Repeat("plain text\n", 2000)
	tests := []struct {
		name, data string
		want       string // Data; for skipped files the reason
		skipped    bool
		diags      []string // place, severity, rule
	}{
		{name: "plain", data: "# a\n", want: "# a\n"},
		{name: "empty", data: "", want: "", diags: []string{"f.md: note: empty-file"}},
		{name: "only white space", data: " \r\n\t", want: " \r\n\t", diags: []string{"f.md: note: empty-file"}},
		{name: "only a byte order mark", data: markUTF8, want: markUTF8, diags: []string{"f.md: note: empty-file"}},
		{name: "byte order mark stays", data: markUTF8 + "a\r\n", want: markUTF8 + "a\r\n"},
		{name: "non-ASCII", data: "日本 ünï\n", want: "日本 ünï\n"},
		{name: "a real U+FFFD", data: "a \uFFFD\n", want: "a \uFFFD\n"},
		{name: "Latin-1", data: "one\r\nna\xefve caf\xe9\n", want: "one\r\nna\xefve caf\xe9\n", diags: []string{"f.md:2: warning: not-utf8"}},
		{name: "cut in a character", data: "caf\xc3", want: "caf\xc3", diags: []string{"f.md:1: warning: not-utf8"}},
		{name: "mostly invalid", data: "\xcf\xf0\xe8\xe2\xe5\xf2 a", want: ReasonBinary, skipped: true, diags: []string{"f.md: warning: binary"}},
		{name: "NUL", data: "a\x00b", want: ReasonBinary, skipped: true, diags: []string{"f.md: warning: binary"}},
		{name: "NUL in the last byte that is probed", data: strings.Repeat("a", binaryProbe-1) + "\x00" + long, want: ReasonBinary, skipped: true, diags: []string{"f.md: warning: binary"}},
		{name: "stray NUL far down", data: long + "x\x00" + long, want: long + "x\x00" + long, diags: []string{"f.md:2001: warning: nul-byte"}},
		{name: "many NULs far down", data: long + strings.Repeat("\x00", 1000), want: ReasonBinary, skipped: true, diags: []string{"f.md: warning: binary"}},
		{name: "UTF-16 little-endian", data: markUTF16LE + "#\x00 \x00\xe9\x00\n\x00", want: "# é\n", diags: []string{"f.md: note: utf16"}},
		{name: "UTF-16 big-endian, beyond the first plane", data: markUTF16BE + "\xd8\x3d\xde\x00", want: "😀", diags: []string{"f.md: note: utf16"}},
		{name: "UTF-16 with a lone surrogate", data: markUTF16BE + "\x00a\x00\n\xd8\x3d\x00b", want: "a\n\uFFFDb", diags: []string{"f.md: note: utf16", "f.md:2: warning: broken-utf16"}},
		{name: "UTF-16 with an odd byte", data: markUTF16LE + "a\x00b\x00c\x00d", want: "abc\uFFFD", diags: []string{"f.md: note: utf16", "f.md:1: warning: broken-utf16"}},
		{name: "UTF-16 mark alone", data: markUTF16LE, want: "", diags: []string{"f.md: note: utf16", "f.md: note: empty-file"}},
		{name: "UTF-16 mark before NUL", data: markUTF16BE + "\x00\x00\x00a", want: ReasonBinary, skipped: true, diags: []string{"f.md: warning: binary"}},
		{name: "UTF-16 mark before noise", data: markUTF16LE + strings.Repeat("\x00\xd8", 9), want: ReasonBinary, skipped: true, diags: []string{"f.md: warning: binary"}},
		{name: "UTF-32", data: markUTF32LE + "a\x00\x00\x00", want: ReasonBinary, skipped: true, diags: []string{"f.md: warning: binary"}},
		{name: "LFS pointer", data: pointer, want: pointer, diags: []string{"f.md: warning: lfs-pointer"}},
		{name: "LFS pointer, CRLF", data: strings.ReplaceAll(pointer, "\n", "\r\n"), want: strings.ReplaceAll(pointer, "\n", "\r\n"), diags: []string{"f.md: warning: lfs-pointer"}},
		{name: "about LFS pointers", data: "A pointer:\n\n    " + pointer, want: "A pointer:\n\n    " + pointer},
		{name: "too long for an LFS pointer", data: pointer + strings.Repeat("x", maxPointerBytes), want: pointer + strings.Repeat("x", maxPointerBytes)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := classify("f.md", []byte(tt.data))
			got := string(r.file.Data)
			if tt.skipped {
				got = r.reason
			}
			if got != tt.want || tt.skipped != (r.reason != "") {
				t.Errorf("classify = data %q, reason %q, want %q", r.file.Data, r.reason, tt.want)
			}
			if diags := texts(diag.Sort(r.diags)); !slices.Equal(diags, tt.diags) {
				t.Errorf("classify: diagnostics %q, want %q", diags, tt.diags)
			}
			if want := strings.Contains(tt.name, "UTF-16") && !tt.skipped; r.file.Transcoded != want {
				t.Errorf("classify: transcoded = %t, want %t", r.file.Transcoded, want)
			}
		})
	}
}

// A file that is left out says what can be done: where it may be text, how to make it UTF-8.
func TestHints(t *testing.T) {
	for data, want := range map[string]string{markUTF32BE + "\x00\x00\x00a": "iconv -f UTF-32 -t UTF-8", "\xcf\xf0\xe8\xe2\xe5\xf2": "iconv -f CP1251 -t UTF-8", "a\x00": "its own extension"} {
		r := classify("f.md", []byte(data))
		if len(r.diags) != 1 || !strings.Contains(r.diags[0].Hint, want) {
			t.Errorf("classify(%q) = %+v, want a hint with %q", data, r.diags, want)
		}
	}
}

// All files of one name are compared with the first of them.
func TestSameNames(t *testing.T) {
	var got []string
	for _, d := range sameNames([]File{{Path: "A.md"}, {Path: "a.MD"}, {Path: "a.md"}, {Path: "b.md"}}) {
		got = append(got, d.Path+": "+d.Text)
	}
	want := []string{`a.MD: the same name as "A.md" but for case or accents`, `a.md: the same name as "A.md" but for case or accents`}
	if !slices.Equal(got, want) {
		t.Errorf("sameNames = %q, want %q", got, want)
	}
}

func TestPosition(t *testing.T) {
	tests := []struct {
		name              string
		data              string
		offset            int
		wantLine, wantCol int
	}{
		{"first", "abc", 0, 1, 1},
		{"third", "abc", 2, 1, 3},
		{"line end", "a\nb", 1, 1, 2},
		{"second line", "a\nb", 2, 2, 1},
		{"CRLF", "a\r\nbc", 4, 2, 2},
		{"characters", "a\nÄ🦊\x00", 8, 2, 3},
		{"not UTF-8", "\xe9\xe9\xe9", 2, 1, 3},
		{"byte order mark", "\uFEFFab", 4, 1, 2},
	}
	for _, tt := range tests {
		if line, col := position([]byte(tt.data), tt.offset); line != tt.wantLine || col != tt.wantCol {
			t.Errorf("%s: position(%q, %d) = %d:%d, want %d:%d", tt.name, tt.data, tt.offset, line, col, tt.wantLine, tt.wantCol)
		}
	}
}

func FuzzClassify(f *testing.F) {
	for _, seed := range []string{"", "# a\n", "caf\xe9 au lait", "a\x00b", markUTF16LE + "a\x00", markUTF16BE + "\xd8\x3d\xde\x00\xd8", markUTF32BE, markUTF8 + "x", pointer} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := classify("f.md", data)
		switch {
		case r.reason != "":
			if r.reason != ReasonBinary || len(r.diags) != 1 || r.file.Data != nil {
				t.Errorf("classify = %+v, want one reason and one diagnostic", r)
			}
		case r.file.Transcoded:
			if !utf8.Valid(r.file.Data) {
				t.Errorf("classify makes %q, not UTF-8", r.file.Data)
			}
		case !bytes.Equal(r.file.Data, data):
			t.Errorf("classify changes %q to %q", data, r.file.Data)
		}
		for _, d := range r.diags {
			if d.Line > bytes.Count(data, []byte("\n"))+1 {
				t.Errorf("classify: %+v points behind the file", d)
			}
		}
	})
}
