package answer

import (
	"strings"

	"kdd/runtime/lazyregexp"
)

// Form is what kind of answer a question asks for.
type Form uint8

// The forms of answers.
const (
	Plain      Form = iota
	Definition      // what something is
	HowTo           // steps, or what to write
	Listing         // which there are
	Example         // code
)

var forms = []struct {
	form Form
	is   *lazyregexp.Regexp
}{
	{Example, lazyregexp.New(`(?i)\b(?:examples?|syntax|snippet|sample|ejemplos?|sintaxis|beispiele?|exemples?)\b`)},
	{HowTo, lazyregexp.New(`(?i)^\W*(?:how (?:do|can|could|should|would|to|does one)\b|steps?\b|what (?:are )?the (?:\w+ )?steps\b|c[oó]mo (?:se |puedo |hago |debo |configur|instal|us|cre)|qu[eé] pasos|pasos\b|wie (?:kann|mache|erstelle|füge)|comment\b)`)},
	{Definition, lazyregexp.New(`(?i)^\W*(?:what(?:'s| is| does)\b|define\b|qu[eé] (?:es|son|significa|representa)\b|was (?:ist|sind)\b|qu'est-ce)`)},
	{Listing, lazyregexp.New(`(?i)^\W*(?:which\b|what (?:are|(?:[\w-]+ ){0,3}[\w-]+s (?:are|does|do|can|is|have))\b|(?:list|name) (?:all|the|of)\b|cu[aá]les\b|qu[eé] \p{L}+s\b|quién(?:es)?\b|welche\b|quels?\b|(?:lista|enumera)\b)`)},
}

// FormOf reads from a question what form its answer should have.
func FormOf(question string) Form {
	question = strings.TrimSpace(question)
	for _, f := range forms {
		if f.is.MatchString(question) {
			return f.form
		}
	}
	return Plain
}

// parts are words of questions for what something takes and returns.
var parts = lazyregexp.New(`(?i)\b(?:param|prop|arg|return|accept|take|receive|input|output|option|recib|devuel|acept|entrada|salida)`)

// asksForParts says that a question is for what something takes or returns.
func (q *Question) asksForParts() bool { return parts.MatchString(q.Text) }
