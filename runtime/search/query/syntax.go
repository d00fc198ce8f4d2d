package query

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kdd/format/text"
)

// The bounds of the query language. What is beyond them is read as plain words, with a note.
const (
	maxText  = 4096 // bytes of a query that are read
	maxItems = 200  // words and operators of a query that has operators
	maxPaths = 8    // globs and texts that paths are compared with
	maxDepth = 16   // parentheses in parentheses
)

// item is a word, a phrase or an operator of a query as it is written.
type item struct {
	kind  kind
	text  string // of a word, phrase or value, without marks
	field *field // that the value is asked of; nil = any
	mark  mark
	edits int // of fuzzy
	// What the parser finds out.
	negated bool // by NOT or -, an odd number of times
	asked   bool // the query says that it must or may stand there: it is no bare word
}

type span struct{ start, end int }

type kind uint8

const (
	word kind = iota
	phrase
	open
	shut
	and
	or
	not
	plus
	minus
)

// mark is what a word ends with.
type mark uint8

const (
	exactly mark = iota
	prefix       // word*
	fuzzy        // word~, word~1, word~2
)

// scanner cuts a query into items.
type scanner struct {
	text  string
	a     *text.Analyzer
	items []item
	open  []*field // of each parenthesis that is open, what field its values are asked of; nil = any
	notes []string
}

// halfWidth are the operators that East Asian keyboards type in full width; the tilde, which ranges are written with
// (1～2), is none.
var halfWidth = strings.NewReplacer("＂", `"`, "（", "(", "）", ")", "＋", "+", "－", "-", "：", ":", "＊", "*", "ＡＮＤ", "AND", "ＯＲ", "OR", "ＮＯＴ", "NOT")

// scan reads the items of text. It never fails: what is no operator is a word.
func scan(text string, a *text.Analyzer) *scanner {
	s := &scanner{text: halfWidth.Replace(text), a: a}
	text = s.text
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			i += size
		case r == '(':
			s.begin(s.group())
			i++
		case r == ')' && len(s.open) > 0:
			s.open = s.open[:len(s.open)-1]
			s.add(item{kind: shut})
			i++
		default:
			i = s.operand(i)
		}
	}
	return s
}

func (s *scanner) add(it item) { s.items = append(s.items, it) }

// begin opens a parenthesis whose values are asked of a field.
func (s *scanner) begin(of *field) {
	s.add(item{kind: open})
	s.open = append(s.open, of)
}

// group is the field that values without one are asked of.
func (s *scanner) group() *field {
	if n := len(s.open); n > 0 {
		return s.open[n-1]
	}
	return nil
}

// operand reads a sign, a field and a value or parenthesis at text[i:], and returns where it ends.
func (s *scanner) operand(i int) int {
	at := i
	if r, size := utf8.DecodeRuneInString(s.text[at:]); r == '+' || r == '-' || r == '−' {
		if s.signed(at+size, r != '+') {
			sign := plus
			if r != '+' {
				sign = minus
			}
			s.add(item{kind: sign})
			if at += size; s.text[at] == '(' {
				return at
			}
		}
	}
	value := at
	of, own := s.group(), false // own: the field is written before the value
	if n := strings.IndexByte(s.text[at:min(len(s.text), at+maxField)], ':'); n > 0 {
		name, rest := s.text[at:at+n], s.text[at+n+1:]
		if valued := rest != "" && rest[0] != ':' && !strings.HasPrefix(rest, "()") && !startsSpace(rest); valued {
			if f := fieldOf(name); f != nil {
				of, own, value = f, true, at+n+1
			} else if strings.IndexByte(name, ' ') < 0 {
				s.misspelt(name)
			}
		}
		if own && rest[0] == '(' {
			s.begin(of)
			return value + 1
		}
	}
	if text, end, ok := s.quoted(value); ok {
		s.add(item{kind: phrase, text: text, field: of})
		return end
	}
	end := s.wordEnd(value)
	it := item{kind: word, text: s.text[value:end], field: of}
	switch {
	case !own && it.text == "AND":
		it.kind, it.field = and, nil
	case !own && it.text == "OR":
		it.kind, it.field = or, nil
	case !own && it.text == "NOT":
		it.kind, it.field = not, nil
	case of.documents():
	default:
		s.marks(&it)
		if of != nil && !s.hasTokens(it.text) {
			it.field, it.text = nil, s.text[at:end]
		}
	}
	s.add(it)
	return end
}

