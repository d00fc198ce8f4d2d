package fuse

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kdd/format/index"
	"kdd/runtime/search/lexical"
)

var weights = index.Weights{Pairs: 0.5, Best: 0.6, Top3: 0.4, Anchor: 0.4, Heading: 1, TitleMatch: 0.25, File: 2, Stale: 0.3, Aside: 0.2,
	Calibration: []index.Calibration{{Mode: "lexical", A: 1.6, B: -2.4, C: 0.5}}, Many: 200}

// order is the signal of word order from a list, with bounds above it; what is not filled in is not a number.
type order struct {
	rows                 *lexical.Rows
	list, bounds, scores []float32
	filled               map[index.DocID]bool
}

func newOrder(r *rand.Rand, rows *lexical.Rows, list []float32) *order {
	o := &order{rows: rows, list: list, filled: map[index.DocID]bool{}}
	for _, v := range list {
		o.bounds, o.scores = append(o.bounds, v+r.Float32()*(1-v)/2), append(o.scores, float32(math.NaN()))
	}
	return o
}

func (o *order) Scores() []float32 { return o.scores }
func (o *order) Bound(d index.DocID) float32 {
	return slices.Max(o.bounds[o.rows.First[d]:o.rows.First[d+1]])
}
func (o *order) Fill(d index.DocID, from, to uint32, slack func() float32) bool {
	if !o.filled[d] && slack != nil {
		copy(o.scores[from:to], o.bounds[from:to])
		left := float32(-1)
		for c := from; c < to; c++ { // from bounds to scores, a chunk at a time
			if left < 0 {
				if left = slack(); left < 0 {
					return false
				}
			}
			left -= o.bounds[c] - o.list[c]
			o.scores[c] = o.list[c]
		}
	}
	copy(o.scores[from:to], o.list[from:to])
	o.filled[d] = true
	return true
}

// rest turns bounds on cosines into the cosines.
type rest struct{ dst, list []float32 }

func (r *rest) Fill(from, to uint32) { copy(r.dst[from:to], r.list[from:to]) }

// loosen replaces the cosines by bounds on them, a third of which are what they are.
func loosen(s *Signals, r *rand.Rand) {
	own := &rest{make([]float32, len(s.Cosine)), s.Cosine}
	for i, v := range s.Cosine {
		own.dst[i] = v + max(0, r.Float32()-0.3)
	}
	s.Cosine, s.Rest = own.dst, own
}

// random makes the rows of documents with 1 to 5 sections of 0 to 4 chunks, and signals with many ties.
func random(r *rand.Rand, docs int, hybrid bool) (*lexical.Rows, *Signals) {
	rows, s := &lexical.Rows{}, &Signals{Lexical: 1.25, Anchors: make([]float32, docs), Titles: make([]float32, docs)}
	if hybrid {
		s.Cosine = []float32{}
	}
	if docs%2 == 1 {
		s.Stale = func(d index.DocID) bool { return d%5 == 1 }
		s.Aside = func(d index.DocID) bool { return d%7 == 2 }
		s.AsideSection = func(d index.DocID, section index.SectionID) bool { return d%7 == 3 && section%2 == 0 }
	}
	var pairs []float32
	section := uint32(0)
	rows.First = []uint32{0}
	for d := range docs {
		s.Heading, s.Best = append(s.Heading, 0), append(s.Best, 0)
		if r.IntN(4) == 0 {
			s.Anchors[d] = r.Float32()
			s.Titles[d] = float32(r.IntN(3)) / 2
		}
		for range 1 + r.IntN(5) {
			for range r.IntN(5) {
				rows.Doc, rows.Section = append(rows.Doc, uint32(d)), append(rows.Section, section)
				bm25 := float32(r.IntN(3)) / 4
				s.BM25 = append(s.BM25, bm25)
				s.Best[d] = max(s.Best[d], bm25)
				pairs = append(pairs, bm25*float32(r.IntN(2))/2)
				if hybrid {
					s.Cosine = append(s.Cosine, float32(r.IntN(9)-2)/8)
				}
			}
			s.Headings = append(s.Headings, float32(r.IntN(3))/2)
			s.Heading[d] = max(s.Heading[d], s.Headings[section])
			section++
		}
		rows.First = append(rows.First, uint32(len(rows.Doc)))
	}
	s.Order = newOrder(r, rows, pairs)
	return rows, s
}

