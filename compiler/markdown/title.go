package markdown

import (
	"bytes"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// setTitle chooses the title and whether the document is a draft.
func (d *Document) setTitle(b *builder) {
	stem := strings.TrimSuffix(path.Base(d.Path), fileExt(d.Path))
	d.Title, d.TitleFrom = stem, "stem"
	if folder := path.Base(path.Dir(d.Path)); folder != "." && isIndexName(stem) {
		d.Title = folder
	}
	if title := d.firstHeading(stem); title != "" && !b.spoke {
		d.Title, d.TitleFrom = title, "heading"
	}
	if f := d.FrontMatter.Get("title"); f != nil && len(f.Values) > 0 {
		s := scanner{}
		in := s.scan([]byte(strings.TrimSpace(f.Values[0])), nil, markdownText)
		if title := headingText(&in); title != "" {
			d.Title, d.TitleFrom = title, "front-matter"
		}
	}
	d.Draft = truth(d.FrontMatter.Get("draft")) == yes || truth(d.FrontMatter.Get("published")) == no
}

// isIndexName reports whether a file of this stem is named by its folder.
func isIndexName(stem string) bool {
	return strings.EqualFold(stem, "index") || stem == "_index" || strings.EqualFold(stem, "readme")
}

// firstHeading returns the first heading, of whatever level: the chapters of many books begin at level 2. It returns ""
// for the first of several releases, as in a list of changes that has no heading above them, and for the first of
// several parts of a file whose name is written for readers.
func (d *Document) firstHeading(stem string) string {
	if len(d.Sections) < 2 {
		return ""
	}
	first, more := &d.Sections[1], false
	for i := range d.Sections[2:] {
		s := &d.Sections[2+i]
		if more = more || s.Parent == 0; s.Parent == 0 && isRelease(s.Heading) && isRelease(first.Heading) {
			return ""
		}
	}
	if more && first.Level > 1 && isWritten(stem) {
		return ""
	}
	return first.Heading
}

// isWritten reports whether the name of a file is written for readers, as in a vault of notes: "Storage limits",
// "Analytics", "外观", but not "storage-limits" or "README".
func isWritten(stem string) bool {
	first, _ := utf8.DecodeRuneInString(stem)
	return strings.Contains(stem, " ") || unicode.IsUpper(first) && strings.ContainsFunc(stem, unicode.IsLower) ||
		strings.ContainsFunc(stem, func(r rune) bool { return unicode.Is(unicode.Lo, r) }) // of a script without capitals
}

// release is a heading that names a release or a day: "1.2.0 (2026-03-01)", "v2.0.0-rc.1", "[Unreleased]", "2026-03-01".
var release = regexp.MustCompile(`(?i)^\W*(?:(?:version|release)\s+)?(?:v?\d+\.\d+[\w.+-]*|\d{4}-\d\d(?:-\d\d)?|unreleased|next)\W*` +
	`(?:[-–—:(\s]*(?:\d{4}-\d\d-\d\d|\d{1,2} \pL+ \d{4}|\pL+ \d{1,2}, \d{4}|unreleased|yanked)\W*)*$`)

// maxRelease bounds the heading of a release, in bytes.
const maxRelease = 120

func isRelease(heading string) bool {
	return len(heading) <= maxRelease && release.MatchString(heading)
}

// onlyLinks reports whether nothing but links, images and icons stands in a text: badges, or the way to other pages.
func onlyLinks(in *inline) bool {
	at := 0
	for _, l := range in.links {
		if l.from > at && !blank(in.text.buf[at:l.from]) {
			return false
		}
		at = max(at, l.to)
	}
	return blank(in.text.buf[min(at, len(in.text.buf)):])
}

// blank reports whether a text has neither letter nor digit.
func blank(text []byte) bool {
	return !bytes.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

type answer uint8

const (
	unsaid answer = iota
	yes
	no
)

// truth reads a field as yes or no, in the words that YAML 1.1 and people use.
func truth(f *Field) answer {
	if f == nil || len(f.Values) != 1 {
		return unsaid
	}
	switch strings.ToLower(f.Values[0]) {
	case "true", "yes", "on", "1", "y":
		return yes
	case "false", "no", "off", "0", "n":
		return no
	}
	return unsaid
}
