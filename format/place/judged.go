package place

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"kdd/format/index"
	"kdd/format/text"
)

// What Find returns for a place that there is not, or that is not one.
var (
	ErrDocument = errors.New("no such document")
	ErrSection  = errors.New("no such section in the document")
	ErrSeveral  = errors.New("the name of several places")
	ErrNoText   = errors.New("the section has no text of its own")
)

// File returns the path of the document that a judged path names if only its extension is missing, else the path as it
// is: question sets of other makers name documents without it.
func File(x Names, path string) string {
	for _, extension := range index.JudgedExtensions {
		if _, ok := x.FindDoc(path + extension); ok {
			return path + extension
		}
	}
	return path
}

// Find returns the document and the section that a judgement names. The path may be any name of a document or section
// (Resolve), or a path without its extension, the anchor any that FindAnchor takes. Without an anchor, and for a name
// of a document, the section is the document's own.
//
// The error is one of those above. With ErrSection and ErrNoText the document is the one that was named.
func Find(x Names, file, anchor string) (index.DocID, index.SectionID, error) {
	d, s := index.DocID(0), index.SectionID(0)
	if at, inPath, ok := FindFile(x, File(x, file)); ok {
		d, anchor = at, cmp.Or(anchor, inPath)
		s, _ = x.DocSections(d)
	} else {
		found := Strongest(x, Resolve(x, file))
		if len(found) == 0 {
			return 0, 0, ErrDocument
		}
		d, s = x.NodeDoc(found[0].Node), x.NodeSection(found[0].Node)
		if slices.ContainsFunc(found, func(m Match) bool { return x.NodeSection(m.Node) != s }) {
			return 0, 0, ErrSeveral
		}
	}
	if anchor = strings.TrimPrefix(anchor, "#"); anchor != "" {
		var ok bool
		if s, ok = FindAnchor(x, d, anchor); !ok {
			return d, 0, ErrSection
		}
	}
	if x.SectionLevel(s) > 0 && !hasText(x, s) {
		return d, s, ErrNoText
	}
	return d, s, nil
}

// hasText says that a section has text of its own: only such a one is ever found.
func hasText(x Names, s index.SectionID) bool {
	from, to := x.SectionChunks(s)
	return from < to
}

// The bounds of Nearest.
const (
	maxCompared = 10_000 // documents whose names are compared
	minAlike    = 3      // characters of an anchor that begins another one
)

// Nearest returns the place that was most likely meant by one that Find does not return, as path and anchor: in its
// document the section with the most similar anchor, or the first one with text below it; else a section of that heading
// in another document; else the document. For a document that there is not, it looks for one of the same file name, the
// one that shares most folders at the end of the path, or of a similar file name. ok is false if nothing is near.
func Nearest(x Names, file, anchor string) (path, near string, ok bool) {
	d, s, err := Find(x, file, anchor)
	anchor = strings.TrimPrefix(anchor, "#")
	switch {
	case err == nil:
		return x.DocPath(d), x.SectionAnchor(s), true
	case errors.Is(err, ErrNoText):
		_, to := x.DocSections(d)
		for below := s + 1; below < to && x.SectionLevel(below) > x.SectionLevel(s); below++ {
			if hasText(x, below) {
				return x.DocPath(d), x.SectionAnchor(below), true
			}
		}
		return x.DocPath(d), "", true
	case errors.Is(err, ErrSection):
		if near = nearAnchor(x, d, anchor); near != "" {
			return x.DocPath(d), near, true
		}
		if path, near, ok = sectionCalled(x, anchor); ok {
			return path, near, true
		}
		return x.DocPath(d), "", true
	}
	if d, ok = nearDocument(x, file); !ok {
		return sectionCalled(x, anchor)
	}
	if anchor != "" {
		if s, ok := FindAnchor(x, d, anchor); ok && hasText(x, s) {
			near = x.SectionAnchor(s)
		} else {
			near = nearAnchor(x, d, anchor)
		}
	}
	return x.DocPath(d), near, true
}

