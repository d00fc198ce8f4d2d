package format

import (
	"bytes"
	"encoding/hex"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// examples are the encodings that FORMAT.md shows byte by byte, by the name after the fence's "hex".
func examples(t *testing.T) map[string][]byte {
	im, err := Lay([]RawBlock{{Tag: Tag{'D', 'E', 'M', 'O'}, Rows: 1, Data: []byte("abc")}})
	if err != nil {
		t.Fatal(err)
	}
	file := written(t, im)
	table := newTable(3)
	table.plain(func(i int) uint64 { return []uint64{100, 103, 101}[i] })
	table.rising(func(i int) uint64 { return []uint64{0, 5, 9}[i] })
	near := encoder{content: &Content{Chunks: make([]Chunk, 9), Duplicates: [][]ChunkID{{1, 4, 8}, {2, 3}}}}
	near.duplicates()
	text, err := appendText(nil, [][]byte{[]byte("# A\n"), []byte("b\n")})
	if err != nil {
		t.Fatal(err)
	}
	array, err := appendBitmap(nil, []uint32{1, 5})
	if err != nil {
		t.Fatal(err)
	}
	runs, err := appendBitmap(nil, []uint32{2, 3, 4, 5, 6, 7})
	if err != nil {
		t.Fatal(err)
	}
	rice := bitWriter{}
	for _, v := range []uint32{0, 5, 63, 64} {
		rice.rice(v, 2)
	}
	w := listWriter{scales: &[FieldCount]fieldScale{TitleField: {rows: 10}, BodyField: {rows: 200, length: func(uint32) uint32 { return 50 }, avg: 50}}}
	var short, long List
	short.Chunks = 4
	short.Fields[TitleField] = FieldPostings{Rows: []uint32{2}, Freqs: []uint32{1}, Positions: []uint32{0}}
	short.Fields[BodyField] = FieldPostings{Rows: []uint32{3, 9}, Freqs: []uint32{1, 3}, Positions: []uint32{7, 0, 4, 40}}
	for i := range uint32(130) {
		p := &long.Fields[BodyField]
		p.Rows, p.Freqs, p.Positions = append(p.Rows, i), append(p.Freqs, 1), append(p.Positions, 3)
	}
	shortPost, shortPos := w.record(nil, nil, &short)
	longPost, longPos := w.record(nil, nil, &long)
	golden, err := GoldenBlock(&QuestionSet{Name: "q.tsv", Questions: []Question{{ID: "q1", Text: "log in", Relevant: []Relevant{{Place{"a.md", "x"}, 2}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		"golden": golden.Data,
		"header": file[:headerSize], "directory": file[headerSize : headerSize+2*entrySize], "checksums": file[im.places[0] : im.places[0]+4],
		"trailer": AppendTrailer(nil, TagProvenance, []byte("{}")), "table": table.bytes(), "dictionary": appendDict(nil, []string{"", "kdd", "kddx", "kit"}),
		"rice": rice.end(), "short-postings": shortPost, "short-positions": shortPos, "long-postings": longPost, "long-positions": longPos,
		"text": text, "bitmap-array": array, "bitmap-runs": runs, "duplicates": near.blocks[0].Data,
	}
}

// The hex of FORMAT.md is what the code writes, and the code reads it.
func TestFormatExamples(t *testing.T) {
	raw, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	want := examples(t)
	seen := map[string]bool{}
	for _, m := range regexp.MustCompile("(?s)```hex ([a-z-]+)\n(.*?)```").FindAllStringSubmatch(string(raw), -1) {
		name, b := m[1], []byte(nil)
		for _, line := range strings.Split(m[2], "\n") {
			digits, _, _ := strings.Cut(line, "#")
			part, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
			if err != nil {
				t.Fatalf("example %s, line %q: %v", name, line, err)
			}
			b = append(b, part...)
		}
		seen[name] = true
		if !bytes.Equal(b, want[name]) {
			t.Errorf("example %s:\ngot  %x in FORMAT.md\nwant %x from the code", name, b, want[name])
		}
	}
	for name := range want {
		if !seen[name] {
			t.Errorf("FORMAT.md has no example %s: %x", name, want[name])
		}
	}
}

// FORMAT.md names every block, every column in order, and the constants of the code.
func TestFormatTables(t *testing.T) {
	raw, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for _, b := range blockNames {
		if !strings.Contains(text, "`"+b.tag.String()+"`") {
			t.Errorf("FORMAT.md does not name block %s", b.tag)
		}
	}
	for _, spec := range append(tableSpecs[:len(tableSpecs):len(tableSpecs)], duplicateSpec) {
		_, part, ok := strings.Cut(text, "### `"+spec.tag.String()+"`")
		part, _, _ = strings.Cut(part, "\n### ")
		if !ok {
			t.Errorf("FORMAT.md has no heading of table %s", spec.tag)
			continue
		}
		at := 0
		for i, c := range spec.columns {
			kind := "plain"
			if c.rising {
				kind = "rising"
			}
			row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(strings.Join([]string{strconv.Itoa(i), c.name, kind}, " | ")) + ` \|`).FindStringIndex(part[at:])
			if row == nil {
				t.Errorf("FORMAT.md, table %s: no row \"| %d | %s | %s |\" in its place", spec.tag, i, c.name, kind)
				break
			}
			at += row[1]
		}
	}
}
