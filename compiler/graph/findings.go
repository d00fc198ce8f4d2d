package graph

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"kdd/compiler/diag"
	"kdd/format/index"
	"kdd/format/text"
)

// inLayers reports whether a document belongs to a tree in layers: only there a folder can be the wrong one.
func (b *builder) inLayers(d int) bool {
	if len(b.roots) == 0 {
		return false
	}
	for dir := b.dirs[d]; ; dir = path.Dir(dir) {
		if dir == "." {
			dir = ""
		}
		if b.roots[dir] {
			return true
		}
		if dir == "" || dir == "/" {
			return false
		}
	}
}

// ownFindings checks a document against its kind.
func (b *builder) ownFindings(d int) {
	doc, f, out := b.docs[d], &b.facts[d], &b.out[d]
	layered := b.inLayers(d)
	if f.kind < 0 || f.kindFrom != "front-matter" {
		b.checkKindName(d, layered)
	}
	if f.kind < 0 {
		return
	}
	k := &b.rules.kinds[f.kind]
	if layered && !b.inOwnFolder(d, k) {
		out.diags = append(out.diags, diag.At(diag.WrongFolder, doc.Path, f.kindLine, 0, "%s %q lies in %q, want %q",
			k.name, f.info.NodeID, b.dirs[d], k.folders[0]).WithHint("move it, or correct its kind"))
	}
	b.checkID(d, k, layered)
	for _, name := range k.required {
		if f.fields.first([]string{name}) == nil {
			out.diags = append(out.diags, diag.New(diag.MissingField, doc.Path, "the front matter of a %s lacks %q", k.name, name).
				WithHint("add %s: to the front matter", name))
		}
	}
	if status := f.info.Status; k.statuses != nil && status != "" && !isStatus(k.statuses, status) {
		field := f.fields.first(b.rules.fields.status)
		out.diags = append(out.diags, diag.At(diag.UnknownStatus, doc.Path, field.Line, 0, "status %q is none of the kind %s's: %s",
			clip(status), k.name, strings.Join(slices.Sorted(maps.Keys(k.statuses)), ", ")))
	}
}

// isStatus reports whether a status is one of a set of folded ones. It takes "Superseded by ADR-7" for superseded.
func isStatus(set map[string]bool, status string) bool {
	folded := text.Fold(status)
	first, _, _ := strings.Cut(folded, " ")
	return set[folded] || set[strings.Trim(first, ",.;:()")]
}

// checkKindName reports a kind of the front matter that no rule knows: everywhere in a tree in layers, elsewhere only
// if it looks like a slip of the pen, since other trees may call their kinds as they like.
func (b *builder) checkKindName(d int, layered bool) {
	f, doc := &b.facts[d], b.docs[d]
	field := f.fields.first(b.rules.fields.kind)
	if field == nil || field.List {
		return
	}
	near := nearest(kindName(clip(field.Values[0])), b.rules.Kinds())
	if !layered && near == "" {
		return
	}
	text := fmt.Sprintf("unknown kind %q", clip(field.Values[0]))
	if f.kind >= 0 {
		text += "; taken for " + f.info.Kind
	}
	finding := diag.At(diag.UnknownKind, doc.Path, field.Line, 0, "%s", text)
	if near != "" {
		finding = finding.WithHint("did you mean %q?", near)
	}
	b.out[d].diags = append(b.out[d].diags, finding)
}

// inOwnFolder reports whether a document lies in one of its kind's folders, or its kind has none.
func (b *builder) inOwnFolder(d int, k *kind) bool {
	segments := strings.Split(b.dirs[d], "/")
	return len(k.folders) == 0 || slices.ContainsFunc(k.folders, func(folder string) bool {
		return containsRun(segments, strings.Split(folder, "/"))
	})
}

