package answer

import (
	"embed"
	"regexp"
	"strings"
	"sync"

	"kdd/format/phrases"
)

// files are the lists of words and phrases of questions, a file a language; data/README.md explains them.
//
//go:embed data/*.txt
var files embed.FS

// wordLists are the entries of the files, ready for use. A question is compared with the entries of all languages.
type wordLists struct {
	figures                      func() *regexp.Regexp
	keepsSubject, changesSubject func() *regexp.Regexp // of follow-up questions
	forms                        []formPattern
	refusals                     map[string]*Refusal // by language
}

// lexicon returns the word lists. They are read at first use, because opening an index and searching do not need them.
// Cost of the first call: half a millisecond.
var lexicon = sync.OnceValue(func() *wordLists {
	l, err := phrases.Read(files)
	if err != nil {
		panic("runtime/answer: " + err.Error()) // a test reads them too
	}
	return newWordLists(lists{l})
})

// lists are the entries of the files.
type lists struct{ phrases.Lists }

// newWordLists compiles the entries of the files.
func newWordLists(l lists) *wordLists {
	return &wordLists{
		figures: l.Pattern(`(?i)`, phrases.Frame{Section: "figure question patterns", Format: `\b(?:%s)\b`}),
		keepsSubject: l.Pattern(`(?i)`,
			phrases.Frame{Section: "follow-up whole patterns", Format: `^\W*(?:(?:` +
				strings.Join(l.All("follow-up joining patterns"), "|") + `)\W+)?(?:%s)\W*$`},
			phrases.Frame{Section: "follow-up pronoun patterns", Format: `\b(?:%s)\b`},
			phrases.Frame{Section: "follow-up other patterns", Format: `%s`}),
		changesSubject: l.Pattern(`(?i)`,
			phrases.Frame{Section: "follow-up beginning patterns", Format: `^\W*(?:%s)(?:\W|$)`}),
		forms:    l.forms(),
		refusals: l.refusals(),
	}
}
