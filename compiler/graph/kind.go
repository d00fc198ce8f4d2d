package graph

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"kdd/compiler/diag"
	"kdd/compiler/markdown"
)

// findKind sets the kind of a document: front matter, else extension, else folder, else id, else signs.
func (r *Rules) findKind(doc *markdown.Document, f *docFacts) {
	if field := f.fields.first(r.fields.kind); field != nil && !field.List {
		f.kindLine = field.Line
		name := strings.TrimSpace(field.Values[0])
		if i, ok := r.kindOf(name); ok {
			f.kind, f.kindFrom = i, "front-matter"
			return
		}
		// The author's own word stays, unless the tree is in layers: there it is a slip, and the folder knows better.
		f.info.Kind = cutKey(kindName(name))
		if f.info.Layer < 0 {
			return
		}
	}
	if field := f.fields.first(r.fields.kindIfKnown); field != nil && !field.List {
		if i, ok := r.kindOf(field.Values[0]); ok {
			f.kind, f.kindFrom, f.kindLine = i, "front-matter", field.Line
			return
		}
	}
	extension := strings.ToLower(path.Ext(doc.Path))
	for i := range r.kinds {
		if slices.Contains(r.kinds[i].extensions, extension) {
			f.kind, f.kindFrom = i, "extension"
			return
		}
	}
	name := cmp.Or(f.info.ID, stemOf(doc.Path))
	if !r.indexFiles[strings.ToLower(stemOf(doc.Path))] {
		kinds, folder := r.folderKinds(path.Dir(doc.Path))
		if len(kinds) > 0 {
			f.kind, f.kindFrom = kinds[0], "folder"
			fits := kinds
			if len(kinds) > 1 {
				fits = nil
				for _, i := range kinds {
					if r.kinds[i].linkPrefix != "" && hasPrefixFold(name, r.kinds[i].linkPrefix) {
						fits = append(fits, i)
					}
				}
				if len(fits) > 0 {
					f.kind = fits[0]
				}
			}
			if len(fits) != 1 {
				var names []string
				for _, i := range kinds {
					names = append(names, r.kinds[i].name)
				}
				f.diags = append(f.diags, diag.New(diag.SharedFolder, doc.Path,
					"%s holds documents of the kinds %s; %s taken for %s", folder, strings.Join(names, ", "), path.Base(doc.Path),
					r.kinds[f.kind].name))
			}
			return
		}
	}
	if i, ok := r.kindByID(name); ok {
		f.kind, f.kindFrom = i, "id"
	} else if f.info.Kind == Document {
		if i, ok := r.kindBySign(doc, f); ok {
			f.kind, f.kindFrom = i, "sign"
		}
	}
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// kindByID finds the kind whose pattern an id or the head of a file stem fits: the first of the table.
func (r *Rules) kindByID(name string) (int, bool) {
	for i := range r.kinds {
		k := &r.kinds[i]
		if k.id != nil && strings.HasPrefix(name, k.linkPrefix) && slices.ContainsFunc(heads(name), k.id.MatchString) {
			return i, true
		}
	}
	return -1, false
}

// heads returns name and its beginnings up to each "-", "_", "." or space, longest first; at most 8.
func heads(name string) []string {
	list := []string{name}
	for i := len(name) - 1; i > 0 && len(list) < 8; i-- {
		if strings.IndexByte("-_. ", name[i]) >= 0 {
			list = append(list, name[:i])
		}
	}
	return list
}
