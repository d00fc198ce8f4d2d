package wire

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// MinMaxBytes is the smallest byte budget that the Fit functions keep for items of any length.
const MinMaxBytes = 512

// widestTime stands in for time_ms while an answer is measured: the time is set last and must not break the budget.
const widestTime = 99999.999

// Budget is what an answer may take.
type Budget struct {
	Bytes int                   // limit for the JSON and for the text form; 0 = DefaultMaxBytes, negative = no limit
	Text  func(answer any) int  // returns the size of the text form of an answer, given as a pointer
	Next  func(kept int) string // returns the cursor for the items after the first kept ones
}

// DefaultMaxBytes is the budget if none is given.
const DefaultMaxBytes = 4096

// paged is an answer whose items are cut to a byte budget.
type paged[T any] struct {
	answer   any // pointer to the answer, for its JSON and text form
	envelope *Envelope
	rest     *Rest
	count    *int      // nil if the answer has none
	echoes   []*string // what the answer repeats of the request
	facets   *[]Facet  // nil if the answer has none
	what     string    // what an item is called in a warning

	items   *[]T
	prepare func(item *T)        // neutralises an item's text and makes nil lists empty
	shorten func(item *T, n int) // n = 1, 2, ... shortens ever more; identifiers stay whole
	spread  func(items []T)      // puts the items into an answer that has several lists; nil if items is its list
	all     []T                  // what items was before it was cut
	budget  Budget
}

// shortenSteps is how often shorten is called before an item is given up.
const shortenSteps = 6

// fit keeps the longest prefix of the items with which both the JSON and the text form of the answer keep the budget.
// If items are left out, it sets rest.Truncated, and rest.Cursor to Next(items kept). If not even the first item fits,
// its long strings are shortened. If its identifiers alone are too long, the item is left out and a warning says so.
//
// Cost: each item is encoded twice.
func (p *paged[T]) fit(b Budget) {
	p.budget = b
	if p.all = *p.items; p.all == nil {
		p.all = []T{}
	}
	for i := range p.all {
		p.prepare(&p.all[i])
	}
	p.envelope.Warnings = mapStrings(p.envelope.Warnings, Clean)
	for _, echo := range p.echoes {
		*echo = Clean(*echo)
	}
	if p.facets != nil {
		cleanFacets(*p.facets)
	}
	p.keep(len(p.all))
	if b.Bytes < 0 {
		return
	}
	time := p.rest.TimeMS
	p.rest.TimeMS = widestTime
	p.cut(cmp.Or(b.Bytes, DefaultMaxBytes))
	p.rest.TimeMS = time
}

// keep leaves the first n items in the answer.
func (p *paged[T]) keep(n int) {
	*p.items = p.all[:n]
	if p.spread != nil {
		p.spread(p.all[:n])
	}
	if p.count != nil {
		*p.count = n
	}
}

// keepPart leaves the first n items in an answer that is not whole.
func (p *paged[T]) keepPart(n int) {
	p.keep(n)
	p.rest.Truncated, p.rest.Cursor = true, p.budget.Next(n)
}

// cut leaves as many items in the answer as fit into limit bytes.
func (p *paged[T]) cut(limit int) {
	if p.size() <= limit {
		return
	}
	before, all := *p.rest, len(p.all)
	p.keepPart(0)
	p.shortenEnvelope(limit)
	// An estimate from the parts first, then the exact size: the cursor's length depends on the number of items.
	kept, total := 0, encodedLen(p.answer)
	for ; kept < all; kept++ {
		total += encodedLen(&p.all[kept]) + 1
		if total > limit {
			break
		}
	}
	if kept == all { // only the envelope was too large
		p.keep(all)
		if *p.rest = before; p.size() <= limit {
			return
		}
		kept = all - 1
	}
	for ; kept > 0; kept-- {
		if p.keepPart(kept); p.size() <= limit {
			return
		}
	}
	if all == 0 {
		*p.rest = before
		return
	}
	for n := 1; n <= shortenSteps; n++ {
		p.shorten(&p.all[0], n)
		if p.keepPart(1); all == 1 {
			p.rest.Cursor = before.Cursor
		}
		if p.size() <= limit {
			return
		}
	}
	p.keep(0)
	if p.rest.Cursor = before.Cursor; all > 1 {
		p.rest.Cursor = p.budget.Next(1)
	}
	warnings := p.envelope.Warnings
	if p.envelope.Warn(p.what + " left out: larger than max_bytes"); p.size() > limit {
		p.envelope.Warnings = warnings
	}
}

// size is the size of the JSON or of the text form, whichever is larger, in bytes.
func (p *paged[T]) size() int {
	return max(encodedLen(p.answer), p.budget.Text(p.answer))
}

// shortenEnvelope brings the answer without items below half of limit. It shortens what the answer repeats of the
// request, then the facets, then the warnings, and last drops the names of the artifacts.
func (p *paged[T]) shortenEnvelope(limit int) {
	for length := 256; length >= 8 && p.size() > limit/2; length /= 2 {
		for _, echo := range p.echoes {
			*echo = Shorten(*echo, length)
		}
		if p.facets != nil {
			*p.facets = limitValues(*p.facets, length/32)
		}
		warnings := 8
		if length == 8 {
			p.envelope.Indexes, warnings = nil, 1
		}
		p.envelope.Warnings = mapStrings(p.envelope.Warnings[:min(warnings, len(p.envelope.Warnings))], func(w string) string { return Shorten(w, max(length, 80)) })
	}
}

