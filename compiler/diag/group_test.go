package diag

import (
	"fmt"
	"strings"
	"testing"
)

func TestGrouped(t *testing.T) {
	many := func(rule Rule, n int, paths ...string) (ds []Diagnostic) {
		for _, path := range paths {
			for i := range n {
				ds = append(ds, At(rule, path, i+1, 0, "x"))
			}
		}
		return ds
	}
	for _, tt := range []struct {
		name string
		ds   []Diagnostic
		want []string // beginnings of lines
		left int
	}{
		{"none", nil, nil, 0},
		{"three", many(BrokenLink, 3, "a.md"), []string{"a.md:1:", "a.md:2:", "a.md:3:"}, 0},
		{"four are printed whole", many(BrokenLink, 4, "a.md"), []string{"a.md:1:", "a.md:2:", "a.md:3:", "a.md:4:"}, 0},
		{"five", many(BrokenLink, 5, "a.md"), []string{"a.md:1:", "a.md:2:", "a.md:3:", "2 more of broken-link [KDD201]"}, 2},
		{"one folder", many(BrokenLink, 3, "d/e/a.md", "d/e/f/b.md"),
			[]string{"d/e/a.md:1:", "d/e/a.md:2:", "d/e/a.md:3:", "d/e/: 3 more of broken-link [KDD201]"}, 3},
		{"two folders", many(BrokenLink, 5, "d/a.md", "e/b.md"), []string{
			"d/a.md:1:", "d/a.md:2:", "d/a.md:3:", "d/: 2 more of broken-link [KDD201]",
			"e/b.md:1:", "e/b.md:2:", "e/b.md:3:", "e/: 2 more of broken-link [KDD201]"}, 4},
		{"few of many folders", many(BrokenLink, 1, "d/a.md", "e/a.md", "f/a.md", "g/a.md", "h/a.md"),
			[]string{"d/a.md:1:", "e/a.md:1:", "f/a.md:1:", "2 more of broken-link [KDD201]"}, 2},
		{"the most first", append(many(BrokenAnchor, 1, "a.md"), many(BrokenLink, 2, "b.md")...), []string{"b.md:1:", "b.md:2:", "a.md:1:"}, 0},
	} {
		var out strings.Builder
		left, err := Printer{}.Grouped(&out, tt.ds)
		if err != nil || left != tt.left {
			t.Errorf("%s: %d left out, %v, want %d", tt.name, left, err, tt.left)
		}
		lines := strings.FieldsFunc(out.String(), func(r rune) bool { return r == '\n' })
		ok := len(lines) == len(tt.want)
		for i := 0; ok && i < len(lines); i++ {
			ok = strings.HasPrefix(lines[i], tt.want[i])
		}
		if !ok {
			t.Errorf("%s:\n%s\nwant\n%s", tt.name, out.String(), fmt.Sprint(strings.Join(tt.want, "\n")))
		}
	}
}
