package plain

import (
	"html"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxInside bounds how far the end of a tag, comment, code span or link is looked for, in bytes.
const maxInside = 1000

// inlineMarks are the characters at which something may begin or end that a reader does not see.
const inlineMarks = "\\`![]<{*_~=&:"

// Inline returns a paragraph of markdown as plain text on one line. Code spans keep their back-ticks.
func Inline(text string) string { return inline(text, false) }

// Sentence returns a sentence or item of markdown as Inline does, without the marks of quotations and the box of a task.
func Sentence(markdown string) string {
	s := Inline(strings.ReplaceAll(markdown, "\n>", "\n"))
	return strings.TrimPrefix(strings.TrimPrefix(s, "[ ] "), "[x] ")
}

// Cells returns a row of a table as Inline does, with the marks between its cells.
func Cells(markdown string) string { return Inline(strings.ReplaceAll(markdown, `\|`, `\\|`)) }

// inline is Inline, with addresses also the targets of links, in parentheses.
func inline(text string, addresses bool) string {
	if !strings.ContainsAny(text, inlineMarks+"\n\r\t") && !strings.Contains(text, "  ") {
		return strings.Trim(text, " ")
	}
	p := inliner{in: text, out: make([]byte, 0, len(text)), addresses: addresses}
	for p.i < len(p.in) {
		p.next()
	}
	return strings.Join(strings.Fields(p.result()), " ")
}

// inliner reads one paragraph. It writes text at once and cuts marks out of it afterwards, once their other half is
// found.
type inliner struct {
	in       string
	i        int
	out      []byte
	cuts     [][2]int // of out
	brackets []bracket
	runs     []run

	addresses bool
}

// bracket is an open "[" or "![" in out.
type bracket struct{ at, length int }

// next takes what stands at p.i.
func (p *inliner) next() {
	rest := p.in[p.i:]
	skip := 0
	switch c := rest[0]; c {
	case '\\':
		if len(rest) > 1 && isPunct(rune(rest[1])) {
			p.put(rest[1:2], 2)
			return
		}
	case '`':
		if n := codeSpan(rest); n > 0 {
			p.put(rest[:n], n)
			return
		}
		n := len(rest) - len(strings.TrimLeft(rest, "`"))
		p.put(rest[:n], n)
		return
	case '!':
		if strings.HasPrefix(rest, "![[") {
			p.wiki(rest, 3)
			return
		}
		if strings.HasPrefix(rest, "![") {
			p.brackets = append(p.brackets, bracket{len(p.out), 2})
			p.put("![", 2)
			return
		}
	case '[':
		switch {
		case strings.HasPrefix(rest, "[["):
			p.wiki(rest, 2)
			return
		case strings.HasPrefix(rest, "[^"):
			skip = footnote(rest)
		default:
			p.brackets = append(p.brackets, bracket{len(p.out), 1})
		}
	case ']':
		p.closeBracket(rest)
		return
	case '<':
		if n, shown := tag(rest); n > 0 {
			p.put(shown, n)
			return
		}
	case '{':
		if n, shown := braces(rest); n > 0 {
			p.put(shown, n)
			return
		}
	case ':':
		skip = iconLength(rest)
	case '*', '_', '~', '=':
		p.emphasis(rest, c)
		return
	case '&':
		if end := strings.IndexByte(rest[:min(len(rest), 32)], ';'); end > 0 {
			p.put(html.UnescapeString(rest[:end+1]), end+1)
			return
		}
	}
	if skip > 0 {
		p.i += skip
		return
	}
	n := 1
	for n < len(rest) && strings.IndexByte(inlineMarks, rest[n]) < 0 {
		n++
	}
	p.put(rest[:n], n)
}

// put writes text in place of n bytes of the input.
func (p *inliner) put(text string, n int) {
	p.out = append(p.out, text...)
	p.i += n
}

// result returns what was written, without the cuts.
func (p *inliner) result() string {
	if len(p.cuts) == 0 {
		return string(p.out)
	}
	slices.SortFunc(p.cuts, func(a, b [2]int) int { return a[0] - b[0] })
	var b strings.Builder
	at := 0
	for _, c := range p.cuts {
		b.Write(p.out[at:max(at, c[0])])
		at = max(at, c[1])
	}
	b.Write(p.out[at:])
	return b.String()
}

// codeSpan returns the length of the code span at the beginning of s, with its back-ticks, or 0.
func codeSpan(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "`"))
	for at := n; at < min(len(s), maxInside); {
		i := strings.IndexByte(s[at:], '`')
		if i < 0 {
			return 0
		}
		at += i
		end := at + len(s[at:]) - len(strings.TrimLeft(s[at:], "`"))
		if end-at == n {
			return end
		}
		at = end
	}
	return 0
}

