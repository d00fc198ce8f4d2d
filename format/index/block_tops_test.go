package index

import (
	"fmt"
	"strings"
	"testing"

	"kdd/format"
	"kdd/format/internal/dict"
	"kdd/format/internal/table"
)

// large returns content with so many terms and names that their dictionaries have upper levels.
func large() *Content {
	c := generate(11, 30)
	lists := len(memory(c))
	c.Terms, c.TermList, c.Names = nil, nil, nil
	for i := range 20_000 {
		key := fmt.Sprintf("%06d-%s", i*7, strings.Repeat("x", i%11))
		c.Terms, c.TermList = append(c.Terms, key), append(c.TermList, uint32(i*i%lists))
		for class := range 1 + i%3 {
			c.Names = append(c.Names, Name{key, NameClass(class), NodeID(i % len(c.Docs))})
		}
	}
	c.Meta.LongestName = LongestName(c.Names)
	return c
}

// TestTopLevels looks up terms and names of a file with upper levels, and asks that verify has nothing to say of it.
func TestTopLevels(t *testing.T) {
	c := large()
	data := image(t, c)
	x := open(t, data)
	levels := x.topLevels()
	for _, level := range levels[:2] { // of terms and names
		if want := (20_000 + dict.TopStrings - 1) / dict.TopStrings; level.first.Len() != want {
			t.Errorf("%s has %d strings, want %d", level.tag, level.first.Len(), want)
		}
	}
	for i := 0; i < len(c.Terms); i += 13 {
		if id, ok := x.Term(c.Terms[i]); !ok || int(id) != i {
			t.Fatalf("Term(%q) = %d, %t, want %d", c.Terms[i], id, ok, i)
		}
		if got := x.FindName(c.Terms[i]); len(got) != 1+i%3 {
			t.Fatalf("FindName(%q) gives %d nodes, want %d", c.Terms[i], len(got), 1+i%3)
		}
	}
	if problems, err := verifyBytes(data); err != nil || len(problems) > 0 {
		t.Errorf("Verify = %v, %v", problems, err)
	}
}

// retable encodes a table of two rising columns with another value in a row.
func retable(b *format.RawBlock, columns []table.Column, column, row int, by int64) {
	t := table.New(int(columns[0].Rows))
	for c := range columns {
		t.Rising(func(i int) uint64 {
			if c == column && i == row {
				return columns[c].At(uint32(i)) + uint64(by)
			}
			return columns[c].At(uint32(i))
		})
	}
	b.Data = t.Bytes()
}

// TestVerifyTopLevels changes the upper levels of a file whose hashes are right.
func TestVerifyTopLevels(t *testing.T) {
	data := image(t, large())
	x := open(t, data)
	tests := []struct {
		name string
		tag  format.Tag
		edit func(b *format.RawBlock)
		want string
	}{
		{"another string", tagTermTop, func(b *format.RawBlock) { b.Data[len(b.Data)-1]++ }, "the dictionary has"},
		{"too few strings", tagNameTop, func(b *format.RawBlock) {
			*b = format.RawBlock{Tag: b.Tag, Rows: 1, Data: dict.Encode([]string{"a"})}
		}, "want 79"},
		{"another byte", tagTermTopPlace, func(b *format.RawBlock) { retable(b, x.termTops, topData, 3, 1) }, "the groups begin at"},
		{"another list", tagTermTopPlace, func(b *format.RawBlock) { retable(b, x.termTops, topRows, 1, -1) }, "rows before"},
		{"another node", tagNameTopPlace, func(b *format.RawBlock) { retable(b, x.nameTops, topRows, 1, 1) }, "rows before"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			verifyTells(t, changed(t, data, tt.tag, tt.edit), tt.tag.String(), tt.want)
		})
	}
}
