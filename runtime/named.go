package runtime

import (
	"cmp"
	"slices"

	"kdd/format"
	"kdd/format/text"
	"kdd/runtime/fuse"
	"kdd/runtime/graph"
	"kdd/runtime/query"
	"kdd/runtime/wire"
)

// namedMode says what becomes of documents that the whole query names.
type namedMode uint8

const (
	noNames    namedMode = iota // nothing
	pageNamed                   // their beginning comes first: search
	placeNamed                  // the place that is named comes first, headings too: find-spec
)

// notNamed is the class of hits that the query does not name; it sorts behind all others.
const notNamed = 255

// maxNamed bounds the hits that come first since the query names them: a name that more places have is a word.
const maxNamed = 200

// namedHit is a hit that the query names.
type namedHit struct {
	ranked
	evidence bool // it would be among the hits without its name too
}

// resolve finds what the query names in each artifact, with or without the marks around it. Where no artifact has the name, it takes
// the names that differ in what joins their words alone; else the documents that are numbered so; else, if the query has a word or
// an identifier that is unknown or is several words long, the names of the fewest edits.
func (set *set) resolve(mode namedMode, r *ranking) {
	if mode == noNames {
		return
	}
	class := format.HeadingName
	if mode == pageNamed {
		class = format.TitleName
	}
	raw := r.queries[0].Text
	if set.resolveExactly(raw, class, r) {
		return
	}
	if bare := graph.Bare(raw); bare != raw && bare != "" {
		if raw = bare; set.resolveExactly(raw, class, r) {
			return
		}
	}
	q := r.queries[0]
	edits := 0
	if n := graph.Letters(raw); q.Unsure || len(q.All) > 1 && n >= sureLetters {
		edits = query.Edits(n)
	}
	near := make([][]graph.NearMatch, len(set.artifacts))
	same := false // but for what joins the words
	for i, a := range set.artifacts {
		near[i] = graph.Nearly(a.Index, raw, class, edits)
		if raw != q.Text { // a name may end in marks itself
			if asked := graph.Nearly(a.Index, q.Text, class, edits); len(asked) > 0 && (len(near[i]) == 0 || asked[0].Distance < near[i][0].Distance) {
				near[i] = asked
			}
		}
		if len(near[i]) > 0 {
			edits = min(edits, near[i][0].Distance)
			same = same || near[i][0].Distance == 0
		}
	}
	if !same && set.resolveNumber(raw, mode, r) {
		return
	}
	var names []string
	for i, list := range near {
		for _, m := range list {
			if m.Distance > edits {
				continue
			}
			r.scored[i].names = append(r.scored[i].names, m.Match)
			if m.Distance > 0 && text.Fold(graph.Bare(m.Name)) != text.Fold(raw) && !slices.Contains(names, quote(m.Name)) {
				names = append(names, quote(m.Name))
			}
		}
	}
	if len(names) > 0 {
		r.warn("nothing is named " + quote(q.Text) + ": read as " + wire.Alternatives(names))
	}
}

// resolveExactly finds what has text as its name in each artifact, and says whether there is any.
func (set *set) resolveExactly(text string, class format.NameClass, r *ranking) bool {
	exact := false
	for i, a := range set.artifacts {
		list := graph.Resolve(a.Index, text)
		exact = exact || len(list) > 0
		r.scored[i].names = slices.DeleteFunc(list, func(m graph.Match) bool { return m.Class > class })
	}
	return exact
}

// resolveNumber finds the documents that are numbered as the query is: KEP-1287 where the file is 1287-in-place-update.md. Who searches
// may ask for a number of something else, so there the word before it has to be the documents'.
func (set *set) resolveNumber(text string, mode namedMode, r *ranking) bool {
	var names []string
	for i, a := range set.artifacts {
		for _, m := range graph.Numbered(a.Index, text, mode == pageNamed) {
			r.scored[i].names = append(r.scored[i].names, m.Match)
			names = append(names, quote(m.Name))
		}
	}
	if len(names) > 0 {
		r.warn("nothing is named " + quote(text) + ": read as " + wire.Alternatives(names))
	}
	return len(names) > 0
}

// sureLetters is how long a query of several words is that may be a misspelt name though all of its words are known.
const sureLetters = 8

// named returns a section of each document that the whole query names (id, file stem, alias, title), or with placeNamed
// of each place, strongest class first, then by score. Their score gains more than all signals together can give.
func (a *artifact) named(q *ask, s *scored, index int) []namedHit {
	w := &a.Meta.Weights
	bonus := fuse.Most(w, &s.signals)
	var list []namedHit
	docs := map[format.DocID]bool{}
	sections := map[format.SectionID]bool{}
	for _, m := range s.names {
		d := a.NodeDoc(m.Node)
		if q.names == pageNamed && docs[d] || !s.scorer.Allowed(d) {
			continue
		}
		docs[d] = true
		h, ok := a.namedHit(q, s, m)
		if !ok || sections[h.Section] {
			continue
		}
		sections[h.Section] = true
		h.index, h.class, h.bonus = index, m.Class, bonus
		h.Score += bonus
		list = append(list, h)
	}
	slices.SortStableFunc(list, func(a, b namedHit) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(b.Score, a.Score), cmp.Compare(a.Section, b.Section))
	})
	return list[:min(maxNamed, len(list))]
}

// namedHit returns the section to show for a place that was named: the section itself, or of a document its beginning, the first one
// with more than a heading if there is any. Of a search it is the document's best one where that has the query as its heading, or
// where the beginning lacks what the query requires. It is scored as it would be without its name.
func (a *artifact) namedHit(q *ask, s *scored, m graph.Match) (namedHit, bool) {
	w := &a.Meta.Weights
	d := a.NodeDoc(m.Node)
	from, to := a.DocChunks(d)
	first, last := from, to
	if !a.NodeIsDoc(m.Node) {
		first, last = a.SectionChunks(a.NodeSection(m.Node))
	}
	if first == last {
		return namedHit{}, false
	}
	for c := first; c < last; c++ {
		if a.ChunkTokens(c) > 0 {
			first = c
			break
		}
	}
	section := a.SectionOfChunk(first)
	var found, best *fuse.Hit
	hits := fuse.Document(a.rows(), w, &s.signals, d, from, to)
	for i := range hits {
		h := &hits[i]
		if h.Section == section {
			found = h
		}
		if a.ChunkTokens(h.Chunk) > 0 && (best == nil || h.Score > best.Score) {
			best = h
		}
	}
	if q.names == pageNamed && a.NodeIsDoc(m.Node) && best != nil &&
		(!s.signals.Only.Has(section) || text.Fold(graph.Bare(a.SectionHeading(best.Section))) == text.Fold(graph.Bare(q.text))) {
		found = best
	}
	if found != nil {
		return namedHit{ranked: ranked{Hit: *found}, evidence: true}, true
	}
	if !s.signals.Only.Has(section) {
		return namedHit{}, false
	}
	file := s.signals.File(w, d, int(from), int(to))
	h := fuse.Hit{Doc: d, Section: section, Chunk: first, Own: s.signals.Own(w, section, first), File: file}
	h.Score = s.signals.Total(w, d, h.Own, file)
	return namedHit{ranked: ranked{Hit: h}}, true
}
