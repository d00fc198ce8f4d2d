package compiler

import (
	"cmp"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"kdd/compiler/diag"
	"kdd/compiler/dialect"
	"kdd/compiler/include"
	"kdd/compiler/markdown"
	"kdd/compiler/source"
	"kdd/format/index"
)

// expanded is what the documents of a tree include.
type expanded struct {
	texts []*include.Text // by file of the tree; nil for a document that includes nothing
	files []*source.File  // by the numbers of include.Row.File
}

// expand puts the files that documents include into their texts, one document after the other in the order of their
// paths, and adds those files to the tree.
func expand(ctx context.Context, tree *source.Tree, sites *dialect.Sites) (*expanded, error) {
	files := tree.OpenIncluded(ctx)
	defer files.Close()
	set := include.New(files, sites)
	x := &expanded{texts: make([]*include.Text, len(tree.Files))}
	for i := range tree.Files {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if f := &tree.Files[i]; !strings.EqualFold(path.Ext(f.Rel), ".feature") {
			x.texts[i] = set.Expand(f)
		}
	}
	set.Finish()
	x.files = set.Files()
	included := make([]source.File, len(x.files))
	for i, f := range x.files {
		included[i] = *f
	}
	slices.SortFunc(included, func(a, b source.File) int { return cmp.Compare(a.Path, b.Path) })
	tree.SetIncluded(included)
	return x, nil
}

// textOf returns the text of a document, with what it includes.
func textOf(f *source.File, included *include.Text) []byte {
	if included == nil {
		return f.Data
	}
	return included.Data
}

// includedFiles returns where the files lie that documents include, absolute and without links in them.
func (l *loaded) includedFiles() []string {
	var list []string
	for _, f := range l.tree.Included {
		file := filepath.Join(l.tree.Roots[f.Dir].Abs, filepath.FromSlash(f.Rel))
		if real, err := filepath.EvalSymlinks(file); err == nil {
			file = real
		}
		list = append(list, file)
	}
	return list
}

// hidden returns the parts of a document's text that are none of it.
func hidden(t *include.Text) []markdown.Span {
	if t == nil {
		return nil
	}
	spans := make([]markdown.Span, len(t.Hidden))
	for i, h := range t.Hidden {
		spans[i] = markdown.Span(h)
	}
	return spans
}

// place gives findings of a document's text the paths and lines of the files that it comes from.
func (x *expanded) place(t *include.Text, diags []diag.Diagnostic) {
	if t == nil || len(t.Rows) == 0 {
		return
	}
	for i := range diags {
		d := &diags[i]
		if d.Line == 0 {
			continue
		}
		if file, line, ok := t.Origin(d.Line); ok {
			d.Path, d.Line = x.files[file].Path, line
			continue
		}
		d.Line = t.Own(d.Line)
	}
}

// compareUnit orders documents by path.
func compareUnit(u unit, path string) int { return cmp.Compare(u.file.Path, path) }

// placeFindings is place for findings of several documents.
func (l *loaded) placeFindings(diags []diag.Diagnostic) {
	for i := range diags {
		d := &diags[i]
		at, ok := slices.BinarySearchFunc(l.units, d.Path, compareUnit)
		if ok {
			l.includes.place(l.units[at].included, diags[i:i+1])
		}
	}
}

// addIncludes puts into the content which lines of the documents come from which files. Lines of edges become those of
// the documents' own files.
func (l *loaded) addIncludes(c *index.Content) {
	for i := range c.Edges {
		if t := l.units[c.Edges[i].Doc].included; t != nil && c.Edges[i].Line > 0 {
			c.Edges[i].Line = uint32(t.Own(int(c.Edges[i].Line)))
		}
	}
	used := map[int]bool{}
	for i := range l.units {
		if t := l.units[i].included; t != nil {
			for _, f := range t.Files {
				used[f] = true
			}
		}
	}
	list := make([]int, 0, len(used))
	for f := range used {
		list = append(list, f)
	}
	slices.SortFunc(list, func(a, b int) int { return cmp.Compare(l.includes.files[a].Path, l.includes.files[b].Path) })
	ids := map[int]uint32{include.Made: index.None}
	for id, f := range list {
		file := l.includes.files[f]
		ids[f] = uint32(id)
		c.Included = append(c.Included, index.Included{
			Path: file.Path, Root: uint8(file.Dir), Size: uint64(file.Size), SHA256: file.SHA256,
		})
	}
	for i := range l.units {
		t := l.units[i].included
		if t == nil {
			continue
		}
		for _, r := range t.Rows {
			c.Origins = append(c.Origins, index.Origin{
				Doc: index.DocID(i), Line: uint32(r.Line), Lines: uint32(r.Lines), File: ids[r.File], First: uint32(r.First),
			})
		}
	}
}
