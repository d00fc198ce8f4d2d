package text

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
)

// Version names what this package does to text. It changes whenever any output of Tokens, Stem, StemTerm or Fold
// changes, since an index made before would then be read wrongly. The word lists in data are no part of it
// (data/README.md).
const Version = 2

// Limits, in bytes.
const (
	maxWordBytes = 128 // of input in one token
	maxTermBytes = 255 // of a term: folding may lengthen a word
	maxStemBytes = 96  // of a word that is stemmed
)

// Limits of what an Analyzer remembers; the memory they bound is about 10 MB for words and as much for stems.
const (
	maxWords = 1 << 16
	maxStems = 1 << 16
)

// Token is one word of a text, the whole of an identifier, or a part of one.
type Token struct {
	Fold  string // the term: NFKC, full case folding, no accents, no apostrophes, Arabic without harakat and tatweel
	Lower string // NFKC and lower case with accents and apostrophes: what Stem wants

	// Pos counts words from 0. A whole shares the position of its first part.
	Pos uint32

	// Start and End bound the token in the input, in bytes.
	Start, End int

	Part  bool // a part of an identifier whose whole is a token too
	Whole bool // the whole of an identifier whose parts follow; a whole within a larger whole is also a Part
	CJK   bool // a pair of characters, or a lone one, of a script written without spaces (Thai and its kin too)
	Lone  bool // a lone one
}

// Counts reports whether the token counts towards the length of a text: all but wholes do, so that an identifier is as
// long as its parts.
func (t Token) Counts() bool { return !t.Whole }

// IndexOnly reports whether the token is the single last character of a longer run of characters. It belongs in the
// index, where it completes prefix scans for one character; a query leaves it out.
func (t Token) IndexOnly() bool { return t.CJK && t.Part }

// forms are the two forms of a word.
type forms struct{ fold, lower string }

// Analyzer holds scratch memory and what was seen before: words in their forms, and stems. What it returns never
// depends on that. It is not safe for concurrent use; make one per goroutine.
type Analyzer struct {
	words    map[string]forms
	stems    map[Lang]map[string]string
	stemN    int
	tokens   []Token // of Scan
	env      *snowballstem.Env
	segments []segment
	bounds   []int
	general  bool // for tests: no fast path
}

// New returns an Analyzer ready for use.
func New() *Analyzer {
	return &Analyzer{words: make(map[string]forms), stems: make(map[Lang]map[string]string)}
}

// Limits of an Analyzer that others are to borrow: some 1 MB of words and stems, and half a MB of tokens.
const (
	maxLent       = 1 << 13
	maxLentTokens = 1 << 13
)

var lent = sync.Pool{New: func() any { return New() }}

// Borrow returns an Analyzer that may remember what it saw in other hands, for work that comes again and again over
// short texts. Return gives it back.
func Borrow() *Analyzer { return lent.Get().(*Analyzer) }

// Return gives back what Borrow gave; a must not be used any more.
func (a *Analyzer) Return() {
	if len(a.words)+a.stemN <= maxLent && cap(a.tokens) <= maxLentTokens {
		lent.Put(a)
	}
}

// forms returns the forms of one word or identifier. Where nothing changes they share word's memory.
func (a *Analyzer) forms(word string) forms {
	plain := true
	for i := 0; i < len(word); i++ {
		if b := word[i]; b >= utf8.RuneSelf || b-'A' < 26 || b == '\'' {
			plain = false
			break
		}
	}
	if plain {
		return forms{fold: word, lower: word}
	}
	if known, ok := a.words[word]; ok {
		return known
	}
	word = strings.Clone(word)
	made := makeForms(word)
	if len(a.words) >= maxWords {
		clear(a.words)
	}
	a.words[word] = made
	return made
}

// makeForms is forms without memory.
func makeForms(word string) forms {
	lowered := CutRunes(lowerText(word, false), maxTermBytes)
	folded := lowered
	if stem, ok := strings.CutSuffix(folded, "'s"); ok {
		folded = stem
	}
	if strings.IndexByte(folded, '\'') >= 0 {
		folded = strings.ReplaceAll(folded, "'", "")
	}
	return forms{fold: CutRunes(foldLower(folded), maxTermBytes), lower: lowered}
}
