package text

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// The sample that Detect looks at: all of a short text, else windows spread over it.
const (
	sampleBytes   = 32 << 10
	sampleWindows = 8
)

// What Detect and DetectQuery ask of the best language.
const (
	minShare  = 0.10 // of a document's words that are its function words
	lowShare  = 0.02 // the same, where the margin is clear and they are at least lowHits
	lowHits   = 5
	minMargin = 1.15 // of its score over the next one's
	bigMargin = 1.5
)

// Detect returns the language a document is written in, by its script and by the share of function words and
// characteristic letters; "" if that does not settle it. Code blocks and code spans of markdown do not count. It looks
// at a bounded sample. A language returned need not have a stemmer.
func Detect(text string) Lang {
	seen := evidence{index: latinIndex()}
	seen.sample(text)
	if seen.shouted() {
		seen = evidence{index: latinIndex(), capitals: true}
		seen.sample(text)
	}
	return seen.decide()
}

// sample reads a text, or windows spread over a long one.
func (e *evidence) sample(text string) {
	if len(text) <= sampleBytes {
		e.read(text)
		return
	}
	size, counted, fences := sampleBytes/sampleWindows, 0, 0
	if strings.HasPrefix(text, "```") {
		fences = 1
	}
	for i := range sampleWindows {
		start := windowStart(text, (len(text)-size)/(sampleWindows-1)*i)
		fences += strings.Count(text[max(counted-1, 0):start], "\n```")
		counted = start
		e.fenced = start > 0 && fences%2 == 1
		e.read(text[start:runeStart(text, start+size)])
	}
}

// shouted reports whether a text that was read is nearly all in capitals, so that they are no acronyms.
func (e *evidence) shouted() bool {
	return !e.capitals && e.acronyms >= 3 && e.acronyms > 2*e.words
}

// windowStart returns where the line after text[i:] starts if that is near, else where the character around i does.
func windowStart(text string, i int) int {
	if i == 0 {
		return 0
	}
	if n := strings.IndexByte(text[i:min(len(text), i+1024)], '\n'); n >= 0 {
		return i + n + 1
	}
	return runeStart(text, i)
}

// runeStart returns i, or where the character around it starts.
func runeStart(text string, i int) int {
	if i >= len(text) {
		return len(text)
	}
	for back := 0; i > 0 && back < utf8.UTFMax && !utf8.RuneStart(text[i]); back++ {
		i--
	}
	return i
}

// DetectQuery returns the language of a short text such as a query. Known are the languages of the index, the most
// frequent first: a word that several languages share speaks for those, and of two equally likely ones the first known
// wins. Without evidence the answer is "": the caller then takes the stems of every known language. Open says of that
// answer that nothing in the text speaks against the known languages: it may be in any of them. A letter or two
// function words that only others have speak against them.
func DetectQuery(text string, known []Lang) (lang Lang, open bool) {
	if len(text) > sampleBytes {
		text = text[:runeStart(text, sampleBytes)]
	}
	var seen evidence
	seen.read(text)
	if seen.shouted() {
		seen = evidence{capitals: true}
		seen.read(text)
	}
	return seen.decideQuery(known)
}

// evidence is what a text shows of its language.
type evidence struct {
	scripts  [scriptCount]int
	letters  [tellingCount]uint32 // of those that tell the languages of one script apart, see telling
	fenced   bool                 // the text goes on inside a code block
	words    int                  // of the Latin script
	acronyms int                  // words of ASCII capitals, which are no words of a language
	capitals bool                 // they are: all of the text is in capitals
	// per language: its function words and letters, each shared among the languages that have it
	score    [latinCount]float64
	hits     [latinCount]int   // function words
	slavic   [2]int            // function words of Russian, not of Bulgarian, and the other way round
	lettered bool              // a letter was seen that is typical of some languages
	inverted bool              // ¿ or ¡ was seen, which only Spanish has
	index    map[string]uint32 // functionWords, or nil: then each word is looked up in each list
}

// read adds a stretch of text.
func (e *evidence) read(text string) {
	lineStart := true
	for i := 0; i < len(text); {
		if lineStart {
			lineStart = false
			if line := strings.TrimLeft(text[i:min(len(text), i+8)], " \t"); strings.HasPrefix(line, "```") ||
				strings.HasPrefix(line, "~~~") {
				e.fenced = !e.fenced
				i = nextLine(text, i)
				lineStart = true
				continue
			}
			if e.fenced {
				i = nextLine(text, i)
				lineStart = true
				continue
			}
		}
		switch r, size, c := decode(text, i); {
		case c.isLetter() || c >= pair:
			i = e.word(text, i)
		case c == digit || c == mark: // a word that starts with a digit is no word of a language
			for c == digit || c == mark || c == lower || c == upper || r == '_' {
				i += size
				r, size, c = decode(text, i)
			}
		case r == '`':
			i = skipSpan(text, i)
		case r == ']' && strings.HasPrefix(text[i:], "]("), r == ':' && strings.HasPrefix(text[i:], "://"):
			i = skipAddress(text, i)
		default:
			lineStart = r == '\n'
			e.inverted = e.inverted || r == '¿' || r == '¡'
			i += size
		}
	}
}

