package shape

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// SnippetRunes is the length of a snippet at most, in characters.
const SnippetRunes = 150

// Span is a place in a text where a word of the query was found.
type Span struct {
	Start, End int     // bytes, End exclusive
	Term       int     // which word of the query; several spans of one term count little more than one
	Weight     float64 // of the term; 0 counts as 1
}

// Words returns the spans of the words of text for which match is true, each a term of its own weight 1. Words are
// runs of letters, marks, digits and "_".
func Words(text string, match func(word string) bool) []Span {
	var spans []Span
	terms := map[string]int{}
	start := -1
	for i := 0; i <= len(text); {
		r, n := rune(' '), 1
		if i < len(text) {
			r, n = utf8.DecodeRuneInString(text[i:])
		}
		switch inside := wordRune(r); {
		case inside && start < 0:
			start = i
		case !inside && start >= 0:
			if word := text[start:i]; match(word) {
				key := strings.ToLower(word)
				if _, ok := terms[key]; !ok {
					terms[key] = len(terms)
				}
				spans = append(spans, Span{Start: start, End: i, Term: terms[key]})
			}
			start = -1
		}
		i += n
	}
	return spans
}

// maxAddress is how many bytes of an address are looked at on each side of a word in it.
const maxAddress = 200

// InAddress reports whether text[start:end] stands in an address: the target of a markdown link, or characters without a space,
// quote or bracket between them that have "://" or "../". Text of scripts without spaces around an address is not part of it.
func InAddress(text string, start, end int) bool {
	from := max(0, start-maxAddress)
	if at := strings.LastIndexFunc(text[from:start], endsAddress); at >= 0 {
		_, size := utf8.DecodeRuneInString(text[from+at:])
		from += at + size
	}
	to := min(len(text), end+maxAddress)
	if at := strings.IndexFunc(text[start:to], endsAddress); at >= 0 {
		to = start + at
	}
	if to < end {
		return false
	}
	return strings.HasSuffix(text[:from], "](") || strings.Contains(text[from:to], "://") || strings.Contains(text[from:to], "../")
}

