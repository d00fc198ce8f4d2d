package render

import (
	"fmt"
	"strconv"
	"strings"

	"kdd/runtime/wire"
)

// answer prints an answer with its sources below it.
func (p *printer) answer(r *wire.AnswerResponse) {
	p.printf("%s\n", wire.CleanLines(strings.TrimRight(r.Answer, "\n")))
	if len(r.Citations) > 0 {
		p.printf("\n")
	}
	for i := range r.Citations {
		c := &r.Citations[i]
		where, details := p.place(c.Index, c.Path, c.Anchor, c.Lines, c.URL)
		p.printf("%s %s %s\n", p.paint(green, fmt.Sprintf("[%d]", c.Marker)), where, p.paint(dim, joined(", ", details, wire.OneLine(c.Title))))
	}
	p.tail(&r.Envelope, false, "")
	if p.Agent {
		if r.Grounded {
			p.printf("confidence %.2f\n", r.Confidence)
		} else {
			p.printf("grounded false (%s)\n", r.RefusalReason)
		}
		p.printf("%s\n", contentNote)
	}
}

// answerMarkdown is an answer for a page: its sources are links.
func answerMarkdown(r *wire.AnswerResponse) string {
	var b strings.Builder
	b.WriteString(wire.CleanLines(strings.TrimRight(r.Answer, "\n")) + "\n")
	for i := range r.Citations {
		c := &r.Citations[i]
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%d. %s (%s)\n", c.Marker, linked(Address(c.Index, c.Path, c.Anchor), c.URL), lineRange(c.Lines))
	}
	return b.String()
}

var citationColumns = []column[wire.Citation]{
	{"marker", func(c *wire.Citation) string { return strconv.Itoa(c.Marker) }},
	{"index", func(c *wire.Citation) string { return c.Index }},
	{"path", func(c *wire.Citation) string { return c.Path }},
	{"anchor", func(c *wire.Citation) string { return c.Anchor }},
	{"first_line", func(c *wire.Citation) string { return strconv.Itoa(c.Lines[0]) }},
	{"last_line", func(c *wire.Citation) string { return strconv.Itoa(c.Lines[1]) }},
	{"title", func(c *wire.Citation) string { return c.Title }},
	{"quote", func(c *wire.Citation) string { return c.Quote }},
	{"url", func(c *wire.Citation) string { return c.URL }},
}