// mapStrings returns f of each string of a list. The list is new, since an answer may share its lists with the request.
func mapStrings(list []string, f func(string) string) []string {
	if len(list) == 0 {
		return nil
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = f(s)
	}
	return out
}

// FitSearch cuts an answer to a budget and neutralises its text. If nothing has to be left out, resp keeps the cursor
// that it has.
func FitSearch(resp *SearchResponse, b Budget) {
	p := paged[Hit]{
		answer: resp, envelope: &resp.Envelope, rest: &resp.Rest, count: &resp.Count, facets: &resp.Facets, echoes: []*string{&resp.Query},
		what: "a hit", items: &resp.Results, prepare: prepareHit, shorten: shortenHit,
	}
	p.fit(b)
}

// FitSimilar cuts similar sections to a budget, as FitSearch cuts hits.
func FitSimilar(resp *SimilarResponse, b Budget) {
	p := paged[Hit]{
		answer: resp, envelope: &resp.Envelope, rest: &resp.Rest, count: &resp.Count, echoes: []*string{&resp.File, &resp.Title},
		what: "a hit", items: &resp.Results, prepare: prepareHit, shorten: shortenHit,
	}
	p.fit(b)
}

// facts are what a hit has from the front matter of its document.
func (h *Hit) facts() []*string { return []*string{&h.Kind, &h.Domain, &h.Status, &h.Date, &h.Version} }

// prepareHit cleans what a hit has from a document; a new field with such text belongs here or among the facts.
func prepareHit(h *Hit) {
	h.Title, h.Section, h.Snippet = Clean(h.Title), Clean(h.Section), CleanLines(h.Snippet)
	for _, s := range h.facts() {
		*s = Clean(*s)
	}
	for i := range h.Included {
		h.Included[i].Path = Clean(h.Included[i].Path)
	}
	if h.More != nil {
		for i := range h.More.Sections {
			h.More.Sections[i].Section = Clean(h.More.Sections[i].Section)
		}
	}
	if h.Match == nil {
		h.Match = []string{}
	}
	if h.Explain != nil && h.Explain.Parts == nil {
		h.Explain.Parts = []ExplainPart{}
	}
}

func shortenHit(h *Hit, n int) {
	limit := 320 >> n // bytes: 160, 80, 40, 20, 10, 5
	h.Snippet, h.Title, h.Section = Shorten(h.Snippet, limit), Shorten(h.Title, limit), Shorten(h.Section, limit)
	for _, s := range h.facts() {
		*s = Shorten(*s, max(limit, 20))
	}
	left := utf8.RuneCountInString(h.Snippet)
	gone := func(span [2]int) bool { return span[1] > left }
	h.Highlights, h.Marked = slices.DeleteFunc(h.Highlights, gone), slices.DeleteFunc(h.Marked, gone)
	if n >= 2 && h.More != nil {
		h.More = &MoreSections{Count: h.More.Count}
	}
	if n >= 2 {
		h.Explain, h.Duplicates, h.Included = nil, nil, nil
	}
	if n >= 3 {
		h.URL, h.SupersededBy = "", nil
	}
	if n >= 4 {
		h.Chunk = ""
	}
}

// FitRelated cuts related nodes to a budget, as FitSearch cuts hits.
func FitRelated(resp *RelatedResponse, b Budget) {
	p := paged[Relative]{
		answer: resp, envelope: &resp.Envelope, rest: &resp.Rest, count: &resp.Count, echoes: []*string{&resp.Entity},
		what: "a node", items: &resp.Related,
		prepare: prepareRelative, shorten: shortenRelative,
	}
	p.fit(b)
}

// prepareRelative cleans what a node has from its document.
func prepareRelative(r *Relative) { r.Name, r.Kind = Clean(r.Name), Clean(r.Kind) }

func shortenRelative(r *Relative, n int) {
	r.Name, r.Kind = Shorten(r.Name, 320>>n), Shorten(r.Kind, max(320>>n, 20))
	if n >= 3 {
		r.SourceURL = ""
	}
}

// FitList cuts documents to a budget, as FitSearch cuts hits.
func FitList(resp *ListResponse, b Budget) {
	fields := func(d *Listed) []*string { return []*string{&d.Kind, &d.Domain, &d.Status, &d.Date, &d.Version} }
	p := paged[Listed]{
		answer: resp, envelope: &resp.Envelope, rest: &resp.Rest, count: &resp.Count, facets: &resp.Facets,
		what: "a document", items: &resp.Documents,
		prepare: func(d *Listed) {
			for _, s := range append(fields(d), &d.Title) {
				*s = Clean(*s)
			}
			d.Tags = mapStrings(d.Tags, Clean)
		},
		shorten: func(d *Listed, n int) {
			limit := 320 >> n
			d.Title = Shorten(d.Title, limit)
			for _, s := range fields(d) {
				*s = Shorten(*s, max(limit, 20))
			}
			d.Tags = mapStrings(d.Tags[:min(len(d.Tags), 16>>n)], func(t string) string { return Shorten(t, limit) })
			if n >= 3 {
				d.URL, d.SupersededBy = "", nil
			}
		},
	}
	p.fit(b)
}
