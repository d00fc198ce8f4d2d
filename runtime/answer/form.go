package answer

import (
	"regexp"
	"strings"
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
		{Example, l.pattern(`(?i)`, frame{"example question latin patterns", latinWord})},
		{HowTo, l.pattern(`(?i)`, frame{"steps question latin patterns", latinStart})},
		{Listing, l.pattern(`(?i)`, frame{"plain list question latin patterns", plainListed})},
		{Definition, l.pattern(`(?i)`, frame{"definition question latin patterns", latinStart})},
		{Listing, l.pattern(`(?i)`, frame{"list question latin patterns", latinStart})},
	}
	for _, other := range []struct {
		form Form
		name string
	}{{Example, "example"}, {Definition, "definition"}, {HowTo, "steps"}, {Listing, "list"}} {
		name := other.name + " question "
		list = append(list, formPattern{other.form, l.pattern(`(?i)`,
			frame{name + "opening patterns", startFrame}, frame{name + "word patterns", wordFrame},
			frame{name + "anywhere patterns", anywhere})})
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
