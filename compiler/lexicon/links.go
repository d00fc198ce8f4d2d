package lexicon

import (
	"math"
	"slices"

	"kdd/format/index"
	"kdd/format/text"
)

// addLinks indexes the texts of links, as the last run.
func (lx *Lexicon) addLinks(links []Link) *run {
	r := newRun(lx)
	r.analyzer = text.New()
	lx.Links = make([]index.LinkText, len(links))
	for i, l := range links {
		n := r.add(index.LinkField, uint32(i), l.Text, l.Language)
		lx.Links[i] = index.LinkText{Target: l.Target, Text: l.Text, Tokens: n, Count: l.Count}
	}
	r.pack([index.FieldCount]uint32{})
	r.release()
	return r
}

// weighLinks gives each link text the sum of the idf of its distinct stems.
func (lx *Lexicon) weighLinks(links []Link) {
	a := text.New()
	var tokens []text.Token
	n := float64(len(lx.BodyTokens))
	for i, l := range links {
		tokens = a.Tokens(tokens[:0], l.Text)
		seen := map[string]bool{}
		var sum float64
		for _, t := range tokens {
			if t.Whole || t.IndexOnly() || text.IsStop(l.Language, t.Fold) {
				continue
			}
			term := t.Fold
			if !t.CJK && l.Language != "" {
				if s := a.Stem(l.Language, t.Lower); s != "" {
					term = text.StemTerm(l.Language, s)
				}
			}
			if seen[term] {
				continue
			}
			seen[term] = true
			df := 0.0
			if at, ok := slices.BinarySearch(lx.Terms, term); ok {
				df = float64(lx.Lists.chunks[at])
			}
			sum += math.Log(1 + (n-df+0.5)/(df+0.5))
		}
		lx.Links[i].IDF = float32(sum)
	}
}
