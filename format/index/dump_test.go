package index

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kdd/format"
)

var update = flag.Bool("update", false, "write the golden files anew")

// tiny is a document with two sections and three words.
func tiny() *Content {
	text := "Intro words.\n\n# Setup {#go}\n\nInstall words here.\n"
	list := func(chunks uint32, f FieldID, rows, freqs, positions []uint32) List {
		l := List{Chunks: chunks}
		l.Fields[f] = FieldPostings{rows, freqs, positions}
		return l
	}
	install := list(1, BodyField, []uint32{1}, []uint32{1}, []uint32{0})
	setup := list(1, PathField, []uint32{1}, []uint32{1}, []uint32{0})
	setup.Fields[LinkField] = FieldPostings{[]uint32{0}, []uint32{1}, nil}
	words := list(2, BodyField, []uint32{0, 1}, []uint32{1, 1}, []uint32{1, 1})
	return &Content{
		Meta: Meta{
			MadeBy: "kdd test", Roots: []Root{{"docs"}}, TreeHash: "0011", OptionsHash: "2233", SourceBytes: uint64(len(text)), Analyzer: 1,
			Chunker: Chunker{1, "words", 160}, Languages: []LanguageDocs{{"en", 1}}, Lengths: Lengths{Title: 1, Path: 1, Body: 5, Link: 1, Chunks: 10},
			Weights: Weights{K1: 1.2, B: .75, Title: 2, Path: 1, Calibration: []Calibration{{"lexical", 3, -1, 0.5}}}, Kinds: []string{"document"},
			ChunkTypes: []string{"DEFAULT"}, EdgeTypes: []EdgeType{{"CONTAINS", "from", .5, "no"}, {"LINK", "from", 1, "follow"}}, FoundBy: []string{"link", "structure"},
			Severities: []string{"note", "warning", "error"}, Encoder: "none", Warnings: 1,
		},
		Docs: []Doc{{
			Path: "a.md", Title: "Start", NodeID: "doc:a.md", Kind: "document", Language: "en", Layer: -1, TitleTokens: 1, Lines: 5,
			SHA256: sha256.Sum256([]byte(text)), Size: uint64(len(text)), Tags: []string{"first"}, Aliases: []string{"begin"},
		}},
		Sections: []Section{
			{Heading: "Start", End: uint64(len(text)), LineStart: 1, LineEnd: 5},
			{Heading: "Setup", Anchor: "go", Parent: 1, Level: 1, Explicit: true, Start: 14, End: uint64(len(text)), LineStart: 3, LineEnd: 5, PathTokens: 1, FirstChunk: 1},
		},
		Chunks:   []Chunk{{Start: 0, End: 12, LineStart: 1, LineEnd: 1, BodyTokens: 2, SHA256: [32]byte{1}}, {Start: 30, End: 49, LineStart: 5, LineEnd: 5, BodyTokens: 3, SHA256: [32]byte{2}}},
		Texts:    PackTexts([][]byte{[]byte(text)}),
		Terms:    []string{"install", "setup", "words"},
		TermList: []uint32{0, 1, 2},
		Lists:    listSlice{install, setup, words},
		Links:    []LinkText{{Target: 2, Text: "setup", Tokens: 1, Count: 1, IDF: 1.5}},
		Names:    []Name{{"setup", 3, 2}, {"start", 1, 0}},
		Facets:   []Facet{{"kind", "document", []uint32{0}}},
		Nodes:    []Node{{ID: "R-1", Kind: "rule", Type: "must", Name: "Install", Section: 1}},
		Edges:    []Edge{{From: 0, To: 2, Found: 1, Line: 3}, {From: 1, To: 2, Type: 1, Line: 1, Text: "setup", Violation: true}},
		Findings: []Finding{{Path: "a.md", Rule: "broken-link", Code: "KDD201", Text: "no such document", Severity: 1, Line: 5, Col: 2}},
		Fields:   []Field{{Name: "owner", Value: "me", Line: 1}},
	}
}

// dumpBytes dumps a file that lies in memory.
func dumpBytes(w io.Writer, data []byte, o format.DumpOptions) error {
	r, err := format.VerifyBytes(data)
	if err != nil {
		return err
	}
	return dumpReport(w, r, o)
}

// failingWriter fails after n bytes.
type failingWriter struct{ n int }

func (w *failingWriter) Write(b []byte) (int, error) {
	if len(b) > w.n {
		return w.n, errors.New("disk full")
	}
	w.n -= len(b)
	return len(b), nil
}

func TestDumpGolden(t *testing.T) {
	data := format.AppendTrailer(image(t, tiny()), format.TagProvenance, []byte(`{"source_commit":"1"}`))
	if problems, err := verifyBytes(data); err != nil || problems != nil {
		t.Fatalf("Verify of the tiny artifact = %v, %v, want none", problems, err)
	}
	broken := bytes.Clone(data)
	f, err := format.OpenBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	broken[f.Block(tagTerms).Offset+15] = 0xff
	tests := []struct {
		name string
		data []byte
		o    format.DumpOptions
	}{
		{"tiny", data, format.DumpOptions{}},
		{"sections_hex", data, format.DumpOptions{Block: "SECS", Hex: true, Rows: 1}},
		{"broken_terms", broken, format.DumpOptions{Block: "TERM", Rows: 8}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got bytes.Buffer
			if err := dumpBytes(&got, tt.data, tt.o); err != nil {
				t.Fatalf("Dump = %v", err)
			}
			golden := filepath.Join("testdata", "dump_"+tt.name+".golden")
			if *update {
				if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != string(want) {
				t.Errorf("Dump differs from %s; see what changed with -update and git diff:\n%s", golden, firstDifference(got.String(), string(want)))
			}
		})
	}
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range a {
		if i >= len(b) || a[i] != b[i] {
			return "got  " + a[i] + "\nwant " + b[min(i, len(b)-1)]
		}
	}
	return "the dump ends early"
}

func TestDumpErrors(t *testing.T) {
	data := image(t, tiny())
	if err := dumpBytes(new(bytes.Buffer), data, format.DumpOptions{Block: "XXXX"}); err == nil || !strings.Contains(err.Error(), "CHNK, CRCS") {
		t.Errorf("Dump of a block that is not there = %v, want the names of those that are", err)
	}
	if err := dumpBytes(&failingWriter{100}, data, format.DumpOptions{}); err == nil || err.Error() != "disk full" {
		t.Errorf("Dump to a full disk = %v, want its error", err)
	}
	if err := dumpBytes(new(bytes.Buffer), []byte("text"), format.DumpOptions{}); !errors.Is(err, format.ErrNotKddx) {
		t.Errorf("Dump of a text = %v, want not a .kddx file", err)
	}
}

// A damaged file is dumped as far as it goes, whatever is broken.
func TestDumpDamaged(t *testing.T) {
	data := image(t, generate(11, 10))
	for i := 0; i < len(data); i += 997 {
		bad := bytes.Clone(data)
		bad[i] ^= 0x55
		if err := dumpBytes(new(bytes.Buffer), bad, format.DumpOptions{Rows: 3}); err != nil && (!sentinel(err) || strings.Contains(err.Error(), "broke off")) {
			t.Errorf("Dump with byte %d changed = %v", i, err)
		}
		if err := dumpBytes(new(bytes.Buffer), data[:i], format.DumpOptions{Rows: 3, Hex: true}); err != nil && (!sentinel(err) || strings.Contains(err.Error(), "broke off")) {
			t.Errorf("Dump of the first %d bytes = %v", i, err)
		}
	}
}
