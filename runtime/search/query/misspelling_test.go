package query

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"kdd/compiler/corpustest"
	"kdd/format/index"
	"kdd/format/text"
)

func TestMisspelling(t *testing.T) {
	for _, tt := range []struct {
		name, word, of string
		edits          int
		want           bool
	}{
		{"letters that changed places", "porp", "prop", 1, true},
		{"the first two", "tsate", "state", 1, true},
		{"a letter left out", "stae", "state", 1, true},
		{"a letter too many, of four", "sing", "sig", 1, false},
		{"a letter too many, of five", "sttep", "step", 1, true},
		{"another letter, of four", "stop", "step", 1, false},
		{"another letter, of five", "stste", "state", 1, true},
		{"another first letter", "round", "found", 1, false},
		{"another first letter of a long word", "tomponents", "components", 1, false},
		{"a first letter too many", "around", "round", 1, false},
		{"a first letter left out, of five", "flect", "effect", 2, false},
		{"a first letter left out, of four", "tate", "state", 1, false},
		{"a first letter left out, of six", "omponent", "component", 1, true},
		{"two edits of eight", "validity", "validate", 2, false},
		{"two edits of nine", "compnents", "component", 2, true},
		{"two edits of ten", "componenst", "component", 2, true},
		{"two edits and another first letter", "tomponenst", "components", 2, false},
		{"not of one byte each", "árobl", "árbol", 1, true},
		{"another letter, not of one byte", "ñoño", "ñaño", 1, false},
	} {
		if got := misspelling(tt.word, tt.of, tt.edits); got != tt.want {
			t.Errorf("%s: misspelling(%s, %s, %d) = %t, want %t", tt.name, tt.word, tt.of, tt.edits, got, tt.want)
		}
	}
}

// TestCorrectionsAreSpelled shows words in notes as they were typed and as the documents write them: dağıtımı, not
// dagitimi.
func TestCorrectionsAreSpelled(t *testing.T) {
	x := corpustest.Index(t, map[string]string{
		"de.md": "# Die Größe\n\nDie Größenbeschränkung gilt für alle. Das Resume steht oben.\n",
		"tr.md": "# Dağıtım\n\nUygulamanın dağıtımlarını burada görürsünüz ve çalıştırırsınız.\n",
		"ar.md": "# الحاوية\n\nهذه المرئية هي الأخيرة في القائمة كلها.\n",
		"en.md": "# Caches\n\nThe protocol is a protocol, and not a protocól at all.\n",
		"e2.md": "# More\n\nAnother protocol is there.\n",
	})
	for text, want := range map[string]string{
		"größenbeschränkugn": `"größenbeschränkugn" is not in the index: read as "größenbeschränkung"`,
		"dağıtımlraını":      `"dağıtımlraını" is not in the index: read as "dağıtımlarını"`,
		"dagitimlraini":      `"dagitimlraini" is not in the index: read as "dağıtımlarını"`,
		"المرية":             `"المرية" is not in the index: read as "المرئية"`,
		"Protcool":           `"protcool" is not in the index: read as "protocol"`,
	} {
		if notes := Read([]*index.Index{x}, text, Options{})[0].Notes; len(notes) != 1 || notes[0] != want {
			t.Errorf("%s: notes %q, want %q", text, notes, want)
		}
	}
}

// TestMisspelled compares the walk over words of one first letter and the look-ups with a walk over all words.
func TestMisspelled(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	made := func(longest int) string {
		word := make([]rune, 3+r.IntN(longest-2))
		for i := range word {
			word[i] = []rune("abcéд")[r.IntN(5)]
		}
		return string(word)
	}
	var b strings.Builder
	for range 3000 {
		b.WriteString(made(11) + " ")
	}
	x := corpustest.Index(t, map[string]string{"a.md": "# Words\n\n" + b.String() + "\n"})
	near := func(word, from, to string, most int) []index.Near {
		found, _ := x.TermDict().Near(word, from, to, most, nil)
		return slices.DeleteFunc(found, func(n index.Near) bool { return !misspelling(word, n.Key, n.Distance) })
	}
	found := 0
	for range 2000 {
		word := text.Fold(made(12))
		if _, ok := x.Term(word); ok {
			continue
		}
		for most := 1; most <= 2; most++ {
			var want []index.Near
			first, _ := utf8.DecodeRuneInString(word)
			if most > 1 {
				want = near(word, string(first), string(first+1), most)
			}
			if len(want) == 0 {
				want = near(word, folded, "", 1)
			}
			got := misspelled(x, word, most)
			byPlace := func(a, b index.Near) int { return cmp.Compare(a.Ordinal, b.Ordinal) }
			slices.SortFunc(got, byPlace)
			slices.SortFunc(want, byPlace)
			if !slices.Equal(got, want) {
				t.Fatalf("misspelled(%s, %d) = %v, want %v", word, most, got, want)
			}
			found += len(got)
		}
	}
	if found < 500 {
		t.Errorf("only %d words are misspellings", found)
	}
}
