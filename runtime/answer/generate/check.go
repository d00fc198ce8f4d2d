package generate

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Line is a line of an answer that passages support.
type Line struct {
	Text   string // without the quotes
	Quotes []Quote
}

// Quote is a range of a passage that supports a line.
type Quote struct {
	Passage    int // from 0
	Start, End int
}

// Kept is the part of a model's answer that was kept.
type Kept struct {
	Lines    []Line
	Dropped  int  // lines without support
	NoAnswer bool // the model said that there is no answer
}

// patterns are compiled for the first answer of a model: a program without a model needs none.
var patterns = sync.OnceValue(func() (p struct {
	cite, marks, stepMark, number, address, identifier, nameInCode *regexp.Regexp
}) {
	p.cite = regexp.MustCompile(`<cite n="?(\d{1,3})"?>(?s:(.*?))</cite>`)
	p.marks = regexp.MustCompile(`\s*\[\d+\]`)
	p.stepMark = regexp.MustCompile(`^(?:\d{1,2}[.)]|[-*+])\s+`)
	p.number = regexp.MustCompile(`\d+(?:[.,]\d+)*`)
	// where a link leads, inline or by reference
	p.address = regexp.MustCompile("(?i)\\]\\(\\s*<?([^\\s<>)]*)|^\\s*\\[[^\\]]*\\]:\\s*<?([^\\s<>]*)|" +
		"(?:\\b[a-z][a-z0-9+.-]*:)?[/\\\\]{2}[^\\s<>()\\[\\]\"'`]+|" + // with two slashes
		"\\b(?:www\\.|(?:mailto|javascript|vbscript|data):)[^\\s<>()\\[\\]\"'`]+")
	p.identifier = regexp.MustCompile("`([^`]+)`|\\b[\\p{L}_$]+[\\p{Ll}\\d][\\p{Lu}_][\\p{L}\\d_]*\\b")
	p.nameInCode = regexp.MustCompile(`[\p{L}_$][\p{L}\p{M}\d_$]*`) // a name or a word
	return p
})

// The bounds of what is checked.
const (
	maxLines   = 24
	maxQuotes  = 4  // of one line
	minQuote   = 12 // letters and digits of a quote
	minOverlap = 1.0 / 3
)

// Check keeps the lines of a model's text that the passages support. A line is supported if
//
//   - it has at least one quote, and the quote is in the passage that it names;
//   - each of its numbers, identifiers and addresses is in a passage that it quotes or in the question; code that is
//     not there may be made of names that are;
//   - a third of its words is there too. This does not count if no passage is in the language of the question.
//
// Cost: a pass over each passage for each quote.
func Check(text, question string, passages []Source) Kept {
	var kept Kept
	if strings.HasPrefix(strings.TrimSpace(strings.Trim(strings.TrimSpace(text), "*_\"")), NoAnswer) {
		kept.NoAnswer = true
		return kept
	}
	for l := range strings.Lines(text) {
		if len(kept.Lines)+kept.Dropped == maxLines {
			break
		}
		l = strings.TrimSpace(l)
		own := Line{Text: strings.TrimSpace(unmarked(patterns().cite.ReplaceAllString(l, "")))}
		if own.Text == "" {
			continue
		}
		near := question // where numbers and words may come from
		same := true
		for _, m := range patterns().cite.FindAllStringSubmatch(l, maxQuotes) {
			n, err := strconv.Atoi(m[1])
			if err != nil || n < 1 || n > len(passages) {
				continue
			}
			p := &passages[n-1]
			if start, end, ok := locate(p.Text, m[2]); ok {
				own.Quotes = append(own.Quotes, Quote{n - 1, start, end})
				near += "\n" + p.Heading + "\n" + p.Text
				same = same && p.Same
			}
		}
		if len(own.Quotes) == 0 || patterns().marks.MatchString(own.Text) || !supported(own.Text, near, same) {
			kept.Dropped++
			continue
		}
		kept.Lines = append(kept.Lines, own)
	}
	return kept
}

// maxMarkers is how deep markers may be nested: each level costs a pass over the line.
const maxMarkers = 4

