package dialect

import (
	"errors"
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"
)

// scriptTree reads what a JavaScript or TypeScript configuration exports, as far as it is written out: texts, numbers,
// truth values, lists, objects, constants of the same file. What a program would have to work out is left out, so that
// a key that is there but not plain counts as absent.
func scriptTree(data []byte) (any, error) {
	if !utf8.Valid(data) {
		return nil, errors.New("it is not UTF-8")
	}
	s := script{tokens: tokens(string(data)), constants: map[string]int{}}
	start := -1
	for i, t := range s.tokens {
		switch {
		case t.is("default") && i > 0 && s.tokens[i-1].is("export"):
			start = i + 1
		case t.is("=") && i > 2 && s.tokens[i-1].is("exports") && s.tokens[i-3].is("module"):
			start = i + 1
		case t.is("const") || t.is("let") || t.is("var"):
			s.constant(i + 1)
		}
	}
	if start < 0 {
		return nil, errors.New("what it exports is not written out")
	}
	tree, _ := s.value(start, 0)
	if _, ok := tree.(map[string]any); !ok {
		return nil, errors.New("what it exports is worked out by a program")
	}
	return tree, nil
}

// script is a program as tokens.
type script struct {
	tokens    []token
	constants map[string]int // where their values begin
	resolving int
	fuel      int
}

// maxFuel bounds the tokens that are looked at, since constants may name constants.
const maxFuel = 1 << 20

func (s *script) at(i int) token {
	if i < 0 || i >= len(s.tokens) {
		return token{}
	}
	return s.tokens[i]
}

// constant notes where the value of "NAME = …" or "NAME: Type = …" begins.
func (s *script) constant(i int) {
	name := s.at(i)
	if name.kind != wordToken {
		return
	}
	for j := i + 1; j < i+40 && j < len(s.tokens); j++ {
		switch t := s.tokens[j]; {
		case t.is("="):
			if _, twice := s.constants[name.text]; !twice {
				s.constants[name.text] = j + 1
			}
			return
		case t.is(";") || t.is("{") || t.is("("):
			return
		}
	}
}

// value reads the value at token i and returns it with the token after it; nil if it is not plain.
func (s *script) value(i, depth int) (v any, next int) {
	if s.fuel++; s.fuel > maxFuel || depth > maxDepth {
		return nil, s.skip(i)
	}
	t := s.at(i)
	switch {
	case t.kind == textToken:
		v, next = t.text, i+1
	case t.kind == numberToken:
		v, next = number(t.text), i+1
	case t.is("true"), t.is("false"):
		v, next = t.is("true"), i+1
	case t.is("{"):
		v, next = s.object(i, depth)
	case t.is("["):
		v, next = s.array(i, depth)
	case t.is("("):
		v, next = s.value(i+1, depth+1)
		if !s.at(next).is(")") {
			return nil, s.skip(i)
		}
		next++
	case t.kind == wordToken && s.at(s.typed(i+1)).is("("):
		v, next = s.call(t.text, s.typed(i+1), depth)
	case t.kind == wordToken:
		if at, known := s.constants[t.text]; known && s.resolving < 8 {
			s.resolving++
			v, _ = s.value(at, depth+1)
			s.resolving--
		}
		next = i + 1
	default:
		return nil, s.skip(i)
	}
	for s.at(next).is("as") || s.at(next).is("satisfies") { // a type of TypeScript
		return v, s.skip(next)
	}
	if end := s.at(next); end.kind != 0 && !end.is(",") && !end.is("}") && !end.is("]") && !end.is(")") && !end.is(";") && !end.line {
		return nil, s.skip(i)
	}
	return v, next
}

// typed passes over the type in "defineConfig<Theme>(…)".
func (s *script) typed(i int) int {
	if s.at(i).is("<") && s.at(i+1).kind == wordToken && s.at(i+2).is(">") {
		return i + 3
	}
	return i
}

// calledBy is the key under which an object that a function is given has the function's name.
const calledBy = "()"

// call reads a call such as defineConfig({…}) or starlight({…}), whose bracket is token i: it counts as the object
// that it is given.
func (s *script) call(name string, i, depth int) (any, int) {
	v, _ := s.value(i+1, depth+1)
	table, ok := v.(map[string]any)
	if !ok {
		return nil, s.balanced(i)
	}
	table = maps.Clone(table)
	table[calledBy] = name
	return table, s.balanced(i)
}

func number(text string) any {
	if f, err := strconv.ParseFloat(text, 64); err == nil {
		return f
	}
	return nil
}

// object reads the keys and values of the object at token i.
func (s *script) object(i, depth int) (map[string]any, int) {
	m := map[string]any{}
	for i++; ; {
		t := s.at(i)
		switch {
		case t.kind == 0 || t.is("}"):
			return m, i + 1
		case t.is(","):
			i++
			continue
		case (t.kind == wordToken || t.kind == textToken) && s.at(i+1).is(":"):
			v, next := s.value(i+2, depth+1)
			if v != nil {
				m[t.text] = v
			}
			i = next
		case t.kind == wordToken && (s.at(i+1).is(",") || s.at(i+1).is("}")): // short for "name: name"
			if v, _ := s.value(i, depth+1); v != nil {
				m[t.text] = v
			}
			i++
		default: // a method, a spread, a computed key
			i = s.skip(i)
		}
		if end := s.at(i); !end.is(",") && !end.is("}") {
			i = s.skip(i)
		}
	}
}

