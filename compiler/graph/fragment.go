package graph

import (
	"strings"
	"sync"
	"unicode"

	"kdd/compiler/markdown"
	"kdd/format/text"
)

// anchors finds the sections of one document by anchor. It is made when the first link asks.
type anchors struct {
	once   sync.Once
	exact  map[string]int
	folded map[string]int // by anchorKey of anchors and headings
}

// sectionOf returns the section of a document that a fragment names, as written or else folded.
func (b *builder) sectionOf(d int, fragment string) (section int, ok bool) {
	doc, a := b.docs[d], &b.anchors[d]
	a.once.Do(func() { a.fill(doc) })
	if s, ok := a.exact[fragment]; ok {
		return s, true
	}
	if s, ok := a.folded[anchorKey(fragment)]; ok {
		return s, true
	}
	if i := strings.LastIndexByte(fragment, '#'); i >= 0 { // [[page#heading#sub-heading]]
		return b.sectionOf(d, fragment[i+1:])
	}
	// GitBook's "id-1.-install"
	if id, found := strings.CutPrefix(fragment, "id-"); found && id != "" && isDigit(id[0]) {
		return b.sectionOf(d, id)
	}
	return 0, false
}

// shownSection returns the section that a fragment names, of a document or of those that it shows as components, and
// theirs up to a depth.
func (b *builder) shownSection(d int, fragment string, depth int) (doc, section int, ok bool) {
	if section, ok = b.sectionOf(d, fragment); ok || depth == 0 {
		return d, section, ok
	}
	for _, name := range b.pages[d].site.Imports(b.docs[d].Source) {
		dir := b.dirs[d]
		if strings.HasPrefix(name, "/") {
			dir = ""
		}
		clean, inside := joinInside(dir, name)
		if shown, found := b.paths.byPath[clean]; inside && found && shown != d {
			if doc, section, ok = b.shownSection(shown, fragment, depth-1); ok {
				return doc, section, true
			}
		}
	}
	return d, 0, false
}

// makerOf returns what on a page may make an anchor that its text does not have, "" if nothing does.
func (b *builder) makerOf(d int, anchor string) string {
	bare := true
	for s := 1; s < len(b.docs[d].Sections) && bare; s++ {
		bare = b.docs[d].Sections[s].Level < 2
	}
	return b.pages[d].site.Maker(b.docs[d].Source, anchor, bare)
}

// noAnchor reports whether a fragment means the whole document, or a place that no heading marks: "top", a text
// fragment, a line of a file, a block of a note, a footnote.
func noAnchor(fragment string) bool {
	return fragment == "" || fragment == "top" || fragment[0] == '^' || strings.HasPrefix(fragment, ":~:") ||
		strings.HasPrefix(fragment, "fn:") || strings.HasPrefix(fragment, "fnref:") ||
		fragment[0] == 'L' && allDigits(strings.ReplaceAll(strings.ReplaceAll(fragment[1:], "-L", ""), "-", ""))
}

func (a *anchors) fill(doc *markdown.Document) {
	a.exact = make(map[string]int, len(doc.Sections))
	a.folded = make(map[string]int, 2*len(doc.Sections))
	put := func(m map[string]int, key string, s int) {
		if _, taken := m[key]; !taken && key != "" {
			m[key] = s
		}
	}
	for s := 1; s < len(doc.Sections); s++ {
		put(a.exact, doc.Sections[s].Anchor, s)
		put(a.folded, anchorKey(doc.Sections[s].Anchor), s)
	}
	for i := range doc.Anchors {
		put(a.exact, doc.Anchors[i].ID, doc.Anchors[i].Section)
		put(a.folded, anchorKey(doc.Anchors[i].ID), doc.Anchors[i].Section)
	}
	for s := 1; s < len(doc.Sections); s++ {
		for _, alias := range doc.Sections[s].Aliases {
			put(a.exact, alias, s)
		}
		if len(doc.Sections[s].Heading) <= 4*maxKeyBytes {
			put(a.folded, anchorKey(doc.Sections[s].Heading), s)
		}
	}
}

// anchorKey is what two spellings of an anchor have in common: folded letters and digits, "-" for anything between.
func anchorKey(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range text.Fold(s) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			if gap && b.Len() > 0 {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
			continue
		}
		gap = true
	}
	return b.String()
}
