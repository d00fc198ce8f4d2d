package search

import (
	"cmp"
	"slices"

	"kdd/format/index"
	"kdd/format/place"
	"kdd/format/text"
	"kdd/runtime/artifact"
	"kdd/runtime/names"
	"kdd/runtime/search/fuse"
	"kdd/runtime/search/query"
	"kdd/runtime/wire"
)

// NameMode says what happens to documents that the whole query names.
type NameMode uint8

const (
	NoNames    NameMode = iota // they are ranked as others
	PageNamed                  // their beginning comes first: search
	placeNamed                 // they come first, and so do sections whose heading the query is: find-spec
)

// notNamed is the class of hits that the query does not name; it sorts behind all others.
const notNamed = 255

// MaxNamed bounds the hits that come first because the query names them: a name of more places is a common word.
const MaxNamed = 200

// resolveNames finds the nodes that the query names in each artifact, with or without the marks around the query. If no
// artifact has the name, it looks for names that differ only in the characters that join words; then for documents with
// that number; then, if the query has an unknown word or identifier or is several words long, for the names that differ
// by the fewest edits.
func resolveNames(set *artifact.Set, mode NameMode, r *Ranking) {
	if mode == NoNames {
		return
	}
	class := index.HeadingName
	if mode == PageNamed {
		class = index.TitleName
	}
	raw := r.Queries[0].Text
	if resolveExactly(set, raw, class, r) {
		return
	}
	if bare := names.TrimMarks(raw); bare != raw && bare != "" {
		if raw = bare; resolveExactly(set, raw, class, r) {
			return
		}
	}
	q := r.Queries[0]
	edits := 0
	if n := names.Letters(raw); q.Unsure || len(q.All) > 1 && n >= sureLetters {
		edits = query.Edits(n)
	}
	near := make([][]names.NearMatch, len(set.Artifacts))
	same := false // but for what joins the words
	for i, a := range set.Artifacts {
		near[i] = names.Nearly(a.Index, raw, class, edits)
		if raw != q.Text { // a name may end in marks itself
			if asked := names.Nearly(a.Index, q.Text, class, edits); len(asked) > 0 && (len(near[i]) == 0 || asked[0].Distance < near[i][0].Distance) {
				near[i] = asked
			}
		}
		if len(near[i]) > 0 {
			edits = min(edits, near[i][0].Distance)
			same = same || near[i][0].Distance == 0
		}
	}
	if !same && resolveNumber(set, raw, mode, r) {
		return
	}
	var found []string
	for i, list := range near {
		for _, m := range list {
			if m.Distance > edits {
				continue
			}
			r.Scored[i].names = append(r.Scored[i].names, m.Match)
			if m.Distance > 0 && text.Fold(names.TrimMarks(m.Name)) != text.Fold(raw) && !slices.Contains(found, wire.Quote(m.Name)) {
				found = append(found, wire.Quote(m.Name))
			}
		}
	}
	r.warnReadAs(q.Text, found)
}

// warnReadAs warns that a text is no name and was read as other names, if there are any.
func (r *Ranking) warnReadAs(text string, quoted []string) {
	if len(quoted) > 0 {
		r.warn("nothing is named " + wire.Quote(text) + ": read as " + wire.Alternatives(quoted))
	}
}

// resolveExactly finds the nodes with exactly that name in each artifact, and says whether there is any.
func resolveExactly(set *artifact.Set, text string, class index.NameClass, r *Ranking) bool {
	exact := false
	for i, a := range set.Artifacts {
		list := place.Resolve(a.Index, text)
		exact = exact || len(list) > 0
		r.Scored[i].names = slices.DeleteFunc(list, func(m place.Match) bool { return m.Class > class })
	}
	return exact
}

// resolveNumber finds the documents that have the query's number: KEP-1287 if the file is 1287-in-place-update.md. In a
// search the number may be of something else, so there the word before it has to be a name of these documents.
func resolveNumber(set *artifact.Set, text string, mode NameMode, r *Ranking) bool {
	var found []string
	for i, a := range set.Artifacts {
		for _, m := range names.Numbered(a.Index, text, mode == PageNamed) {
			r.Scored[i].names = append(r.Scored[i].names, m.Match)
			found = append(found, wire.Quote(m.Name))
		}
	}
	r.warnReadAs(text, found)
	return len(found) > 0
}

// sureLetters is the least length of a query of several known words that may still be a misspelt name.
const sureLetters = 8

// frontHits returns a section of each document that the whole query names (by id, file name, alias or title), or with
// placeNamed of each document and heading. The strongest class comes first, then the best score. Their score is raised
// above all others by a bonus.
func frontHits(a *artifact.Artifact, q *Request, s *Scores, artifactAt int) []Result {
	w := &a.Meta.Weights
	bonus := fuse.MaxScore(w, &s.Signals)
	var list []Result
	docs := map[index.DocID]bool{}
	sections := map[index.SectionID]bool{}
	for _, m := range s.names {
		d := a.NodeDoc(m.Node)
		if q.Names == PageNamed && docs[d] || !s.scorer.Allowed(d) {
			continue
		}
		docs[d] = true
		h, ok := frontHit(a, q, s, m)
		if !ok || sections[h.Section] {
			continue
		}
		sections[h.Section] = true
		h.Index, h.class, h.bonus = artifactAt, m.Class, bonus
		h.Score += bonus
		list = append(list, h)
	}
	slices.SortStableFunc(list, func(a, b Result) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(b.Score, a.Score), cmp.Compare(a.Section, b.Section))
	})
	return list[:min(MaxNamed, len(list))]
}

// frontHit returns the section to show for a named place: the section itself, or of a document its beginning,
// preferably a section with more than a heading. A search shows the document's best section instead, if the query is
// its heading or if the beginning lacks words that the query requires. The score is that without the name.
func frontHit(a *artifact.Artifact, q *Request, s *Scores, m place.Match) (Result, bool) {
	w := &a.Meta.Weights
	d := a.NodeDoc(m.Node)
	from, to := a.DocChunks(d)
	first, last := from, to
	if !a.NodeIsDoc(m.Node) {
		first, last = a.SectionChunks(a.NodeSection(m.Node))
	}
	if first == last {
		return Result{}, false
	}
	for c := first; c < last; c++ { // the first chunk with more than a heading, if there is one
		if a.ChunkTokens(c) > 0 {
			first = c
			break
		}
	}
	section := a.SectionOfChunk(first)
	var found, best *fuse.Hit
	hits := fuse.Document(a.Rows(), w, &s.Signals, d, from, to)
	for i := range hits {
		h := &hits[i]
		if h.Section == section {
			found = h
		}
		if a.ChunkTokens(h.Chunk) > 0 && (best == nil || h.Score > best.Score) {
			best = h
		}
	}
	if q.Names == PageNamed && a.NodeIsDoc(m.Node) && best != nil &&
		(!s.Signals.Only.Has(section) || text.Fold(names.TrimMarks(a.SectionHeading(best.Section))) == text.Fold(names.TrimMarks(q.Text))) {
		found = best
	}
	if found != nil {
		return Result{Hit: *found}, true
	}
	if !s.Signals.Only.Has(section) {
		return Result{}, false
	}
	file := s.Signals.File(w, d, int(from), int(to))
	h := fuse.Hit{Doc: d, Section: section, Chunk: first, Own: s.Signals.Own(w, section, first), File: file}
	h.Score = s.Signals.Score(w, &h)
	return Result{Hit: h}, true
}
