package text

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// SentenceRules say where a sentence ends. There is one scanner, End; what its users need differently is data here.
//
// uniseg's sentences (v0.4.7, UAX #29) are not used: a full stop and 40,000 spaces take it 14 s and 40,000 brackets
// 30 s, since it looks ahead again at each character. On 4.7 MB of documentation it costs 37 ns a byte, this 4, and
// 99 % of its ends are the same; the others need its output corrected for abbreviations, code and closing marks.
type SentenceRules struct {
	breaks   string // end a sentence wherever they stand
	unspaced string // marks that end one whatever follows: those of scripts that write no space behind them
	spaced   string // marks that end one where white space follows
	// What closes with a sentence belongs to it: after a spaced mark, and after an unspaced one.
	closers, closersUnspaced string
	// markup: nothing ends inside `code` or (parentheses), and emphasis after an unspaced mark closes with the sentence
	// only if it was opened there.
	markup bool
	// opens says whether a sentence may begin with what follows a spaced mark; nil: with anything.
	opens func(rest string) bool
	// isInitial says whether a dot after a single letter ends no sentence, as after an abbreviation.
	isInitial     func(letter rune) bool
	abbreviations func() map[string]bool // words with a dot that ends no sentence; nil: none
}

// Marks that most scripts share.
const (
	latinMarks    = ".!?…"
	eastAsian     = "。！？｡．"
	otherMarks    = "؟۔।॥։።" // Arabic, Urdu, Devanagari, Armenian, Ethiopic
	latinClosers  = `"')]}»”’`
	wideClosers   = "」』）】"
	emphasisMarks = "*_"
)

var (
	// PlainSentences cut text without markup, also at line ends. A change is a new chunk.Version.
	PlainSentences = SentenceRules{
		breaks: "\n", unspaced: eastAsian, spaced: latinMarks,
		closers: latinClosers + wideClosers, closersUnspaced: latinClosers + wideClosers,
		opens: func(rest string) bool { return !startsLower(strings.TrimLeftFunc(rest, unicode.IsSpace)) }, isInitial: unicode.IsLetter,
		abbreviations: chunkAbbreviations,
	}
	// CoarseSentences cut after each mark, abbreviations too, and at every kind of line end: a sample of sentences
	// bears a wrong cut.
	CoarseSentences = SentenceRules{
		breaks: "\n\r\u2028\u2029", unspaced: eastAsian, spaced: latinMarks + "؟।",
		closers: latinClosers + wideClosers + emphasisMarks, closersUnspaced: latinClosers + wideClosers + emphasisMarks,
	}
	// MarkdownSentences cut a paragraph of markdown, whose line ends are spaces.
	MarkdownSentences = SentenceRules{
		unspaced: eastAsian + otherMarks, spaced: latinMarks,
		closers: `"')` + "”’»" + emphasisMarks, closersUnspaced: "”’»",
		markup: true, opens: OpensSentence, isInitial: func(r rune) bool { return unicode.IsUpper(r) && r != 'I' },
		abbreviations: allAbbreviations,
	}
)

// maxNested is how many bytes after its opening a span of code or a parenthesis counts as never closed.
const maxNested = 300

// End returns where the sentence that begins at text[from:] ends: behind its mark and what closes with it, before the
// white space. It is len(text) if nothing ends it. Cost: linear in the sentence.
func (r *SentenceRules) End(text string, from int) int {
	code, depth, opened := false, 0, from
	for i := from; i < len(text); {
		c, size := rune(text[i]), 1
		if c >= utf8.RuneSelf {
			c, size = utf8.DecodeRuneInString(text[i:])
		}
		next := i + size
		if c == ' ' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			i = next
			continue
		}
		if r.markup {
			if i-opened > maxNested {
				code, depth = false, 0
			}
			switch {
			case c == '`':
				code, opened = !code, i
			case code:
			case strings.ContainsRune("(（「『", c):
				depth, opened = depth+1, i
			case strings.ContainsRune(")）」』", c):
				depth = max(0, depth-1)
			}
		}
		switch {
		case code || depth > 0:
		case strings.ContainsRune(r.breaks, c):
			return next
		case strings.ContainsRune(r.unspaced, c):
			return r.closeUnspaced(text, from, next)
		case strings.ContainsRune(r.spaced, c):
			for next < len(text) && strings.IndexByte(".!?", text[next]) >= 0 {
				next++
			}
			end := skipAny(text, next, r.closers)
			if end == len(text) {
				return end
			}
			// The word before a dot is looked for last: only where white space stands between two is that linear.
			after, _ := utf8.DecodeRuneInString(text[end:])
			if unicode.IsSpace(after) && (r.opens == nil || r.opens(text[end:])) && !(c == '.' && end == i+1 && r.abbreviated(text[from:i])) {
				return end
			}
		}
		i = next
	}
	return len(text)
}

// closeUnspaced returns the end of a sentence that begins at from and whose unspaced mark ends at at.
func (r *SentenceRules) closeUnspaced(text string, from, at int) int {
	at = skipAny(text, at, r.closersUnspaced)
	if !r.markup {
		return at
	}
	emphasis := skipAny(text, at, emphasisMarks)
	if mark := text[at:emphasis]; mark != "" && strings.Count(text[from:at], mark)%2 == 1 {
		return emphasis
	}
	return at
}

// skipAny returns the place after the characters of a set that stand at text[at:].
func skipAny(text string, at int, set string) int {
	return len(text) - len(strings.TrimLeft(text[at:], set))
}

// OpensSentence says whether a sentence of markdown may begin with a text: not with a small letter, but with code.
func OpensSentence(rest string) bool {
	rest = strings.TrimLeft(rest, " \n\r\t>")
	return rest == "" || rest[0] == '`' || !startsLower(strings.TrimLeft(rest, "*_\"'“‘«([`¿¡"))
}

func startsLower(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return unicode.IsLower(r)
}

// EndsBefore says whether a sentence or line can begin after a text, as a snippet has to know that looks back.
func EndsBefore(text string) bool {
	trimmed := strings.TrimRight(text, " ")
	if strings.HasSuffix(text, "\n") || len(trimmed) < len(text) && strings.HasSuffix(trimmed, ".") {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(trimmed)
	return strings.ContainsRune("。！？｡।॥۔؟", last)
}

// abbreviated says whether the word at the end of a text is an abbreviation or an initial.
func (r *SentenceRules) abbreviated(before string) bool {
	if r.abbreviations == nil {
		return false
	}
	word := before[strings.LastIndexAny(before, " \n\t(")+1:]
	word = strings.ToLower(strings.TrimLeft(word, "(\"'[«“"))
	if c, size := utf8.DecodeRuneInString(word); size == len(word) && size > 0 {
		first, _ := utf8.DecodeLastRuneInString(before)
		return r.isInitial(first) || r.abbreviations()[string(c)]
	}
	return r.abbreviations()[word]
}

// The abbreviations are those of all languages, since a text may quote another.
var (
	chunkAbbreviations = sync.OnceValue(func() map[string]bool { return wordsOf(abbreviationWords) })
	allAbbreviations   = sync.OnceValue(func() map[string]bool { return wordsOf(abbreviationWords, furtherAbbreviations) })
)

// wordsOf returns the words of sections, of all languages.
func wordsOf(sections ...string) map[string]bool {
	all := map[string]bool{}
	for lang := range lists {
		for _, section := range sections {
			for word := range strings.FieldsSeq(list(lang, section)) {
				all[word] = true
			}
		}
	}
	return all
}