// plain is Rank by the formulas of the package comment: every section, sorted.
func plain(rows *lexical.Rows, allowed func(index.DocID) bool, w *index.Weights, s *Signals) []Hit {
	at := func(list []float32, i int) float64 {
		if list == nil {
			return 0
		}
		return float64(list[i])
	}
	byDoc := map[uint32][]int{}
	for c, d := range rows.Doc {
		byDoc[d] = append(byDoc[d], c)
	}
	pooled := func(list []float32, chunks []int) float64 {
		var all []float64
		for _, c := range chunks {
			all = append(all, at(list, c))
		}
		slices.SortFunc(all, func(a, b float64) int { return cmp.Compare(b, a) })
		all3 := all[:min(3, len(all))]
		sum := 0.0
		for _, v := range all3 {
			sum += v
		}
		return w.Best*all[0] + w.Top3*sum/float64(len(all3))
	}
	sections := map[uint32]*Hit{}
	for c, d := range rows.Doc {
		if !allowed(index.DocID(d)) || s.BM25[c] <= 0 && s.Cosine == nil {
			continue
		}
		own := s.Lexical*at(s.BM25, c) + w.Pairs*at(s.Order.(*order).list, c) + at(s.Cosine, c) + w.Heading*at(s.Headings, int(rows.Section[c]))
		h := sections[rows.Section[c]]
		if h == nil {
			file := s.Lexical*pooled(s.BM25, byDoc[d]) + w.Pairs*pooled(s.Order.(*order).list, byDoc[d]) + pooled(s.Cosine, byDoc[d]) + w.Anchor*float64(s.Anchors[d]) + w.TitleMatch*at(s.Titles, int(d))
			h = &Hit{Section: index.SectionID(rows.Section[c]), Doc: index.DocID(d), Chunk: index.ChunkID(c), Own: own, File: file}
			sections[rows.Section[c]] = h
		}
		if own > h.Own {
			h.Own, h.Chunk = own, index.ChunkID(c)
		}
	}
	var list []Hit
	for _, h := range sections {
		h.Score = h.Own + w.File*h.File
		if s.Stale != nil && s.Stale(h.Doc) {
			h.Score -= w.Stale
		}
		if s.Aside != nil && (s.Aside(h.Doc) || s.AsideSection(h.Doc, h.Section)) {
			h.Score -= w.Aside
		}
		list = append(list, *h)
	}
	slices.SortFunc(list, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Section, b.Section))
	})
	return list
}

func same(a, b Hit) bool {
	return a.Section == b.Section && a.Doc == b.Doc && a.Chunk == b.Chunk && math.Abs(a.Score-b.Score) < 1e-9 && math.Abs(a.Own-b.Own) < 1e-9 && math.Abs(a.File-b.File) < 1e-9
}

func TestTopHits(t *testing.T) {
	ties, spared := 0, 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		rows, s := random(r, r.IntN(30), seed%2 == 0)
		allowed := func(d index.DocID) bool { return seed%3 != 0 || d%2 == 0 }
		all := plain(rows, allowed, &weights, s)
		full, more := TopHits(rows, allowed, &weights, s, math.MaxInt-1, nil)
		if more || len(full) != len(all) {
			t.Fatalf("seed %d: TopHits found %d and more %t, want %d", seed, len(full), more, len(all))
		}
		for i := range all {
			if i > 0 && all[i].Score == all[i-1].Score {
				ties++
			}
			// Sums of the same numbers in another order may differ in the last bit, which decides between ties.
			if math.Abs(full[i].Score-all[i].Score) > 1e-9 || full[i].Section == all[i].Section && !same(full[i], all[i]) {
				t.Fatalf("seed %d: TopHits gives %+v at %d, want %+v", seed, full[i], i, all[i])
			}
		}
		for _, most := range []int{0, 1, 2, 5, 9, 20, len(all), len(all) + 3} {
			fresh := *s
			fresh.Order = newOrder(r, rows, s.Order.(*order).list)
			if s.Cosine != nil {
				loosen(&fresh, r)
			}
			best, more := TopHits(rows, allowed, &weights, &fresh, most, nil)
			if want := full[:min(most, len(full))]; !slices.Equal(best, want) || more != (len(all) > most) {
				t.Fatalf("seed %d: TopHits(%d) = %v, more %t, want %v of %d", seed, most, best, more, want, len(all))
			}
			if n := len(fresh.Order.(*order).filled); most < 3 && n < len(rows.First)-1 {
				spared++
			}
		}
		least := r.Float64() * 3
		kept, more := TopHits(rows, allowed, &weights, s, 4, func(score float64) bool { return score >= least })
		n := 0
		for n < len(full) && full[n].Score >= least {
			n++
		}
		if more != (n > 4) || !slices.Equal(kept, full[:min(4, n)]) {
			t.Fatalf("seed %d: TopHits with scores from %g = %v, more %t, want %d", seed, least, kept, more, n)
		}
	}
	if ties == 0 || spared < 100 {
		t.Errorf("%d ties among the hits; word order was left out of %d rankings", ties, spared)
	}
}

