package search

import (
	"cmp"
	"slices"

	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/artifact"
	"kdd/runtime/names"
	"kdd/runtime/search/fuse"
	"kdd/runtime/search/query"
	"kdd/runtime/wire"
)

// NameMode says what becomes of documents that the whole query names.
type NameMode uint8

const (
	NoNames    NameMode = iota // nothing
	PageNamed                  // their beginning comes first: search
	placeNamed                 // the place that is named comes first, headings too: find-spec
)

// notNamed is the class of hits that the query does not name; it sorts behind all others.
const notNamed = 255

// MaxNamed bounds the hits that come first since the query names them: a name that more places have is a word.
const MaxNamed = 200

// namedHit is a hit that the query names.
type namedHit struct {
	Result
	evidence bool // it would be among the hits without its name too
}

// resolveNames finds what the query names in each artifact, with or without the marks around it. Where no artifact has
// the name, it takes the names that differ in what joins their words alone; else the documents that are numbered so;
// else, if the query has a word or an identifier that is unknown or is several words long, the names of the fewest
// edits.
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
	var nameList []string
	for i, list := range near {
		for _, m := range list {
			if m.Distance > edits {
				continue
			}
			r.Scored[i].names = append(r.Scored[i].names, m.Match)
			if m.Distance > 0 && text.Fold(names.TrimMarks(m.Name)) != text.Fold(raw) && !slices.Contains(nameList, wire.Quote(m.Name)) {
				nameList = append(nameList, wire.Quote(m.Name))
			}
		}
	}
	if len(nameList) > 0 {
		r.warn("nothing is named " + wire.Quote(q.Text) + ": read as " + wire.Alternatives(nameList))
	}
}

// resolveExactly finds what has text as its name in each artifact, and says whether there is any.
func resolveExactly(set *artifact.Set, text string, class index.NameClass, r *Ranking) bool {
	exact := false
	for i, a := range set.Artifacts {
		list := names.Resolve(a.Index, text)
		exact = exact || len(list) > 0
		r.Scored[i].names = slices.DeleteFunc(list, func(m names.Match) bool { return m.Class > class })
	}
	return exact
}

// resolveNumber finds the documents that are numbered as the query is: KEP-1287 where the file is
// 1287-in-place-update.md. Who searches may ask for a number of something else, so there the word before it has to be
// the documents'.
func resolveNumber(set *artifact.Set, text string, mode NameMode, r *Ranking) bool {
	var nameList []string
	for i, a := range set.Artifacts {
		for _, m := range names.Numbered(a.Index, text, mode == PageNamed) {
			r.Scored[i].names = append(r.Scored[i].names, m.Match)
			nameList = append(nameList, wire.Quote(m.Name))
		}
	}
	if len(nameList) > 0 {
		r.warn("nothing is named " + wire.Quote(text) + ": read as " + wire.Alternatives(nameList))
	}
	return len(nameList) > 0
}

// sureLetters is how long a query of several words is that may be a misspelt name though all of its words are known.
const sureLetters = 8

// frontHits returns a section of each document that the whole query names (id, file stem, alias, title), or with
// placeNamed of each place, strongest class first, then by score. Their score gains more than all signals together can
// give.
func frontHits(a *artifact.Artifact, q *Request, s *Scores, name int) []namedHit {
	w := &a.Meta.Weights
	bonus := fuse.MaxScore(w, &s.Signals)
	var list []namedHit
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
		h.Index, h.class, h.bonus = name, m.Class, bonus
		h.Score += bonus
		list = append(list, h)
	}
	slices.SortStableFunc(list, func(a, b namedHit) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(b.Score, a.Score), cmp.Compare(a.Section, b.Section))
	})
	return list[:min(MaxNamed, len(list))]
}

// frontHit returns the section to show for a place that was named: the section itself, or of a document its beginning,
// the first one with more than a heading if there is any. Of a search it is the document's best one where that has the
// query as its heading, or where the beginning lacks what the query requires. It is scored as it would be without its
// name.
func frontHit(a *artifact.Artifact, q *Request, s *Scores, m names.Match) (namedHit, bool) {
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
		return namedHit{Result: Result{Hit: *found}, evidence: true}, true
	}
	if !s.Signals.Only.Has(section) {
		return namedHit{}, false
	}
	file := s.Signals.File(w, d, int(from), int(to))
	h := fuse.Hit{Doc: d, Section: section, Chunk: first, Own: s.Signals.Own(w, section, first), File: file}
	h.Score = s.Signals.Total(w, d, h.Own, file)
	return namedHit{Result: Result{Hit: h}}, true
}
