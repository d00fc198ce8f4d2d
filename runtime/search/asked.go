package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kdd/format/text"
	"kdd/runtime/artifact"
	"kdd/runtime/search/query"
)

// QuestionWord is one word of a question.
type QuestionWord struct {
	Text   string
	Weight float64 // idf
	Known  float64 // 1: the documents have it; nearWord: they have a similar word; 0: neither
	Name   bool    // it is an identifier
}

// nearWord is the value of Known for a word that the documents have in a slightly different spelling.
const nearWord = 0.6

// QuestionWords returns the words of a question. An identifier counts as one word instead of its parts if the documents
// have it. If they do not, the search goes on with its parts, and the identifier is one more word, which is missing.
func QuestionWords(set *artifact.Set, r *Ranking, raw string) []QuestionWord {
	var words []QuestionWord
	chunks := 0.0
	for _, a := range set.Artifacts {
		chunks += float64(a.Chunks())
	}
	rare := query.IDF(chunks, 1)
	at := map[string]int{}
	for _, own := range r.Queries {
		for _, w := range own.Words {
			if w.Stop || w.Part && slices.ContainsFunc(own.Words, func(o query.Word) bool {
				return o.Whole && len(o.Terms) > 0 && o.Pos <= w.Pos && strings.Contains(o.Text, w.Text)
			}) {
				continue
			}
			known := 0.0
			switch {
			case len(w.Terms) > 0:
				known = 1
			case len(w.Near) > 0:
				known = nearWord
			}
			i, ok := at[w.Text]
			if !ok {
				i = len(words)
				at[w.Text] = i
				words = append(words, QuestionWord{Text: w.Text, Weight: min(w.IDF, rare), Name: w.Whole})
			}
			words[i].Known = max(words[i].Known, known)
		}
	}
	analyzer := text.Borrow()
	defer analyzer.Return()
	for _, t := range analyzer.Tokens(nil, raw) {
		if i, prefix := at[t.Fold+"*"]; prefix && words[i].Known > 0 {
			continue // foo_b* was asked for, and the documents have a word that begins with it
		}
		_, is := at[t.Fold]
		if is || !t.Whole || t.IndexOnly() || compound(raw, span{t.Start, t.End}) || slices.ContainsFunc(set.Artifacts, func(a *artifact.Artifact) bool {
			_, has := a.Term(t.Fold)
			return has
		}) {
			continue
		}
		at[t.Fold] = len(words)
		words = append(words, QuestionWord{Text: t.Fold, Weight: rare, Name: true})
	}
	return words
}

// Typing tells how the words of a question were typed. It is computed when the first word is asked for.
type Typing struct {
	Question, Language string

	at            map[string]span // the first place of each word, by its folded form
	others, small bool            // see amongOthers; some word begins with a small letter
}

func (t *Typing) read() {
	if t.at != nil {
		return
	}
	t.at = map[string]span{}
	a := text.Borrow()
	defer a.Return()
	for _, token := range a.Tokens(nil, t.Question) {
		if _, ok := t.at[token.Fold]; !ok {
			t.at[token.Fold] = span{token.Start, token.End}
		}
	}
	t.others = amongOthers(t.Question)
	t.small = slices.ContainsFunc(strings.Fields(t.Question), func(f string) bool { return strings.IndexFunc(f, unicode.IsLower) == 0 })
}

// IsName says that a word of a question is most likely a name. In German, where every noun has a capital, no word is.
func (t *Typing) IsName(word string) bool { return t.Language != "de" && t.Named(word) }

// Named says that a word of a question has a capital, is not the first word, and that not all words have a capital. In
// a question in a script without capitals, any word in letters that have capitals is a name: 怎么部署到 kubernetes.
func (t *Typing) Named(word string) bool {
	t.read()
	at, ok := t.at[word]
	r, _ := utf8.DecodeRuneInString(t.Question[at.start:])
	switch {
	case !ok:
		return false
	case t.others:
		return utf8.RuneCountInString(word) >= 3 && (unicode.IsUpper(r) || unicode.IsLower(r))
	}
	return t.small && unicode.IsUpper(r) && strings.ContainsFunc(t.Question[:at.start], unicode.IsLetter)
}

// span is a range of bytes.
type span struct{ start, end int }

// Typed returns a folded word in the form in which the question has it.
func (t *Typing) Typed(word string) string {
	t.read()
	if at, ok := t.at[word]; ok {
		return t.Question[at.start:at.end]
	}
	return word
}

// amongOthers says that a question is written in a script without capitals, apart from the names in it: it has more
// letters without case than twice the words that begin with a small letter.
func amongOthers(question string) bool {
	others, small := 0, 0
	inWord := false
	for _, r := range question {
		switch {
		case unicode.Is(unicode.Lo, r):
			others, inWord = others+1, false
		case !unicode.IsLetter(r) && !unicode.IsMark(r) && r != '\'' && r != '-':
			inWord = false
		case !inWord:
			inWord = true
			if unicode.IsLower(r) {
				small++
			}
		}
	}
	return others > 2*small
}

// compound says that a text consists of words with hyphens between them, such as "lazy-load", which may as well be
// written as several words. A verb and its pronoun at the beginning of a question (Puis-je) count too.
func compound(question string, at span) bool {
	text := question[at.start:at.end]
	if first, n := utf8.DecodeRuneInString(text); unicode.IsUpper(first) && !strings.ContainsFunc(question[:at.start], unicode.IsLetter) {
		if last := text[strings.LastIndexByte(text, '-')+1:]; slices.Contains(pronouns[:], last) {
			text = text[n:]
		}
	}
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r != '-' && r != '\'' && r != '’' && !unicode.IsLower(r) && !unicode.IsMark(r)
	})
}

// pronouns follow a verb and a hyphen in French and Portuguese; so do some particles of Russian.
var pronouns = [...]string{"je", "tu", "il", "elle", "on", "nous", "vous", "ils", "elles", "ce", "se", "me", "lo", "la", "los", "las", "то", "нибудь", "либо"}

// ForeignAnswer says that all hits of known language are in another language than the question.
func ForeignAnswer(set *artifact.Set, language string, hits []Result) bool {
	known := false
	for i := range hits {
		switch set.Artifacts[hits[i].Index].DocLanguage(hits[i].Doc) {
		case "":
		case language:
			return false
		default:
			known = true
		}
	}
	return known && language != ""
}