// nextLine returns where the line after text[i:] starts.
func nextLine(text string, i int) int {
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(text)
}

// skipSpan returns the end of the code span that starts at text[i:], or of the back-quotes if none ends on the line.
func skipSpan(text string, i int) int {
	line := text[i:min(len(text), i+400)]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	width := len(line) - len(strings.TrimLeft(line, "`"))
	if n := strings.Index(line[width:], line[:width]); n >= 0 {
		return i + width + n + width
	}
	return i + width
}

// skipAddress returns the end of the address at text[i:], the target of a link or the rest of a URL.
func skipAddress(text string, i int) int {
	end := min(len(text), i+1000)
	for i < end && text[i] > ' ' && text[i] != ')' && text[i] != '>' && text[i] != '"' {
		i++
	}
	return i
}

// word adds the run of letters at text[i:] and returns its end.
func (e *evidence) word(text string, i int) int {
	start, latinLetters, isASCII := i, 0, true
	var hints uint32
	for i < len(text) {
		r, size, c := decode(text, i)
		if c == other || c == digit {
			if c == digit || r == '_' || r == '(' { // part of an identifier or a call: no word of a language
				latinLetters = 0
			}
			break
		}
		if c != mark {
			s := writingOf(r)
			e.scripts[s]++
			if s == writingLatin {
				latinLetters++
				if r >= utf8.RuneSelf {
					hints |= lettersOf(r)
				}
			} else if n := telling(r); n >= 0 {
				e.letters[n]++
			}
		}
		isASCII = isASCII && r < utf8.RuneSelf
		i += size
	}
	if latinLetters == 0 || i-start > maxListed {
		if first, _ := utf8.DecodeRuneInString(text[start:]); writingOf(first) == writingCyrillic &&
			i-start <= maxListed {
			e.countSlavic(foldLower(lowerText(text[start:i], false)))
		}
		return i
	}
	if isAcronym(text[start:i]) && !e.capitals {
		e.acronyms++
		return i
	}
	e.words++
	var buf [maxListed]byte
	word := text[start:i]
	elided := strings.HasPrefix(text[i:], "'") || strings.HasPrefix(text[i:], "’")
	if isASCII {
		for n := range len(word) {
			buf[n] = word[n] | 0x20
		}
		e.count(buf[:len(word)], hints, elided)
	} else {
		e.count([]byte(foldLower(lowerText(word, false))), hints, elided)
	}
	return i
}

// countSlavic adds one Cyrillic word. Short texts may have none of the letters that tell Bulgarian from Russian.
func (e *evidence) countSlavic(word string) {
	switch russian, bulgarian := IsStop("ru", word), IsStop("bg", word); {
	case russian && !bulgarian:
		e.slavic[0]++
	case bulgarian && !russian:
		e.slavic[1]++
	}
}

// isAcronym reports whether a word is two or more ASCII capitals.
func isAcronym(word string) bool {
	for i := range len(word) {
		if asciiClassOf(word[i]) != upper {
			return false
		}
	}
	return len(word) > 1
}

// elisions are the languages whose function words of one consonant stand before an apostrophe (l'eau, dell'acqua). A
// single letter without one is a name, an item or a formula: "Plan C and D" is not French.
var elisions = setOf("fr", "it")

// count adds one Latin word; elided says that an apostrophe follows it.
func (e *evidence) count(word []byte, hints uint32, elided bool) {
	var set uint32
	if e.index != nil {
		set = e.index[string(word)]
	} else {
		for lang, words := range latinWords() {
			if inList(words, string(word)) {
				set |= 1 << lang
			}
		}
	}
	if len(word) == 1 && !elided && !strings.Contains("aeioy", string(word)) {
		set &^= elisions
	}
	e.share(set, 1)
	e.share(hints, 0.5)
	e.lettered = e.lettered || hints != 0
	for lang := range latinCount {
		if set&(1<<lang) != 0 {
			e.hits[lang]++
		}
	}
}

// share gives a weight to the languages of a set: the fewer they are, the more each gets.
func (e *evidence) share(set uint32, weight float64) {
	n := 0
	for rest := set; rest != 0; rest &= rest - 1 {
		n++
	}
	for lang := range latinCount {
		if set&(1<<lang) != 0 {
			e.score[lang] += weight / float64(n)
		}
	}
}

// latinIndex returns, for each function word of a language in Latin script, the set of languages that have it. It takes
// about half a millisecond to make, once, and only documents need it.
var latinIndex = sync.OnceValue(func() map[string]uint32 {
	index := make(map[string]uint32, 3000)
	for i, words := range latinWords() {
		for word := range strings.FieldsSeq(words) {
			index[word] |= 1 << i
		}
	}
	return index
})