func endsAddress(r rune) bool {
	if r < utf8.RuneSelf {
		return strings.IndexByte(" \t\r\n()[]<>\"`|", byte(r)) >= 0
	}
	return unicode.IsPunct(r) || unicode.IsSpace(r) || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func wordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// Snippet returns the part of text, of at most most characters, that holds the most evidence: a verbatim substring, cut
// between words, without markup or spaces at its ends. hits are sorted by Start; without any the snippet is the
// beginning of the text. Cost: O(len(hits)) and the length of the snippet, not of the text.
func Snippet(text string, hits []Span, most int) string {
	if most <= 0 {
		return ""
	}
	start, end := densest(text, hits, most)
	low, high := block(text, start, end, most)
	start = growLeft(text, low, start, most-utf8.RuneCountInString(text[start:end]))
	end = growRight(text, start, end, high, most-utf8.RuneCountInString(text[start:end]))
	start = growLeft(text, low, start, most-utf8.RuneCountInString(text[start:end]))
	if from := begin(text, low, start); from < start {
		start, end = from, growRight(text, from, from, end, most)
	}
	return trimMarkup(text[start:end])
}

// lead is how many characters at its end a snippet gives up to begin where its sentence or line begins.
const lead = 24

// begin returns where the sentence or line of start begins, if that is within lead characters and above low; else start.
func begin(text string, low, start int) int {
	if start == low || beginsSentence(text[low:start]) {
		return start
	}
	for at, n := start, 0; n < lead && at > low; n++ {
		_, size := utf8.DecodeLastRuneInString(text[low:at])
		if at -= size; at == low || text[at] != ' ' && text[at] != '\n' && beginsSentence(text[low:at]) {
			return at
		}
	}
	return start
}

// densest returns the borders of the run of hits with the most evidence that has room in most characters.
func densest(text string, hits []Span, most int) (start, end int) {
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
		for first < last && !fits(text, wide[first].Start, h.End, most) {
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
	if !fits(text, start, end, most) { // one span longer than the snippet
		end = start
	}
	return start, end
}

// maxWiden is how many characters of its word a hit is widened by at each end: the rest of UC-002-IndexIncremental for UC, but not
// of an endless word.
const maxWiden = 40

// widen returns a hit that is well placed with the rest of the word that it is a part of.
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

// fits reports whether text[start:end] is well placed and has at most most characters, looking at no more than those.
func fits(text string, start, end, most int) bool {
	if start < 0 || start > end || end-start > most*utf8.UTFMax {
		return false
	}
	return utf8.RuneCountInString(text[start:end]) <= most
}

// block returns the borders of the paragraphs that hold text[start:end], looking most characters far to both sides. A
// heading, a fence or an empty line ends a paragraph.
func block(text string, start, end, most int) (low, high int) {
	reach := most * utf8.UTFMax
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
		if isBorder(text[line:below]) && line-start >= most/4 {
			high = line
			break
		}
		at = line
	}
	return low, high
}

// isBorder reports whether a line of markdown separates paragraphs.
func isBorder(line string) bool {
	line = strings.TrimSpace(line)
	return line == "" || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") || strings.HasPrefix(line, "#") ||
		strings.Trim(line, "|-: =*_>") == "" || isMark(line)
}

// marks begin lines that are no text but for a title: containers, notes and tabs, tags of templates, comments.
var marks = [...]string{":::", "!!! ", "???", "=== ", "{%", "{{<", "{{%", "{/*", "<!--"}

// isMark reports whether a line is a generator's or one HTML tag, not text.
func isMark(line string) bool {
	for _, mark := range marks {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	return line[0] == '<' && line[len(line)-1] == '>' && strings.LastIndexByte(line, '<') == 0
}

// growLeft moves start left within low, by spare characters at most: to the beginning of the line or sentence if that
// is near enough, else by a third of what is spare, so that a hit does not stand at the very front.
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
			if at == low || r != ' ' && beginsSentence(text[low:at]) {
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

// beginsSentence reports whether a sentence or a line can begin after before.
func beginsSentence(before string) bool {
	if strings.HasSuffix(before, "\n") {
		return true
	}
	trimmed := strings.TrimRight(before, " ")
	if len(trimmed) < len(before) && strings.HasSuffix(trimmed, ".") {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(trimmed)
	return strings.ContainsRune("。！？｡।॥۔؟", last)
}

// growRight moves end right within high, by spare characters at most, to the last border between words. A single word
// that is longer than the snippet is cut between characters, so that there is one.
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

// cutBefore reports whether text may be cut at at, which is inside it: not between two characters of a word, but
// nearly anywhere in scripts that do not separate words. There a run of katakana is a word, and hiragana belongs to what stands
// before it, as the ending of a word or as a particle.
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

// Characters that no line begins or ends with in scripts without spaces: closing and opening marks, Thai and Lao vowels.
const (
	staysBehind = "、。，．！？：；」』）】》〉…々ะาำฯๆະາຳ"
	staysBefore = "「『（【《〈เแโใไເແໂໃໄ"
)

func isKatakana(r rune) bool { return r == 'ー' || unicode.Is(unicode.Katakana, r) }

var unseparated = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

// clusterStart reports whether no mark, joiner or selector at at belongs to the character before it.
func clusterStart(text string, at int) bool {
	if at >= len(text) {
		return true
	}
	r, _ := utf8.DecodeRuneInString(text[at:])
	left, _ := utf8.DecodeLastRuneInString(text[:at])
	return !unicode.IsMark(r) && r != 0x200c && r != 0x200d && left != 0x200d && !(r >= 0x1f3fb && r <= 0x1f3ff)
}

// trimMarkup drops what is no text from both ends: spaces, list and quote marks, heading marks, table borders, and
// emphasis or brackets that the cut left without their other half.
func trimMarkup(s string) string {
	for {
		t := strings.TrimSpace(s)
		t = strings.TrimLeft(t, "#>|+=~ \t\n")
		if rest := strings.TrimLeft(t, "-"); rest == "" || rest[0] == ' ' || rest[0] == '\n' || rest[0] == '|' {
			t = rest
		}
		if rest := strings.TrimLeft(t, "*_`"); rest == "" || rest[0] == ' ' || unbalanced(t, t[0]) {
			t = rest
		}
		t = strings.TrimRight(t, "#|=~ \t\n")
		if rest := strings.TrimRight(t, "-"); rest == "" || strings.HasSuffix(rest, " ") || strings.HasSuffix(rest, "\n") || strings.HasSuffix(rest, "|") {
			t = rest
		}
		if rest := strings.TrimRight(t, "*_`"); rest == "" || strings.HasSuffix(rest, " ") || len(rest) < len(t) && unbalanced(t, t[len(t)-1]) {
			t = rest
		}
		t = strings.TrimRight(t, "([{")
		t = strings.TrimLeft(t, ")]}")
		if t == s {
			return t
		}
		s = t
	}
}

// unbalanced reports whether s has an odd number of runs of mark.
func unbalanced(s string, mark byte) bool {
	if strings.IndexByte("*_`", mark) < 0 {
		return false
	}
	runs := 0
	for i := range len(s) {
		if s[i] == mark && (i == 0 || s[i-1] != mark) {
			runs++
		}
	}
	return runs%2 == 1
}
