package answer

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLists checks that each file is well formed, and that each of its sections is one that is read.
func TestLists(t *testing.T) {
	l, err := readLists()
	if err != nil {
		t.Fatal(err)
	}
	roles := []string{"leaning", "asking", "pointing", "reasoning", "copula", "reading"}
	rest := lists{}
	maps.Copy(rest, l)
	for _, role := range roles {
		for _, kind := range []string{" words", " starts", " ends", " inside"} {
			delete(rest, role+kind)
		}
	}
	for _, section := range []string{
		"back-reference words", "condition words", "defining words",
		"defining inside", "defining pairs", "copula letters text", "figure question patterns",
		"number patterns", "scenario step patterns", "scenario opening patterns", "follow-up whole patterns", "follow-up joining patterns",
		"follow-up pronoun patterns", "follow-up other patterns", "follow-up beginning patterns", "plain list question latin patterns",
		"refusal no hits text", "refusal low evidence text", "refusal middling evidence text", "refusal unsupported text", "refusal unknown names text", "refusal closest text", "more rows text", "quotation pairs",
	} {
		if l[section] == nil {
			t.Errorf("no language has a section %q", section)
		}
		delete(rest, section)
	}
	for _, form := range []string{"example", "definition", "steps", "list"} {
		for _, kind := range []string{"latin", "opening", "word", "anywhere"} {
			delete(rest, form+" question "+kind+" patterns")
		}
	}
	if len(rest) > 0 {
		t.Errorf("sections that nothing reads: %q", slices.Sorted(maps.Keys(rest)))
	}
}

// TestEntries checks that each entry can decide something: words and phrases are in the form that sentences are
// compared in, none is there twice in a language or needless beside a shorter one, and patterns compile by themselves.
func TestEntries(t *testing.T) {
	l, err := readLists()
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

func TestMalformedLists(t *testing.T) {
	for name, file := range map[string]string{
		"no licence":       "[leaning words]\nthis\n",
		"section twice":    licence + "\n[leaning words]\nthis\n[leaning words]\nthat\n",
		"no section":       licence + "\nthis\n",
		"unknown kind":     licence + "\n[leaning things]\nthis\n",
		"space at the end": licence + "\n[leaning starts]\nthis \n",
		"open quote":       licence + "\n[leaning starts]\n\"this \n",
		"one of a pair":    licence + "\n[quotation pairs]\n\"a\"\n",
		"pair unquoted":    licence + "\n[quotation pairs]\na b\n",
	} {
		if err := (lists{}).add("en", file); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestRefusals(t *testing.T) {
	for language, r := range lexicon().refusals {
		if strings.Count(r.Unknown, "%s") != 1 || r.NoHits == "" || r.LowEvidence == "" || r.Unsupported == "" || r.Closest == "" || strings.Count(r.moreRows, "%d") != 1 || r.left == "" || r.right == "" {
			t.Errorf("%s: %+v", language, r)
		}
	}
	for language, want := range map[string]string{"en": "“x”", "fr": "«\u00a0x\u00a0»", "es": "“x”", "xx": "“x”"} {
		if got := RefusalIn(language).Quote("x"); got != want {
			t.Errorf("RefusalIn(%q).Quote = %q, want %q", language, got, want)
		}
	}
}