// signed says whether what follows a + or - is what the sign may stand before: a word of letters, a phrase, a field or
// a group. "--flag", "-1", "- a" and short options of commands such as "-v" and "-rf" are words.
func (s *scanner) signed(i int, minus bool) bool {
	if i >= len(s.text) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(s.text[i:])
	switch {
	case r == '(' || closing(r) != "":
		return true
	case !unicode.IsLetter(r):
		return false
	}
	w := s.text[i:s.wordEnd(i)]
	return !minus || len(w) > 2
}

func startsSpace(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsSpace(r)
}

// closing has the marks that may close a quotation that r opens; "" if it opens none.
func closing(r rune) string {
	switch r {
	case '"':
		return `"`
	case '“', '”':
		return "”"
	case '„':
		return "“”"
	case '«':
		return "»"
	}
	return ""
}

// quoted reads "text" at text[i:]: the closing quote must end a word, and there must be a word between.
func (s *scanner) quoted(i int) (text string, end int, ok bool) {
	r, size := utf8.DecodeRuneInString(s.text[i:])
	marks := closing(r)
	if marks == "" {
		return "", 0, false
	}
	i += size
	n := strings.IndexAny(s.text[i:], marks)
	if n < 0 {
		s.note("a quotation mark is not closed: it is left out")
		return "", 0, false
	}
	_, size = utf8.DecodeRuneInString(s.text[i+n:])
	text, end = strings.TrimSpace(s.text[i:i+n]), i+n+size
	if end < len(s.text) {
		if r, _ := utf8.DecodeRuneInString(s.text[end:]); unicode.IsLetter(r) || unicode.IsDigit(r) {
			return "", 0, false
		}
		if after := end + distance(s.text[end:]); after > end && s.hasTokens(text) {
			s.note(quote(s.text[end:after]) + " after a phrase is left out: its words stand side by side")
			end = after
		}
		for end < len(s.text) && strings.IndexByte(".,;:?!~*", s.text[end]) >= 0 {
			end++
		}
	}
	return text, end, s.hasTokens(text)
}

// distance returns the length of ~2 or ^2 at the beginning of s, which other query languages put after a phrase.
func distance(s string) int {
	if s[0] != '~' && s[0] != '^' {
		return 0
	}
	n := 1
	for n < len(s) && (s[n] >= '0' && s[n] <= '9' || s[n] == '.') {
		n++
	}
	if n == 1 {
		return 0
	}
	return n
}

// wordEnd returns the end of the word at text[i:]: the next space, or a parenthesis that closes none of its own.
func (s *scanner) wordEnd(i int) int {
	inside := 0
	for k, r := range s.text[i:] {
		switch {
		case unicode.IsSpace(r) || unicode.IsControl(r):
			return i + k
		case r == '(':
			inside++
		case r == ')' && inside > 0:
			inside--
		case r == ')' && len(s.open) > 0 && k > 0:
			return i + k
		}
	}
	return len(s.text)
}

// marks takes * and ~ from the end of a word. They are marks behind one word or identifier only: "**bold**", "~", "*"
// and "a*b" are none.
//
// More than two edits are two.
func (s *scanner) marks(it *item) {
	w := it.text
	var m mark
	edits, more := 0, false
	switch n := len(w); {
	case n > 1 && w[n-1] == '*':
		w, m = w[:n-1], prefix
	case n > 1 && w[n-1] == '~':
		w, m = w[:n-1], fuzzy
	case n > 2 && w[n-2] == '~' && w[n-1] >= '1' && w[n-1] <= '9':
		edits, more = min(2, int(w[n-1]-'0')), w[n-1] > '2'
		w, m = w[:n-2], fuzzy
	default:
		return
	}
	for _, r := range w {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune("-_.@/", r) {
			return
		}
	}
	tokens := s.a.Tokens(nil, w)
	if len(tokens) == 0 || tokens[0].Start != 0 || m == fuzzy && (len(tokens) > 1 || tokens[0].CJK) {
		return
	}
	if more {
		s.note(quote(it.text) + " is read as " + quote(w+"~2") + ": a word may be within one or two edits")
	}
	it.text, it.mark, it.edits = w, m, edits
}

func (s *scanner) hasTokens(text string) bool { return len(s.a.Tokens(nil, text)) > 0 }

func (s *scanner) note(text string) {
	if !slices.Contains(s.notes, text) {
		s.notes = append(s.notes, text)
	}
}
