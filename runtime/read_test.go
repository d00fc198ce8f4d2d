package runtime

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"kdd/compiler"
	"kdd/compiler/filetest"
	"kdd/format/index"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// written is a tree of documents with everything that makes places hard to tell.
func written() tree {
	var long strings.Builder
	for i := range 900 {
		fmt.Fprintf(&long, "Línea %d — das ist ein Wort, 日本語の文書, 🦊 und so weiter.\n", i)
		if i%100 == 50 {
			fmt.Fprintf(&long, "\n## Teil %d\n\n", i/100)
		}
	}
	return tree{
		"long.md":      "---\ntitle: Long\n---\n\n# Long\n\n" + long.String(),
		"crlf.md":      strings.ReplaceAll("# Dos\n\nfirst\n\n## Zwei\n\nsecond\nthird\n", "\n", "\r\n"),
		"one-line.md":  "# One\n\n" + strings.Repeat("größer ", 9000),
		"invalid.md":   "# Bad\n\nab\xff\xfe\xc3 \xe2\x82 end\n\n## Next\n\n\xf0\x9f text\n",
		"a#b.md":       "# Hash\n\n## Sub\n\ntext\n",
		"ids.md":       "# Ids\n\n## Local docs {#local}\n\nfirst\n\n## Última versión {/*latest*/}\n\nsecond\n\n## `Named` \\*here* {#local-docs}\n\nthird\n",
		"a.md":         "# A\n\n## b.md\n\nnot the file\n\n### Deep\n\ndeep\n\n## Descripción\n\nacentos\n\n## x~2\n\ntilde\n",
		"empty.md":     "",
		"no-end.md":    "# No end\n\nlast line without its end",
		"dir/plain.md": strings.Repeat("Absatz mit Worten.\n\n", 2000),
	}
}

// parts reads a section in parts of at most most bytes and checks each.
func parts(t *testing.T, s *Service, file, source string, most int) string {
	t.Helper()
	var all strings.Builder
	q := wire.ReadRequest{File: file, MaxBytes: most}
	for calls := 0; ; calls++ {
		p, err := s.Read(t.Context(), q)
		if err != nil {
			t.Fatalf("Read(%+v): %v", q, err)
		}
		if p.Offset != q.Offset || p.NextOffset != 0 && p.NextOffset != p.Offset+len(p.Markdown) || most > 0 && len(p.Markdown) > max(most, utf8.UTFMax) {
			t.Fatalf("Read(%+v): offset %d, %d bytes, next %d", q, p.Offset, len(p.Markdown), p.NextOffset)
		}
		if !utf8.ValidString(p.Markdown) {
			t.Fatalf("Read(%+v) cuts a character: %q", q, p.Markdown)
		}
		lines := strings.SplitAfter(source, "\n")
		if p.Lines[0] < 1 || p.Lines[1] > len(lines) || p.Lines[1] < p.Lines[0] {
			t.Fatalf("Read(%+v): lines %v of %d", q, p.Lines, len(lines))
		}
		cited := strings.Join(lines[p.Lines[0]-1:p.Lines[1]], "")
		at := strings.Index(cited, p.Markdown)
		if at < 0 || strings.Contains(cited[:at], "\n") || strings.Contains(strings.TrimSuffix(cited[at+len(p.Markdown):], "\n"), "\n") {
			t.Fatalf("Read(%+v): lines %v are %.80q…, the part is %.80q…", q, p.Lines, cited, p.Markdown)
		}
		all.WriteString(p.Markdown)
		if p.NextOffset == 0 {
			if all.Len() != p.TotalBytes {
				t.Fatalf("Read(%s): %d bytes in parts, total %d", file, all.Len(), p.TotalBytes)
			}
			return all.String()
		}
		if p.NextOffset <= q.Offset || calls > 100_000 {
			t.Fatalf("Read(%+v) goes on at %d", q, p.NextOffset)
		}
		q.Offset = p.NextOffset
	}
}