// TestParts checks that the parts of a score sum up to it, and that the rank of each value counts what is above it
// among the chunks, sections or documents that are admitted.
func TestParts(t *testing.T) {
	ranks, stale, asides := map[string]int{}, 0, 0
	for seed := range uint64(50) {
		rows, s := random(rand.New(rand.NewPCG(seed, 3)), 12+int(seed/2%2), seed%2 == 0)
		allowed := func(d index.DocID) bool { return seed%3 != 0 || d%2 == 0 }
		docs := map[uint32][2]int{} // chunks [from, to)
		for c, d := range rows.Doc {
			r, ok := docs[d]
			if !ok {
				r[0] = c
			}
			docs[d] = [2]int{r[0], c + 1}
			if !allowed(index.DocID(d)) {
				s.Headings[rows.Section[c]] = 0
			}
		}
		// values are those of a part's name among all that are admitted.
		values := map[string][]float64{}
		for name, list := range map[string][]float32{"bm25": s.BM25, "word pairs": s.Order.(*order).list, "cosine": s.Cosine} {
			if list == nil {
				continue
			}
			for c, d := range rows.Doc {
				if allowed(index.DocID(d)) {
					values["section "+name] = append(values["section "+name], float64(list[c]))
				}
			}
			for d, r := range docs {
				if allowed(index.DocID(d)) {
					values["document "+name] = append(values["document "+name], pool(list[r[0]:r[1]], &weights))
				}
			}
		}
		for _, v := range s.Headings {
			values["section headings"] = append(values["section headings"], float64(v))
		}
		for d := range s.Anchors {
			if allowed(index.DocID(d)) {
				values["document link texts"] = append(values["document link texts"], float64(s.Anchors[d]))
				values["document title"] = append(values["document title"], float64(s.Titles[d]))
			}
		}
		hits, _ := TopHits(rows, allowed, &weights, s, 1000, nil)
		e := NewExplainer(rows, allowed, &weights, s)
		for _, h := range hits {
			from, to := docs[uint32(h.Doc)][0], docs[uint32(h.Doc)][1]
			sum := 0.0
			for _, p := range e.Parts(&h, index.ChunkID(from), index.ChunkID(to)) {
				sum += p.Value * p.Weight
				switch p.Name {
				case "no longer in force":
					stale++
					continue
				case "aside":
					asides++
					continue
				}
				want := 0
				if p.Value > 0 {
					want = 1
					for _, v := range values[p.Name] {
						if v > p.Value {
							want++
						}
					}
					ranks[p.Name] = max(ranks[p.Name], want)
				}
				if p.Rank != want {
					t.Errorf("seed %d: rank of %+v, want %d", seed, p, want)
				}
			}
			if math.Abs(sum-h.Score) > 1e-9 {
				t.Fatalf("seed %d: the parts of %+v sum up to %g", seed, h, sum)
			}
			if h.Score > MaxScore(&weights, s) {
				t.Errorf("seed %d: score %g is above Most = %g", seed, h.Score, MaxScore(&weights, s))
			}
			if own := s.Own(&weights, h.Section, h.Chunk); math.Abs(own-h.Own) > 1e-9 {
				t.Errorf("seed %d: Own of %+v = %g", seed, h, own)
			}
			if d := Document(rows, &weights, s, h.Doc, index.ChunkID(from), index.ChunkID(to)); !slices.Contains(d, h) {
				t.Errorf("seed %d: Document = %v, want %v among them", seed, d, h)
			}
		}
	}
	for name, highest := range ranks {
		if highest < 2 {
			t.Errorf("%s: no value had another above it", name)
		}
	}
	if len(ranks) != 9 || stale == 0 || asides == 0 {
		t.Errorf("ranks were seen of %d parts, want 9; %d hits were in stale documents, %d were asides", len(ranks), stale, asides)
	}
}