func (s *script) array(i, depth int) ([]any, int) {
	list := []any{}
	for i++; ; {
		t := s.at(i)
		switch {
		case t.kind == 0 || t.is("]"):
			return list, i + 1
		case t.is(","):
			i++
			continue
		}
		v, next := s.value(i, depth+1)
		if v != nil {
			list = append(list, v)
		}
		if i = next; !s.at(i).is(",") && !s.at(i).is("]") {
			i = s.skip(i)
		}
	}
}

// skip returns the token that ends the expression at i: a comma, or a bracket that it does not open. It always gets
// on, but for such a token.
func (s *script) skip(i int) int {
	for depth := 0; i < len(s.tokens); i++ {
		switch t := s.tokens[i]; {
		case t.is("{") || t.is("[") || t.is("("):
			depth++
		case t.is("}") || t.is("]") || t.is(")"):
			if depth == 0 {
				return i
			}
			depth--
		case t.is(",") && depth == 0:
			return i
		}
		s.fuel++
		if s.fuel > maxFuel {
			return len(s.tokens)
		}
	}
	return i
}

// balanced returns the token after the bracket that closes the one at i.
func (s *script) balanced(i int) int {
	end := s.skip(i + 1)
	for s.at(end).is(",") {
		end = s.skip(end + 1)
	}
	return end + 1
}

type tokenKind uint8

const (
	wordToken tokenKind = iota + 1
	textToken
	numberToken
	markToken
)

// token is a word, text, number or mark of a program; the zero value is its end.
type token struct {
	kind tokenKind
	text string
	line bool // it is the first of its line
}

func (t token) is(text string) bool {
	return t.text == text && (t.kind == wordToken || t.kind == markToken)
}

// maxTokens bounds the tokens of a program.
const maxTokens = 200000

// tokens cuts a program up. A text with something to work out in it, such as `${x}`, becomes a mark "`".
func tokens(src string) []token {
	var list []token
	fresh := true
	add := func(kind tokenKind, text string) {
		list = append(list, token{kind, text, fresh})
		fresh = false
	}
	for i := 0; i < len(src) && len(list) < maxTokens; {
		c := src[i]
		switch {
		case c == '\n':
			fresh = true
			i++
		case c <= ' ':
			i++
		case strings.HasPrefix(src[i:], "//"):
			if n := strings.IndexByte(src[i:], '\n'); n >= 0 {
				i += n
			} else {
				i = len(src)
			}
		case strings.HasPrefix(src[i:], "/*"):
			if n := strings.Index(src[i+2:], "*/"); n >= 0 {
				i += n + 4
			} else {
				i = len(src)
			}
		case c == '"' || c == '\'' || c == '`':
			text, next, plain := quoted(src, i)
			if plain {
				add(textToken, text)
			} else {
				add(markToken, "`")
			}
			i = next
		case c == '/' && startsPattern(list):
			i = pattern(src, i)
			add(markToken, "/")
		case isWord(c):
			j := i
			for j < len(src) && (isWord(src[j]) || '0' <= src[j] && src[j] <= '9') {
				j++
			}
			add(wordToken, src[i:j])
			i = j
		case '0' <= c && c <= '9':
			j := i
			for j < len(src) && (isWord(src[j]) || '0' <= src[j] && src[j] <= '9' || src[j] == '.') {
				j++
			}
			add(numberToken, src[i:j])
			i = j
		default:
			add(markToken, string(c))
			i++
		}
	}
	return list
}

func isWord(c byte) bool {
	return c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= 0x80
}

// quoted reads the text in quotes at i.
func quoted(src string, i int) (text string, next int, plain bool) {
	quote := src[i]
	var b strings.Builder
	plain = true
	for j := i + 1; j < len(src); j++ {
		switch c := src[j]; {
		case c == quote:
			return b.String(), j + 1, plain
		case c == '\\' && j+1 < len(src):
			j++
			if strings.IndexByte("nrtbfvux0", src[j]) >= 0 {
				plain = false
			}
			b.WriteByte(src[j])
		case c == '\n' && quote != '`':
			return "", j, false
		case quote == '`' && c == '$' && j+1 < len(src) && src[j+1] == '{':
			plain = false
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return "", len(src), false
}

// startsPattern reports whether a "/" begins a regular expression: behind a value it divides.
func startsPattern(list []token) bool {
	if len(list) == 0 {
		return true
	}
	last := list[len(list)-1]
	return last.kind == markToken && !last.is(")") && !last.is("]") && !last.is("}")
}

// pattern returns the offset after the regular expression at i, or after its "/" if it does not end in its line.
func pattern(src string, i int) int {
	class := false
	for j := i + 1; j < len(src) && src[j] != '\n'; j++ {
		switch src[j] {
		case '\\':
			j++
		case '[':
			class = true
		case ']':
			class = false
		case '/':
			if !class {
				return j + 1
			}
		}
	}
	return i + 1
}
