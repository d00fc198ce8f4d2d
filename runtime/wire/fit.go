package wire

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// MinMaxBytes is the smallest byte budget that Fit functions keep whatever the item.
const MinMaxBytes = 512

// widestTime stands for time_ms while an answer is measured: it is set last, and must not break the budget.
const widestTime = 99999.999

// Budget is what an answer may take.
type Budget struct {
	Bytes int                   // of its JSON and of its text form, each; 0 = DefaultMaxBytes, negative = no limit
	Text  func(answer any) int  // bytes of the text form of an answer, given as a pointer
	Next  func(kept int) string // the cursor of what follows the first kept items
}

// DefaultMaxBytes is the budget where none is given.
const DefaultMaxBytes = 4096

// paged is an answer whose items are cut to a byte budget.
type paged[T any] struct {
	answer    any // pointer to the answer, for its JSON and text form
	envelope  *Envelope
	count     *int // nil where the shape has none
	truncated *bool
	cursor    *string
	timeMS    *float64
	echoes    []*string // what the answer repeats of the request
	facets    *[]Facet  // nil where the shape has none
	what      string    // an item, in a warning

	items   *[]T
	prepare func(item *T)        // neutralises an item's text and makes nil lists empty
	shorten func(item *T, n int) // n = 1, 2, ... shortens ever more; identifiers stay whole
	spread  func(items []T)      // puts the items into an answer that has several lists; nil where items is its list
	all     []T                  // what items was before it was cut
	budget  Budget
}

// shortenSteps is how often shorten is asked before an item is given up.
const shortenSteps = 6

// fit keeps the longest prefix of the items with which the JSON and the text form of the answer keep the budget. If
// some are left out, truncated and cursor are set, the latter to Next(items kept). If not even the first fits, its long
// strings are shortened; if its identifiers alone are too long it is passed over with a warning.
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
	p.envelope.Warnings = each(p.envelope.Warnings, Clean)
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
	time := *p.timeMS
	*p.timeMS = widestTime
	defer func() { *p.timeMS = time }()
	p.cut(cmp.Or(b.Bytes, DefaultMaxBytes))
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

// keepSome is keep of an answer that is not whole.
func (p *paged[T]) keepSome(n int) {
	p.keep(n)
	*p.truncated, *p.cursor = true, p.budget.Next(n)
}

// cut leaves as many items in the answer as fit in most bytes.
func (p *paged[T]) cut(most int) {
	if p.size() <= most {
		return
	}
	was, wasCursor, all := *p.truncated, *p.cursor, len(p.all)
	p.keepSome(0)
	p.shortenEnvelope(most)
	// An estimate from the parts first, then the truth: the cursor's length depends on the number.
	kept, total := 0, len(Encode(p.answer))
	for ; kept < all; kept++ {
		total += len(Encode(&p.all[kept])) + 1
		if total > most {
			break
		}
	}
	if kept == all { // the envelope alone was too large
		p.keep(all)
		if *p.truncated, *p.cursor = was, wasCursor; p.size() <= most {
			return
		}
		kept = all - 1
	}
	for ; kept > 0; kept-- {
		if p.keepSome(kept); p.size() <= most {
			return
		}
	}
	if all == 0 {
		*p.truncated, *p.cursor = was, wasCursor
		return
	}
	only := all == 1
	for n := 1; n <= shortenSteps; n++ {
		p.shorten(&p.all[0], n)
		if p.keepSome(1); only {
			*p.truncated, *p.cursor = true, wasCursor
		}
		if p.size() <= most {
			return
		}
	}
	p.keep(0)
	*p.truncated, *p.cursor = true, p.budget.Next(1)
	if only {
		*p.cursor = wasCursor
	}
	p.envelope.Warnings = append(p.envelope.Warnings, p.what+" left out: larger than max_bytes")
	if p.size() > most {
		p.envelope.Warnings = p.envelope.Warnings[:len(p.envelope.Warnings)-1]
	}
}

// size is the larger of the JSON and the text form, in bytes.
func (p *paged[T]) size() int {
	return max(len(Encode(p.answer)), p.budget.Text(p.answer))
}

// shortenEnvelope brings the answer without items below half of most: the request's own words, facets, warnings, then
// the names of the artifacts.
func (p *paged[T]) shortenEnvelope(most int) {
	for limit := 256; limit >= 8 && p.size() > most/2; limit /= 2 {
		for _, echo := range p.echoes {
			*echo = Shorten(*echo, limit)
		}
		if p.facets != nil {
			*p.facets = fewer(*p.facets, limit/32)
		}
		if len(p.envelope.Warnings) > 8 {
			p.envelope.Warnings = p.envelope.Warnings[:8]
		}
		p.envelope.Warnings = each(p.envelope.Warnings, func(w string) string { return Shorten(w, max(limit, 80)) })
		if limit == 8 {
			p.envelope.Indexes = nil
			p.envelope.Warnings = p.envelope.Warnings[:min(1, len(p.envelope.Warnings))]
		}
	}
}