// checkID reports an id that does not fit its kind's pattern: in a tree in layers, elsewhere only if it fits another's.
func (b *builder) checkID(d int, k *kind, layered bool) {
	f := &b.facts[d]
	id := f.info.ID
	if id == "" || k.id == nil || isFeature(b.docs[d].Path) {
		return
	}
	if slices.ContainsFunc(heads(id), k.id.MatchString) {
		return
	}
	other, fits := b.rules.kindByID(id)
	if !layered && !fits {
		return
	}
	finding := diag.At(diag.KindMismatch, b.docs[d].Path, f.idLine, 0, "id %q does not fit the kind %s", clip(id), k.name)
	if fits {
		finding = finding.WithHint("it fits the kind %s: correct one of the two", b.rules.kinds[other].name)
	} else if k.linkPrefix != "" {
		finding = finding.WithHint("ids of this kind begin with %q", k.linkPrefix)
	}
	b.out[d].diags = append(b.out[d].diags, finding)
}

// layerFindings reports each document that document d refers to against the layers, once.
func (b *builder) layerFindings(d int) {
	out := &b.out[d]
	first := map[[2]int]int{} // documents from and to → the first edge
	var order [][2]int
	for i := range out.edges {
		if e := &out.edges[i]; e.Violation {
			from, to := b.docsOf(e)
			key := [2]int{from, to}
			at, seen := first[key]
			if !seen {
				order = append(order, key)
			}
			if !seen || e.Line < out.edges[at].Line {
				first[key] = i
			}
		}
	}
	for _, key := range order {
		e := &out.edges[first[key]]
		from, to := &b.facts[key[0]].info, &b.facts[key[1]].info
		out.diags = append(out.diags, diag.At(diag.LayerViolation, b.docs[d].Path, e.Line, 0, "%s (%s) refers to %s (%s)",
			from.NodeID, b.rules.layers[from.Layer], to.NodeID, b.rules.layers[to.Layer]))
	}
}

// wholeFindings are those that only all documents together show.
func (b *builder) wholeFindings() {
	b.duplicateIDs()
	b.duplicateTitles()
	b.supersededInUse(b.markStale())
	b.unreachable()
	b.coverageHoles()
	b.outsideFinding()
}

// maxOutside is how many folders and sites outside the sources are named.
const maxOutside = 5

// outsideFinding tells how many links lead to what is not among the sources, and where they lead most: once, since
// none of them need be wrong.
func (b *builder) outsideFinding() {
	to := map[string]int{}
	total := 0
	for i := range b.g.Orphans {
		if o := &b.g.Orphans[i]; o.Reason == OutsideSources {
			total++
			to[topOf(o.Target)]++
		}
	}
	if total == 0 {
		return
	}
	tops := slices.SortedFunc(maps.Keys(to), func(a, b string) int { return cmp.Or(cmp.Compare(to[b], to[a]), cmp.Compare(a, b)) })
	var named []string
	for _, top := range tops[:min(len(tops), maxOutside)] {
		named = append(named, fmt.Sprintf("%s (%d)", clip(top), to[top]))
	}
	if more := len(tops) - len(named); more > 0 {
		named = append(named, fmt.Sprintf("%d more", more))
	}
	what := "links lead"
	if total == 1 {
		what = "link leads"
	}
	b.find(diag.New(diag.OutsideRoot, "", "%d %s outside the sources: %s", total, what, strings.Join(named, ", ")))
}

// topOf returns a target up to its first name.
func topOf(target string) string {
	end := 0
	for rest := target; ; rest = target[end:] {
		first, _, found := strings.Cut(rest, "/")
		if !found {
			return target
		}
		if end += len(first) + 1; first != "" && first != "." && first != ".." {
			return target[:end-1]
		}
	}
}

// duplicateIDs reports each document whose id another one had before, exactly or but for case. The same id in two
// domains is no duplicate.
func (b *builder) duplicateIDs() {
	type key struct{ domain, id string }
	exact, folded := map[key]int{}, map[key]int{}
	for d := range b.docs {
		info := &b.facts[d].info
		if info.ID == "" {
			continue
		}
		same := key{info.Domain, info.ID}
		loose := key{info.Domain, text.Fold(info.ID)}
		first, dup := exact[same]
		if dup && sameElsewhere(b.docs[d].Path, b.docs[first].Path) {
			continue
		}
		if dup {
			b.find(diag.At(diag.DuplicateID, b.docs[d].Path, b.facts[d].idLine, 0, "id %q is also that of %s", clip(info.ID), b.docs[first].Path))
			continue
		}
		exact[same] = d
		if first, near := folded[loose]; near {
			b.find(diag.At(diag.IDCase, b.docs[d].Path, b.facts[d].idLine, 0, "id %q differs only in case or accents from %q of %s",
				clip(info.ID), clip(b.facts[first].info.ID), b.docs[first].Path))
			continue
		}
		folded[loose] = d
	}
	scenarios := map[string]int{}
	for i := range b.g.Extra {
		e := &b.g.Extra[i]
		if first, dup := scenarios[e.ID]; dup {
			other := &b.g.Extra[first]
			b.find(diag.At(diag.DuplicateID, b.docs[e.Doc].Path, b.docs[e.Doc].Sections[e.Section].LineStart, 0,
				"scenario id %q is also that of a scenario of %s", clip(e.ID), b.docs[other.Doc].Path))
			continue
		}
		scenarios[e.ID] = i
	}
}