// TestReadInParts reads every section of valid documents in parts of many sizes: they join to the section, and each
// part's lines hold it.
func TestReadInParts(t *testing.T) {
	f := written()
	path := f.compile(t)
	s := serve(t, path)
	x := must(index.Open(path))
	defer x.File.Close()
	reader := x.Text.Reader()
	r := rand.New(rand.NewPCG(1, 1))
	sections := 0
	for d := range index.DocID(x.Docs()) {
		name := x.DocPath(d)
		source := f[name]
		if !utf8.ValidString(source) {
			continue
		}
		from, to := x.DocSections(d)
		for sec := from; sec < to; sec++ {
			sections++
			file := name
			if a := x.SectionAnchor(sec); a != "" {
				file += "#" + a
			}
			row := x.Section(sec)
			want := string(x.AppendText(nil, reader, d, row.Start, row.End))
			if !strings.Contains(source, want) {
				t.Fatalf("%s: its text is not the source's", file)
			}
			for _, most := range []int{-1, 1 + r.IntN(9), 100 + r.IntN(900), 16384} {
				if most > 0 && len(want) > 1000*most {
					continue
				}
				if got := parts(t, s, file, source, most); got != want {
					t.Fatalf("%s by %d: the parts do not join to the section", file, most)
				}
			}
		}
	}
	if sections < 20 {
		t.Errorf("%d sections", sections)
	}
}

// TestReadEachOffset starts at every byte of a text: within a character the part begins with all of it.
func TestReadEachOffset(t *testing.T) {
	text := "# Ä\n\naé€🦊\r\nz\n"
	strange := "# Z\n\na\x80\x80é\x80\xe2\x82z\n" // bytes of no character are read as they stand
	s := serve(t, tree{"a.md": text, "b.md": strange}.compile(t))
	for i := range len(strange) {
		p, err := s.Read(t.Context(), wire.ReadRequest{File: "b.md", Offset: i, MaxBytes: 600})
		want := i
		if at := strings.Index(strange, "é"); i == at+1 {
			want = at
		}
		if err != nil || p.Offset != want || p.Markdown != strings.ToValidUTF8(strange[want:], "\uFFFD") {
			t.Errorf("offset %d: %+v, %v, want %q from %d", i, p, err, strange[want:], want)
		}
	}
	for i := range len(text) + 1 {
		p, err := s.Read(t.Context(), wire.ReadRequest{File: "a.md", Offset: i, MaxBytes: 600})
		if err != nil {
			t.Fatal(err)
		}
		want := i
		for want > 0 && want < len(text) && !utf8.RuneStart(text[want]) {
			want--
		}
		line := 1 + strings.Count(text[:want], "\n")
		if want == len(text) {
			line--
		}
		if p.Offset != want || p.Markdown != text[want:] || p.Lines[0] != line || p.Lines[1] != max(line, 4) {
			t.Errorf("offset %d: %d %q lines %v, want %d %q from line %d", i, p.Offset, p.Markdown, p.Lines, want, text[want:], line)
		}
	}
	_, err := s.Read(t.Context(), wire.ReadRequest{File: "a.md", Offset: len(text) + 1})
	want(t, err, wire.CodeInvalidInput)
}

