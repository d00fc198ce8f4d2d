package answer

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
	for _, section := range []string{
		"figure question patterns", "follow-up whole patterns", "follow-up joining patterns",
		"follow-up pronoun patterns", "follow-up other patterns", "follow-up beginning patterns", "plain list question latin patterns",
		"refusal no hits text", "refusal low evidence text", "refusal middling evidence text", "refusal unsupported text",
		"refusal unknown names text", "refusal closest text", "more rows text", "quotation pairs",
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

// TestEntries checks that none is empty or there twice in a language, and that patterns compile by themselves.
func TestEntries(t *testing.T) {
	l, err := phrases.Read(files)
	if err != nil {
		t.Fatal(err)
	}
	for section, languages := range l {
		kind := section[strings.LastIndexByte(section, ' ')+1:]
		for language, entries := range languages {
			for i, e := range entries {
				bad := e == "" || kind != "pairs" && slices.Contains(entries[:i], e)
				if kind == "patterns" {
					_, err := regexp.Compile(e)
					bad = bad || err != nil
				}
				if bad {
					t.Errorf("%s.txt: [%s] %q is malformed or there twice", language, section, e)
				}
			}
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