// each returns f of each of list; a new list, since an answer may share its lists with what it was made from.
func each(list []string, f func(string) string) []string {
	if len(list) == 0 {
		return nil
	}
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = f(s)
	}
	return out
}

// FitSearch cuts an answer to a budget and neutralises its text. If nothing has to be left out, resp keeps the Cursor
// that it has.
func FitSearch(resp *SearchResponse, b Budget) {
	p := paged[Hit]{
		answer: resp, envelope: &resp.Envelope, facets: &resp.Facets, count: &resp.Count, truncated: &resp.Truncated,
		cursor: &resp.Cursor, timeMS: &resp.TimeMS, echoes: []*string{&resp.Query}, what: "a hit",
		items:   &resp.Results,
		prepare: prepareHit,
		shorten: shortenHit,
	}
	p.fit(b)
}

// FitSimilar does for near sections what FitSearch does for hits.
func FitSimilar(resp *SimilarResponse, b Budget) {
	resp.Title = Clean(resp.Title)
	p := paged[Hit]{
		answer: resp, envelope: &resp.Envelope, count: &resp.Count, truncated: &resp.Truncated, cursor: &resp.Cursor,
		timeMS: &resp.TimeMS, echoes: []*string{&resp.File, &resp.Title}, what: "a hit",
		items:   &resp.Results,
		prepare: prepareHit,
		shorten: shortenHit,
	}
	p.fit(b)
}

func prepareHit(h *Hit) {
	h.Title, h.Section, h.Snippet, h.Version = Clean(h.Title), Clean(h.Section), CleanLines(h.Snippet), Clean(h.Version)
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
	h.Version = Shorten(h.Version, max(limit, 20))
	left := utf8.RuneCountInString(h.Snippet)
	gone := func(span [2]int) bool { return span[1] > left }
	h.Highlights, h.Marked = slices.DeleteFunc(h.Highlights, gone), slices.DeleteFunc(h.Marked, gone)
	if n >= 2 {
		h.Explain, h.Duplicates = nil, nil
	}
	if n >= 3 {
		h.URL, h.SupersededBy = "", nil
	}
	if n >= 4 {
		h.Chunk = ""
	}
}

// FitRelated does for a neighbourhood what FitSearch does for hits.
func FitRelated(resp *RelatedResponse, b Budget) {
	resp.Entity = Clean(resp.Entity)
	p := paged[Relative]{
		answer: resp, envelope: &resp.Envelope, count: &resp.Count, truncated: &resp.Truncated, cursor: &resp.Cursor,
		timeMS: &resp.TimeMS, echoes: []*string{&resp.Entity}, what: "a node",
		items:   &resp.Related,
		prepare: func(r *Relative) { r.Name = Clean(r.Name) },
		shorten: func(r *Relative, n int) {
			r.Name = Shorten(r.Name, 320>>n)
			if n >= 3 {
				r.SourceURL = ""
			}
		},
	}
	p.fit(b)
}

// FitList does for documents what FitSearch does for hits.
func FitList(resp *ListResponse, b Budget) {
	p := paged[Listed]{
		answer: resp, envelope: &resp.Envelope, facets: &resp.Facets, count: &resp.Count, truncated: &resp.Truncated,
		cursor: &resp.Cursor, timeMS: &resp.TimeMS, what: "a document",
		items: &resp.Documents,
		prepare: func(d *Listed) {
			d.Title = Clean(d.Title)
			for _, s := range []*string{&d.Kind, &d.Domain, &d.Status, &d.Date, &d.Version} {
				*s = Clean(*s)
			}
			d.Tags = each(d.Tags, Clean)
		},
		shorten: func(d *Listed, n int) {
			limit := 320 >> n
			d.Title = Shorten(d.Title, limit)
			for _, s := range []*string{&d.Kind, &d.Domain, &d.Status, &d.Date, &d.Version} {
				*s = Shorten(*s, max(limit, 20))
			}
			d.Tags = each(d.Tags[:min(len(d.Tags), 16>>n)], func(t string) string { return Shorten(t, limit) })
			if n >= 3 {
				d.URL, d.SupersededBy = "", nil
			}
		},
	}
	p.fit(b)
}
