package index

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kdd/format"
	queries "kdd/format/encoder"
	"kdd/format/internal/dict"
	"kdd/format/internal/rice"
	"kdd/format/internal/table"

	gocmp "github.com/google/go-cmp/cmp"
)

// examples are the encodings that FORMAT.md shows byte by byte, by the name after the fence's "hex".
func examples(t *testing.T) map[string][]byte {
	im, err := format.Lay([]format.RawBlock{{Tag: format.Tag{'D', 'E', 'M', 'O'}, Rows: 1, Data: []byte("abc")}})
	if err != nil {
		t.Fatal(err)
	}
	file := written(t, im)
	table := table.New(3)
	table.Plain(func(i int) uint64 { return []uint64{100, 103, 101}[i] })
	table.Rising(func(i int) uint64 { return []uint64{0, 5, 9}[i] })
	near := encoder{content: &Content{Chunks: make([]Chunk, 9), Duplicates: [][]ChunkID{{1, 4, 8}, {2, 3}}}}
	near.duplicates()
	pairs := encoder{content: &Content{Pairs: []PairCount{{PairHash("react", "hook"), 4}, {PairHash("\x01en\x01use", "\x01en\x01state"), 3}}}}
	slices.SortFunc(pairs.content.Pairs, func(a, b PairCount) int { return cmp.Compare(a.Hash, b.Hash) })
	pairs.pairs()
	filter := PairFilter([]uint32{PairHash("react", "hook"), PairHash("\x01en\x01use", "\x01en\x01state")})
	units := []Unit{
		{Kind: SentenceUnit, Marks: BeginsBlock | Announces | OpenEnded, Start: 10, End: 34},
		{Kind: StepUnit, Marks: BeginsBlock | BeginsItem, Start: 39, End: 60}, {Kind: StepUnit, Start: 61, End: 90},
		{Kind: HeadUnit, Marks: BeginsBlock, Start: 92, End: 120}, {Kind: RowUnit, Marks: HasNumber, Start: 121, End: 140},
	}
	text := PackTexts([][]byte{[]byte("# A\n"), []byte("b\n")}).block
	array, err := appendBitmap(nil, []uint32{1, 5})
	if err != nil {
		t.Fatal(err)
	}
	runs, err := appendBitmap(nil, []uint32{2, 3, 4, 5, 6, 7})
	if err != nil {
		t.Fatal(err)
	}
	rice := rice.Writer{}
	for _, v := range []uint32{0, 5, 63, 64} {
		rice.Put(v, 2)
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
	piece := pieceExample(t)
	return map[string][]byte{
		"golden": golden.Data,
		"header": file[:128], "directory": file[128 : 128+3*64], "checksums": file[im.Entries()[0].Offset:][:4],
		"trailer": format.AppendTrailer(nil, format.TagProvenance, []byte("{}")), "table": table.Bytes(), "dictionary": dict.Encode([]string{"", "kdd", "kddx", "kit"}),
		"rice": rice.End(), "short-postings": shortPost, "short-positions": shortPos, "long-postings": longPost, "long-positions": longPos,
		"text": text, "bitmap-array": array, "bitmap-runs": runs, "duplicates": near.blocks[0].Data, "pairs": pairs.blocks[0].Data, "pair-filter": filter, "units": AppendUnits(nil, 10, units),
		"piece": []byte(piece),
	}
}

// pieceExample returns the string of the piece ##ing, which has id 258 and row 6.
func pieceExample(t *testing.T) string {
	pieces := []string{"[UNK]", "[CLS]", "[SEP]"}
	for len(pieces) < 258 {
		pieces = append(pieces, "p"+strconv.Itoa(len(pieces)))
	}
	v, err := queries.NewVocab(append(pieces, "##ing"), false)
	if err != nil {
		t.Fatal(err)
	}
	data, err := queries.AppendTable(nil, &queries.TableSpec{Dim: 1, Pieces: v.Size(), Rows: []queries.TableRows{
		{Form: queries.FormInt8, Pieces: []int32{0, 1, 2, 3, 4, 5, 258}, Values: make([]float32, 7)}}})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := queries.OpenTable(queries.Memory(data))
	if err != nil {
		t.Fatal(err)
	}
	keys, _ := queries.PieceKeys(v, rows)
	return keys[0]
}

// The hex of FORMAT.md is what the code writes, and the code reads it.
func TestFormatExamples(t *testing.T) {
	raw, err := os.ReadFile("../FORMAT.md")
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
	raw, err := os.ReadFile("../FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for _, b := range blockNames {
		if !strings.Contains(text, "`"+b.tag.String()+"`") {
			t.Errorf("FORMAT.md does not name block %s", b.tag)
		}
	}
	for _, spec := range tableSpecs {
		_, part, ok := strings.Cut(text, "### `"+spec.tag.String()+"`")
		part, _, _ = strings.Cut(part, "\n### ")
		if !ok {
			t.Errorf("FORMAT.md has no heading of table %s", spec.tag)
			continue
		}
		at := 0
		for i, c := range spec.columns {
			kind := "plain"
			if c.Rising {
				kind = "rising"
			}
			row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(strings.Join([]string{strconv.Itoa(i), c.Name, kind}, " | ")) + ` \|`).FindStringIndex(part[at:])
			if row == nil {
				t.Errorf("FORMAT.md, table %s: no row \"| %d | %s | %s |\" in its place", spec.tag, i, c.Name, kind)
				break
			}
			at += row[1]
		}
	}
}