// unmarked returns a line without citation markers, nested ones included, since the model must not write them itself.
// Markers that are nested deeper than maxMarkers stay.
func unmarked(line string) string {
	for range maxMarkers {
		less := patterns().marks.ReplaceAllString(line, "")
		if less == line {
			break
		}
		line = less
	}
	return line
}

// addresses returns the targets of the links and addresses in a text. They matter because a document with hidden
// instructions can make a model write an address that contains the question: a page that shows it as a picture sends
// the question to a stranger.
func addresses(text string) []string {
	var list []string
	for l := range strings.Lines(text) {
		for _, m := range patterns().address.FindAllStringSubmatch(l, -1) {
			to := cmp.Or(m[1], m[2], m[0])
			list = append(list, strings.TrimRight(to, ".,;:!?*_~"))
		}
	}
	return list
}

// supported says that the sources have everything that a line claims, as far as its numbers, identifiers, addresses and
// words show.
func supported(line, sources string, same bool) bool {
	body := line[len(patterns().stepMark.FindString(line)):] // the number of a step is no claim
	have := patterns().number.FindAllString(sources, -1)
	for _, n := range patterns().number.FindAllString(body, -1) {
		if !slices.Contains(have, n) {
			return false
		}
	}
	if to := addresses(line); len(to) > 0 {
		known := addresses(sources)
		if slices.ContainsFunc(to, func(a string) bool { return !slices.Contains(known, a) }) {
			return false
		}
	}
	lower := strings.ToLower(sources)
	for _, m := range patterns().identifier.FindAllStringSubmatch(body, -1) {
		name := strings.ToLower(strings.TrimSpace(cmp.Or(m[1], m[0])))
		if !strings.Contains(lower, name) && !madeOf(name, lower) {
			return false
		}
	}
	if !same {
		return true
	}
	words, found := 0, 0
	for _, w := range strings.FieldsFunc(strings.ToLower(body), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if utf8.RuneCountInString(w) < 4 {
			continue
		}
		words++
		if r := []rune(w); strings.Contains(lower, string(r[:min(len(r), 5)])) {
			found++
		}
	}
	return words == 0 || float64(found) >= minOverlap*float64(words)
}

// madeOf says that code consists of several names that are all in a text: onClick={save} of onClick and save.
func madeOf(code, text string) bool {
	names := patterns().nameInCode.FindAllString(code, -1)
	if len(names) < 2 {
		return false
	}
	have := map[string]bool{}
	for _, n := range patterns().nameInCode.FindAllString(text, -1) {
		have[n] = true
	}
	return !slices.ContainsFunc(names, func(n string) bool { return !have[n] })
}

// locate finds a quote in a text and returns the bytes of the text that it stands for. Spaces and marks of emphasis and
// code do not matter.
func locate(text, quote string) (start, end int, ok bool) {
	want, _ := loose(strings.Trim(strings.TrimSpace(quote), "\"“”"))
	want = strings.TrimSpace(want)
	letters := 0
	for _, r := range want {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			letters++
		}
	}
	if letters < minQuote {
		return 0, 0, false
	}
	have, at := loose(text)
	i := strings.Index(have, want)
	if i < 0 {
		return 0, 0, false
	}
	last := at[i+len(want)-1]
	_, n := utf8.DecodeRuneInString(text[last:])
	return at[i], last + n, true
}

// loose returns a text with each run of spaces as one space and without marks of emphasis and code; at has, for each of
// its bytes, the place of that character in the text.
func loose(text string) (s string, at []int) {
	var b strings.Builder
	space := false
	for i, r := range text {
		switch {
		case r == '*' || r == '`' || r == '_':
			continue
		case unicode.IsSpace(r):
			if !space {
				b.WriteByte(' ')
				at = append(at, i)
			}
			space = true
			continue
		case r == '’' || r == '‘':
			r = '\''
		case r == '“' || r == '”':
			r = '"'
		}
		space = false
		before := b.Len()
		b.WriteRune(r)
		for range b.Len() - before {
			at = append(at, i)
		}
	}
	return b.String(), at
}
