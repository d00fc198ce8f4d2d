package graph

import (
	"cmp"
	"strconv"
	"strings"

	"kdd/compiler/diag"
	"kdd/compiler/markdown"
	"kdd/format/index"
	"kdd/format/text"
)

// target is what a reference leads to.
type target struct {
	node   NodeID
	doc    int
	broken string // the anchor that the document lacks, "" if there is none or it is there
	moved  bool
	others int
	// headings says that it is headings alone that the others are.
	headings bool
}

// linkEdges makes the edges of the links and wiki links of document d, and those that their sections give.
func (b *builder) linkEdges(d int) {
	doc := b.docs[d]
	rules := b.sectionRules(d)
	for i := range doc.Links {
		link := &doc.Links[i]
		switch link.Kind {
		case markdown.Auto:
			b.out[d].stats.URLs++
		case markdown.Wiki:
			b.wikiLink(d, link, rules)
		default:
			b.link(d, link, rules)
		}
	}
	b.tableRows(d, rules)
}

// link handles a link whose target is a path or URL.
func (b *builder) link(d int, link *markdown.Link, rules *docRules) {
	out := &b.out[d]
	if strings.TrimSpace(link.Target) == "" {
		return
	}
	r := b.route(d, link.Target)
	if r.outcome == isURL {
		out.stats.URLs++
		return
	}
	image := link.Kind == markdown.Image
	if image && r.outcome != isDocument {
		if r.outcome != isOutside {
			b.asset(d, link, r)
		}
		return
	}
	orphan := func(reason, near string, rule diag.Rule, text string, args ...any) {
		b.orphan(d, Orphan{
			From: b.node(d, link.Section), Type: Link, Found: FoundLink, Doc: d, Line: link.Line, Target: clip(link.Target),
			Text: link.Text, Reason: reason,
		}, diag.At(rule, b.docs[d].Path, link.Line, link.Col, text, args...), near, nearPath)
	}
	switch r.outcome {
	case isDocument:
		if !image {
			out.stats.Resolved++
		}
	case isAsset:
		out.stats.Assets++
		b.asset(d, link, r)
		return
	case isFolder:
		out.stats.Folders++
		return
	case isOutside:
		b.outside(d, link)
		return
	}
	if !image {
		out.stats.Links++
	}
	switch r.outcome {
	case isAmbiguous:
		orphan(Ambiguous, "", diag.AmbiguousTarget, "link %q may mean any of %d documents", clip(link.Target), r.others+1)
		return
	case isMissing:
		orphan(NoSuchDocument, r.path, diag.BrokenLink, "link %q: no such document", clip(link.Target))
		return
	}
	t := b.withAnchor(r.doc, r.fragment)
	t.moved = r.moved
	b.reportTarget(d, link.Line, link.Col, link.Target, t, true)
	b.linkEdge(d, Edge{
		From: b.node(d, link.Section), To: t.node, Type: Link, Found: FoundLink, Doc: d, Line: link.Line, Text: link.Text,
	}, link, t.doc, rules)
}

// asset notes a file that is not there, where that is known.
func (b *builder) asset(d int, link *markdown.Link, r route) {
	if b.opts.Exists != nil && r.path != "" && !b.hasAsset(d, link.Target, r) {
		b.out[d].diags = append(b.out[d].diags, diag.At(diag.MissingAsset, b.docs[d].Path, link.Line, link.Col,
			"no such file: %q", clip(link.Target)))
	}
}

// outside counts a link that leads to what is not among the sources. That is told once, for all: see outsideFinding.
func (b *builder) outside(d int, link *markdown.Link) {
	out := &b.out[d]
	out.stats.Outside++
	out.orphans = append(out.orphans, Orphan{
		From: b.node(d, link.Section), Type: Link, Found: FoundLink, Doc: d, Line: link.Line, Target: clip(link.Target),
		Text: link.Text, Reason: OutsideSources,
	})
}

