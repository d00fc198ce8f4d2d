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
		Evidence: wire.AnswerEvidence{Cosine: wire.Round4(e.Cosine), Coverage: wire.Round4(e.Coverage),
			Score: wire.Round4(e.Score), Rarity: wire.Round4(e.Rarity), Strange: e.Strange, Foreign: e.Foreign,
			Missing: wire.Round4(e.Missing), Pairs: wire.Round4(e.Pairs), Agreement: wire.Round4(e.Agreement),
			Aligned: wire.Round4(e.Aligned), Without: wire.Round4(e.Without),
			Together: wire.Round4(e.Together), Unknown: wire.Round4(e.Unknown), Figure: e.Figure},
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
