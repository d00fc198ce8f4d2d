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

// read returns the lines of a list.
func read(lang text.Lang) []entry {
	data, _ := files.ReadFile(string(lang) + ".tsv") // it is in the program
	return parse(string(data))
}

func parse(tsv string) []entry {
	list := make([]entry, 0, strings.Count(tsv, "\n"))
	for line := range strings.Lines(tsv) {
		if word, english, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); ok && word != "" && word[0] != '#' {
			list = append(list, entry{word, english})
		}
	}
	return list
}

// wordsOf has the words of each list, and of English those of all lists.
var wordsOf = func() map[text.Lang]func() map[string]bool {
	all := map[text.Lang]func() map[string]bool{}
	for _, lang := range Languages() {
		all[lang] = sync.OnceValue(func() map[string]bool {
			words := map[string]bool{}
			for _, e := range read(lang) {
				words[e.word] = true
			}
			return words
		})
	}
	all[English] = sync.OnceValue(func() map[string]bool {
		words := map[string]bool{}
		for _, lang := range Languages() {
			for _, e := range read(lang) {
				for word := range strings.SplitSeq(e.english, ",") {
					words[word] = true
				}
			}
		}
		return words
	})
	return all
}()