// nearAnchor returns the anchor of a section with text that is most similar to one that the document lacks; "" if none
// is.
func nearAnchor(x Names, d index.DocID, anchor string) string {
	var all []string // anchors, and those that GitHub makes of headings
	at := map[string]string{}
	from, to := x.DocSections(d)
	for s := from; s < to && len(all) < maxCompared; s++ {
		own := x.SectionAnchor(s)
		if own == "" || !hasText(x, s) {
			continue
		}
		for _, name := range []string{own, text.Slug(x.SectionHeading(s))} {
			if at[name] == "" {
				at[name], all = own, append(all, name)
			}
		}
	}
	if near := text.Nearest(anchor, all); near != "" {
		return at[near]
	}
	// One word more or fewer, as "#signing-keys" for "#rotate-signing-keys".
	want := text.Fold(anchor)
	for _, name := range all {
		a := text.Fold(name)
		if min(utf8.RuneCountInString(a), utf8.RuneCountInString(want)) >= minAlike && (withinWords(a, want) || withinWords(want, a)) {
			return at[name]
		}
	}
	return ""
}

// withinWords says that an anchor holds another one between its hyphens.
func withinWords(a, part string) bool { return strings.Contains("-"+a+"-", "-"+part+"-") }

// sectionCalled returns the first section with text whose heading an anchor is made of, in any document.
func sectionCalled(x Names, anchor string) (path, near string, ok bool) {
	if anchor == "" {
		return "", "", false
	}
	for _, m := range Resolve(x, strings.ReplaceAll(anchor, "-", " ")) {
		if s := x.NodeSection(m.Node); m.Class == index.HeadingName && hasText(x, s) {
			return x.DocPath(x.NodeDoc(m.Node)), x.SectionAnchor(s), true
		}
	}
	return "", "", false
}

// nearDocument returns the document that has the file name of a path, or else a similar one.
func nearDocument(x Names, file string) (index.DocID, bool) {
	parts := strings.FieldsFunc(file, func(r rune) bool { return r == '/' || r == '\\' })
	if len(parts) == 0 {
		return 0, false
	}
	stem := StemOfPage(parts[len(parts)-1])
	var found []index.DocID
	for _, m := range Resolve(x, stem) {
		if d := x.NodeDoc(m.Node); x.NodeIsDoc(m.Node) && len(found) < maxCompared {
			found = append(found, d)
		}
	}
	if len(found) == 0 {
		stems, docs := make([]string, 0, min(x.Docs(), maxCompared)), map[string][]index.DocID{}
		for d := index.DocID(0); int(d) < min(x.Docs(), maxCompared); d++ {
			name := StemOfPage(path.Base(x.DocPath(d)))
			if docs[name] == nil {
				stems = append(stems, name)
			}
			docs[name] = append(docs[name], d)
		}
		found = docs[text.Nearest(stem, stems)]
	}
	if len(found) == 0 {
		return 0, false
	}
	return slices.MaxFunc(found, func(a, b index.DocID) int {
		return cmp.Or(cmp.Compare(SameEnd(parts, x.DocPath(a)), SameEnd(parts, x.DocPath(b))), cmp.Compare(b, a))
	}), true
}

// StemOfPage returns a file name without the extension of a document or web page.
func StemOfPage(name string) string {
	for _, extension := range append([]string{".html"}, index.JudgedExtensions...) {
		if stem, ok := strings.CutSuffix(name, extension); ok && extension != "" {
			return stem
		}
	}
	return name
}

// SameEnd counts how many parts at the end of two paths are equal, without case and the extension of the last part.
func SameEnd(parts []string, path string) (n int) {
	others := strings.Split(path, "/")
	for n < len(parts) && n < len(others) {
		a, b := parts[len(parts)-1-n], others[len(others)-1-n]
		if n == 0 {
			a, b = StemOfPage(a), StemOfPage(b)
		}
		if !strings.EqualFold(a, b) {
			break
		}
		n++
	}
	return n
}
