package graph

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"kdd/compiler/diag"
	"kdd/compiler/markdown"
)

// Document is the kind of a document that no rule gives one.
const Document = "document"

// stemOf returns a path's base name without its extension.
func stemOf(docPath string) string {
	base := path.Base(docPath)
	if stem := strings.TrimSuffix(base, path.Ext(base)); stem != "" {
		return stem
	}
	return base
}

// fieldSet finds front-matter fields by normalised name; the first of a name counts.
type fieldSet struct {
	fields []markdown.Field
	index  map[string]int
}

func fieldsOf(doc *markdown.Document) fieldSet {
	if doc.FrontMatter == nil {
		return fieldSet{}
	}
	s := fieldSet{doc.FrontMatter.Fields, make(map[string]int, len(doc.FrontMatter.Fields))}
	for i := range s.fields {
		name := fieldName(s.fields[i].Name)
		if _, ok := s.index[name]; !ok {
			s.index[name] = i
		}
	}
	return s
}

// first returns the first of names that has a value.
func (s fieldSet) first(names []string) *markdown.Field {
	for _, name := range names {
		if i, ok := s.index[name]; ok && !isEmpty(&s.fields[i]) {
			return &s.fields[i]
		}
	}
	return nil
}

// text returns the value of the first of names that has one, if it is a single value.
func (s fieldSet) text(names []string) string {
	f := s.first(names)
	if f == nil || f.List && len(f.Values) != 1 {
		return ""
	}
	return strings.TrimSpace(f.Values[0])
}

// list returns all values of the first of names that has one. A single text is cut at commas.
func (s fieldSet) list(names []string) []string {
	f := s.first(names)
	if f == nil {
		return nil
	}
	var values []string
	for _, value := range f.Values {
		parts := []string{value}
		if !f.List {
			parts = strings.Split(value, ",")
		}
		for _, part := range parts {
			if part = strings.TrimSpace(part); part != "" && !slices.Contains(values, part) {
				values = append(values, part)
			}
			if len(values) == maxListed {
				return values
			}
		}
	}
	return values
}

// maxListed bounds the tags and the aliases of one document.
const maxListed = 1000

func isEmpty(f *markdown.Field) bool {
	hasText := func(value string) bool { return strings.TrimSpace(value) != "" }
	return f.Type == markdown.NullValue && !f.List || !slices.ContainsFunc(f.Values, hasText)
}

// docFacts is what one document says about itself, and how its kind was found.
type docFacts struct {
	info     DocInfo
	kind     int    // index into Rules.kinds, -1 without one
	kindFrom string // "front-matter", "extension", "folder", "id", "sign" or ""
	kindLine int    // of the front matter's kind, 0 without one
	idLine   int
	fields   fieldSet
	root     string // what stands before the layer folder
	diags    []diag.Diagnostic
}

// facts reads one document. It looks at no other.
func (r *Rules) facts(doc *markdown.Document) docFacts {
	f := docFacts{kind: -1, fields: fieldsOf(doc)}
	info := &f.info
	info.ID = f.fields.text(r.fields.id)
	if field := f.fields.first(r.fields.id); field != nil {
		f.idLine = field.Line
		if ids := f.fields.list(r.fields.id); field.List && len(ids) > 0 { // the others are as good as aliases
			info.ID, info.Aliases = ids[0], slices.Clone(ids[1:])
		}
	}
	info.Status = f.fields.text(r.fields.status)
	if info.Domain = f.fields.text(r.fields.domain); info.Domain == "" {
		info.Domain = r.domainOf(doc.Path)
	}
	for _, tag := range f.fields.list(r.fields.tags) {
		info.Tags = append(info.Tags, strings.TrimLeft(tag, "#"))
	}
	slices.Sort(info.Tags)
	info.Tags = slices.Compact(info.Tags)
	for _, alias := range f.fields.list(r.fields.aliases) {
		if !strings.HasPrefix(alias, "/") { // a former URL: see pathTable
			info.Aliases = append(info.Aliases, alias)
		}
	}
	for _, name := range r.fields.date {
		if info.Date = dateOf(f.fields.text([]string{name})); info.Date != "" {
			break
		}
	}
	if field := f.fields.first(r.fields.date); field != nil && info.Date == "" && field.Type != markdown.BoolValue {
		f.diags = append(f.diags, diag.At(diag.UnreadDate, doc.Path, field.Line, 0, "%s: %q is no date that can be read", field.Name, clip(strings.Join(field.Values, ", "))))
	}
	info.Layer, f.root = r.layerOf(doc.Path)

	info.Kind, info.ChunkType, info.NodeID = Document, "DEFAULT", "doc:"+doc.Path
	r.findKind(doc, &f)
	if f.kind >= 0 {
		k := &r.kinds[f.kind]
		info.Kind, info.ChunkType = k.name, k.chunk
		if k.prefix != "" {
			info.NodeID = k.prefix + ":" + cmp.Or(info.ID, r.stemName(doc.Path))
		}
	}
	return f
}

// stemName returns the name that a file gives its document: its stem, for an index file its folder's name.
func (r *Rules) stemName(docPath string) string {
	stem := stemOf(docPath)
	if r.indexFiles[strings.ToLower(stem)] {
		if dir := path.Base(path.Dir(docPath)); dir != "." && dir != "/" {
			return dir
		}
	}
	return stem
}

// dateOf returns the day of a date as front matter has them, its month or year where it says no more, or "".
func dateOf(text string) string {
	if len(text) < len("2006") {
		return ""
	}
	for _, form := range []struct {
		as      string
		layouts []string
	}{
		{time.DateOnly, []string{"2006-01-02", "2006/01/02", "2006-1-2", "Jan 2, 2006", "January 2, 2006",
			"2 Jan 2006", "2 January 2006"}},
		{"2006-01", []string{"2006-01", "2006/01", "2006-1", "Jan 2006", "January 2006"}},
		{"2006", []string{"2006"}},
	} {
		for _, layout := range form.layouts {
			if t, err := time.Parse(layout, text); err == nil {
				return t.Format(form.as)
			}
		}
	}
	if len(text) > 10 && (text[10] == 'T' || text[10] == 't' || text[10] == ' ') {
		if _, err := time.Parse(time.DateOnly, text[:10]); err == nil {
			return text[:10]
		}
	}
	return ""
}
