package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"kdd/format/text"
)

// longWord is the length, in bytes, up to which a word counts once: a tokenizer makes a handful of pieces of it. A
// longer run, such as base64 or minified code, counts once for each longWord bytes.
const longWord = 32

// CountWords counts words: runs of characters that are not white space, one for each 32 bytes or part of them.
// In scripts without spaces two characters count as a word.
func CountWords(s string) int {
	words, dense, run := 0, 0, 0
	for i := 0; i < len(s); {
		size := 1
		r := rune(s[i])
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		i += size
		switch {
		case isSpace(r):
			words += (run + longWord - 1) / longWord
			run = 0
		case isDense(r):
			words += (run + longWord - 1) / longWord
			run = 0
			dense++
		default:
			run += size
		}
	}
	return words + (run+longWord-1)/longWord + (dense+1)/2
}

func isSpace(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || '\t' <= r && r <= '\r'
	}
	return unicode.IsSpace(r)
}

// isDense reports whether r belongs to a script without spaces between words.
func isDense(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// sentenceEnd returns the length of the first sentence of text with the white space after it. A line end ends one too.
func sentenceEnd(s string) int {
	end := text.PlainSentences.End(s, 0)
	return len(s) - len(strings.TrimLeftFunc(s[end:], isSpace))
}
