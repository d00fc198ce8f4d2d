package text

import (
	"strings"
	"unicode/utf8"
)

// exactMark opens and divides the key of a word with its accents; no folded form contains it.
const exactMark = "\x02"

// FirstFold is where folded forms begin among the keys of a lexicon: stems and words with accents sort before.
const FirstFold = "\x03"

// maxExactBytes bounds the words whose accents are remembered.
const maxExactBytes = 64

// ExactPrefix returns what the keys of all words begin with that differ from a folded form by their accents alone.
func ExactPrefix(fold string) string { return exactMark + fold + exactMark }

// ExactTerm returns the lexicon key of a word as it is written: the mark 0x02, its folded form, 0x02, and the form in
// lower case with accents (résumé, größe, ёлка, أحمد). It is "" for a word that folding leaves as it is, and for
// identifiers' wholes and pairs of characters. Points that words are mostly written without make no difference here.
func (t *Token) ExactTerm() string {
	if t.Fold == t.Lower || t.Whole || t.CJK || len(t.Lower) > maxExactBytes {
		return ""
	}
	form := accented(t.Lower)
	if form == t.Fold {
		return ""
	}
	return ExactPrefix(t.Fold) + form
}

// accented returns what makeForms folds, folded but for its accents.
func accented(lower string) string {
	lower = strings.TrimSuffix(lower, "'s")
	plain := true
	for i := 0; i < len(lower) && plain; i++ {
		plain = lower[i] < utf8.RuneSelf && lower[i] != '\''
	}
	if plain {
		return lower
	}
	var b strings.Builder
	for _, r := range lower {
		if r == '\'' || isPoint(r) {
			continue
		}
		if value, ok := decimal(r); ok {
			r = '0' + value
		}
		b.WriteRune(r)
	}
	return b.String()
}
