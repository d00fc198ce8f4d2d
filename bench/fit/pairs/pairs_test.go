package pairs

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestRun leaves out of each part what its questions are from, and what answers them, and asks them of the others.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, name := range []string{"a.md", "b.md", "sub/c.md", "d.md"} {
		write("x/"+name, "# "+name+"\n")
	}
	write("y/e.md", "# e\n")
	x := "x=" + filepath.Join(dir, "x") + "," +
		write("x.tsv", "1\twhat is in a\td.md\n2\twhat is in c\t\n3\ttwo words\t\n4\tnobody answers this\t\n") + "," + write("x.qrels", "1\ta.md\t-\t1\n2\tsub/c.md\n3\tb.md\n")
	y := "y=" + filepath.Join(dir, "y") + "," + write("y.tsv", "1\twhat is in e\n") + "," + write("y.qrels", "1\te.md\n")
	out := filepath.Join(dir, "out")
	if err := writeSets(out, 2, []string{x, y, "z"}); err != nil {
		t.Fatal(err)
	}
	var files []string
	for _, path := range []string{"x-0/a.md", "x-0/d.md", "x-0-without/a.md", "x-0-without/b.md", "x-1", "x-1-without/sub/c.md", "x-1-without/d.md", "y-0-without/e.md"} {
		if _, err := os.Stat(filepath.Join(out, path)); err == nil {
			files = append(files, path)
		}
	}
	if want := []string{"x-0/a.md", "x-0-without/b.md", "x-1-without/d.md"}; !slices.Equal(files, want) {
		t.Errorf("there are %v, want %v", files, want)
	}
	data, err := os.ReadFile(filepath.Join(out, "questions.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for l := range strings.Lines(string(data)) {
		c := strings.Split(strings.TrimSpace(l), "\t")
		got = append(got, strings.Join([]string{c[0], c[2], c[4], c[5]}, " "))
	}
	want := []string{
		"x-1 x-0 answerable a.md", "x-1-without x-0-without absent -", "x-2 x answerable sub/c.md", "x-2-without x-1-without absent -",
		"x-1@y y other-topic -", "x-2@y y other-topic -", "x-1@z z other-topic -", "x-2@z z other-topic -",
		"y-1 y answerable e.md", "y-1-without y-0-without absent -",
		"y-1@x x other-topic -", "y-1@z z other-topic -",
	}
	if !slices.Equal(got, want) {
		t.Errorf("questions:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for _, bad := range [][]string{{"x=one,two"}, {"=a,b,c"}, {"x=" + dir + ",none.tsv,none"}} {
		if err := writeSets(out, 2, bad); err == nil {
			t.Errorf("writeSets(%q) has no error", bad)
		}
	}
	for _, bad := range [][]string{{"-o", out}, {"x"}, {"-o", out, "-parts", "0", "x"}} {
		if code := Run(bad, io.Discard, io.Discard); code != 2 {
			t.Errorf("run(%q) = %d, want 2", bad, code)
		}
	}
}