// FORMAT.md has a row for each key of META, in the order of the file, with its type and whether it may be absent.
func TestFormatMeta(t *testing.T) {
	raw, err := os.ReadFile("../FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(raw), "### `META`")
	part, _, _ = strings.Cut(part, "\n### ")
	_, part, _ = strings.Cut(part, "| key | type |")
	part, _, _ = strings.Cut(part, "\n\n")
	var have []string
	for _, m := range regexp.MustCompile("(?m)^\\| (` ?[a-z0-9_]+` \\| [a-z ]+ \\| (?:yes|no)) \\|").FindAllStringSubmatch(part, -1) {
		have = append(have, m[1])
	}
	var want []string
	var walk func(of reflect.Type, indent string)
	walk = func(of reflect.Type, indent string) {
		for i := range of.NumField() {
			name, rest, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			kind, absent := of.Field(i).Type, "no"
			if rest == "omitempty" {
				absent = "yes"
			}
			if kind.Kind() == reflect.Pointer {
				kind = kind.Elem()
			}
			below, word := kind, map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean", reflect.Struct: "object", reflect.Slice: "array"}[kind.Kind()]
			switch {
			case word == "":
				word = "number"
			case kind == reflect.TypeFor[[]string]():
				word = "array of strings"
			case word == "array":
				below = kind.Elem()
			}
			want = append(want, "`"+indent+name+"` | "+word+" | "+absent)
			// weights have a table of their own
			if below.Kind() == reflect.Struct && below != reflect.TypeFor[Weights]() {
				walk(below, " ")
			}
		}
	}
	walk(reflect.TypeFor[Meta](), "")
	if diff := gocmp.Diff(want, have); diff != "" {
		t.Errorf("the keys of META (-code +FORMAT.md):\n%s", diff)
	}
}

// FORMAT.md has a row for each weight, in the order of the file.
func TestFormatWeights(t *testing.T) {
	raw, err := os.ReadFile("../FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(raw), "| keys | weight |")
	part, _, _ = strings.Cut(part, "\n\n")
	var have, want []string
	for _, row := range regexp.MustCompile("(?m)^\\| (`[^|]*`) \\|").FindAllStringSubmatch(part, -1) {
		for _, m := range regexp.MustCompile("`([a-z0-9_]+)`").FindAllStringSubmatch(row[1], -1) {
			have = append(have, m[1])
		}
	}
	var w Weights
	for _, one := range w.Table() {
		want = append(want, one.Name)
	}
	if diff := gocmp.Diff(want, have); diff != "" {
		t.Errorf("the weights (-code +FORMAT.md):\n%s", diff)
	}
}

// A list of META that must be there is there when it is empty.
func TestMetaLists(t *testing.T) {
	b, err := (&Meta{Model: &Model{}}).json()
	if err != nil || bytes.Contains(b, []byte("null")) || !bytes.Contains(b, []byte(`"found_by":[]`)) {
		t.Errorf("the empty META is %s, %v, want no null and empty lists", b, err)
	}
}
