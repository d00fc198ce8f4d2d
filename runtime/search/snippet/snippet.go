package snippet

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kdd/format/plain"
	terms "kdd/format/text"
)

// SnippetRunes is the maximum length of a snippet in characters.
const SnippetRunes = 150

// maxLines bounds the lines of a snippet.
const maxLines = 5

// Snippet returns the part of text, of at most limit characters, that says most about hits. It begins at a sentence, a
// list item, a row or a line of code; inside a sentence, with "… ", only if the beginnings miss most of the hits. It
// ends between words, with "…" inside a sentence. hits are sorted by Start; without any, the snippet is the beginning
// of the text. Cost: O(len(hits)) and one pass over the text.
func Snippet(text *plain.Text, hits []Span, limit int) string {
	if limit < 2 {
		return ""
	}
	s := text.String
	from, to, most := densest(s, hits, limit)
	start, weight := bestStart(text, hits, limit)
	if weight < most/2 {
		if from = growLeft(s, max(lineStart(s, from), from-limit*utf8.UTFMax), from, to, limit-4); from > start {
			return "… " + s[from:growRight(s, from, limit-3)] + "…"
		}
	}
	end := growRight(s, start, limit)
	if cutOff(s, start, end) {
		end = growRight(s, start, limit-1) // "…" is a character
	}
	for i, lines := start, 0; i < end; i++ {
		if s[i] == '\n' {
			if lines++; lines == maxLines {
				end = i
			}
		}
	}
	if last := strings.LastIndexByte(s[start:end], '\n') + start; cutOff(s, start, end) && last > start && 2*(last-start) > end-start && !holds(hits, last, end) {
		end = last // a line that is cut off soon says little
	}
	shown := strings.TrimSpace(dedent(s[start:end]))
	if cutOff(s, start, end) {
		shown += "…"
	}
	return shown
}

// cutOff reports whether s[start:end] ends inside a line and inside a sentence.
func cutOff(s string, start, end int) bool {
	return end < len(s) && s[end] != '\n' && !terms.EndsBefore(s[start:end]+" ")
}

// dedent removes the indentation of the first line from all lines.
func dedent(s string) string {
	margin := s[:len(s)-len(strings.TrimLeft(s, " \t"))]
	if margin == "" {
		return s
	}
	return strings.ReplaceAll("\n"+s, "\n"+margin, "\n")[1:]
}

func lineStart(s string, at int) int { return strings.LastIndexByte(s[:at], '\n') + 1 }

// holds reports whether a hit begins in [start, end). Cost: all hits, of which a text has few.
func holds(hits []Span, start, end int) bool {
	return slices.ContainsFunc(hits, func(h Span) bool { return h.Start >= start && h.Start < end })
}

// bestStart returns the beginning of a sentence or line from which limit characters have the most weight of hits: of
// equal ones the last, so that the first hit is near.
func bestStart(text *plain.Text, hits []Span, limit int) (start int, weight float64) {
	if len(hits) == 0 {
		return 0, 0
	}
	first := 0
	inside := map[int]bool{}
	try := func(at int) {
		for first < len(hits) && hits[first].Start < at {
			first++
		}
		clear(inside)
		sum, end := 0.0, at
		for _, h := range hits[first:] {
			if h.Start < end || h.End > len(text.String) || !fits(text.String, at, h.End, limit) {
				if h.Start >= end {
					break
				}
				continue
			}
			if end = h.End; inside[h.Term] {
				sum += repeat * h.weight()
			} else {
				inside[h.Term] = true
				sum += h.weight()
			}
		}
		if sum > weight+1e-9 || sum > weight-1e-9 && sum > 0 {
			start, weight = at, max(sum, weight)
		}
	}
	for _, line := range text.Lines {
		try(line.Start)
		if line.Kind != plain.Prose && line.Kind != plain.Item {
			continue
		}
		for at := line.Start; ; {
			at = terms.MarkdownSentences.End(text.String[:line.End], at)
			for at < line.End && text.String[at] == ' ' {
				at++
			}
			if at >= line.End {
				break
			}
			try(at)
		}
	}
	return start, weight
}

// densest returns the borders of the run of hits with the most weight that fits into limit characters, and the weight.
func densest(text string, hits []Span, limit int) (start, end int, best float64) {
	inside := map[int]int{} // term → spans in the window
	score := 0.0
	first := 0
	wide := make([]Span, len(hits)) // hits with the rest of their words
	for last := range hits {
		h := hits[last]
		wide[last] = h
		if h.Start < 0 || h.End > len(text) || h.Start >= h.End || !utf8.RuneStart(text[h.Start]) || h.End < len(text) && !utf8.RuneStart(text[h.End]) || first < last && h.Start < hits[first].Start {
			continue
		}
		if inside[h.Term]++; inside[h.Term] == 1 {
			score += h.weight()
		} else {
			score += repeat * h.weight()
		}
		h = widen(text, h)
		wide[last] = h
		for first < last && !fits(text, wide[first].Start, h.End, limit) {
			out := hits[first]
			if inside[out.Term] > 0 {
				if inside[out.Term]--; inside[out.Term] == 0 {
					score -= out.weight()
				} else {
					score -= repeat * out.weight()
				}
			}
			first++
		}
		if score > best+1e-9 {
			best, start, end = score, wide[first].Start, h.End
		}
	}
	if !fits(text, start, end, limit) { // one span longer than the snippet
		end = start
	}
	return start, end, best
}

