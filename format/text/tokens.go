package text

import (
	"unicode/utf8"
)

// Tokens appends the tokens of text to dst and returns it. Positions start at 0 and never descend; Start never descends
// either, and a whole comes before its parts. Text may be anything, also invalid UTF-8.
//
// The strings of a token share text's memory where folding changes nothing: clone those that are to outlive it. Cost:
// linear in len(text), and no allocation but for dst and for words not seen before.
func (a *Analyzer) Tokens(dst []Token, text string) []Token {
	pos := uint32(0)
	for i := 0; i < len(text); {
		b := text[i]
		if b < utf8.RuneSelf && !a.general {
			if !asciiClass[b].startsWord() {
				if b != '-' && b != '_' && b != '@' {
					i++
					continue
				}
			} else if end := plainWord(text, i); end > 0 {
				word := a.forms(text[i:end])
				dst = append(dst, Token{Fold: word.fold, Lower: word.lower, Pos: pos, Start: i, End: end})
				pos++
				i = end
				continue
			}
		}
		dst, i, pos = a.next(dst, text, i, pos)
	}
	return dst
}

// Scan returns the tokens of text, as Tokens does, in memory that the next Scan writes over.
func (a *Analyzer) Scan(text string) []Token {
	a.tokens = a.Tokens(a.tokens[:0], text)
	return a.tokens
}

// plainWord returns the end of the word at text[i:] if it is all ASCII, has no capital that could start another word,
// is no longer than a token and not followed by anything that could join it to more; else 0.
func plainWord(text string, i int) int {
	end := i + 1
	if second := end < len(text) && asciiClassOf(text[end]) == upper; second && asciiClass[text[i]] == upper {
		for end < len(text) && (asciiClassOf(text[end]) == upper || asciiClassOf(text[end]) == digit) {
			end++
		}
	} else {
		for end < len(text) && (asciiClassOf(text[end]) == lower || asciiClassOf(text[end]) == digit) {
			end++
		}
	}
	if end-i > maxWordBytes {
		return 0
	}
	if end < len(text) {
		switch b := text[end]; {
		case b >= utf8.RuneSelf, asciiClass[b] != other, b == '.', b == '-', b == '_', b == '\'', b == '+', b == '#':
			return 0
		}
	}
	return end
}

// asciiClassOf is asciiClass for any byte; one of a longer character separates.
func asciiClassOf(b byte) class {
	if b >= utf8.RuneSelf {
		return other
	}
	return asciiClass[b]
}

// next handles whatever stands at text[i:], and returns where the next thing starts and the position of its first word.
func (a *Analyzer) next(dst []Token, text string, i int, pos uint32) ([]Token, int, uint32) {
	r, size, c := decode(text, i)
	switch {
	case c == pair || c == pairSouth:
		return a.pairs(dst, text, i, pos, c)
	case c.startsWord():
		return a.identifier(dst, text, i, i, pos)
	case r == '@':
		if !wordBefore(text, i) && scopeAt(text, i+1) {
			return a.identifier(dst, text, i, i+1, pos)
		}
	case r == '-' || r == '_':
		// "--flag" and "__name": exactly two, and nothing that they could belong to before them.
		end := i + 1
		for end < len(text) && text[end] == byte(r) {
			end++
		}
		if _, _, after := decode(text, end); end-i == 2 && after.startsWord() && !wordBefore(text, i) {
			return a.identifier(dst, text, i, end, pos)
		}
		return dst, end, pos
	}
	return dst, i + size, pos
}

// wordBefore reports whether the character before text[i:] belongs to a word.
func wordBefore(text string, i int) bool {
	if i == 0 {
		return false
	}
	r, size := utf8.DecodeLastRuneInString(text[:i])
	if r == utf8.RuneError && size <= 1 {
		return false
	}
	return classOf(r) != other || r == '_' || isHyphen(r)
}

// scopeAt reports whether text[i:] is a scope, a slash and the start of a name: "scope/name".
func scopeAt(text string, i int) bool {
	if i >= len(text) || !asciiClassOf(text[i]).startsWord() {
		return false
	}
	for end := i; end < len(text) && end-i <= maxWordBytes; end++ {
		switch b := text[end]; {
		case b == '/':
			return end+1 < len(text) && asciiClassOf(text[end+1]).startsWord()
		case asciiClassOf(b) == other && b != '-' && b != '_':
			return false
		}
	}
	return false
}

// emit appends a token for text[start:end] unless nothing is left of it after folding.
func (a *Analyzer) emit(dst []Token, text string, start, end int, pos uint32, whole, part bool) ([]Token, bool) {
	word := a.forms(text[start:end])
	if word.fold == "" {
		return dst, false
	}
	return append(dst, Token{Fold: word.fold, Lower: word.lower, Pos: pos, Start: start, End: end, Whole: whole,
		Part: part}), true
}
