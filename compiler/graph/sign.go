package graph

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"kdd/compiler/markdown"
	"kdd/format/index"
	"kdd/format/text"
)

// sign is what tells the kind of a document that says nothing of it: all that a sign names has to be true. Patterns are
// of whole names, folded.
type sign struct {
	stem, folder, title *regexp.Regexp // nil: any
	dated               bool           // the path has a date
	fields              []string       // the front matter has one of them
	headings            []*regexp.Regexp
	atLeast, share      int
}

// kindBySign returns the first kind of the table that a document has a sign of.
func (r *Rules) kindBySign(doc *markdown.Document, f *docFacts) (int, bool) {
	var p *portrait
	for i := range r.kinds {
		for k := range r.kinds[i].signs {
			if p == nil {
				p = r.portrait(doc, f)
			}
			if r.kinds[i].signs[k].fits(p) {
				return i, true
			}
		}
	}
	return -1, false
}

// portrait is what signs look at.
type portrait struct {
	stem, title string
	folders     []string // above the document; without its own, if it stands for that
	dated       bool
	fields      fieldSet
	headings    []heading
}

type heading struct {
	text  string
	level int
}

// maxSignHeadings is how many headings of a document are looked at. What a document is, its first ones tell.
const maxSignHeadings = 500

func (r *Rules) portrait(doc *markdown.Document, f *docFacts) *portrait {
	p := &portrait{stem: text.Fold(r.stemName(doc.Path)), title: cutKey(text.Fold(doc.Title)), fields: f.fields,
		dated: datedPath.MatchString(doc.Path)}
	for _, folder := range foldersOf(doc.Path) {
		p.folders = append(p.folders, text.Fold(folder))
	}
	if n := len(p.folders); n > 0 && r.indexFiles[strings.ToLower(stemOf(doc.Path))] {
		p.folders = p.folders[:n-1]
	}
	for i := range doc.Sections[1:min(len(doc.Sections), maxSignHeadings+1)] {
		s := &doc.Sections[i+1]
		if s.Level > 1 || s.Heading != doc.Title {
			p.headings = append(p.headings, heading{cutKey(text.Fold(s.Heading)), min(s.Level, 6)})
		}
	}
	return p
}

// datedPath finds a day in a path, 2024-05-12-name.md and 2024/05/12/name.md alike, or a folder that is a year.
var datedPath = regexp.MustCompile(
	`(?:^|[^0-9])(?:19|20)[0-9]{2}[-/_.](?:0[1-9]|1[0-2])[-/_.](?:0[1-9]|[12][0-9]|3[01])(?:[^0-9]|$)|` +
		`(?:^|/)(?:19|20)[0-9]{2}/`)

// fits says whether a document has the sign. Headings: each pattern fits one of them, at least so many fit any, and of
// the headings of the levels that fit so many percent do.
func (s *sign) fits(p *portrait) bool {
	if s.stem != nil && !s.stem.MatchString(p.stem) || s.title != nil && !s.title.MatchString(p.title) || s.dated && !p.dated {
		return false
	}
	if s.folder != nil && !slices.ContainsFunc(p.folders, s.folder.MatchString) {
		return false
	}
	if len(s.fields) > 0 && p.fields.first(s.fields) == nil {
		return false
	}
	if len(s.headings) == 0 {
		return true
	}
	found, fit := make([]bool, len(s.headings)), 0
	var all, levels [7]int // by level, 1 to 6
	for _, h := range p.headings {
		all[h.level]++
		some := false
		for i, pattern := range s.headings {
			if pattern.MatchString(h.text) {
				found[i], some = true, true
			}
		}
		if some {
			fit++
			levels[h.level]++
		}
	}
	of := 0
	for level, n := range levels {
		if n > 0 {
			of += all[level]
		}
	}
	return !slices.Contains(found, false) && fit >= s.atLeast && fit*100 >= s.share*of
}

// Asides returns the kinds of which documents, or sections with some headings, stand behind others where scores are
// near, in the order of the table.
func (r *Rules) Asides() (list []index.Aside) {
	for i := range r.kinds {
		switch k := &r.kinds[i]; {
		case k.aside:
			list = append(list, index.Aside{Kind: k.name, Asked: k.asked})
		case len(k.asideHeadings) > 0:
			list = append(list, index.Aside{Kind: k.name, Headings: slices.Sorted(maps.Keys(k.asideHeadings))})
		}
	}
	return list
}