// repeat is what the second span of a term adds, of its weight.
const repeat = 0.05

// maxWiden bounds the characters by which a hit is widened at each end to a whole word: UC to UC-002-IndexIncremental,
// but not to an endless word.
const maxWiden = 40

// widen returns a hit with the rest of the word that it is a part of, unless its places are out of the text.
func widen(text string, h Span) Span {
	for at, n := h.Start, 0; n <= maxWiden; n++ {
		if at == 0 || cutBefore(text, at) {
			h.Start = at
			break
		}
		_, size := utf8.DecodeLastRuneInString(text[:at])
		at -= size
	}
	for at, n := h.End, 0; n <= maxWiden; n++ {
		if at == len(text) || cutBefore(text, at) {
			h.End = at
			break
		}
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return h
}

// fits reports whether text[start:end] is inside the text and has at most limit characters. It looks at no more
// characters than that.
func fits(text string, start, end, limit int) bool {
	if start < 0 || start > end || end-start > limit*utf8.UTFMax {
		return false
	}
	return utf8.RuneCountInString(text[start:end]) <= limit
}

// growLeft moves start left within low, to the beginning of a word, so that hits that end at end are not at the very
// front of limit characters: behind a comma or its like if one is near.
func growLeft(text string, low, start, end, limit int) int {
	room := (limit - utf8.RuneCountInString(text[start:end])) / 3
	at, word := start, start
	for at > low && room > 0 {
		_, n := utf8.DecodeLastRuneInString(text[low:at])
		at -= n
		room--
		if at == low || cutBefore(text, at) && !isSpaceAt(text, at) {
			word = at
			if before := strings.TrimRight(text[low:at], " "); before == "" || strings.ContainsRune(",;:—–()、，", lastRune(before)) {
				return at
			}
		}
	}
	return word
}

func isSpaceAt(text string, at int) bool {
	return at < len(text) && (text[at] == ' ' || text[at] == '\n')
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// growRight returns the last border between words within spare characters of start. It cuts a word that is longer than
// that between characters, so that there is a snippet.
func growRight(text string, start, spare int) int {
	at, last := start, start
	for room := spare; at < len(text) && room > 0; room-- {
		_, n := utf8.DecodeRuneInString(text[at:])
		at += n
		if at == len(text) || cutBefore(text, at) {
			last = at
		}
	}
	if last == start && at > start {
		for at > start && !clusterStart(text, at) {
			_, n := utf8.DecodeLastRuneInString(text[:at])
			at -= n
		}
		return at
	}
	for last > start && isSpaceAt(text, last-1) {
		last--
	}
	return last
}

// cutBefore reports whether text may be cut before the byte at, which is inside it: not inside a word, but nearly
// anywhere in scripts that do not separate words. In those, a run of katakana is a word, and hiragana belongs to the
// characters before it, as the ending of a word or as a particle.
func cutBefore(text string, at int) bool {
	if !clusterStart(text, at) {
		return false
	}
	left, _ := utf8.DecodeLastRuneInString(text[:at])
	right, _ := utf8.DecodeRuneInString(text[at:])
	if unicode.IsSpace(left) || unicode.IsSpace(right) {
		return true
	}
	if strings.ContainsRune(staysBehind, right) || strings.ContainsRune(staysBefore, left) || isKatakana(left) && isKatakana(right) || unicode.Is(unicode.Hiragana, right) && !strings.ContainsRune("、。，．！？：；…", left) {
		return false
	}
	return unicode.In(left, unseparated...) || unicode.In(right, unseparated...)
}

// Characters that no line begins or ends with in scripts without spaces: closing and opening marks, Thai and Lao
// vowels.
const (
	staysBehind = "、。，．！？：；」』）】》〉…々ะาำฯๆະາຳ"
	staysBefore = "「『（【《〈เแโใไເແໂໃໄ"
)

func isKatakana(r rune) bool { return r == 'ー' || unicode.Is(unicode.Katakana, r) }

var unseparated = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// clusterStart reports whether a new character begins at the byte at: no mark, joiner or selector there belongs to the
// character before it.
func clusterStart(text string, at int) bool {
	if at >= len(text) {
		return true
	}
	r, _ := utf8.DecodeRuneInString(text[at:])
	left, _ := utf8.DecodeLastRuneInString(text[:at])
	return !unicode.IsMark(r) && r != 0x200c && r != 0x200d && left != 0x200d && !(r >= 0x1f3fb && r <= 0x1f3ff)
}
