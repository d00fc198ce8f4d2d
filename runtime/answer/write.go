package answer

import (
	"fmt"
	"strings"

	"kdd/format/index"
)

// Quote is the text behind one marker: a range of a passage, unchanged.
type Quote struct {
	Marker     int // from 1
	Passage    int
	Start, End int
}

// Write writes the units of an answer, each with its marker. Sentences of a paragraph form one paragraph; lists, tables
// and code keep their form. Units that follow each other in the text share one quote. Below a table of which rows are
// left out it says how many, in the words of a language.
func Write(picked []Picked, passages []Passage, language string) (string, []Quote) {
	var b strings.Builder
	var quotes []Quote
	typed := false // what stands before is a command
	for i := range picked {
		u := &picked[i]
		marker := 0
		if n := len(quotes); n > 0 && joins(&picked[i-1], u, passages, quotes[n-1].Start) {
			quotes[n-1].End = max(quotes[n-1].End, u.End)
			marker = quotes[n-1].Marker
		} else {
			marker = n + 1
			quotes = append(quotes, Quote{Marker: marker, Passage: u.Passage, Start: u.Start, End: u.End})
		}
		together := i > 0 && picked[i-1].sameBlock(u)
		switch {
		case i == 0:
		case together && u.Kind == Sentence || !typed && u.Kind == Sentence && picked[i-1].Kind == Sentence &&
			!picked[i-1].is(index.Announces):
			b.WriteByte(' ')
		case together && (u.Kind == Item || u.Kind == Step):
			if u.First || picked[i-1].Number != u.Number {
				b.WriteByte('\n')
			} else {
				b.WriteByte(' ')
			}
		case together && u.Kind == Row:
			b.WriteByte('\n')
		default:
			b.WriteString("\n\n")
		}
		switch {
		case u.Kind == Code:
			fmt.Fprintf(&b, "%s\n[%d]", fenced(dedent(u.Text)), marker)
			continue
		case u.Kind == Row:
			if !together {
				for l := range strings.Lines(u.Header) {
					b.WriteString(reads(Row, l) + "\n")
				}
				if !strings.Contains(u.Header, "\n") { // a scenario's, whose tables have no line below the header
					b.WriteString(strings.Repeat("|---", strings.Count(reads(Row, u.Header), "|")-1) + "|\n")
				}
			}
			b.WriteString(rowText(u.Text, marker))
			if u.Left > 0 {
				fmt.Fprintf(&b, "\n\n("+RefusalIn(language).moreRows+")", u.Left)
			}
			continue
		case (u.Kind == Item || u.Kind == Step) && (u.First || !together || picked[i-1].Number != u.Number):
			b.WriteString(strings.Repeat(" ", min(u.Indent, 6)))
			if u.Kind == Step {
				b.WriteString(stepMark(passages[u.Passage].Text, u.Start))
			} else {
				b.WriteString("- ")
			}
		}
		text := u.Text
		if typed = i > 0 && u.Kind == Sentence && picked[i-1].is(index.Announces) && u.is(index.IsCommand); typed {
			text = "`" + text + "`"
		}
		fmt.Fprintf(&b, "%s [%d]", text, marker)
	}
	return b.String(), quotes
}

// joins says that one quote can hold two units: they are in one block, with only spaces and list marks between them.
func joins(a, b *Picked, passages []Passage, start int) bool {
	if !a.sameBlock(b) || a.End > b.Start || b.End-start > maxQuote {
		return false
	}
	between := strings.TrimSpace(passages[a.Passage].Text[a.End:b.Start])
	return strings.Trim(between, "-*+>0123456789.) \t\r\n") == ""
}

// maxQuote bounds the bytes of a quote, unless a single unit is longer.
const maxQuote = 500

// stepMark returns the number of a step, as the text has it.
func stepMark(text string, at int) string {
	mark := strings.TrimSpace(text[strings.LastIndexByte(text[:at], '\n')+1 : at])
	if n := len(mark) - 1; n > 0 && strings.Trim(mark[:n], "0123456789") == "" {
		return mark[:n] + ". "
	}
	return "1. "
}

// rowText returns a row of a table, with the marker in its last cell.
func rowText(row string, marker int) string {
	row = strings.TrimSpace(row)
	if strings.HasSuffix(row, "|") && !strings.HasSuffix(row, `\|`) {
		return strings.TrimRight(strings.TrimSuffix(row, "|"), " ") + fmt.Sprintf(" [%d] |", marker)
	}
	return fmt.Sprintf("%s [%d]", row, marker)
}

// dedent removes the indent of the first line from all lines.
func dedent(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	indent := len(s) - len(strings.TrimLeft(s, " \t"))
	if indent == 0 {
		return s
	}
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = l[min(indent, len(l)-len(strings.TrimLeft(l, " \t"))):]
	}
	return strings.Join(lines, "\n")
}

// fenced returns a block of code. Its fence names only the language, without the options of a site's renderer.
func fenced(code string) string {
	first, rest, _ := strings.Cut(code, "\n")
	mark := first[:len(first)-len(strings.TrimLeft(first, "`~"))]
	language, _, _ := strings.Cut(strings.TrimSpace(first[len(mark):]), " ")
	return mark + language + "\n" + rest
}
