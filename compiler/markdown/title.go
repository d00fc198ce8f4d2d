package markdown

import (
	"path"
	"strings"
)

// setTitle chooses the title and whether the document is a draft.
func (d *Document) setTitle(b *builder) {
	stem := strings.TrimSuffix(path.Base(d.Path), fileExt(d.Path))
	d.Title, d.TitleFrom = stem, "stem"
	if b.title == "" && len(d.Sections[0].Blocks) == 0 {
		b.title = d.soleTop()
	}
	if b.title != "" {
		d.Title, d.TitleFrom = b.title, "heading"
	}
	if f := d.FrontMatter.Get("title"); f != nil && len(f.Values) > 0 {
		s := scanner{}
		in := s.scan([]byte(strings.TrimSpace(f.Values[0])), nil, markdownText)
		if title := strings.Join(strings.Fields(string(in.text.buf)), " "); title != "" {
			d.Title, d.TitleFrom = title, "front-matter"
		}
	}
	d.Draft = truth(d.FrontMatter.Get("draft")) == yes || truth(d.FrontMatter.Get("published")) == no
}

// soleTop returns the heading that a document without text before it begins with, if all others are below it: the
// chapters of many books begin at level 2.
func (d *Document) soleTop() string {
	if len(d.Sections) < 2 {
		return ""
	}
	for _, s := range d.Sections[2:] {
		if s.Level <= d.Sections[1].Level {
			return ""
		}
	}
	return d.Sections[1].Heading
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
