package units

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kdd/format/index"
	"kdd/format/phrases"
)

// role is what a sentence does in its text. Its words tell: the first word, the beginning, the end, or what is inside.
type role struct {
	words                map[string]bool
	starts, ends, inside []string
}

// roleOf returns the role with the lists of that name.
func roleOf(l phrases.Lists, name string) role {
	return role{words: l.Words(name + " words"), starts: l.All(name + " starts"), ends: l.All(name + " ends"),
		inside: l.All(name + " inside")}
}

// has says that a sentence has the role. lower is the sentence as bare returns it.
func (r *role) has(lower string) bool {
	with := func(match func(s, part string) bool) func(string) bool {
		return func(part string) bool { return match(lower, part) }
	}
	return r.words[firstWord(lower)] || slices.ContainsFunc(r.starts, with(strings.HasPrefix)) ||
		slices.ContainsFunc(r.ends, with(strings.HasSuffix)) || slices.ContainsFunc(r.inside, with(strings.Contains))
}

// announces says that a text leads to what stands below it.
func announces(s string) bool {
	s = strings.TrimRight(s, "*_ ")
	return strings.HasSuffix(s, ":") || strings.HasSuffix(s, "：")
}

// asks says that a text is a heading whose subject is explained elsewhere: "How to ...", "What X is".
func asks(s string) bool {
	return lexicon().asking.has(bare(s)) && (!strings.ContainsAny(s, ",.:;—。、，：；।،؛") || questions(s))
}

// questions says that a text ends with a question mark.
func questions(s string) bool {
	return strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || strings.HasSuffix(s, "؟")
}

// leans says that a sentence begins with a word that refers to the text before it.
func leans(s string) bool { return lexicon().leaning.has(bare(s)) }

// refersBack says that the first word of a sentence stands for its subject, as "it" does.
func refersBack(s string) bool { return lexicon().backReferences[firstWord(bare(s))] }

// maxSubjectWords is the last place in a sentence, counted in words, where the verb of a definition may stand.
const maxSubjectWords = index.MaxUnitSubject + 1

// subject returns how many words of a sentence say what it defines: 2 of "A ref is an object". It returns 0 for
// conditions, and for sentences without an early word of definition between spaces.
func subject(s string) int {
	fields := strings.Fields(s)
	for i, w := range fields[:min(maxSubjectWords, len(fields))] {
		if i > 0 && lexicon().defining[strings.ToLower(w)] && !lexicon().conditions[strings.ToLower(fields[0])] {
			return i
		}
	}
	return 0
}

// hasNumber says that markdown has a figure, or a number in words.
func hasNumber(raw string) bool {
	if strings.ContainsAny(raw, "0123456789") {
		return true
	}
	lex, lower := lexicon(), strings.ToLower(raw)
	for word := range strings.FieldsFuncSeq(lower, notWord) {
		if lex.numbers[word] {
			return true
		}
	}
	lower = " " + lower
	return slices.ContainsFunc(lex.numbersInside, func(part string) bool { return strings.Contains(lower, part) })
}

// notWord says that a character is no letter of English, and no digit.
func notWord(r rune) bool {
	return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z')
}

// points says that a sentence only tells where to read about something.
func points(s string) bool {
	lex, lower := lexicon(), bare(s)
	if lex.reading.words[firstWord(lower)] {
		return slices.ContainsFunc(lex.reading.inside, func(part string) bool { return strings.Contains(lower, part) })
	}
	return lex.pointing.has(lower)
}

// command says that a text is most likely one line to type: it begins with a small letter, and does not end like a
// sentence.
func command(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimPrefix(s, "$ "))
	return unicode.IsLower(r) && !ends(s) && !announces(s) && !strings.ContainsAny(s, "\n`") && strings.Contains(s, " ")
}

// ends says that a text ends as a sentence does; commands and labels do not.
func ends(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(s, closers+"` "))
	return strings.ContainsRune(stops, r)
}

// stops are the marks that end a sentence in some script.
const stops = ".!?…。．！？｡؟۔।॥։።"

// closers are the marks that may follow the end of a sentence and belong to it.
const closers = "\"')*_”’»」』）】》〉"

// bare returns a sentence in lower case without the marks of punctuation and emphasis around it.
func bare(s string) string {
	return strings.ToLower(strings.Trim(s, "([{}],;: "+stops+closers+"“‘«„「『（【《〈¿¡，、：；،؛　"))
}

// firstWord returns the first word of what bare returned.
func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return strings.ReplaceAll(strings.TrimRight(word, ".,:;*_،"), "’", "'")
}
