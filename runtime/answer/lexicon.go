package answer

import (
	"embed"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// lazy returns a regular expression that is compiled at its first use. An answer needs half of those in this package, a
// search none; to compile all of them makes the first answer of a process take 10.7 ms instead of 7.4.
func lazy(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// files are the lists of words and phrases, a file a language; data/README.md explains them.
//
//go:embed data/*.txt
var files embed.FS

// licence is how the first line of each file begins.
const licence = "# Written for kdd, Apache-2.0."

// lists hold the entries of the files: by section, then by language. A pair is two entries.
type lists map[string]map[string][]string

// readLists reads the files.
func readLists() (lists, error) {
	entries, err := files.ReadDir("data")
	if err != nil {
		return nil, err
	}
	l := lists{}
	for _, e := range entries {
		data, err := files.ReadFile("data/" + e.Name())
		if err == nil {
			err = l.add(strings.TrimSuffix(e.Name(), ".txt"), string(data))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name(), err)
		}
	}
	return l, nil
}

// add reads the file of one language.
func (l lists) add(language, file string) error {
	if !strings.HasPrefix(file, licence) {
		return fmt.Errorf("line 1: want %q", licence)
	}
	section := ""
	number := 0
	for line := range strings.Lines(file) {
		number++
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || number == 1:
			continue
		case line[0] == '[' && strings.HasSuffix(line, "]"):
			section = line[1 : len(line)-1]
			if l[section][language] != nil {
				return fmt.Errorf("line %d: section %q is there twice", number, section)
			}
			if l[section] == nil {
				l[section] = map[string][]string{}
			}
			continue
		}
		found, err := parseEntries(section, line)
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		l[section][language] = append(l[section][language], found...)
	}
	return nil
}

// parseEntries returns the entries of a line. The last word of the section's name says what kind they are.
func parseEntries(section, line string) ([]string, error) {
	switch kind := section[strings.LastIndexByte(section, ' ')+1:]; kind {
	case "words":
		return strings.Fields(line), nil
	case "starts", "ends", "inside", "patterns", "text", "pairs":
		var found []string
		for rest := line; strings.HasPrefix(rest, `"`); rest = strings.TrimPrefix(rest, " ") {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return nil, err
			}
			text, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, err
			}
			found, rest = append(found, text), rest[len(quoted):]
		}
		switch {
		case len(found) == 0 && strings.TrimSpace(line) == line && kind != "pairs":
			return []string{line}, nil
		case kind == "pairs" && len(found) == 2, kind != "pairs" && len(found) == 1:
			return found, nil
		}
	}
	return nil, fmt.Errorf("section %q: got %q", section, line)
}

// all returns the entries of a section in all languages.
func (l lists) all(section string) []string {
	var list []string
	for _, language := range slices.Sorted(maps.Keys(l[section])) {
		list = append(list, l[section][language]...)
	}
	return list
}

// words returns the entries of a section as a set.
func (l lists) words(section string) map[string]bool {
	set := map[string]bool{}
	for _, w := range l.all(section) {
		set[w] = true
	}
	return set
}

// pattern returns one expression. Each frame has a %s for the patterns of its section. A section without patterns is
// left out, and so is its frame.
func (l lists) pattern(flags string, framed ...frame) func() *regexp.Regexp {
	var parts []string
	for _, f := range framed {
		if list := l.all(f.section); len(list) > 0 {
			parts = append(parts, fmt.Sprintf(f.format, strings.Join(list, "|")))
		}
	}
	return lazy(flags + strings.Join(parts, "|"))
}

// frame is what stands around the patterns of a section.
type frame struct{ section, format string }

// wordLists are the entries of the files, ready for use. A sentence is compared with the entries of all languages.
type wordLists struct {
	leaning, asking, pointing, reasoning, copula role
	reading                                      role // words and what goes with them

	backReferences, conditions, defining map[string]bool

	definingInside []string
	definingPairs  []string // of topic and end in turn
	copulaLetters  string

	figures, numbers             func() *regexp.Regexp
	step, openingStep            func() *regexp.Regexp // of scenarios
	keepsSubject, changesSubject func() *regexp.Regexp // of follow-up questions
	forms                        []formPattern
	refusals                     map[string]*Refusal // by language
}

// lexicon returns the word lists. They are read at first use, because opening an index and searching do not need them.
// Cost of the first call: half a millisecond.
var lexicon = sync.OnceValue(func() *wordLists {
	l, err := readLists()
	if err != nil {
		panic("runtime/answer/data: " + err.Error()) // a test reads them too
	}
	return newWordLists(l)
})

// newWordLists compiles the entries of the files.
func newWordLists(l lists) *wordLists {
	return &wordLists{
		leaning:        l.role("leaning"),
		asking:         l.role("asking"),
		pointing:       l.role("pointing"),
		reasoning:      l.role("reasoning"),
		copula:         l.role("copula"),
		reading:        l.role("reading"),
		backReferences: l.words("back-reference words"),
		conditions:     l.words("condition words"),
		defining:       l.words("defining words"),
		definingInside: l.all("defining inside"),
		definingPairs:  l.all("defining pairs"),
		copulaLetters:  strings.Join(l.all("copula letters text"), ""),
		figures:        l.pattern(`(?i)`, frame{"figure question patterns", `\b(?:%s)\b`}),
		numbers:        l.pattern(`(?i)[0-9]|`, frame{"number patterns", `\b(?:%s)\b`}),
		step:           l.pattern(``, frame{"scenario step patterns", `^[ \t]*(?:%s)[ \t]+\S`}),
		openingStep:    l.pattern(``, frame{"scenario opening patterns", `^[ \t]*(?:%s)[ \t]+\S`}),
		keepsSubject: l.pattern(`(?i)`,
			frame{"follow-up whole patterns", `^\W*(?:(?:` + strings.Join(l.all("follow-up joining patterns"), "|") +
				`)\W+)?(?:%s)\W*$`},
			frame{"follow-up pronoun patterns", `\b(?:%s)\b`},
			frame{"follow-up other patterns", `%s`}),
		changesSubject: l.pattern(`(?i)`, frame{"follow-up beginning patterns", `^\W*(?:%s)(?:\W|$)`}),
		forms:          l.forms(),
		refusals:       l.refusals(),
	}
}
