package glossary

import (
	"embed"
	"strings"
	"sync"

	"kdd/format/text"
)

// files has a file for each list: a comment with the licence, then lines of a word or phrase, a tab and English words
// with commas between, the best first. Lines are sorted by the bytes of the word; a test checks all that.
//
//go:embed *.tsv
var files embed.FS

// lists has the text of each list.
var lists = func() map[text.Lang]func() string {
	all := map[text.Lang]func() string{}
	for _, lang := range Languages() {
		all[lang] = sync.OnceValue(func() string {
			data, _ := files.ReadFile(string(lang) + ".tsv") // it is in the program
			return string(data)
		})
	}
	return all
}()

// read returns the lines of a list.
func read(lang text.Lang) []entry { return parse(lists[lang]()) }

func parse(tsv string) []entry {
	list := make([]entry, 0, strings.Count(tsv, "\n"))
	for line := range strings.Lines(tsv) {
		if word, english, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok && word != "" && word[0] != '#' {
			list = append(list, entry{word, english})
		}
	}
	return list
}

// listed says whether a list has a word in just this form: its lines are sorted by their words.
func listed(list, word string) bool {
	from, to := 0, len(list) // the word is in a line that begins there, or in none
	for from < to {
		start := strings.LastIndexByte(list[:(from+to)/2], '\n') + 1
		line, _, _ := strings.Cut(list[start:to], "\n")
		switch w, _, _ := strings.Cut(line, "\t"); strings.Compare(w, word) {
		case 0:
			return true
		case -1:
			from = start + len(line) + 1
		default:
			to = start
		}
	}
	return false
}

// englishWords has the English words of all lists.
var englishWords = sync.OnceValue(func() map[string]bool {
	const some = 6000
	words := make(map[string]bool, some)
	for _, lang := range Languages() {
		for line := range strings.Lines(lists[lang]()) {
			_, english, is := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			for word := ""; is; words[word] = true {
				word, english, is = strings.Cut(english, ",")
			}
		}
	}
	return words
})
