package render

import "kdd/runtime/wire"

func (p *printer) impact(v *wire.ImpactResponse) {
	name, node := wire.OneLine(v.Entity), wire.Clean(v.NodeID)
	if name != node {
		name = joined(" ", p.paint(bold, name), node)
	}
	t := &v.Totals
	p.printf("%s (%s): %s directly, %d through others, %s to run again\n", name, v.Type,
		wire.Plural(t.Direct, "depends on it", "depend on it"), t.Transitive, wire.Plural(t.Scenarios, "scenario", "scenarios"))
	p.affected("directly", v.Direct)
	p.affected("through others", v.Transitive)
	for i := range v.Scenarios {
		if i == 0 {
			p.printf("%s\n", p.paint(bold, "scenarios"))
		}
		s := &v.Scenarios[i]
		where, details := p.place(s.Index, s.Path, s.Anchor, s.Lines, "")
		p.printf("%s %s\n   %s  %s\n", p.paint(yellow, "✓"), wire.OneLine(s.Name), where,
			p.paint(dim, joined(", ", details, wire.Clean(s.NodeID), "validates "+wire.Clean(s.Validates))))
	}
	p.tail(&v.Envelope, v.Truncated, v.Cursor)
}

func (p *printer) affected(heading string, list []wire.Affected) {
	for i := range list {
		if i == 0 {
			p.printf("%s\n", p.paint(bold, heading))
		}
		a := &list[i]
		where, details := p.place(a.Index, a.Path, a.Anchor, a.Lines, "")
		p.printf("%s %s\n   %s  %s\n", p.paint(yellow, "←"), wire.OneLine(a.Phrase), where, p.paint(dim, joined(", ", details, wire.Clean(a.NodeID), wire.Clean(a.Relation))))
	}
}
