package shape

// MinMaxBytes is the smallest byte budget that Fit functions keep whatever the item.
const MinMaxBytes = 512

// widestTime stands for time_ms while an answer is measured: it is set last, and must not break the budget.
const widestTime = 99999.999

// paged is an answer whose items are cut to a byte budget. What does not depend on the type of the items is page's, so that it is
// compiled once.
type paged[T any] struct {
	page
	items   *[]T
	prepare func(item *T)        // neutralises an item's text and makes nil lists empty
	shorten func(item *T, n int) // n = 1, 2, ... shortens ever more; identifiers stay whole
	spread  func(items []T)      // puts the items into an answer that has several lists; nil where items is its list
	all     []T                  // what items was before it was cut
}

// page is an answer but for the type of its items.
type page struct {
	answer    any // pointer to the answer, for its JSON and text form
	envelope  *Envelope
	count     *int // nil where the shape has none
	truncated *bool
	cursor    *string
	timeMS    *float64
	echoes    []*string // what the answer repeats of the request
	facets    *[]Facet  // nil where the shape has none
	what      string    // an item, in a warning
}

// listed are the items of an answer, of whatever type.
type listed interface {
	len() int               // before any was left out
	keep(n int)             // leaves the first n in the answer
	jsonBytes(i int) int    // what item i takes
	shortenFirst(times int) // calls shorten
}

// shortenSteps is how often shorten is asked before an item is given up.
const shortenSteps = 6

// fit keeps the longest prefix of the items with which the JSON and the text form of the answer have at most most
// bytes each. If some are left out, truncated and cursor are set, the latter to next(items kept). If not even the first
// fits, its long strings are shortened; if its identifiers alone are too long it is passed over with a warning.
//
// most < 0 means no limit, 0 the default of 4096. Cost: each item is encoded twice.
func (p *paged[T]) fit(most int, next func(kept int) string) {
	if p.all = *p.items; p.all == nil {
		p.all = []T{}
	}
	for i := range p.all {
		p.prepare(&p.all[i])
	}
	p.cut(p, most, next)
}

func (p *paged[T]) len() int            { return len(p.all) }
func (p *paged[T]) jsonBytes(i int) int { return len(Encode(&p.all[i])) }
func (p *paged[T]) shortenFirst(n int)  { p.shorten(&p.all[0], n) }

func (p *paged[T]) keep(n int) {
	*p.items = p.all[:n]
	if p.spread != nil {
		p.spread(p.all[:n])
	}
	if p.count != nil {
		*p.count = n
	}
}

// cut is fit of items that are prepared.
func (p *page) cut(items listed, most int, next func(kept int) string) {
	p.envelope.Warnings = each(p.envelope.Warnings, Clean)
	for _, echo := range p.echoes {
		*echo = Clean(*echo)
	}
	if p.facets != nil {
		cleanFacets(*p.facets)
	}
	was, wasCursor := *p.truncated, *p.cursor
	all := items.len()
	items.keep(all)
	if most < 0 {
		return
	}
	if most == 0 {
		most = 4096
	}
	time := *p.timeMS
	*p.timeMS = widestTime
	defer func() { *p.timeMS = time }()
	if p.size() <= most {
		return
	}
	cut := func(kept int) {
		items.keep(kept)
		*p.truncated, *p.cursor = true, next(kept)
	}
	cut(0)
	p.shortenEnvelope(most)
	// An estimate from the parts first, then the truth: the cursor's length depends on the number.
	kept, total := 0, len(Encode(p.answer))
	for ; kept < all; kept++ {
		total += items.jsonBytes(kept) + 1
		if total > most {
			break
		}
	}
	if kept == all { // the envelope alone was too large
		items.keep(all)
		if *p.truncated, *p.cursor = was, wasCursor; p.size() <= most {
			return
		}
		kept = all - 1
	}
	for ; kept > 0; kept-- {
		if cut(kept); p.size() <= most {
			return
		}
	}
	if all == 0 {
		*p.truncated, *p.cursor = was, wasCursor
		return
	}
	only := all == 1
	for n := 1; n <= shortenSteps; n++ {
		items.shortenFirst(n)
		if cut(1); only {
			*p.truncated, *p.cursor = true, wasCursor
		}
		if p.size() <= most {
			return
		}
	}
	items.keep(0)
	*p.truncated, *p.cursor = true, next(1)
	if only {
		*p.cursor = wasCursor
	}
	p.envelope.Warnings = append(p.envelope.Warnings, p.what+" left out: larger than max_bytes")
	if p.size() > most {
		p.envelope.Warnings = p.envelope.Warnings[:len(p.envelope.Warnings)-1]
	}
}

// size is the larger of the JSON and the text form, in bytes.
func (p *page) size() int {
	return max(len(Encode(p.answer)), len(Text(p.answer, Style{Agent: true})))
}

// shortenEnvelope brings the answer without items below half of most: the request's own words, facets, warnings, then the
// names of the artifacts.
func (p *page) shortenEnvelope(most int) {
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

// FitSearch cuts an answer so that its JSON and its text form have at most maxBytes each (0 = 4096, negative = no limit), and
// neutralises its text. next returns the cursor for what comes after the first kept results. If nothing has to be left out, resp
// keeps the Cursor that it has.
func FitSearch(resp *SearchResponse, maxBytes int, next func(kept int) string) {
	p := paged[Hit]{
		page: page{
			answer: resp, envelope: &resp.Envelope, facets: &resp.Facets, count: &resp.Count, truncated: &resp.Truncated,
			cursor: &resp.Cursor, timeMS: &resp.TimeMS, echoes: []*string{&resp.Query}, what: "a hit",
		},
		items:   &resp.Results,
		prepare: prepareHit,
		shorten: shortenHit,
	}
	p.fit(maxBytes, next)
}

// FitSimilar does for near sections what FitSearch does for hits.
func FitSimilar(resp *SimilarResponse, maxBytes int, next func(kept int) string) {
	resp.Title = Clean(resp.Title)
	p := paged[Hit]{
		page: page{
			answer: resp, envelope: &resp.Envelope, count: &resp.Count, truncated: &resp.Truncated, cursor: &resp.Cursor,
			timeMS: &resp.TimeMS, echoes: []*string{&resp.File, &resp.Title}, what: "a hit",
		},
		items:   &resp.Results,
		prepare: prepareHit,
		shorten: shortenHit,
	}
	p.fit(maxBytes, next)
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
func FitRelated(resp *RelatedResponse, maxBytes int, next func(kept int) string) {
	resp.Entity = Clean(resp.Entity)
	p := paged[Relative]{
		page: page{
			answer: resp, envelope: &resp.Envelope, count: &resp.Count, truncated: &resp.Truncated, cursor: &resp.Cursor,
			timeMS: &resp.TimeMS, echoes: []*string{&resp.Entity}, what: "a node",
		},
		items:   &resp.Related,
		prepare: func(r *Relative) { r.Name = Clean(r.Name) },
		shorten: func(r *Relative, n int) {
			r.Name = Shorten(r.Name, 320>>n)
			if n >= 3 {
				r.SourceURL = ""
			}
		},
	}
	p.fit(maxBytes, next)
}

// FitList does for documents what FitSearch does for hits.
func FitList(resp *ListResponse, maxBytes int, next func(kept int) string) {
	p := paged[Listed]{
		page: page{
			answer: resp, envelope: &resp.Envelope, facets: &resp.Facets, count: &resp.Count, truncated: &resp.Truncated,
			cursor: &resp.Cursor, timeMS: &resp.TimeMS, what: "a document",
		},
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
	p.fit(maxBytes, next)
}
