package text

import (
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/arabic"
	"github.com/blevesearch/snowballstem/danish"
	"github.com/blevesearch/snowballstem/dutch"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/finnish"
	"github.com/blevesearch/snowballstem/french"
	"github.com/blevesearch/snowballstem/german"
	"github.com/blevesearch/snowballstem/hungarian"
	"github.com/blevesearch/snowballstem/irish"
	"github.com/blevesearch/snowballstem/italian"
	"github.com/blevesearch/snowballstem/norwegian"
	"github.com/blevesearch/snowballstem/portuguese"
	"github.com/blevesearch/snowballstem/romanian"
	"github.com/blevesearch/snowballstem/russian"
	"github.com/blevesearch/snowballstem/spanish"
	"github.com/blevesearch/snowballstem/swedish"
	"github.com/blevesearch/snowballstem/tamil"
	"github.com/blevesearch/snowballstem/turkish"
)

// Lang is a language as an ISO 639-1 code in lower case, or "" where it is not known.
type Lang string

// languages returns the languages that have a stemmer, sorted. They also have stop words.
func languages() []Lang {
	return []Lang{"ar", "da", "de", "en", "es", "fi", "fr", "ga", "hu", "it", "nl", "no", "pt", "ro", "ru", "sv", "ta",
		"tr"}
}

// ParseLang reads a language as people write it in front matter: a code of ISO 639-1 in any case, with a region or
// script after it ("es-MX", "zh_Hant"). Bokmål and Nynorsk are "no". What is not of that form is "".
func ParseLang(text string) Lang {
	text = strings.ToLower(strings.TrimSpace(text))
	if i := strings.IndexAny(text, "-_"); i >= 0 {
		text = text[:i]
	}
	if len(text) != 2 || asciiClassOf(text[0]) != lower || asciiClassOf(text[1]) != lower {
		return ""
	}
	if text == "nb" || text == "nn" {
		return "no"
	}
	return Lang(text)
}

// stemmer returns the Snowball stemmer of a language, or nil.
func stemmer(lang Lang) func(*snowballstem.Env) bool {
	switch lang {
	case "ar":
		return arabic.Stem
	case "da":
		return danish.Stem
	case "de":
		return german.Stem
	case "en":
		return english.Stem
	case "es":
		return spanish.Stem
	case "fi":
		return finnish.Stem
	case "fr":
		return french.Stem
	case "ga":
		return irish.Stem
	case "hu":
		return hungarian.Stem
	case "it":
		return italian.Stem
	case "nl":
		return dutch.Stem
	case "no":
		return norwegian.Stem
	case "pt":
		return portuguese.Stem
	case "ro":
		return romanian.Stem
	case "ru":
		return russian.Stem
	case "sv":
		return swedish.Stem
	case "ta":
		return tamil.Stem
	case "tr":
		return turkish.Stem
	}
	return nil
}

// Stem returns the folded stem of a word in a language; lower is Token.Lower. Where the language has no stemmer, or
// the word is no plain word (it has a digit or a connector, or is very long), the stem is the word's folded form.
// Any string is answered; the same string always in the same way.
func (a *Analyzer) Stem(lang Lang, lower string) string {
	known := a.stems[lang]
	if stem, ok := known[lower]; ok {
		return stem
	}
	if a.stemN >= maxStems || known == nil {
		if a.stemN >= maxStems {
			clear(a.stems)
			a.stemN = 0
		}
		known = make(map[string]string)
		a.stems[lang] = known
	}
	lower = strings.Clone(lower)
	stem := a.makeStem(lang, lower)
	known[lower] = stem
	a.stemN++
	return stem
}

// makeStem is Stem without memory.
func (a *Analyzer) makeStem(lang Lang, lower string) string {
	word := makeForms(lower)
	stem := stemmer(lang)
	if stem == nil || len(lower) > maxStemBytes || !isPlainWord(word.fold) {
		return word.fold
	}
	if folded := foldLower(a.run(stem, spell(lang, word))); folded != "" && utf8.ValidString(folded) {
		return strings.ReplaceAll(folded, "'", "")
	}
	return word.fold
}

// run runs a stemmer, and returns the word itself should the stemmer panic: it is generated code over words that its
// authors may not have thought of.
func (a *Analyzer) run(stem func(*snowballstem.Env) bool, word string) (result string) {
	if a.env == nil {
		a.env = snowballstem.NewEnv("")
	}
	defer func() {
		if recover() != nil {
			a.env, result = nil, word
		}
	}()
	*a.env = *snowballstem.NewEnv(word)
	stem(a.env)
	return a.env.Current()
}

// isPlainWord reports whether a word is letters and marks alone.
func isPlainWord(fold string) bool {
	for i := 0; i < len(fold); i++ {
		if b := fold[i]; b < utf8.RuneSelf && asciiClass[b] != lower {
			return false
		}
	}
	return fold != ""
}

// termMark opens the key of a stem; no folded form contains it.
const termMark = "\x01"

// StemTerm returns the lexicon key of a stem: the mark 0x01, the language, 0x01 and the stem. So stems sort before all
// folded forms, those of a language together, and prefix scans over folded forms never meet one.
func StemTerm(lang Lang, stem string) string {
	return termMark + string(lang) + termMark + stem
}