// TestMost checks that the section which has the most of each signal reaches Most, with the weight of BM25 below zero
// too.
func TestMost(t *testing.T) {
	for _, leaning := range []float64{1.25, -1} {
		one := []float32{1}
		rows := &lexical.Rows{Doc: []uint32{0}, Section: []uint32{0}, First: []uint32{0, 1}}
		s := &Signals{BM25: one, Best: one, Order: newOrder(rand.New(rand.NewPCG(1, 1)), rows, one), Cosine: one, Anchors: one, Titles: one, Headings: one, Heading: one, Lexical: leaning}
		if leaning < 0 {
			s.BM25, s.Best = []float32{0}, []float32{0}
		}
		hits, _ := TopHits(rows, func(index.DocID) bool { return true }, &weights, s, 1, nil)
		if got := MaxScore(&weights, s); len(hits) != 1 || math.Abs(got-hits[0].Score) > 1e-9 {
			t.Errorf("lexical %g: Most = %g, want %v", leaning, got, hits)
		}
	}
}

func TestCalibrate(t *testing.T) {
	tests := []struct {
		name string
		mode string
		raw  float64
		docs int
		want float64
	}{
		{"middle", "lexical", 1.5, 200, 0.5},
		{"of many", "lexical", 1.5, 1e6, 0.5},
		{"of few", "lexical", 1.5, 20, 1 / (1 + math.Pow(10, -0.5))},
		{"of none", "lexical", 1.5, 0, 1 / (1 + math.Pow(200, -0.5))},
		{"low", "lexical", 0, 200, 1 / (1 + math.Exp(2.4))},
		{"high", "lexical", 100, 200, 1},
		{"no calibration for the mode", "vector", 0, 5, 0.5},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Calibrate(&weights, tt.mode, tt.raw, tt.docs); math.Abs(got-tt.want) > 1e-9 {
				t.Errorf("Calibrate(%s, %g, %d) = %g, want %g", tt.mode, tt.raw, tt.docs, got, tt.want)
			}
		})
	}
}

func BenchmarkTopHits(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	rows, s := random(r, 16_700, true)
	for _, most := range []int{5, 100, 10_000} {
		b.Run(fmt.Sprintf("chunks=%dk/most=%d", len(rows.Doc)/1000, most), func(b *testing.B) {
			b.ReportAllocs()
			var hits []Hit
			for b.Loop() {
				hits, _ = TopHits(rows, func(index.DocID) bool { return true }, &weights, s, most, nil)
			}
			if len(hits) == 0 {
				b.Fatal("no hits")
			}
		})
	}
}

// TestUsual checks that a query that leans on its words gets the scores of one that does not: the best possible raw
// score is worth the same, nothing is worth nothing, and the order stays.
func TestUsual(t *testing.T) {
	w := weights
	w.Lexical, w.LexicalOnly = 0.5, 4
	usual := &Signals{Lexical: w.Lexical}
	if got := Usual(&w, usual); got != 1 {
		t.Errorf("Usual of the usual weight = %g, want 1", got)
	}
	leaning := &Signals{Lexical: w.LexicalOnly}
	scale := Usual(&w, leaning)
	if got, want := MaxScore(&w, leaning)*scale, MaxScore(&w, usual); math.Abs(got-want) > 1e-9 || scale <= 0 || scale >= 1 {
		t.Errorf("the most is worth %g by a scale of %g, want %g", got, scale, want)
	}
}
