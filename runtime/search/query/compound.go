package query

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"kdd/format/text"
)

// The bounds of compounds.
const (
	minCompound = 9  // letters of one
	minPart     = 4  // and of each of its parts
	maxParts    = 3  // of one
	maxCompound = 64 // bytes
)

// compounding are the languages that write several nouns as one word.
var compounding = []text.Lang{"de", "nl", "sv", "da", "no"}

// links stand between the parts of a compound; "" is none. The s comes first, since stems do without it.
var links = [...]string{"s", "", "ns", "es", "en", "er", "n", "e"}

// compound returns the parts of a word that no artifact knows, if it is put together of words that they know: documents
// say Hintergrundtasks and Aufgaben where a reader asks for Hintergrundaufgaben. It takes the longest first part; parts
// are in lower case with their accents, and nil if there are none. Cost: some hundred look-ups at most.
func (p *parse) compound(t *text.Token) []string {
	language := p.language
	if language == "" && len(p.known) > 0 {
		language = p.known[0]
	}
	if t.Whole || t.Part || t.CJK || len(t.Lower) > maxCompound || utf8.RuneCountInString(t.Lower) < minCompound || !slices.Contains(compounding, language) {
		return nil
	}
	known := map[string]bool{}
	return p.split(t.Lower, maxParts, func(part string) bool {
		is, ok := known[part]
		if !ok {
			is = p.isPart(part)
			known[part] = is
		}
		return is
	})
}

// split cuts a word into at most most parts that are known, two at least.
func (p *parse) split(word string, most int, known func(string) bool) []string {
	if most < 2 {
		return nil
	}
	for at := len(word) - 1; at > 0; at-- {
		if !utf8.RuneStart(word[at]) || utf8.RuneCountInString(word[at:]) < minPart {
			continue
		}
		for _, link := range links {
			first, ok := strings.CutSuffix(word[:at], link)
			if !ok || utf8.RuneCountInString(first) < minPart || !known(first) {
				continue
			}
			if known(word[at:]) {
				return []string{first, word[at:]}
			}
			if rest := p.split(word[at:], most-1, known); rest != nil {
				return append([]string{first}, rest...)
			}
		}
	}
	return nil
}

// isPart reports whether an artifact has a word, which is no stop word.
func (p *parse) isPart(part string) bool {
	t := partToken(part)
	for i := range p.xs {
		if w := p.word(i, t, text.Subject); !w.Stop && len(w.Terms) > 0 {
			return true
		}
	}
	return false
}

// partToken is the token of a part of a compound.
func partToken(part string) text.Token {
	return text.Token{Fold: text.Fold(part), Lower: part}
}

// unfold puts the parts of the compound tokens[at] behind it, with roles of their own, and says so in a note.
func (p *parse) unfold(tokens []text.Token, roles []text.Role, at int, parts []string) ([]text.Token, []text.Role) {
	t := tokens[at]
	list := make([]text.Token, len(parts))
	said := make([]string, len(parts))
	for i, part := range parts {
		list[i] = partToken(part)
		list[i].Pos, list[i].Start, list[i].End = t.Pos+uint32(i), t.Start, t.End
		said[i] = quote(part)
	}
	for i := at + 1; i < len(tokens); i++ {
		tokens[i].Pos += uint32(len(parts) - 1)
	}
	p.note(fmt.Sprintf("%s is not in the index: read as %s", quote(t.Lower), strings.Join(said, " and ")))
	return slices.Insert(tokens, at+1, list...), slices.Insert(roles, at+1, make([]text.Role, len(parts))...)
}
