package render

import (
	"strings"

	"github.com/rivo/uniseg"

	"kdd/runtime/wire"
)

// minWidth is the least width at which text is wrapped, in columns.
const minWidth = 20

// snippetIndent stands before the lines of a snippet.
const snippetIndent = "   "

// snippet prints a hit's snippet, the words of the query bright. On a terminal its lines are wrapped.
func (p *printer) snippet(h *wire.Hit) {
	text, at := wire.CleanLines(h.Snippet), 0 // at: the character at which the line begins
	for line := range strings.SplitSeq(text, "\n") {
		runes, hang := []rune(line), hanging(line)
		for i, part := range wrap(line, p.Width-len(snippetIndent), hang) {
			margin := snippetIndent
			if i > 0 {
				margin += strings.Repeat(" ", hang)
			}
			p.printf("%s%s\n", margin, p.marked(runes[part[0]:part[1]], at+part[0], h.Marked))
		}
		at += len(runes) + 1
	}
}

// marked returns text, which begins at a character of a snippet, with its marks bright.
func (p *printer) marked(text []rune, start int, marks [][2]int) string {
	var b strings.Builder
	at := 0
	for _, mark := range marks {
		from, to := max(mark[0]-start, at), min(mark[1]-start, len(text))
		if from < to {
			b.WriteString(string(text[at:from]) + p.paint(hitHue, string(text[from:to])))
			at = to
		}
	}
	return b.String() + string(text[at:])
}

// hanging returns how far the lines below the first one of a paragraph are indented: as far as its text, which stands
// after spaces and the mark of a list.
func hanging(line string) int {
	text := strings.TrimLeft(line, " ")
	n := len(line) - len(text)
	mark, _, ok := strings.Cut(text, " ")
	if ok && (mark == "-" || strings.Trim(mark, "0123456789") == "." || strings.Trim(mark, "0123456789") == ")") {
		n += len(mark) + 1
	}
	return min(n, minWidth/2)
}

// wrap cuts a line into parts of at most width columns, [from, to) as characters, of which all but the first are to be
// indented by hang. A width below minWidth cuts nothing. Lines end where Unicode allows it (UAX #14); a word that is
// longer than a line has one for itself.
func wrap(line string, width, hang int) [][2]int {
	runes := []rune(line)
	if width < minWidth || uniseg.StringWidth(line) <= width {
		return [][2]int{{0, len(runes)}}
	}
	var parts [][2]int
	start, at, used := 0, 0, 0
	for rest, state := line, -1; rest != ""; {
		var piece string
		piece, rest, _, state = uniseg.FirstLineSegmentInString(rest, state)
		shown := strings.TrimRight(piece, " ")
		n, columns := len([]rune(piece)), uniseg.StringWidth(shown)
		if at > start && used+columns > width {
			parts = append(parts, [2]int{start, at})
			start, used = at, hang
		}
		used += columns + len(piece) - len(shown)
		at += n
	}
	parts = append(parts, [2]int{start, at})
	for i := range parts {
		for parts[i][1] > parts[i][0] && runes[parts[i][1]-1] == ' ' {
			parts[i][1]--
		}
	}
	return parts
}

// wrapped returns text with its lines wrapped to the terminal, but for blocks of code.
func (p *printer) wrapped(text string) string {
	if p.Width == 0 {
		return text
	}
	var b strings.Builder
	code := false
	for line := range strings.SplitSeq(text, "\n") {
		runes, hang, width := []rune(line), hanging(line), p.Width
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
			width = 0
		}
		if code {
			width = 0
		}
		for i, part := range wrap(line, width, hang) {
			if i > 0 {
				b.WriteString("\n" + strings.Repeat(" ", hang))
			}
			b.WriteString(string(runes[part[0]:part[1]]))
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}
