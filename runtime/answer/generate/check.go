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

	"kdd/format/text"
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
	maxLines  = 24
	maxQuotes = 4       // of one line
	minQuote  = 12      // letters and digits of a quote
	minWord   = 2       // characters of a content word
	minPairs  = 1.0 / 3 // of the pairs of characters of a line
)

// Check keeps the lines of a model's text that the passages support. A line is supported if
//
//   - it has at least one quote, and the quote is in the passage that it names;
//   - each of its numbers, identifiers and addresses is in a passage that it quotes or in the question; code that is
//     not there may be made of names that are;
//   - its content words are there too (see covered). This does not count if a passage that it quotes is in another
//     language than the question.
//
// Cost: a pass over each passage for each quote.
func Check(draft, question string, passages []Source) Kept {
	var kept Kept
	if strings.HasPrefix(strings.TrimSpace(strings.Trim(strings.TrimSpace(draft), "*_\"")), NoAnswer) {
		kept.NoAnswer = true
		return kept
	}
	for l := range strings.Lines(draft) {
		if len(kept.Lines)+kept.Dropped == maxLines {
			break
		}
		l = strings.TrimSpace(l)
		own := Line{Text: strings.TrimSpace(unmarked(patterns().cite.ReplaceAllString(l, "")))}
		if own.Text == "" {
			continue
		}
		near := question // where numbers and words may come from
		same, lang := true, text.Lang("")
		for _, m := range patterns().cite.FindAllStringSubmatch(l, maxQuotes) {
			n, err := strconv.Atoi(m[1])
			if err != nil || n < 1 || n > len(passages) {
				continue
			}
			p := &passages[n-1]
			if start, end, ok := locate(p.Text, m[2]); ok {
				own.Quotes = append(own.Quotes, Quote{n - 1, start, end})
				near += "\n" + p.Heading + "\n" + p.Text
				same, lang = same && p.Same, cmp.Or(lang, text.Lang(p.Language))
			}
		}
		if len(own.Quotes) == 0 || patterns().marks.MatchString(own.Text) || !supported(own.Text, near, same, lang) {
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
// words show. The words do not count unless same: the sources are in the language of the line, lang.
func supported(line, sources string, same bool, lang text.Lang) bool {
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
	return covered(body, sources, lang)
}

// Of the content words of a line one in maxMissing may be in none of its sources, since a model says in its own words
// what it quotes ("to do this, call ..."). A line of fewer words has no such word: commands are short.
const maxMissing = 5

// covered says that the sources have the content words of a line: those that are no stop words, by their stems. One in
// maxMissing may be missing, but no two that follow each other, stop words between them left out: so no clause of a
// line is without support. Of scripts without spaces minPairs of the pairs of characters have to be there, since the
// pairs at the ends of words are of the line's own grammar.
func covered(line, sources string, lang text.Lang) bool {
	analyzer := text.Borrow()
	defer analyzer.Return()
	have := map[string]bool{}
	for _, t := range analyzer.Tokens(nil, sources) {
		have[t.Fold] = true
		if stemmed(&t, lang) {
			have[text.StemTerm(lang, analyzer.Stem(lang, t.Lower))] = true
		}
	}
	words, missing, pairs, found := 0, 0, 0, 0
	alone := true // the content word before is there
	for _, t := range analyzer.Tokens(nil, line) {
		there := have[t.Fold] || stemmed(&t, lang) && have[text.StemTerm(lang, analyzer.Stem(lang, t.Lower))]
		switch {
		case t.Whole || t.IndexOnly() || text.IsStop(lang, t.Fold):
		case t.CJK:
			pairs++
			if there {
				found++
			}
		case utf8.RuneCountInString(t.Fold) < minWord:
		case there:
			words, alone = words+1, true
		case !alone:
			return false
		default:
			words, missing, alone = words+1, missing+1, false
		}
	}
	return missing <= words/maxMissing && float64(found) >= minPairs*float64(pairs)
}

// stemmed says whether a token has a stem in a language.
func stemmed(t *text.Token, lang text.Lang) bool { return lang != "" && !t.Whole && !t.CJK }

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
