package graph

import (
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"kdd/compiler/markdown"
	"kdd/format/index"
	"kdd/format/text"
)

// maxKeyBytes bounds the keys of names, so that a heading of megabytes costs no more than a long one.
const maxKeyBytes = 256

// shortName returns the part of a name that is compared. The cut may split a character: half of one folds to nothing.
func shortName(name string) string {
	name = strings.TrimSpace(name)
	return name[:min(len(name), 4*maxKeyBytes)]
}

// keyOf folds a name. What is longer than maxKeyBytes is cut, at a character.
func keyOf(name string) string { return cutKey(text.Fold(shortName(name))) }

func cutKey(key string) string {
	if len(key) <= maxKeyBytes {
		return key
	}
	return strings.TrimRight(text.CutRunes(key, maxKeyBytes), " ")
}

// row is one name before it is sorted.
type row struct {
	key, exact string
	class      index.NameClass
	node       NodeID
}

// namesOf returns all names that document d has for itself and its sections.
func (b *builder) namesOf(d int) []row {
	doc, info := b.docs[d], &b.facts[d].info
	rows := make([]row, 0, 6+len(info.Aliases)+len(doc.Sections))
	add := func(class index.NameClass, node NodeID, name string) {
		name = shortName(name)
		if key := keyOf(name); key != "" {
			rows = append(rows, row{key, name, class, node})
		}
	}
	self := NodeID(d)
	add(index.NodeIDName, self, info.NodeID)
	if info.ID != "" {
		add(index.IDName, self, info.ID)
	}
	stem := stemOf(doc.Path)
	add(index.StemName, self, b.rules.stemName(doc.Path))
	if head := idHead(stem); head != "" {
		add(index.HeadName, self, head)
	}
	if k := b.facts[d].kind; k >= 0 { // "0004-use-postgres.md" among decisions is ADR-0004
		if number := leadingNumber(stem); number != "" && b.rules.kinds[k].linkPrefix != "" {
			add(index.HeadName, self, b.rules.kinds[k].linkPrefix+number)
		}
	}
	add(index.PathName, self, doc.Path)
	add(index.PathName, self, strings.TrimSuffix(doc.Path, path.Ext(doc.Path)))
	for _, alias := range info.Aliases {
		add(index.AliasName, self, alias)
	}
	add(index.TitleName, self, doc.Title)
	title := b.titleSection[d]
	for s := 1; s < len(doc.Sections); s++ {
		node, heading := b.node(d, s), doc.Sections[s].Heading
		add(index.HeadingName, node, heading)
		head := idHead(heading)
		switch {
		case head == "" || head == heading || doc.Sections[s].Scenario: // a scenario has its id from findScenarios
		case s == title:
			add(index.HeadName, self, head)
		default:
			add(index.HeadingName, node, head)
		}
	}
	return rows
}

func (b *builder) extraNames() []row {
	var rows []row
	for i := range b.g.Extra {
		extra, node := &b.g.Extra[i], b.g.extraNode(i)
		id := strings.TrimPrefix(extra.ID, b.rules.prefixOf(extra.Kind)+":")
		for _, name := range []struct {
			class index.NameClass
			text  string
		}{{index.NodeIDName, extra.ID}, {index.IDName, id}, {index.TitleName, extra.Name}} {
			if key := keyOf(name.text); key != "" {
				rows = append(rows, row{key, name.text, name.class, node})
			}
		}
	}
	return rows
}

// prefixOf returns the node prefix of a kind, or "".
func (r *Rules) prefixOf(kind string) string {
	if i, ok := r.kindIndex[kind]; ok {
		return r.kinds[i].prefix
	}
	return ""
}

// idHead returns the PREFIX-NNN that a stem or heading begins with: "UC-001-IndexDocument" has UC-001, "RF-AUTH-001:
// Login" has RF-AUTH-001, "p9-fb-30-mcp" has p9-fb-30. "" if there is none.
func idHead(text string) string {
	if text == "" || !isLetter(text[0]) {
		return ""
	}
	start, end := 0, 0
	for i := 0; ; i++ {
		if i < len(text) && (isLetter(text[i]) || isDigit(text[i])) {
			continue
		}
		segment := text[start:i]
		if segment == "" {
			return ""
		}
		if start > 0 && allDigits(segment) {
			end = i
			break
		}
		if i >= len(text) || text[i] != '-' || i > 64 {
			return ""
		}
		start = i + 1
	}
	if end < len(text) && strings.IndexByte("-_. :,;)(|/", text[end]) < 0 && text[end] < utf8.RuneSelf {
		return ""
	}
	return text[:end]
}

func leadingNumber(stem string) string {
	i := 0
	for i < len(stem) && isDigit(stem[i]) {
		i++
	}
	if i < 3 || i > 6 || i < len(stem) && strings.IndexByte("-_. ", stem[i]) < 0 {
		return ""
	}
	return stem[:i]
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

func allDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// where returns the place of a node, for choosing between candidates.
func (b *builder) where(n NodeID) place {
	doc, _ := b.g.Place(n)
	return b.placeOf(doc)
}

// trimExtension returns a path without its extension if that is one of those.
func trimExtension(p string, extensions []string) string {
	ext := strings.ToLower(path.Ext(p))
	if slices.Contains(extensions, ext) {
		return p[:len(p)-len(ext)]
	}
	return p
}

// titleSectionOf returns the section that only repeats the document's title: its first heading, if that is the only
// one at the top or stands on level 1, and reads as the title. 0 if there is none.
func titleSectionOf(doc *markdown.Document) int {
	if len(doc.Sections) < 2 || doc.Sections[1].Level > 1 && doc.TitleFrom != "heading" {
		return 0
	}
	if text.Fold(doc.Sections[1].Heading) == text.Fold(doc.Title) {
		return 1
	}
	if doc.Sections[1].Level != 1 || doc.Sections[1].Parent != 0 {
		return 0
	}
	for s := 2; s < len(doc.Sections); s++ {
		if doc.Sections[s].Parent == 0 {
			return 0
		}
	}
	return 1
}
