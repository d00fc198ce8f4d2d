package units

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kdd/format/phrases"
)

// TestLists checks that each file is well formed, and that each of its sections is one that is read.
func TestLists(t *testing.T) {
	l, err := phrases.Read(files)
	if err != nil {
		t.Fatal(err)
	}
	rest := maps.Clone(l)
	for _, role := range []string{"leaning", "asking", "pointing", "reading"} {
		for _, kind := range []string{" words", " starts", " ends", " inside"} {
			delete(rest, role+kind)
		}
	}
	for _, section := range []string{
		"back-reference words", "condition words", "defining words",
		"number words", "number inside", "scenario step patterns", "scenario opening patterns",
	} {
		if l[section] == nil {
			t.Errorf("no language has a section %q", section)
		}
		delete(rest, section)
	}
	if len(rest) > 0 {
		t.Errorf("sections that nothing reads: %q", slices.Sorted(maps.Keys(rest)))
	}
}

// TestEntries checks that each entry can decide something: words and phrases are in the form that sentences are
// compared in, none is there twice in a language or needless beside a shorter one, and patterns compile by themselves.
func TestEntries(t *testing.T) {
	l, err := phrases.Read(files)
	if err != nil {
		t.Fatal(err)
	}
	for section, languages := range l {
		kind := section[strings.LastIndexByte(section, ' ')+1:]
		for language, entries := range languages {
			for i, e := range entries {
				lower := strings.ToLower(e) == e
				others := slices.Delete(slices.Clone(entries), i, i+1)
				needless := func(beside func(e, other string) bool) bool {
					return slices.ContainsFunc(others, func(other string) bool { return beside(e, other) })
				}
				bad := e == "" || kind != "pairs" && slices.Contains(others, e)
				switch kind {
				case "words":
					bad = bad || !lower || strings.HasSuffix(section, "ing words") && firstWord(e) != e
				case "starts":
					bad = bad || !lower || needless(strings.HasPrefix)
				case "ends":
					bad = bad || !lower || needless(strings.HasSuffix)
				case "inside":
					bad = bad || !lower || needless(strings.Contains)
				case "patterns":
					_, err := regexp.Compile(e)
					bad = bad || err != nil
				}
				if bad {
					t.Errorf("%s.txt: [%s] %q is malformed, there twice, or needless beside a shorter entry", language, section, e)
				}
			}
		}
	}
}
