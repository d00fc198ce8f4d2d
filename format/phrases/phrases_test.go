package phrases

import (
	"slices"
	"testing"
	"testing/fstest"
)

func TestRead(t *testing.T) {
	files := fstest.MapFS{
		"data/en.txt":    {Data: []byte(Licence + "\n\n[opening words]\nhere there\n\n[opening starts]\n\"at last \"\nso it is\n\n[mark pairs]\n\"<\" \">\"\n")},
		"data/de.txt":    {Data: []byte(Licence + "\n[opening words]\nhier\n\n[naming patterns]\nna+me\n")},
		"data/README.md": {Data: []byte("no list")},
	}
	l, err := Read(files)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := l.All("opening words"), []string{"hier", "here", "there"}; !slices.Equal(got, want) || !l.Words("opening words")["there"] {
		t.Errorf("words %q, want %q", got, want)
	}
	if got, want := append(l.All("opening starts"), l.All("mark pairs")...), []string{"at last ", "so it is", "<", ">"}; !slices.Equal(got, want) {
		t.Errorf("entries %q, want %q", got, want)
	}
	pattern := l.Pattern("(?i)", Frame{"naming patterns", "^(?:%s)$"}, Frame{"lacking patterns", "%s"})()
	if !pattern.MatchString("NAAME") || pattern.MatchString("a name") {
		t.Errorf("pattern %s", pattern)
	}
	files["data/fr.txt"] = &fstest.MapFile{Data: []byte("[opening words]\n")}
	if _, err := Read(files); err == nil {
		t.Error("a file without a licence is read")
	}
}

func TestMalformedLists(t *testing.T) {
	for name, file := range map[string]string{
		"no Licence":       "[opening words]\nthis\n",
		"section twice":    Licence + "\n[opening words]\nthis\n[opening words]\nthat\n",
		"no section":       Licence + "\nthis\n",
		"unknown kind":     Licence + "\n[opening things]\nthis\n",
		"space at the end": Licence + "\n[opening starts]\nthis \n",
		"open quote":       Licence + "\n[opening starts]\n\"this \n",
		"one of a pair":    Licence + "\n[quotation pairs]\n\"a\"\n",
		"pair unquoted":    Licence + "\n[quotation pairs]\na b\n",
	} {
		if err := (Lists{}).Add("en", file); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
