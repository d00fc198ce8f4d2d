package render

import (
	"fmt"
	"strconv"
	"strings"

	"kdd/runtime/wire"
)

// answer prints an answer with its sources below it.
func (p *printer) answer(r *wire.AnswerResponse) {
	p.printf("%s\n", p.wrapped(wire.CleanLines(strings.TrimRight(r.Answer, "\n"))))
	if len(r.Citations) > 0 {
		p.printf("\n")
	}
	for i := range r.Citations {
		c := &r.Citations[i]
		where, details := p.place(c.Index, c.Path, c.Anchor, c.Lines, c.URL)
		details = joined(", ", details, includedLines(c.Included), wire.OneLine(c.Title))
		p.printf("%s %s %s\n", p.paint(green, fmt.Sprintf("[%d]", c.Marker)), where, p.paint(dim, details))
	}
	if r.Explain != nil {
		p.explainAnswer(r)
	}
	p.tail(&r.Envelope, false, "")
	if p.Agent {
		if r.Answered() {
			p.printf("outcome answered, confidence %.2f\n", r.Confidence)
		} else {
			p.printf("outcome %s (%s)\n", r.Outcome, r.RefusalReason)
		}
		p.printf("%s\n", contentNote)
	}
}

// explainAnswer prints why the answer was given: its evidence, and the parts of each sentence's score.
func (p *printer) explainAnswer(r *wire.AnswerResponse) {
	x := r.Explain
	p.printf("\nevidence %.4g (%s): %s\n", x.Sum, x.Compared, sumOf(x.Evidence))
	p.printf("confidence %.4g, enough is %.4g, near %.4g; learnt in bench/runs/%s and %s\n", r.Confidence, x.Enough, x.Near, x.Run, x.SentenceRun)
	for i := range x.Sentences {
		s := &x.Sentences[i]
		p.printf("[%d] %s, score %.4g: %s\n    %s\n", s.Marker, s.Reason, s.Score, sumOf(s.Parts), p.paint(dim, wire.Shorten(wire.OneLine(s.Text), 80)))
	}
	if len(x.Sentences) == 0 {
		return
	}
	limits := make([]string, len(x.Limits))
	for i, l := range x.Limits {
		limits[i] = fmt.Sprintf("%s %.4g", l.Name, l.Value)
	}
	p.printf("set by hand: %s\n", strings.Join(limits, ", "))
}

// sumOf writes the terms of a sum that are not 0: value × weight, and what the feature gains where that was measured.
func sumOf(parts []wire.ExplainPart) string {
	var terms []string
	for _, part := range parts {
		if part.Value != 0 && part.Weight != 0 {
			term := fmt.Sprintf("%s %.4g×%.4g", part.Name, part.Value, part.Weight)
			if part.Gain != 0 {
				term += fmt.Sprintf(" (%.2g)", part.Gain)
			}
			terms = append(terms, term)
		}
	}
	return strings.Join(terms, ", ")
}

// answerMarkdown is an answer as markdown, with links to its sources.
func answerMarkdown(r *wire.AnswerResponse) string {
	var b strings.Builder
	b.WriteString(wire.CleanLines(strings.TrimRight(r.Answer, "\n")) + "\n")
	for i := range r.Citations {
		c := &r.Citations[i]
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%d. %s (%s)\n", c.Marker, linked(Address(c.Index, c.Path, c.Anchor), c.URL),
			joined(", ", lineRange(c.Lines), includedLines(c.Included)))
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