// wiki writes the text of a wiki link, or the name of its target.
func (p *inliner) wiki(rest string, open int) {
	inside, _, ok := strings.Cut(rest[open:min(len(rest), maxInside)], "]]")
	if !ok || strings.ContainsAny(inside, "[]\n") {
		p.put(rest[:open], open)
		return
	}
	name := inside
	if _, label, ok := strings.Cut(inside, "|"); ok && strings.TrimSpace(label) != "" {
		name = label
	} else {
		name = strings.TrimSuffix(name, "|")
		name = strings.ReplaceAll(strings.TrimLeft(name, "#"), "#", " › ")
	}
	p.put(name, open+len(inside)+2)
}

// footnote returns the length of a reference to a footnote at the beginning of s, or 0.
func footnote(s string) int {
	end := strings.IndexByte(s[:min(len(s), 100)], ']')
	if end < 3 || strings.ContainsAny(s[:end], " \n") {
		return 0
	}
	return end + 1
}

// closeBracket takes a "]": where a target or the name of one follows, the text between the brackets alone is left.
func (p *inliner) closeBracket(rest string) {
	n := len(p.brackets)
	if n == 0 {
		p.put("]", 1)
		return
	}
	open := p.brackets[n-1]
	p.brackets = p.brackets[:n-1]
	length := 0
	switch after := rest[1:]; {
	case strings.HasPrefix(after, "("):
		length = target(after)
	case strings.HasPrefix(after, "[") && !strings.HasPrefix(after, "[^"):
		if end := strings.IndexAny(after[1:min(len(after), maxInside)], "[]"); end >= 0 && after[1+end] == ']' {
			length = end + 2
		}
	}
	if length == 0 {
		if inside := string(p.out[open.at+open.length:]); open.length == 1 && isReference(inside, p.out[:open.at]) {
			p.cuts = append(p.cuts, [2]int{open.at, open.at + 1})
			p.i++
			return
		}
		p.put("]", 1)
		return
	}
	p.cuts = append(p.cuts, [2]int{open.at, open.at + open.length})
	if p.addresses && rest[1] == '(' {
		p.put(" "+rest[1:1+length], 0)
	}
	p.i += 1 + length
}

// isReference reports whether what stands in brackets behind before is words, as of a link whose target is defined
// elsewhere: "[the built-in plug-in]". Prose has no other brackets around words but "[x]" and "a[b]", which stay.
func isReference(inside string, before []byte) bool {
	return len(inside) < maxInside && strings.Contains(strings.TrimSpace(inside), " ") && isLetter(inside[0]|0x20) &&
		(len(before) == 0 || strings.IndexByte(" (\"'", before[len(before)-1]) >= 0)
}

// target returns the length of a link's target with its parentheses at the beginning of s, or 0.
func target(s string) int {
	depth, quote := 0, byte(0)
	for i := range min(len(s), maxInside) {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && i > 0 && s[i-1] == ' ':
			quote = c
		case c == '(':
			depth++
		case c == ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return 0
}

// run is a run of emphasis marks in out that may begin emphasis.
type run struct {
	at, length, whole int
	mark              byte
	both              bool // it may end emphasis too
}

// maxRuns bounds the open runs of a paragraph.
const maxRuns = 64

// emphasis takes a run of marks as CommonMark does, §6.2, and cuts those out that have their other half. "~" and "="
// count in pairs alone: "H~2~O" and "a = b" are text.
func (p *inliner) emphasis(rest string, mark byte) {
	n := len(rest) - len(strings.TrimLeft(rest, string(mark)))
	before, _ := utf8.DecodeLastRuneInString(p.in[:p.i])
	after, _ := utf8.DecodeRuneInString(rest[n:])
	at := len(p.out)
	p.put(rest[:n], n)
	if (mark == '~' || mark == '=') && n != 2 {
		return
	}
	left := !isBlank(after) && (!isPunct(after) || isBlank(before) || isPunct(before))
	right := !isBlank(before) && (!isPunct(before) || isBlank(after) || isPunct(after))
	opens, closes := left, right
	if mark == '_' {
		opens, closes = left && (!right || isPunct(before)), right && (!left || isPunct(after))
	}
	whole := n
	for closes && n > 0 {
		i := len(p.runs) - 1
		for i >= 0 && (p.runs[i].mark != mark || (p.runs[i].both || opens) && (p.runs[i].whole+whole)%3 == 0 && (p.runs[i].whole%3 != 0 || whole%3 != 0)) {
			i--
		}
		if i < 0 {
			break
		}
		r := &p.runs[i]
		taken := 1
		if r.length > 1 && n > 1 {
			taken = 2
		}
		p.cuts = append(p.cuts, [2]int{r.at + r.length - taken, r.at + r.length}, [2]int{at, at + taken})
		r.length, at, n = r.length-taken, at+taken, n-taken
		p.runs = p.runs[:i+1]
		if r.length == 0 {
			p.runs = p.runs[:i]
		}
	}
	if opens && n > 0 && len(p.runs) < maxRuns {
		p.runs = append(p.runs, run{at, n, whole, mark, closes})
	}
}
