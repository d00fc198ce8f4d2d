package ask

import (
	"cmp"
	"strings"

	"kdd/runtime/answer"
	"kdd/runtime/wire"
)

// retrieval returns what the answer says about the search behind it.
func (f *retrieved) retrieval() wire.AnswerRetrieval {
	e := f.evidence
	r := wire.AnswerRetrieval{
		Mode: f.mode, Sections: []wire.AnswerSection{}, Unknown: f.unknown,
		Evidence: wire.AnswerEvidence{Coverage: wire.Round4(e.Coverage), Passage: wire.Round4(e.Passage),
			Score: wire.Round4(e.Score), Gap: wire.Round4(e.Gap), Pairs: wire.Round4(e.Pairs),
			Agreement: wire.Round4(e.Agreement), Unknown: wire.Round4(e.Unknown), Rarity: wire.Round4(e.Rarity), Strange: e.Strange},
	}
	for i := range f.best() {
		r.Sections = append(r.Sections, f.passages[i].section)
	}
	return r
}

// citations returns the quotes, each with the place where it stands.
func (f *retrieved) citations(quotes []answer.Quote) []wire.Citation {
	list := make([]wire.Citation, len(quotes))
	for i, quote := range quotes {
		p := &f.passages[quote.Passage]
		first := p.line + strings.Count(p.text[:quote.Start], "\n")
		last := first + strings.Count(p.text[quote.Start:quote.End], "\n")
		list[i] = wire.Citation{
			Marker: quote.Marker, Path: p.section.Path, Anchor: p.section.Anchor, URL: p.section.URL, Index: p.section.Index,
			Title: cmp.Or(p.section.Title, p.section.Path), Quote: p.text[quote.Start:quote.End],
			Lines: p.from.OwnLines(p.doc, first, last), Included: p.from.IncludedIn(p.doc, first, last),
		}
	}
	return list
}
