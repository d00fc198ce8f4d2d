package markdown

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write what is got as what is wanted")

// TestGolden parses each file of testdata/*.txtar and compares all that is found in it with the file name.want.
func TestGolden(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string]int{}
			for i, f := range archive.Files {
				files[f.Name] = i
			}
			for _, f := range archive.Files {
				if strings.HasSuffix(f.Name, ".want") {
					continue
				}
				got := []byte(dump(Parse(f.Name, f.Data, "md:*")))
				i, found := files[f.Name+".want"]
				if !found {
					i = len(archive.Files)
					archive.Files = append(archive.Files, txtar.File{Name: f.Name + ".want"})
				}
				if *update {
					archive.Files[i].Data = got
				} else if diff := cmp.Diff(string(archive.Files[i].Data), string(got)); diff != "" {
					t.Errorf("Parse(%s): -want +got\n%s", f.Name, diff)
				}
			}
			if *update {
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// TestLineEnds checks that CRLF, lone CR and a byte order mark change nothing but offsets.
func TestLineEnds(t *testing.T) {
	for _, c := range corpus(t) {
		if bytes.Contains(c.data, []byte("\r")) || bytes.Contains(c.data, []byte(bom)) {
			continue
		}
		want := outline(Parse(c.name, c.data))
		for _, v := range []struct {
			name string
			data []byte
		}{
			{"CRLF", bytes.ReplaceAll(c.data, []byte("\n"), []byte("\r\n"))},
			{"BOM", append([]byte(bom), c.data...)},
		} {
			if diff := cmp.Diff(want, outline(Parse(c.name, v.data))); diff != "" {
				t.Errorf("Parse(%s with %s): -want +got\n%s", c.name, v.name, diff)
			}
		}
	}
}

// outline is what does not depend on offsets.
func outline(d *Document) (lines []string) {
	for _, line := range strings.Split(dump(d), "\n") {
		if !strings.HasPrefix(line, "link ") && !strings.HasPrefix(line, "front-matter-syntax") {
			lines = append(lines, line)
		}
	}
	for _, l := range d.Links {
		lines = append(lines, l.Text+" → "+l.Target)
	}
	return lines
}

type input struct {
	name string
	data []byte
}

// corpus returns the inputs of all goldens.
func corpus(t testing.TB) (all []input) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no goldens: %v", err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			if !strings.HasSuffix(f.Name, ".want") {
				all = append(all, input{f.Name, f.Data})
			}
		}
	}
	return all
}
