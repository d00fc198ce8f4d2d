package compiler

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kdd/compiler/filetest"
	"kdd/compiler/markdown"
	"kdd/format"
	"kdd/format/index"
)

// FORMAT.md tells what numbers and keys mean that package format only carries: this holds it to what a build writes.
func TestFormatMeanings(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "format", "FORMAT.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)

	// Classes of names and types of front matter, by their numbers.
	for _, want := range []struct {
		class index.NameClass
		words string
	}{
		{index.NodeIDName, "node id"}, {index.IDName, "front-matter id"}, {index.StemName, "file stem"},
		{index.HeadName, "id that a stem begins with"}, {index.PathName, "path"}, {index.AliasName, "alias"},
		{index.TitleName, "title"}, {index.HeadingName, "heading"},
	} {
		if !listed(text, "what the name is, low is strong: ", int(want.class), want.words) {
			t.Errorf("FORMAT.md does not have class %d, %s", want.class, want.words)
		}
	}
	for _, want := range []struct {
		kind  markdown.ValueType
		words string
	}{
		{markdown.StringValue, "text"}, {markdown.BoolValue, "true or false"}, {markdown.IntValue, "whole number"},
		{markdown.FloatValue, "number"}, {markdown.DateValue, "date"}, {markdown.NullValue, "nothing"},
	} {
		if !listed(text, "Types: ", int(want.kind), want.words) {
			t.Errorf("FORMAT.md does not have type %d, %s", want.kind, want.words)
		}
	}

	// Keys of the provenance trailer, and facet fields.
	b, err := json.Marshal(&format.Provenance{Commit: "c", Date: "d", Dirty: true})
	if err != nil {
		t.Fatal(err)
	}
	_, trailers, _ := strings.Cut(text, "## 5. Trailers")
	for _, m := range regexp.MustCompile(`"([a-z_]+)":`).FindAllSubmatch(b, -1) {
		if !strings.Contains(trailers, "`"+string(m[1])+"`") {
			t.Errorf("FORMAT.md does not name %s of PROV", m[1])
		}
	}
	dir := t.TempDir()
	filetest.Write(t, dir, map[string]string{"docs/a.md": "---\nkind: guide\ndomain: Tea\nstatus: Superseded\nlanguage: en\ntags: [green]\nOwner: Ann\nlink: {why: so}\nhot: true\n---\n# A\n"})
	out := filepath.Join(dir, "a.kddx")
	if _, err := Build(t.Context(), Options{Sources: []string{filepath.Join(dir, "docs")}, Output: out}); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer x.File.Close()
	_, part, _ := strings.Cut(text, "### `FACT`")
	part, _, _ = strings.Cut(part, "\n### ")
	if err := format.Guard(func() error {
		fields := x.FacetFields()
		for _, f := range fields {
			if name, own := strings.CutPrefix(f, "."); !own && !strings.Contains(part, "`"+name+"`") {
				t.Errorf("FORMAT.md does not name the facet field %q", f)
			}
		}
		for _, m := range regexp.MustCompile("`(\\.?[a-z_]+)`").FindAllStringSubmatch(part, -1) {
			if values, _ := x.FacetValues(m[1]); len(values) == 0 && m[1] != "yes" {
				t.Errorf("FORMAT.md names the facet field %q, the build writes %q", m[1], fields)
			}
		}
		if values, _ := x.FacetValues("domain"); len(values) != 1 || values[0] != "tea" {
			t.Errorf("domains %q, want the normal form", values)
		}
		nested := false
		for _, f := range x.FrontMatter(0) {
			nested = nested || f.Name == "link.why" && f.Value == "so"
		}
		if !nested {
			t.Errorf("front matter %+v, want link.why", x.FrontMatter(0))
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(x.File.Block(format.Tag{'M', 'E', 'T', 'A'}).All(), []byte(`"found_by":[`)) {
		t.Error("META has no list found_by")
	}
}

// listed says whether the list that begins with those words has the number with that meaning.
func listed(text, begin string, number int, words string) bool {
	_, list, _ := strings.Cut(text, begin)
	list, _, _ = strings.Cut(list, "\n\n")
	list, _, _ = strings.Cut(list, " |")
	return regexp.MustCompile(`(?:^|,\s)` + regexp.QuoteMeta(string(rune('0'+number))+" "+words) + `(?:[,;]|$)`).MatchString(list)
}
