package render

import (
	"strings"

	"kdd/runtime/wire"
)

func (p *printer) schema(v *wire.SchemaResponse) {
	p.printf("%s, format %d, analyzer %d\n", joined(" ", "kdd", wire.Clean(v.Version)), v.FormatVersion, v.Analyzer)
	for i := range v.Artifacts {
		a := &v.Artifacts[i]
		p.printf("%s %s: search %s; encoder %s; %s, %s, %s, %d bytes\n", p.paint(bold, wire.Clean(a.Name)), a.IndexID, strings.Join(a.Modes, ", "),
			joined(" of ", a.Encoder, wire.Clean(a.Model)), wire.Plural(a.Documents, "document", "documents"), wire.Plural(a.Chunks, "chunk", "chunks"), wire.Plural(a.Edges, "edge", "edges"), a.FileBytes)
	}
	for i := range v.Tools {
		t := &v.Tools[i]
		line := p.paint(bold, t.Name)
		if t.Summary != "" {
			line += ": " + t.Summary
		}
		if len(t.Answers) > 0 {
			line += " " + p.paint(dim, "→ "+strings.Join(t.Answers, " or "))
		}
		p.printf("%s\n", line)
		for _, e := range t.Examples {
			p.printf("   %s\n", wire.Encode(e))
		}
		if t.Input != nil {
			p.printf("   input %s\n", wire.Encode(t.Input))
		}
		for _, o := range t.Output {
			p.printf("   output %s\n", wire.Encode(o))
		}
	}
	p.tail(&v.Envelope, v.Truncated, v.Cursor)
}
