package units

import (
	"embed"
	"regexp"
	"sync"

	"kdd/format/phrases"
)

// files are the lists of words and phrases of sentences, a file a language; data/README.md explains them.
//
//go:embed data/*.txt
var files embed.FS

// wordLists are the entries of the files, ready for use. A sentence is compared with the entries of all languages.
type wordLists struct {
	leaning, asking, pointing role
	reading                   role // words and what goes with them

	backReferences, conditions, defining map[string]bool

	numbers       map[string]bool
	numbersInside []string // with a space before the first word

	step, openingStep func() *regexp.Regexp // of scenarios
}

// lexicon returns the word lists, which are read at first use.
var lexicon = sync.OnceValue(func() *wordLists {
	l, err := phrases.Read(files)
	if err != nil {
		panic("compiler/units: " + err.Error()) // a test reads them too
	}
	return &wordLists{
		leaning: roleOf(l, "leaning"), asking: roleOf(l, "asking"), pointing: roleOf(l, "pointing"),
		reading:        roleOf(l, "reading"),
		backReferences: l.Words("back-reference words"), conditions: l.Words("condition words"),
		defining: l.Words("defining words"),
		numbers:  l.Words("number words"), numbersInside: l.All("number inside"),
		step:        l.Pattern(``, phrases.Frame{Section: "scenario step patterns", Format: `^[ \t]*(?:%s)[ \t]+\S`}),
		openingStep: l.Pattern(``, phrases.Frame{Section: "scenario opening patterns", Format: `^[ \t]*(?:%s)[ \t]+\S`}),
	}
})
