package text

import (
	"embed"
	"strings"
	"sync"
)

// files are the words that are grammar, a file a language; data/README.md explains them.
//
//go:embed data/*.txt
var files embed.FS

// The sections of the files.
const (
	stopWords            = "stop words"
	functionWords        = "function words"
	grammarWords         = "grammar words"
	particles            = "particles"
	sureParticles        = "sure particles"
	firstCharacters      = "first characters"
	secondCharacters     = "second characters"
	abbreviationWords    = "abbreviations"
	furtherAbbreviations = "further abbreviations"
)

// lists has the sections of each language's file, which is read when the first of its words is asked for: some 10 µs.
var lists = func() map[Lang]func() map[string]string {
	all := map[Lang]func() map[string]string{}
	entries, _ := files.ReadDir("data") // it is in the program
	for _, e := range entries {
		all[Lang(strings.TrimSuffix(e.Name(), ".txt"))] = sync.OnceValue(func() map[string]string {
			data, _ := files.ReadFile("data/" + e.Name())
			return parseLists(string(data))
		})
	}
	return all
}()

// parseLists returns the sections of a file by name. The words of one have a space before and after each: a search in
// such a string costs about 50 ns.
func parseLists(file string) map[string]string {
	sections := map[string]string{}
	name := ""
	var words strings.Builder
	end := func() {
		if words.Len() > 0 {
			sections[name] = words.String() + " "
		}
		words.Reset()
	}
	for line := range strings.Lines(file) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			end()
			name = strings.Trim(line, "[]")
		default:
			words.WriteString(" " + line)
		}
	}
	end()
	return sections
}

// list returns the words of a section, or "" if the language has no such section.
func list(lang Lang, section string) string {
	read := lists[lang]
	if read == nil {
		return ""
	}
	return read()[section]
}

// maxListed is more than the longest word of a list, in bytes.
const maxListed = 32

// inList reports whether a list, words each with a space before and after, has the word.
func inList(list, word string) bool {
	if list == "" || word == "" || len(word) > maxListed {
		return false
	}
	var buf [maxListed + 2]byte
	key := append(append(append(buf[:0], ' '), word...), ' ')
	return strings.Contains(list, string(key))
}

// IsStop reports whether a folded form is a stop word of the language: an article, pronoun, preposition, conjunction,
// auxiliary verb or common adverb. Beside the languages with a stemmer, Bulgarian, Catalan, Czech, Greek, Hebrew,
// Hindi, Indonesian, Persian, Polish, Ukrainian and Vietnamese have some. Words of scripts without spaces cannot be
// seen; Roles tells what is grammar there.
func IsStop(lang Lang, fold string) bool { return inList(list(lang, stopWords), fold) }
