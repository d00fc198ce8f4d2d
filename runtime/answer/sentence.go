package answer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// abbreviations end with a full stop that ends no sentence.
var abbreviations = map[string]bool{
	"e.g": true, "i.e": true, "etc": true, "vs": true, "cf": true, "dr": true, "mr": true, "mrs": true, "ms": true, "no": true, "fig": true, "approx": true,
	"p.ej": true, "ej": true, "sr": true, "sra": true, "núm": true, "pág": true, "z.b": true, "d.h": true, "bzw": true, "u.a": true, "st": true,
}

// sentences returns the ranges of the sentences of text[from:end]: up to a full stop, question or exclamation mark that a
// space and no small letter follows, or one of Chinese and Japanese. A mark inside `code` or (parentheses) ends none, unless
// they are so long that they were never closed.
func sentences(text string, from, end int) [][2]int {
	var list [][2]int
	start := from
	code, depth, opened := false, 0, from
	const longest = 300 // bytes
	for i := from; i < end; {
		r, n := utf8.DecodeRuneInString(text[i:end])
		next := i + n
		if i-opened > longest {
			code, depth = false, 0
		}
		switch {
		case r == '`':
			code, opened = !code, i
		case code:
		case r == '(':
			depth, opened = depth+1, i
		case r == ')':
			depth = max(0, depth-1)
		case r == '。' || r == '！' || r == '？':
			list = append(list, [2]int{start, next})
			start = next
		case (r == '.' || r == '!' || r == '?' || r == '…') && depth == 0:
			for next < end && strings.IndexByte("\"')*_”’»", text[next]) >= 0 { // what closes with the sentence
				next++
			}
			if next < end && text[next] != ' ' && text[next] != '\n' && text[next] != '\r' && text[next] != '\t' {
				break
			}
			if r == '.' && abbreviated(text[start:i]) || !opens(text[next:end]) {
				break
			}
			list = append(list, [2]int{start, next})
			start = next
		}
		i = next
	}
	if strings.TrimSpace(text[start:end]) != "" {
		list = append(list, [2]int{start, end})
	}
	return list
}

// abbreviated says whether the word at the end of a text is one that a full stop belongs to, or a single letter.
func abbreviated(before string) bool {
	word := before[strings.LastIndexAny(before, " \n\t(")+1:]
	if utf8.RuneCountInString(word) == 1 {
		r, _ := utf8.DecodeRuneInString(word)
		return unicode.IsUpper(r) && r != 'I'
	}
	return abbreviations[strings.ToLower(word)]
}

// opens says whether a sentence may begin with a text.
func opens(rest string) bool {
	rest = strings.TrimLeft(rest, " \n\r\t>")
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(rest, "*_\"'“‘«([`¿¡"))
	return rest == "" || !unicode.IsLower(r) || rest[0] == '`'
}
