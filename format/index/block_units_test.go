package index

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"kdd/format"
)

// unitNumbers encodes numbers as those of units are, the first one with its sign.
func unitNumbers(first int64, list ...uint64) []byte {
	data := binary.AppendVarint(nil, first)
	for _, n := range list {
		data = binary.AppendUvarint(data, n)
	}
	return data
}

func TestUnits(t *testing.T) {
	list := []Unit{
		{Kind: HeadUnit, Marks: BeginsBlock, Start: 3, End: 9},
		{Kind: RowUnit, Start: 40, End: 50},
		{Kind: StepUnit, Marks: BeginsBlock | BeginsItem | ScenarioStep, Depth: MaxUnitDepth, Start: 51, End: 60},
		{Kind: SentenceUnit, Marks: BeginsBlock | HeadsOther, Subject: MaxUnitSubject, Start: 60, End: 90},
		{Kind: CodeUnit, Start: 90, End: 100},
	}
	data := AppendUnits(nil, 30, list)
	got, err := parseUnits(data, 30, 100)
	if err != nil || !slices.Equal(got, list) {
		t.Errorf("units %+v, %v, want %+v", got, err, list)
	}
	if u := list[3]; !u.Has(BeginsBlock|HeadsOther) || u.Has(HeadsOther|LeansBack) {
		t.Errorf("marks%s", u.Marks)
	}
	if got, err := parseUnits(nil, 30, 100); got != nil || err != nil {
		t.Errorf("no units are %+v, %v", got, err)
	}
}

func TestMalformedUnits(t *testing.T) {
	for name, data := range map[string][]byte{
		"cut off in a place":        {0x80},
		"cut off in a length":       unitNumbers(0),
		"cut off in a kind":         unitNumbers(0, 5),
		"cut off in a depth":        unitNumbers(0, 5, uint64(ItemUnit)),
		"an unknown kind":           unitNumbers(0, 5, uint64(unitKinds)),
		"no bytes":                  unitNumbers(0, 0, 0),
		"beyond the text":           unitNumbers(0, 71, 0),
		"far beyond the text":       unitNumbers(0, 1<<63, 0),
		"before the text":           unitNumbers(-31, 5, 0),
		"over all numbers":          unitNumbers(0, 5, 0, 1<<64-8, 5, 0),
		"too deep":                  unitNumbers(0, 5, uint64(ItemUnit), MaxUnitDepth+1),
		"a subject too long":        unitNumbers(0, 5, (MaxUnitSubject+1)<<unitSubjectAt),
		"a number of too many bits": append(unitNumbers(0, 5), bytes.Repeat([]byte{0xff}, 10)...),
	} {
		if list, err := parseUnits(data, 30, 100); !errors.Is(err, format.ErrCorrupt) {
			t.Errorf("%s: units %+v, %v, want ErrCorrupt", name, list, err)
		}
	}
}

func TestVerifyUnits(t *testing.T) {
	c := generate(3, 40)
	chunk := 0
	for c.Chunks[chunk].Start == 0 || c.Chunks[chunk+1].Start <= c.Chunks[chunk].Start { // one of two of a document, behind a heading
		chunk++
	}
	start, end := c.Chunks[chunk].Start, c.Chunks[chunk].End
	for _, tt := range []struct {
		name string
		data []byte
		want string
	}{
		{"right", AppendUnits(nil, start, []Unit{{Start: start, End: end}}), ""},
		{"a header of another chunk's table", AppendUnits(nil, start, []Unit{{Kind: HeadUnit, Start: 0, End: 1}, {Kind: RowUnit, Start: start, End: end}}), ""},
		{"a header alone", AppendUnits(nil, start, []Unit{{Kind: HeadUnit, Start: start, End: end}}), "a header without a row"},
		{"behind the chunk", AppendUnits(nil, start, []Unit{{Start: end, End: end + 1}}), "is none of the chunk's"},
		{"no item that begins one", AppendUnits(nil, start, []Unit{{Marks: BeginsItem, Start: start, End: end}}), "is no item"},
		{"a number of more bytes", append(unitNumbers(0, 5), 0x80, 0), "shortest form"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c.Units[chunk] = tt.data
			data := image(t, c)
			if tt.want != "" {
				verifyTells(t, data, "UNIT", tt.want)
				return
			}
			if problems, err := verifyBytes(data); err != nil || len(problems) > 0 {
				t.Errorf("problems %v, %v", problems, err)
			}
		})
	}
	c.Units[chunk], c.Units[chunk+1] = AppendUnits(nil, start, []Unit{{Start: start, End: end}}), AppendUnits(nil, c.Chunks[chunk+1].Start, []Unit{{Start: start, End: end}})
	verifyTells(t, image(t, c), "UNIT", "one before it ends at")
}

// TestUnitsAreAsked checks that units come with their chunk, and that a file without them is refused.
func TestUnitsAreAsked(t *testing.T) {
	data := image(t, generate(3, 40))
	x := open(t, data)
	some := 0
	for c := range ChunkID(x.Chunks()) {
		list := x.Units(x.DocOfSection(x.SectionOfChunk(c)), c)
		if (len(list) > 0) != x.HasUnits(c) {
			t.Errorf("chunk %d has %d units, HasUnits = %v", c, len(list), x.HasUnits(c))
		}
		some += len(list)
	}
	if some == 0 {
		t.Error("no chunk has a unit")
	}
	im, err := format.Lay(slices.DeleteFunc(rawBlocks(t, data), func(b format.RawBlock) bool { return b.Tag == tagUnits }))
	if err != nil {
		t.Fatal(err)
	}
	f, err := format.OpenBytes(written(t, im))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(f); !errors.Is(err, format.ErrCorrupt) {
		t.Errorf("New = %v, want ErrCorrupt", err)
	}
}

// FuzzUnits checks that what is decoded is in the text and in order, and is what the writer writes.
func FuzzUnits(f *testing.F) {
	f.Add(AppendUnits(nil, 30, []Unit{{Kind: HeadUnit, Start: 3, End: 9}, {Kind: RowUnit, Start: 40, End: 50}}), uint64(30), uint64(100))
	f.Add(unitNumbers(-3, 5, 2, 7, 1<<64-1, 1, 0), uint64(5), uint64(9))
	f.Fuzz(func(t *testing.T, data []byte, start, size uint64) {
		list, err := parseUnits(data, start, size)
		if err != nil {
			if !errors.Is(err, format.ErrCorrupt) {
				t.Fatalf("%v is not ErrCorrupt", err)
			}
			return
		}
		at := uint64(0)
		for i, u := range list {
			if u.Start < at || u.End <= u.Start || u.End > size || u.Kind >= unitKinds {
				t.Fatalf("unit %d is %+v, the one before ends at %d of %d", i, u, at, size)
			}
			at = u.End
		}
		if again, err := parseUnits(AppendUnits(nil, start, list), start, size); err != nil || !slices.Equal(again, list) {
			t.Fatalf("units %+v are %+v once written, %v", list, again, err)
		}
	})
}
