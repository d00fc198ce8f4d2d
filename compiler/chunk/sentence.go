package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longWord is the length, in bytes, up to which a word counts once. It is about as much as a tokenizer makes a handful
// of pieces of; base64 and minified code count for what they are.
const longWord = 32

// CountWords counts words: runs of characters that are not white space, one for each 32 bytes or part of them.
// In scripts that do not part words each two characters are one.
func CountWords(text string) int {
	words, dense, run := 0, 0, 0
	for i := 0; i < len(text); {
		size := 1
		r := rune(text[i])
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
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

// isDense reports whether r belongs to a script that does not part words with spaces.
func isDense(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// abbreviations do not end a sentence with their dot. Lower case.
var abbreviations = func() map[string]bool {
	set := map[string]bool{}
	for _, a := range strings.Fields(`e.g i.e eg ie etc vs cf ca al approx resp incl excl fig figs eq no nos nr vol ed eds
		pp p ch sec mr mrs ms dr prof sr sra jr st inc ltd co corp dept est jan feb mar apr jun jul aug sep sept oct nov
		dec min max p.ej ej núm num pág págs art dña ud uds z.b d.h bzw usw u.a`) {
		set[a] = true
	}
	return set
}()

// sentenceEnd returns the length of the first sentence of text with the white space after it. A line end ends one too.
func sentenceEnd(text string) int {
	word := 0 // where the current word begins
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		next := i + size
		switch r {
		case '\n':
			return skipSpaces(text, next)
		case ' ', '\t':
			word = next
		case '。', '！', '？', '｡', '．':
			return skipSpaces(text, skipClosers(text, next))
		case '.', '!', '?', '…':
			for next < len(text) && strings.IndexByte(".!?", text[next]) >= 0 {
				next++
			}
			end := skipClosers(text, next)
			after := skipSpaces(text, end)
			if after == len(text) {
				return after
			}
			if after > end && !(r == '.' && end == i+1 && abbreviated(text[word:i])) && beginsSentence(text[after:]) {
				return after
			}
		}
		i = next
	}
	return len(text)
}

func skipSpaces(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isSpace(r) {
			break
		}
		i += size
	}
	return i
}

func skipClosers(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !strings.ContainsRune(`"')]}»”’」』）】`, r) {
			break
		}
		i += size
	}
	return i
}

// abbreviated reports whether the word before a dot is an abbreviation or an initial.
func abbreviated(word string) bool {
	word = strings.ToLower(strings.TrimLeft(word, `("'[«“`))
	return abbreviations[word] || utf8.RuneCountInString(word) == 1 && unicode.IsLetter([]rune(word)[0])
}

// beginsSentence reports whether text can be the start of a sentence: anything but a lower-case letter.
func beginsSentence(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return !unicode.IsLower(r)
}
