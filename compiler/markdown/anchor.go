package markdown

import (
	"strconv"
	"strings"

	"kdd/compiler/diag"
	"kdd/format/text"
)

// naming is what needs an anchor: the heading of a section, one inside a quote or list item, a term, a folded part.
type naming struct {
	section int // index into Sections; 0 if it is no section
	anchor  int // index into Anchors if it is none
	ids     []string
	slug    string
	offset  int
	weak    bool // no heading, so that headings take their names first
	below   bool // its name begins with that of the section
}

// maxRepeats is how often one document is told about the same rule where a generated file may break it on each line.
const maxRepeats = 20

// nameLater adds an anchor for what begins at a source byte and is no section. Its name is found at the end, by the
// slug.
func (b *builder) nameLater(offset int, slug string, weak bool) {
	b.names = append(b.names, naming{anchor: len(b.doc.Anchors), slug: slug, offset: offset, weak: weak})
	b.anchor("", offset)
}

// anchor adds an id that stands at a source byte.
func (b *builder) anchor(id string, offset int) {
	b.doc.Anchors = append(b.doc.Anchors, Anchor{id, offset, b.lines.line(offset), b.section()})
}

// nameAnchors gives each heading its anchor: explicit ones first, then the slugs of its generator, numbered past what is taken.
func (b *builder) nameAnchors() {
	d := b.doc
	taken := make(map[string]int, len(b.names)) // name → how often it was asked for again
	taken[""] = 0                               // the document itself
	first := map[string]int{}
	twiceGiven := 0
	for i := range b.names {
		n := &b.names[i]
		if len(n.ids) == 0 || n.section == 0 {
			continue
		}
		id := n.ids[0]
		if line, twice := first[id]; twice {
			if twiceGiven++; twiceGiven <= maxRepeats {
				b.report(diag.DuplicateAnchor, n.offset, "anchor %q is line %d's already", "#"+id, line)
			}
		} else {
			first[id] = b.lines.line(n.offset)
		}
		s := &d.Sections[n.section]
		s.Anchor, s.Explicit = unique(taken, id, b.joint), true
	}
	if more := twiceGiven - maxRepeats; more > 0 {
		b.report(diag.DuplicateAnchor, 0, "%d more anchors are given twice", more)
	}
	for _, weak := range []bool{false, true} {
		for i := range b.names {
			n := &b.names[i]
			switch {
			case n.weak != weak:
			case n.section == 0:
				if above := d.Sections[d.Anchors[n.anchor].Section].Anchor; n.below && above != "" {
					n.slug = above + "-" + n.slug
				}
				d.Anchors[n.anchor].ID = unique(taken, n.slug, b.joint)
			case len(n.ids) == 0:
				d.Sections[n.section].Anchor = unique(taken, n.slug, b.joint)
			}
		}
	}
	for i := range b.names {
		n := &b.names[i]
		if n.section == 0 || len(n.ids) == 0 {
			continue
		}
		s := &d.Sections[n.section]
		for _, alias := range append(n.ids[1:], n.slug) {
			if _, used := taken[alias]; !used && alias != "" && len(alias) <= maxAnchor {
				taken[alias] = 0
				s.Aliases = append(s.Aliases, alias)
			}
		}
	}
}

// maxAnchor bounds an anchor, in bytes: answers repeat it, and one that is longer than an answer could not be given.
const maxAnchor = 512

// unique returns name, or name-1, name-2 and so on, with the joint for "-": the first that is not taken. It takes it. A
// name that is too long is cut first.
func unique(taken map[string]int, name, joint string) string {
	name = text.CutRunes(name, maxAnchor)
	n, used := taken[name]
	if !used {
		taken[name] = 0
		return name
	}
	for {
		n++
		numbered := name + joint + strconv.Itoa(n)
		if _, used := taken[numbered]; !used {
			taken[name], taken[numbered] = n, 0
			return numbered
		}
	}
}

// attributeID takes an attribute list, such as "{#id}", off the end of a heading's raw text.
func attributeID(raw []byte) (rest []byte, id string) {
	text := strings.TrimRight(string(raw), " \t\r\n")
	if !strings.HasSuffix(text, "}") {
		return raw, ""
	}
	open := strings.LastIndexByte(text, '{')
	if open < 0 {
		return raw, ""
	}
	for _, word := range strings.Fields(text[open+1 : len(text)-1]) {
		if len(word) > 1 && word[0] == '#' {
			id = valid(word[1:])
			break
		}
	}
	a, known := readAttributes([]byte(text), open)
	switch {
	case known && (a.marked || a.colon && a.pairs):
		id = a.id
	case id == "" || open == 0:
		return raw, ""
	}
	if open > 0 && text[open-1] == '\\' {
		open--
	}
	return raw[:open], id
}

// commentID returns the anchor that an MDX comment in a heading gives, "" if it is a remark.
func commentID(comment string) string {
	id := strings.TrimPrefix(comment, "#")
	if id == "" || strings.ContainsAny(id, " \t\n\"'<>") {
		return ""
	}
	return id
}
