package snippet

import (
	"strings"
	"unicode"
	"unicode/utf8"

	terms "kdd/format/text"
)

// SnippetRunes is the maximum length of a snippet in characters.
const SnippetRunes = 150

// Snippet returns the part of text, of at most limit characters, with the most weight of hits: a verbatim substring,
// cut between words, without markup or spaces at its ends. hits are sorted by Start; without any, the snippet is the
// beginning of the text. Cost: O(len(hits)) and the length of the snippet, not of the text.
func Snippet(text string, hits []Span, limit int) string {
	if limit <= 0 {
		return ""
	}
	start, end := densest(text, hits, limit)
	if start == end {
		start = skipMarkup(text, hits, start, min(len(text), start+maxSkipped))
		end = start
	}
	low, high := block(text, start, end, limit)
	start = growLeft(text, low, start, limit-utf8.RuneCountInString(text[start:end]))
	end = growRight(text, start, end, high, limit-utf8.RuneCountInString(text[start:end]))
	start = growLeft(text, low, start, limit-utf8.RuneCountInString(text[start:end]))
	if from := begin(text, low, start); from < start {
		start, end = from, growRight(text, from, from, end, limit)
	}
	if from := skipMarkup(text, hits, start, high); from > start {
		start, end = from, growRight(text, from, max(from, end), high, limit-utf8.RuneCountInString(text[from:max(from, end)]))
	}
	return trimMarkup(text[start:endMarkup(text, hits, start, end)])
}

// maxSkipped bounds the bytes of markup that are skipped at the beginning of a text without hits.
const maxSkipped = 2000

// lead is how many characters a snippet may lose at its end so that it can begin at the start of a sentence or line.
const lead = 24

// begin returns where the sentence or line of start begins, if that is within lead characters and above low; else
// start.
func begin(text string, low, start int) int {
	if start == low || terms.EndsBefore(text[low:start]) {
		return start
	}
	for at, n := start, 0; n < lead && at > low; n++ {
		_, size := utf8.DecodeLastRuneInString(text[low:at])
		if at -= size; at == low || text[at] != ' ' && text[at] != '\n' && terms.EndsBefore(text[low:at]) {
			return at
		}
	}
	return start
}

// densest returns the borders of the run of hits with the most weight that fits into limit characters.
func densest(text string, hits []Span, limit int) (start, end int) {
	best := 0.0
	inside := map[int]int{} // term → spans in the window
	score := 0.0
	weight := func(h Span) float64 {
		if h.Weight > 0 {
			return h.Weight
		}
		return 1
	}
	const repeat = 0.05 // what the second span of a term adds, of its weight
	first := 0
	wide := make([]Span, len(hits)) // hits with the rest of their words
	for last := range hits {
		h := hits[last]
		wide[last] = h
		if h.Start < 0 || h.End > len(text) || h.Start >= h.End || !utf8.RuneStart(text[h.Start]) || h.End < len(text) && !utf8.RuneStart(text[h.End]) || first < last && h.Start < hits[first].Start {
			continue
		}
		if inside[h.Term]++; inside[h.Term] == 1 {
			score += weight(h)
		} else {
			score += repeat * weight(h)
		}
		h = widen(text, h)
		wide[last] = h
		for first < last && !fits(text, wide[first].Start, h.End, limit) {
			out := hits[first]
			if inside[out.Term] > 0 {
				if inside[out.Term]--; inside[out.Term] == 0 {
					score -= weight(out)
				} else {
					score -= repeat * weight(out)
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
	return start, end
}

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

// block returns the borders of the paragraphs around text[start:end], looking at most limit characters to each side. A
// heading, a fence or an empty line ends a paragraph.
func block(text string, start, end, limit int) (low, high int) {
	reach := limit * utf8.UTFMax
	low, high = max(0, start-reach), min(len(text), end+reach)
	for low > 0 && low < start && !utf8.RuneStart(text[low]) {
		low++
	}
	for high < len(text) && high > end && !utf8.RuneStart(text[high]) {
		high--
	}
	for at := start; ; {
		line := strings.LastIndexByte(text[low:at], '\n')
		if line < 0 {
			break
		}
		line += low
		above := strings.LastIndexByte(text[low:line], '\n') + 1 + low
		if isBorder(text[above:line]) {
			low = line + 1
			break
		}
		at = line
	}
	for at := end; ; {
		line := strings.IndexByte(text[at:high], '\n')
		if line < 0 {
			break
		}
		line += at + 1
		below := high
		if n := strings.IndexByte(text[line:high], '\n'); n >= 0 {
			below = line + n
		}
		if isBorder(text[line:below]) && line-start >= limit/4 {
			high = line
			break
		}
		at = line
	}
	return low, high
}

// growLeft moves start left within low, by at most spare characters: to the beginning of the line or sentence if that
// is near enough, else by a third of the spare characters, so that a hit is not at the very front.
func growLeft(text string, low, start, spare int) int {
	at, room := start, spare
	far := spare / 3
	word, border := start, -1
	for at > low && room > 0 {
		r, n := utf8.DecodeLastRuneInString(text[low:at])
		at -= n
		room--
		if at == low || cutBefore(text, at) {
			if spare-room <= far {
				word = at
			}
			if at == low || r != ' ' && terms.EndsBefore(text[low:at]) {
				border = at
				break
			}
		}
	}
	if border >= 0 && utf8.RuneCountInString(text[border:start]) <= spare*2/3 {
		return border
	}
	return word
}

// growRight moves end right within high, by at most spare characters, to the last border between words. It cuts a word
// that is longer than the snippet between characters, so that there is a snippet.
func growRight(text string, start, end, high, spare int) int {
	at, last := end, end
	for room := spare; at < high && room > 0; room-- {
		_, n := utf8.DecodeRuneInString(text[at:high])
		at += n
		if at == high || cutBefore(text, at) {
			last = at
		}
	}
	if last == start && at > end {
		for at > end && !clusterStart(text, at) {
			_, n := utf8.DecodeLastRuneInString(text[:at])
			at -= n
		}
		return at
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
