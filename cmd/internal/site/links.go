package site

import (
	"net/url"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"

	"kdd/format/index"
	"kdd/format/text"
)

// links finds what links between documents lead to.
type links struct {
	x       *index.Index
	plan    *plan
	names   map[string]index.DocID // folded names of documents for wiki links, those of one document only
	anchors map[index.DocID]map[string]bool
	missing int // links to documents that are not there
}

// target is where a link leads.
type target struct {
	page   *page
	anchor string
}

func newLinks(x *index.Index, p *plan) *links {
	l := &links{x: x, plan: p, names: map[string]index.DocID{}, anchors: map[index.DocID]map[string]bool{}}
	several := map[string]bool{}
	add := func(name string, d index.DocID) {
		key := text.Fold(strings.TrimSpace(name))
		if have, ok := l.names[key]; ok && have != d {
			several[key] = true
		} else if key != "" {
			l.names[key] = d
		}
	}
	for d := range index.DocID(x.Docs()) {
		if p.byDoc[d] == nil {
			continue
		}
		at := x.DocPath(d)
		for _, name := range append([]string{bare(at), path.Base(bare(at)), x.DocTitle(d), x.DocFrontID(d)}, x.DocAliases(d)...) {
			add(name, d)
		}
	}
	for key := range several {
		delete(l.names, key)
	}
	for d := range index.DocID(x.Docs()) { // a whole path always names its document
		if p.byDoc[d] != nil {
			l.names[text.Fold(bare(x.DocPath(d)))] = d
		}
	}
	return l
}

// hasAnchor says whether a document has a section of this anchor.
func (l *links) hasAnchor(d index.DocID, anchor string) bool {
	set := l.anchors[d]
	if set == nil {
		set = map[string]bool{}
		from, to := l.x.DocSections(d)
		for s := from; s < to; s++ {
			set[l.x.SectionAnchor(s)] = true
		}
		l.anchors[d] = set
	}
	return set[anchor]
}

// anchor is the document's anchor that a fragment means, "" for none.
func (l *links) anchor(d index.DocID, fragment string) string {
	if raw, err := url.PathUnescape(fragment); err == nil {
		fragment = raw
	}
	for _, name := range []string{fragment, strings.ToLower(fragment), text.Slug(fragment)} {
		if name != "" && l.hasAnchor(d, name) {
			return name
		}
	}
	return ""
}

// local says whether an address is one of the site: it has no scheme and no host.
func local(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == "" && u.Host == "" && !strings.HasPrefix(address, "//")
}

// resolve finds the page that a local address on a document's page leads to. label is the text of the link.
func (l *links) resolve(from *page, address, label string) (target, bool) {
	if wiki, ok := strings.CutPrefix(address, wikiScheme); ok {
		name, fragment, _ := strings.Cut(wiki, "#")
		d := from.doc
		if name != "" {
			if d, ok = l.names[text.Fold(bare(name))]; !ok {
				return l.byLabel(from, label)
			}
		}
		return target{l.plan.byDoc[d], l.anchor(d, fragment)}, true
	}
	name, fragment, _ := strings.Cut(address, "#")
	name, _, _ = strings.Cut(name, "?")
	if name == "" {
		return target{from, l.anchor(from.doc, fragment)}, true
	}
	if raw, err := url.PathUnescape(name); err == nil {
		name = raw
	}
	if d, ok := l.byPath(from.path, name); ok {
		return target{l.plan.byDoc[d], l.anchor(d, fragment)}, true
	}
	return l.byLabel(from, label)
}

// byPath finds a document by a path as documents and pages name it.
func (l *links) byPath(from, name string) (index.DocID, bool) {
	bases := []string{dirOf(from)}
	if strings.HasPrefix(name, "/") {
		bases = []string{""}
	} else if !isIndex(path.Base(bare(from))) {
		bases = append(bases, bare(from)) // sites whose pages are folders
	}
	for _, base := range bases {
		at := strings.TrimPrefix(path.Clean("/"+base+"/"+name), "/")
		stem := bare(strings.TrimSuffix(at, ".html"))
		for _, try := range []string{at, stem + ".md", stem + ".mdx", stem + ".markdown", join(stem, "index.md"), join(stem, "README.md"),
			join(stem, "_index.md"), join(stem, "index.mdx"), strings.TrimPrefix(stem+"/index.md", "/")} {
			if d, ok := l.x.FindDoc(try); ok && l.plan.byDoc[d] != nil {
				return d, true
			}
		}
	}
	return 0, false
}

// byLabel finds where the compiler found that a link of this text leads to.
func (l *links) byLabel(from *page, label string) (target, bool) {
	label = strings.TrimSpace(label)
	var found target
	for _, run := range nodesOf(l.x, from.doc) {
		edge, end := l.x.Out(run[0], run[1])
		for ; edge < end && label != ""; edge++ {
			to := l.x.EdgeTo(edge)
			d := l.x.NodeDoc(to)
			if l.x.EdgeText(edge) != label || l.plan.byDoc[d] == nil || d == from.doc {
				continue
			}
			t := target{page: l.plan.byDoc[d]}
			if l.x.NodeIsSection(to) {
				t.anchor = l.x.SectionAnchor(l.x.NodeSection(to))
			}
			if found.page != nil && found != t {
				return target{}, false // two links of one text
			}
			found = t
		}
	}
	return found, found.page != nil
}

// rewrite makes the links of a document lead to pages. A link to a document that is not there becomes its text.
func (l *links) rewrite(doc ast.Node, source []byte, from *page) {
	var all []*ast.Link
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if link, ok := n.(*ast.Link); ok && entering {
			all = append(all, link)
		}
		return ast.WalkContinue, nil
	})
	for _, link := range all {
		address := string(link.Destination)
		wiki := strings.HasPrefix(address, wikiScheme)
		if !wiki && !local(address) {
			continue
		}
		if to, ok := l.resolve(from, address, plainText(link, source)); ok {
			link.Destination = []byte(reference(from.file, to.page.file) + fragment(to.anchor))
			if from == to.page {
				link.Destination = []byte("#" + strings.TrimPrefix(fragment(to.anchor), "#"))
			}
			continue
		}
		if ext := strings.ToLower(path.Ext(strings.SplitN(address, "#", 2)[0])); !wiki && ext != "" && ext != ".md" &&
			ext != ".mdx" &&
			ext != ".html" {
			continue // another file, which may lie beside the pages
		}
		l.missing++
		parent := link.Parent()
		for c := link.FirstChild(); c != nil; c = link.FirstChild() {
			parent.InsertBefore(parent, link, c)
		}
		parent.RemoveChild(parent, link)
	}
}

// plainText is the text of a node's inlines.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering {
			b.Write(t.Segment.Value(source))
			if t.SoftLineBreak() {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

func fragment(anchor string) string {
	if anchor == "" {
		return ""
	}
	return "#" + url.PathEscape(anchor)
}

// reference is the address of a file as a page of another one writes it.
func reference(from, to string) string {
	a, b := strings.Split(from, "/"), strings.Split(to, "/")
	for len(a) > 1 && len(b) > 1 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for i := range b {
		b[i] = url.PathEscape(b[i])
	}
	out := strings.Repeat("../", len(a)-1) + strings.Join(b, "/")
	if len(a) == 1 && strings.Contains(b[0], ":") {
		return "./" + out
	}
	return out
}