// wikiLink handles [[target#anchor]], [[domain::target]].
func (b *builder) wikiLink(d int, link *markdown.Link, rules *docRules) {
	out := &b.out[d]
	t, reason := b.wikiTarget(d, link.Domain, link.Target)
	switch reason {
	case foundAsset:
		out.stats.Assets++
		return
	case foundURL:
		out.stats.URLs++
		return
	}
	out.stats.Links++
	from := b.node(d, link.Section)
	if reason != "" {
		written := link.Target
		if link.Domain != "" {
			written = link.Domain + "::" + written
		}
		written = clip(written)
		o := Orphan{
			From: from, Type: WikiLink, Found: FoundWiki, Doc: d, Line: link.Line, Target: written, Text: link.Text, Reason: reason,
		}
		path := b.docs[d].Path
		switch reason {
		case Ambiguous:
			what := ""
			if t.headings {
				what = " headings, and no document has this name"
			}
			finding := diag.At(diag.AmbiguousTarget, path, link.Line, link.Col, "[[%s]] may mean any of %d%s", written, t.others+1, what)
			b.orphan(d, o, finding, "", nearName)
		case NoSuchDomain:
			finding := diag.At(diag.ForeignLink, path, link.Line, link.Col, "%s", index.ForeignText(written))
			if near := nearest(keyOf(link.Domain), b.domainNames); near != "" {
				finding = diag.At(diag.OrphanWikiLink, path, link.Line, link.Col, "[[%s]]: no document has the domain %q", written, clip(link.Domain)).
					WithHint("did you mean %q?", near)
			}
			b.orphan(d, o, finding, "", nearName)
		default:
			name, _, _ := strings.Cut(link.Target, "#")
			b.orphan(d, o, diag.At(diag.OrphanWikiLink, path, link.Line, link.Col, "[[%s]]: nothing has this name", written), name, nearName)
		}
		return
	}
	out.stats.Resolved++
	b.reportTarget(d, link.Line, link.Col, link.Target, t, false)
	e := Edge{From: from, To: t.node, Type: WikiLink, Found: FoundWiki, Doc: d, Line: link.Line, Text: link.Text}
	if link.Domain != "" {
		cross := e
		cross.Type = crossDomain
		out.edges = append(out.edges, cross)
	}
	b.linkEdge(d, e, link, t.doc, rules)
}

// Outcomes of wikiTarget beside the reasons of orphans.
const (
	foundAsset = "asset"
	foundURL   = "url"
)

// wikiTarget resolves what stands in a wiki link. reason is "" if there is a target.
func (b *builder) wikiTarget(d int, domain, written string) (t target, reason string) {
	if len(written) > maxTargetBytes {
		return t, NoSuchDocument
	}
	if domain == "" && hasScheme(written) && strings.Contains(written, "://") {
		return t, foundURL
	}
	who := asker{place: b.placeOf(d), want: strings.TrimSpace(domain)}
	if who.want != "" && !b.domains[keyOf(who.want)] {
		return t, NoSuchDomain
	}
	t, reason = b.wikiName(d, who, written, "")
	if reason != NoSuchDocument {
		return t, reason
	}
	// "#" may be part of a name: "C#". So the whole is tried first, then what stands before it.
	if name, anchor, ok := strings.Cut(written, "#"); ok {
		if strings.TrimSpace(name) == "" {
			return b.withAnchor(d, unescape(anchor)), ""
		}
		return b.wikiName(d, who, name, unescape(anchor))
	}
	return t, reason
}

func (b *builder) wikiName(d int, who asker, name, anchor string) (t target, reason string) {
	f, ok := b.names.resolve(name, who, index.HeadingName)
	if !ok {
		// The file may have been renamed behind its id: "UC-001-Old" still means UC-001.
		stem := strings.TrimSpace(name)
		if head := idHead(stem); len(head) < len(stem) && stem[len(head)] == '-' && !strings.ContainsAny(stem, " ,;") {
			f, ok = b.names.resolve(head, who, index.HeadName)
			t.moved = true
		}
	}
	if ok {
		if f.others > 0 && f.class > index.PathName {
			if strings.Contains(name, "/") { // the end of one path means more than aliases or titles of several
				if doc, ok := b.paths.tail[tailOf(text.Fold(b.rules.bare(strings.TrimSpace(name))))].only(); ok {
					return b.withAnchor(doc, anchor), ""
				}
			}
			t.others, t.headings = f.others, f.class == index.HeadingName
			return t, Ambiguous
		}
		doc, section := b.g.Place(f.node)
		moved, others := t.moved, f.others
		if section == 0 {
			t = b.withAnchor(doc, anchor)
		} else {
			t = target{node: f.node, doc: doc}
		}
		t.moved, t.others = moved, others
		return t, ""
	}
	if who.want == "" && (strings.Contains(name, "/") || isPathName(name)) {
		r := b.route(d, name)
		if (r.outcome != isDocument || r.moved) && !strings.HasPrefix(name, "/") && !strings.HasPrefix(name, ".") {
			if fromRoot := b.route(d, "/"+name); fromRoot.outcome == isDocument && !(r.moved && fromRoot.moved) {
				r = fromRoot
			}
		}
		if r.outcome == isDocument { // route has cut off what follows a "#"
			t = b.withAnchor(r.doc, cmp.Or(anchor, r.fragment))
			t.moved = r.moved
			return t, ""
		}
	}
	if isAssetPath(name) {
		return t, foundAsset
	}
	return t, NoSuchDocument
}

