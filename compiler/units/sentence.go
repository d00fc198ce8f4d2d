package units

import (
	"strings"

	"kdd/format/index"
	"kdd/format/phrases"
	"kdd/format/text"
)

// sentences returns the ranges of the sentences of s[from:end], which is markdown.
func sentences(s string, from, end int) [][2]int {
	var list [][2]int
	for from < end {
		next := text.MarkdownSentences.End(s[:end], from)
		if strings.TrimSpace(s[from:next]) != "" {
			list = append(list, [2]int{from, next})
		}
		from = next
	}
	return list
}

// finer also cuts parts at the end of a sentence inside a link: "See [the guide.](a.md) Then go on."
func finer(s string, parts []part) []part {
	var list []part
	for _, p := range parts {
		for from := p.start; p.kind < index.CodeUnit && strings.Contains(s[from:p.end], "]("); {
			at := linkedStop().FindStringIndex(s[from:p.end])
			if at == nil {
				break
			}
			from += at[1]
			if end := from - 1; text.OpensSentence(s[end:p.end]) {
				before := p
				before.end = end
				list = append(list, before)
				p.start, p.first = from, false
			}
		}
		list = append(list, p)
	}
	return list
}

var linkedStop = phrases.Lazy(`[.!?…]\]\([^()\s]*\)[*_]*\s`)
