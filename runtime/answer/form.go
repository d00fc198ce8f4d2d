package answer

import (
	"regexp"
	"strings"

	"kdd/format/phrases"
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

// formPattern matches the questions that ask for one form of answer.
type formPattern struct {
	form    Form
	pattern func() *regexp.Regexp
}

// What stands around the patterns of a question. \b and \W know the letters of ASCII alone, so only English, Spanish,
// German and French have patterns with latin frames.
const (
	latinWord   = `\b(?:%s)\b`
	latinStart  = `^\W*(?:%s)`
	startFrame  = `^[^\p{L}]*(?:%s)(?:[^\p{L}]|$)`
	wordFrame   = `(?:^|[^\p{L}\p{M}])(?:%s)(?:[^\p{L}\p{M}]|$)`
	anywhere    = `%s`
	plainListed = `^\W*what are (?:%s)\b`
)

// forms returns the patterns in the order in which they are tried: "what are the ..." asks for a list, "what are refs?"
// for a definition.
func (l lists) forms() []formPattern {
	list := []formPattern{
		{Example, l.Pattern(`(?i)`, phrases.Frame{Section: "example question latin patterns", Format: latinWord})},
		{HowTo, l.Pattern(`(?i)`, phrases.Frame{Section: "steps question latin patterns", Format: latinStart})},
		{Listing, l.Pattern(`(?i)`, phrases.Frame{Section: "plain list question latin patterns", Format: plainListed})},
		{Definition, l.Pattern(`(?i)`, phrases.Frame{Section: "definition question latin patterns", Format: latinStart})},
		{Listing, l.Pattern(`(?i)`, phrases.Frame{Section: "list question latin patterns", Format: latinStart})},
	}
	for _, other := range []struct {
		form Form
		name string
	}{{Example, "example"}, {Definition, "definition"}, {HowTo, "steps"}, {Listing, "list"}} {
		name := other.name + " question "
		list = append(list, formPattern{other.form, l.Pattern(`(?i)`,
			phrases.Frame{Section: name + "opening patterns", Format: startFrame}, phrases.Frame{Section: name + "word patterns", Format: wordFrame},
			phrases.Frame{Section: name + "anywhere patterns", Format: anywhere})})
	}
	return list
}

// FormOf returns the form of answer that a question asks for.
func FormOf(question string) Form {
	question = strings.TrimSpace(question)
	for _, f := range lexicon().forms {
		if f.pattern().MatchString(question) {
			return f.form
		}
	}
	return Plain
}