func TestReadPlaces(t *testing.T) {
	s := serve(t, written().compile(t))
	tests := []struct{ file, anchor, path, found, begins string }{
		{"a.md", "", "a.md", "", "# A"},
		{"a#b.md", "", "a#b.md", "", "# Hash"},
		{"a#b.md#sub", "", "a#b.md", "sub", "## Sub"},
		{"a.md#bmd", "", "a.md", "bmd", "## b.md"},
		{"a.md", "#deep", "a.md", "deep", "### Deep"},
		{"a.md", "DESCRIPCION", "a.md", "descripción", "## Desc"},
		{"a.md#descripci%C3%B3n", "", "a.md", "descripción", "## Desc"},
		{"a.md", "Descripción", "a.md", "descripción", "## Desc"},
		{"a.md", "b.md", "a.md", "bmd", "## b.md"},
		{"a.md", "x2", "a.md", "x2", "## x~2"},
		{"a.md#bmd~1", "", "a.md", "bmd", ""},
		{"dir/plain.md~2", "", "dir/plain.md", "", "Absatz"},
		{"kdd://doc/a%23b.md#sub", "", "a#b.md", "sub", "## Sub"},
		{"kdd://doc/a.md#descripci%C3%B3n", "", "a.md", "descripción", "## Desc"},
		{"crlf.md#zwei", "", "crlf.md", "zwei", "## Zwei\r\n"},
		{"empty.md", "", "empty.md", "", ""},
		{"ids.md#latest", "", "ids.md", "latest", "## Última"},
		{"ids.md#última-versión", "", "ids.md", "latest", "## Última"},
		{"ids.md#%C3%BAltima-versi%C3%B3n", "", "ids.md", "latest", "## Última"},
		{"ids.md#local-docs", "", "ids.md", "local-docs", "## `Named`"},
		{"ids.md#named-here", "", "ids.md", "local-docs", "## `Named`"},
		{"doc:a.md#deep", "", "a.md", "deep", "### Deep"},
		{"invalid.md#next", "", "invalid.md", "next", "## Next\n\n\uFFFD"},
	}
	for _, tt := range tests {
		p, err := s.Read(t.Context(), wire.ReadRequest{File: tt.file, Anchor: tt.anchor})
		if err != nil || p.Path != tt.path || p.Anchor != tt.found || !strings.HasPrefix(p.Markdown, tt.begins) {
			t.Errorf("Read(%s, %s) = %+v, %v; want %s#%s beginning %q", tt.file, tt.anchor, p, err, tt.path, tt.found, tt.begins)
		}
	}
}

// TestReadChunks reads each chunk by its name: it is the text that the chunk's lines have.
func TestReadChunks(t *testing.T) {
	f := written()
	path := f.compile(t)
	s := serve(t, path)
	x := must(index.Open(path))
	defer x.File.Close()
	n := 0
	for c := range index.ChunkID(x.Chunks()) {
		d, sec := x.DocOfChunk(c), x.SectionOfChunk(c)
		first, _ := x.SectionChunks(sec)
		row := x.Chunk(c)
		name := search.ChunkName(x.DocPath(d), x.SectionAnchor(sec), int(c-first)+1)
		p, err := s.Read(t.Context(), wire.ReadRequest{File: name, MaxBytes: -1})
		if err != nil {
			t.Fatalf("Read(%s): %v", name, err)
		}
		text := string(x.AppendText(nil, x.Text.Reader(), d, row.Start, row.End))
		// the file's line numbers leave out empty lines at the end
		blank := strings.Count(strings.TrimSuffix(text[len(strings.TrimRight(text, "\r\n")):], "\n"), "\n")
		if p.Markdown != strings.ToValidUTF8(text, "\uFFFD") || p.Lines[0] != int(row.LineStart) || p.Lines[1] < int(row.LineEnd) || p.Lines[1] > int(row.LineEnd)+blank {
			t.Errorf("Read(%s) = lines %v %.60q, want %d-%d %.60q", name, p.Lines, p.Markdown, row.LineStart, row.LineEnd, text)
		}
		n++
	}
	if n < 50 {
		t.Errorf("%d chunks", n)
	}
	_, err := s.Read(t.Context(), wire.ReadRequest{File: "a.md#bmd~99"})
	want(t, err, wire.CodeNotFound)
}