// isPathName reports whether a name has a document's extension.
func isPathName(name string) bool { return trimExtension(name, extensions) != name }

func (b *builder) placeOf(d int) place { return place{d, b.facts[d].info.Domain, b.dirs[d]} }

// withAnchor returns the node of a document's section, or of the document with the anchor that it lacks.
func (b *builder) withAnchor(doc int, fragment string) target {
	t := target{node: NodeID(doc), doc: doc}
	block := strings.HasPrefix(fragment, "^")
	if noAnchor(fragment) && !block {
		return t
	}
	in, s, ok := b.shownSection(doc, fragment, maxHops)
	switch {
	case !ok && block:
		return t
	case !ok:
		t.broken = fragment
		return t
	}
	t.node, t.doc = b.node(in, s), in
	return t
}

// pathFrom returns the path that leads from a document of folder dir to the document at file, as a link's target is
// written.
func pathFrom(dir, file string) string {
	up := ""
	for dir != "" && !strings.HasPrefix(file, dir+"/") {
		up += "../"
		dir = dir[:max(0, strings.LastIndexByte(dir, '/'))]
	}
	if dir != "" {
		file = file[len(dir)+1:]
	}
	if first, _, _ := strings.Cut(file, "/"); up == "" && strings.Contains(first, ":") {
		up = "./" // otherwise the name would read as a scheme
	}
	return up + targetEscapes.Replace(file)
}

// targetEscapes writes what ends a link's target or begins its query, fragment or an escape.
var targetEscapes = strings.NewReplacer("%", "%25", " ", "%20", "(", "%28", ")", "%29", "<", "%3C", ">", "%3E", "#", "%23", "?", "%3F", "\\", "%5C")

// reportTarget says what is doubtful about a target that was found. A link is cured by the path from its document, a
// wiki link and the front matter by the path from the source root.
func (b *builder) reportTarget(d, line, col int, written string, t target, link bool) {
	out, path := &b.out[d], b.docs[d].Path
	if t.moved {
		cure := "write the path of " + b.docs[t.doc].Path
		if link {
			cure = "write the path from here: " + strconv.Quote(pathFrom(b.dirs[d], b.docs[t.doc].Path))
		}
		out.diags = append(out.diags, diag.At(diag.MovedLink, path, line, col, "link %q leads to %s", clip(written), b.docs[t.doc].Path).
			WithHint("%s", cure))
	}
	if t.others > 0 {
		out.diags = append(out.diags, diag.At(diag.AmbiguousTarget, path, line, col, "%q may mean any of %d documents; taken for %s",
			clip(written), t.others+1, b.docs[t.doc].Path))
	}
	if t.broken != "" {
		finding := diag.At(diag.BrokenAnchor, path, line, col, "link %q: %s has no anchor %q",
			clip(written), b.docs[t.doc].Path, clip(t.broken))
		if by := b.makerOf(t.doc, t.broken); by != "" {
			finding = finding.WithSeverity(diag.Note).WithHint("%s may make it, which is not run", clip(by))
		} else {
			out.near = append(out.near, nearWanted{diag: len(out.diags), orphan: -1, target: t.broken, of: nearAnchor, doc: t.doc})
		}
		out.diags = append(out.diags, finding)
	}
}

// linkEdge adds an edge and those that the section's rules give beside it.
func (b *builder) linkEdge(d int, e Edge, link *markdown.Link, to int, rules *docRules) {
	b.out[d].edges = append(b.out[d].edges, e)
	if e.Type == Link && b.kindName(e.To, to) == Document {
		return
	}
	b.typedEdges(d, e, link, rules)
}

// kindName returns the kind of a node's document, or of the thing itself.
func (b *builder) kindName(n NodeID, doc int) string {
	if i := int(n) - int(b.g.extraNode(0)); i >= 0 {
		return b.g.Extra[i].Kind
	}
	return b.facts[doc].info.Kind
}

// orphan adds an edge without target and its diagnostic; near asks for suggestions unless it is "".
func (b *builder) orphan(d int, o Orphan, finding diag.Diagnostic, near string, of nearKind) {
	out := &b.out[d]
	if near != "" {
		out.near = append(out.near, nearWanted{diag: len(out.diags), orphan: len(out.orphans), target: near, of: of})
	}
	out.orphans = append(out.orphans, o)
	out.diags = append(out.diags, finding)
}
