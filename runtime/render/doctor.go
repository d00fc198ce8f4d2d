package render

import (
	"fmt"
	"strconv"
	"strings"

	"kdd/runtime/wire"
)

func (p *printer) doctor(v *wire.DoctorResponse) {
	for i := range v.Checks {
		c := &v.Checks[i]
		mark := p.paint(green, "ok  ")
		if !c.OK {
			mark = p.paint(red, "FAIL")
		}
		p.printf("%s  %-12s  %s\n", mark, c.Name, joined(": ", wire.OneLine(c.Index), wire.OneLine(c.Detail)))
		if h := wire.OneLine(c.Hint); h != "" {
			p.printf("      %s\n", p.paint(dim, "→ "+h))
		}
	}
	if v.OK {
		p.printf("%s\n", p.paint(bold, "all in order"))
	} else {
		p.printf("%s\n", p.paint(bold, wire.Plural(v.Failed, "check", "checks")+" failed"))
	}
	p.tail(&v.Envelope, v.Truncated, v.Cursor)
}

func doctorMarkdown(v *wire.DoctorResponse) string {
	var b strings.Builder
	b.WriteString("| check | | found | what to do |\n|---|---|---|---|\n")
	for i := range v.Checks {
		c := &v.Checks[i]
		mark := "ok"
		if !c.OK {
			mark = "**failed**"
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", escaped(joined(" ", c.Name, c.Index)), mark, escaped(c.Detail), escaped(c.Hint))
	}
	markdownTail(&b, &v.Envelope, v.Truncated, v.Cursor)
	return b.String()
}

var doctorColumns = []column[wire.Check]{
	{"name", func(c *wire.Check) string { return c.Name }},
	{"index", func(c *wire.Check) string { return c.Index }},
	{"ok", func(c *wire.Check) string { return strconv.FormatBool(c.OK) }},
	{"detail", func(c *wire.Check) string { return c.Detail }},
	{"hint", func(c *wire.Check) string { return c.Hint }},
}