// TestReadOutside asks for what is not in the artifact. The files exist, and a canary tells if one is read.
func TestReadOutside(t *testing.T) {
	dir := t.TempDir()
	filetest.Write(t, dir, tree{"docs/a.md": "# A\n", "docs/security/auth.md": "# Auth\n", "secret.md": "canary", "docs/.hidden.md": "canary"})
	path := filepath.Join(dir, "docs.kddx")
	build(t, compiler.Options{Sources: []string{filepath.Join(dir, "docs")}, Output: path})
	s := serve(t, path)
	for _, file := range []string{
		"../secret.md", "..", ".", "/", "./../secret.md", "docs/../../secret.md", filepath.Join(dir, "secret.md"), filepath.Join(dir, "docs", ".hidden.md"), filepath.Join(dir, "docs", "..", "secret.md"), filepath.Join(dir, "docs") + "/../secret.md", "/etc/hostname", "%2e%2e/secret.md",
		"..%2fsecret.md", "security%2fauth.md", `security\auth.md`, `..\secret.md`, `C:\secret.md`, "file:///etc/hostname", "file://" + filepath.Join(dir, "secret.md"), "file://" + filepath.Join(dir, "docs", ".hidden.md"), "file://host" + filepath.Join(dir, "docs", "a.md"), "a.md\x00", "a.md/", ".hidden.md",
		"kdd://doc/../secret.md", "kdd://doc/%2e%2e/secret.md", "kdd://doc//etc/hostname", "kdd://other/a.md", "~", "~1", "#", "#a", "a.md~0", "a.md~-1", strings.Repeat("../", 5000), "docs.kddx", "\xff", "CON", "nul",
	} {
		for _, anchor := range []string{"", "a"} {
			p, err := s.Read(t.Context(), wire.ReadRequest{File: file, Anchor: anchor})
			if p != nil && strings.Contains(p.Markdown, "canary") {
				t.Fatalf("Read(%q) gives a file that is not in the index", file)
			}
			if err == nil {
				t.Fatalf("Read(%q, %q) = %+v", file, anchor, p)
			}
			e := want(t, err, wire.CodeNotFound)
			if strings.Contains(e.Message, `\\`) || len(e.Error()) > 600 || !utf8.ValidString(e.Error()) {
				t.Errorf("Read(%q): %v", file, e)
			}
		}
	}
	if err := os.RemoveAll(filepath.Join(dir, "docs")); err != nil {
		t.Fatal(err)
	}
	if p, err := s.Read(t.Context(), wire.ReadRequest{File: "security/auth.md"}); err != nil || p.Markdown != "# Auth\n" || p.URL != "kdd://doc/security/auth.md" {
		t.Errorf("without the sources: %+v, %v", p, err)
	}
}

func TestReadSuggests(t *testing.T) {
	s := serve(t, tree{"guide/Authentication.md": "# Auth\n\n## Token Life\n\ntext\n\n## Other\n\ntext\n", "guide/billing.md": "# Billing\n", "guide/tax forms.md": "# Tax\n"}.compile(t))
	for _, tt := range []struct{ file, want string }{
		{"authentcation.md", "guide/Authentication.md"}, {"other/guide/Authentication.md", "guide/Authentication.md"}, {"Authentcation", "guide/Authentication.md"}, {"guide/bill", "guide/billing.md"},
		{"guide/tax%20forms.md#a", "guide/tax forms.md"}, {"file:///home/me/docs/guide/tax%20forms.md", "guide/tax forms.md"},
	} {
		_, err := s.Read(t.Context(), wire.ReadRequest{File: tt.file})
		if e := want(t, err, wire.CodeNotFound); !slices.Contains(e.Details["suggestions"].([]string), tt.want) {
			t.Errorf("Read(%s): %v, want %s suggested", tt.file, e, tt.want)
		}
	}
	if p, err := s.Read(t.Context(), wire.ReadRequest{File: "authentication.md"}); err != nil || p.Path != "guide/Authentication.md" {
		t.Errorf("Read(authentication.md) = %+v, %v, want the file of that name", p, err)
	}
	_, err := s.Read(t.Context(), wire.ReadRequest{File: "guide/Authentication.md", Anchor: "token-live"})
	if e := want(t, err, wire.CodeNotFound); e.Details["suggestions"].([]string)[0] != "#token-life" {
		t.Errorf("%v, want #token-life first", e)
	}
}