func (b *builder) find(d diag.Diagnostic) { b.g.Diags = append(b.g.Diags, d) }

// duplicateTitles reports documents of one folder with the same title, which no list of hits can tell apart.
func (b *builder) duplicateTitles() {
	type key struct{ dir, title string }
	seen := map[key]int{}
	for d, doc := range b.docs {
		k := key{b.dirs[d], keyOf(doc.Title)}
		first, dup := seen[k]
		if !dup {
			seen[k] = d
			continue
		}
		b.find(diag.New(diag.DuplicateTitle, doc.Path, "title %q is also that of %s", clip(doc.Title), b.docs[first].Path))
	}
}

// markStale marks the documents that are no longer in force, and returns which one takes each one's place; -1 if none
// does.
func (b *builder) markStale() (successor []int) {
	successor = make([]int, len(b.docs))
	for d := range b.docs {
		successor[d] = -1
		b.g.Docs[d].Stale = b.isStale(b.facts[d].info.Status)
	}
	for i := range b.g.Edges {
		e := &b.g.Edges[i]
		if e.Type != index.SupersedesEdge {
			continue
		}
		if from, to := b.docsOf(e); from != to {
			b.g.Docs[to].Stale = true
			if successor[to] < 0 {
				successor[to] = from
			}
		}
	}
	return successor
}

// supersededInUse reports typed dependencies on documents that are no longer in force, from documents that are.
func (b *builder) supersededInUse(successor []int) {
	said := map[[2]int]bool{}
	for i := range b.g.Edges {
		e := &b.g.Edges[i]
		row, _ := b.rules.edgeType(e.Type)
		if row.Impact != index.ImpactFollow {
			continue
		}
		needs, needed := e.From, e.To
		if row.Depends == index.DependsTo {
			needs, needed = needed, needs
		}
		user, _ := b.g.Place(needs)
		used, _ := b.g.Place(needed)
		if user == used || !b.g.Docs[used].Stale || b.g.Docs[user].Stale || said[[2]int{user, used}] {
			continue
		}
		said[[2]int{user, used}] = true
		finding := diag.At(diag.SupersededInUse, b.docs[e.Doc].Path, e.Line, 0, "%s needs %s (%s), which is no longer in force",
			b.facts[user].info.NodeID, b.facts[used].info.NodeID, e.Type)
		if next := successor[used]; next >= 0 && next != user {
			finding = finding.WithHint("%s takes its place", b.facts[next].info.NodeID)
		}
		b.find(finding)
	}
}

// isStale reports whether a status says that a document is no longer in force.
func (b *builder) isStale(status string) bool {
	return status != "" && len(status) <= maxKeyBytes && isStatus(b.rules.stale, status)
}

// unreachable reports documents that no other one refers to, in trees whose documents mostly refer to each other.
func (b *builder) unreachable() {
	reached := make([]bool, len(b.docs))
	n := 0
	for i := range b.g.Edges {
		e := &b.g.Edges[i]
		if e.Type == index.ContainsEdge {
			continue
		}
		if from, to := b.docsOf(e); from != to && !reached[to] {
			reached[to] = true
			n++
		}
	}
	if 2*n < len(b.docs) {
		return
	}
	for d, doc := range b.docs {
		if !reached[d] && !isFeature(doc.Path) && !b.rules.indexFiles[strings.ToLower(stemOf(doc.Path))] {
			b.find(diag.New(diag.UnreachableDoc, doc.Path, "no document leads to %s", b.facts[d].info.NodeID))
		}
	}
}
