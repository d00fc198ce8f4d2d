package lexical_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"

	"kdd/compiler/corpustest"
	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/search/lexical"
	"kdd/runtime/search/query"
)

var english = strings.Fields("render renders rendering rendered component components state effect effects memo props hook hooks cache reset " +
	"useState useEffect foo_bar react.memo child children tree update updates the of a to is and in")

var spanish = strings.Fields("método métodos de la el los componente componentes metodo arbol cache componénte estado efecto árbol árboles caché para que con página páginas")

// corpus writes documents of random words, with headings, languages and links among them, and compiles them.
func corpus(t *testing.T, seed uint64, docs int) *index.Index {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	documents := map[string]string{}
	for d := range docs {
		words, lang := english, "en"
		if d%4 == 3 {
			words, lang = spanish, "es"
		}
		say := func(n int) string {
			list := make([]string, n)
			for i := range list {
				list[i] = words[min(r.IntN(len(words)), r.IntN(len(words)))]
			}
			return strings.Join(list, " ")
		}
		var b strings.Builder
		fmt.Fprintf(&b, "---\nlanguage: %s\n---\n# %s\n\n%s.\n", lang, say(2), say(r.IntN(30)))
		for range r.IntN(4) {
			fmt.Fprintf(&b, "\n## %s\n\n%s.\n", say(1+r.IntN(3)), say(1+r.IntN(300)))
			if r.IntN(2) == 0 {
				to := r.IntN(docs)
				for (to%4 == 3) != (d%4 == 3) { // of the same language, which is what the text is taken for
					to = r.IntN(docs)
				}
				fmt.Fprintf(&b, "\n[%s](d%d.md)\n", say(1+r.IntN(3)), to)
			}
		}
		documents[fmt.Sprintf("d%d.md", d)] = b.String()
	}
	return corpustest.Index(t, documents)
}

// spot is one word of a text: the terms that it is indexed as, and its place.
type spot struct {
	terms []string
	own   string // its stem, or its folded form: what it is in a pair's number of chunks
	pos   uint32
}

// naive holds the words of every field as text, without any inverted list.
type naive struct {
	x                 *index.Index
	title, path, body [][]spot // by document, section, chunk
	links             [][]spot
	length            []float64 // by chunk
	doc, section      []int     // by chunk
	average           float64
}

func spots(raw string, lang text.Lang) (list []spot, tokens int) {
	a := text.New()
	for _, t := range a.Tokens(nil, raw) {
		s := spot{[]string{t.Fold}, t.Fold, t.Pos}
		if !t.Whole && !t.CJK && lang != "" {
			if stem := a.Stem(lang, t.Lower); stem != "" {
				s.own = text.StemTerm(lang, stem)
				s.terms = append(s.terms, s.own)
			}
		}
		if exact := t.ExactTerm(); exact != "" {
			s.terms = append(s.terms, exact)
		}
		list = append(list, s)
		if t.Counts() && !t.IndexOnly() {
			tokens++
		}
	}
	return list, tokens
}

func read(t *testing.T, x *index.Index) *naive {
	n := &naive{x: x}
	reader := x.Text.Reader()
	w := &x.Meta.Weights
	for d := range index.DocID(x.Docs()) {
		lang := text.Lang(x.StemLanguage(d))
		title, titleTokens := spots(x.DocTitle(d), lang)
		n.title = append(n.title, title)
		from, to := x.DocSections(d)
		for s := from; s < to; s++ {
			var path []string
			for at := s; x.SectionLevel(at) > 0; {
				if h := x.SectionHeading(at); h != x.DocTitle(d) {
					path = append(path, h)
				}
				parent, ok := x.SectionParent(at)
				if !ok {
					break
				}
				at = parent
			}
			slices.Reverse(path)
			list, pathTokens := spots(strings.Join(path, "\n"), lang)
			n.path = append(n.path, list)
			first, last := x.SectionChunks(s)
			for c := first; c < last; c++ {
				chunk := x.Chunk(c)
				text := string(x.AppendText(nil, reader, d, chunk.Start, chunk.End))
				if i := strings.Index(text, "["); i >= 0 { // a link counts by its text
					end := strings.Index(text, "](")
					text = text[:i] + text[i+1:end] + text[strings.IndexByte(text, ')')+1:]
				}
				if strings.HasPrefix(text, "#") {
					_, text, _ = strings.Cut(text, "\n")
				}
				body, tokens := spots(text, lang)
				if uint32(tokens) != chunk.BodyTokens {
					t.Fatalf("chunk %d has %d tokens, the file says %d: %q", c, tokens, chunk.BodyTokens, text)
				}
				n.body = append(n.body, body)
				n.doc, n.section = append(n.doc, int(d)), append(n.section, int(s))
				n.length = append(n.length, w.Title*float64(titleTokens)+w.Path*float64(pathTokens)+float64(tokens))
			}
		}
	}
	for _, l := range n.length {
		n.average += l / float64(len(n.length))
	}
	for i := range uint32(x.LinkTexts()) {
		link := x.LinkText(i)
		list, _ := spots(link.Text, text.Lang(x.StemLanguage(x.NodeDoc(link.Target))))
		n.links = append(n.links, list)
	}
	return n
}

// forms are the terms that a word of a query stands for.
func (n *naive) forms(word *query.Word, lower map[string]string) []string {
	a := text.New()
	list := []string{word.Text}
	if word.Whole {
		return list
	}
	for _, l := range n.x.Meta.Languages {
		if l.Language != "" {
			list = append(list, text.StemTerm(text.Lang(l.Language), a.Stem(text.Lang(l.Language), lower[word.Text])))
		}
	}
	return list
}

// count is how often a field's text has the term that it has most of.
func count(text []spot, form string) (f float64) {
	for _, s := range text {
		if slices.Contains(s.terms, form) {
			f++
		}
	}
	return f
}

func (n *naive) frequency(c int, forms []string) (best float64) {
	w := &n.x.Meta.Weights
	for _, form := range forms {
		best = max(best, count(n.body[c], form)+w.Path*count(n.path[n.section[c]], form)+w.Title*count(n.title[n.doc[c]], form))
	}
	return best
}

// otherwise is how often a chunk writes a word of the query with other accents, and how much of what it counts it loses
// by that. A word with accents that nobody writes so loses nothing.
func (n *naive) otherwise(c int, word string, exact string) (f, less float64) {
	w := &n.x.Meta.Weights
	sum := func(is func(s spot) bool) (f float64) {
		for i, text := range [][]spot{n.body[c], n.path[n.section[c]], n.title[n.doc[c]]} {
			for _, s := range text {
				if is(s) {
					f += [...]float64{1, w.Path, w.Title}[i]
				}
			}
		}
		return f
	}
	if exact == "" {
		return sum(func(s spot) bool {
			return slices.ContainsFunc(s.terms, func(term string) bool { return strings.HasPrefix(term, text.ExactPrefix(word)) })
		}), 1 - w.PlainAccents
	}
	if _, ok := n.x.Term(exact); !ok {
		return 0, 0
	}
	return sum(func(s spot) bool { return slices.Contains(s.terms, word) && !slices.Contains(s.terms, exact) }), 1 - w.OtherAccents
}

// beside is how often a form of the second word follows one of the first directly in a chunk, by the terms of a place.
func (n *naive) beside(c int, a, b []string, terms func(spot) []string) float64 {
	w := &n.x.Meta.Weights
	return beside(n.body[c], a, b, terms) + w.Path*beside(n.path[n.section[c]], a, b, terms) + w.Title*beside(n.title[n.doc[c]], a, b, terms)
}

// pairChunks counts the chunks in which a word of the second term follows one of the first. A word has one term here:
// its stem, or its folded form.
func (n *naive) pairChunks(a, b string) (df float64) {
	for c := range n.body {
		if n.beside(c, []string{a}, []string{b}, func(s spot) []string { return []string{s.own} }) > 0 {
			df++
		}
	}
	return df
}

func beside(text []spot, a, b []string, terms func(spot) []string) (f float64) {
	places := func(forms []string) map[uint32]bool {
		at := map[uint32]bool{}
		for _, s := range text {
			for _, form := range forms {
				if slices.Contains(terms(s), form) {
					at[s.pos] = true
				}
			}
		}
		return at
	}
	x, y := places(a), places(b)
	for pos := range x {
		if y[pos+1] {
			f++
		}
	}
	return f
}

func idf(n, df float64) float64 { return math.Log(1 + (n-df+0.5)/(df+0.5)) }

// score computes all three signals by the formulas of the package, over the texts.
func (n *naive) score(q *query.Query) (bm25, pairs, anchors []float64) {
	w := &n.x.Meta.Weights
	chunks := len(n.body)
	bm25, pairs, anchors = make([]float64, chunks), make([]float64, chunks), make([]float64, n.x.Docs())
	lower, exact := map[string]string{}, map[string]string{}
	for _, t := range text.New().Tokens(nil, q.Text) {
		lower[t.Fold], exact[t.Fold] = t.Lower, t.ExactTerm()
	}
	var ideal float64
	for i := range q.Words {
		ideal += q.Words[i].IDF * (w.K1 + 1)
	}
	for i := range q.Words {
		forms := n.forms(&q.Words[i], lower)
		for c := range chunks {
			if f := n.frequency(c, forms); f > 0 {
				other, less := 0.0, 0.0
				if !q.Words[i].Whole {
					other, less = n.otherwise(c, q.Words[i].Text, exact[q.Words[i].Text])
				}
				bm25[c] += q.Words[i].IDF * (w.K1 + 1) / ideal * f / (f + w.K1*(1-w.B+w.B*n.length[c]/n.average)) * (1 - less*min(other/f, 1))
			}
		}
	}
	ideal = 0
	for i := range q.All {
		for k := range q.All {
			a, b := &q.All[i], &q.All[k]
			if a.Pos+1 != b.Pos || a.Whole || b.Whole {
				continue
			}
			x, y := n.forms(a, lower), n.forms(b, lower)
			freqs := make([]float64, chunks)
			for c := range chunks {
				freqs[c] = n.beside(c, x, y, func(s spot) []string { return s.terms })
			}
			df := 0.0
			for _, first := range x {
				for _, second := range y {
					if of := n.pairChunks(first, second); of >= index.MinPairChunks {
						df += of
					}
				}
			}
			weight := idf(float64(chunks), max(1, df))
			ideal += weight
			for c, f := range freqs {
				pairs[c] += weight * f / (f + w.K1)
			}
		}
	}
	for c := range pairs {
		if ideal > 0 {
			pairs[c] /= ideal
		}
	}
	for i, text := range n.links {
		link := n.x.LinkStats(uint32(i))
		var shared, total float64
		for k := range q.Words {
			if q.Words[k].Whole {
				continue
			}
			total += q.Words[k].IDF
			if slices.ContainsFunc(n.forms(&q.Words[k], lower), func(form string) bool { return count(text, form) > 0 }) {
				shared += q.Words[k].IDF
			}
		}
		if total > 0 && link.IDF > 0 {
			d := n.x.NodeDoc(link.Target)
			anchors[d] = max(anchors[d], min(1, shared*shared/(total*float64(link.IDF))))
		}
	}
	return bm25, pairs, anchors
}

var queries = []string{
	"render", "rendering the child", "useState", "foo_bar cache", "react.memo props", "the of", "hooks and effects of components",
	"métodos de la página", "metodos", "memo memo memo", "render component render component", "nothing here nosuchword", "árbol tree", "use state", "state update state update",
}

// TestAgainstTexts compares the signals that come from postings with those computed over the texts.
func TestAgainstTexts(t *testing.T) {
	for seed := range uint64(4) {
		x := corpus(t, seed, 24)
		n := read(t, x)
		rows := lexical.NewRows(x)
		average := lexical.AverageLength([]*index.Index{x})
		if math.Abs(float64(average)-n.average) > 1e-3 {
			t.Errorf("AverageLength = %g, want %g", average, n.average)
		}
		found := 0
		for _, text := range queries {
			q := query.Parse([]*index.Index{x}, text)[0]
			wantBM25, wantPairs, wantAnchors := n.score(q)
			var allowed *roaring.Bitmap
			for _, filtered := range []bool{false, true} {
				if filtered { // a filter takes chunks out and changes nothing for the others
					allowed = roaring.New()
					for d := range x.Docs() {
						if d%3 != 0 {
							allowed.Add(uint32(d))
						}
					}
				}
				admits := func(d int) bool { return !filtered || d%3 != 0 }
				s := lexical.NewScorer(x, rows, average, allowed)
				bm25, anchors := make([]float32, x.Chunks()), make([]float32, x.Docs())
				if err := s.BM25(t.Context(), q, bm25); err != nil {
					t.Fatal(err)
				}
				pairs, _ := pairScores(t, x, s, q)
				s.Anchors(q, anchors)
				compare := func(signal string, got []float32, want []float64, doc func(i int) int) {
					for i := range got {
						w := want[i]
						if !admits(doc(i)) {
							w = 0
						}
						if math.Abs(float64(got[i])-w) > 1e-5 || w < 0 || w > 1+1e-9 {
							t.Fatalf("corpus %d, query %q, filter %v: %s of %d = %g, want %g", seed, text, filtered, signal, i, got[i], w)
						}
						if w > 0 {
							found++
						}
					}
				}
				chunkDoc := func(c int) int { return n.doc[c] }
				compare("BM25", bm25, wantBM25, chunkDoc)
				compare("Pairs", pairs, wantPairs, chunkDoc)
				compare("Anchors", anchors, wantAnchors, func(d int) int { return d })
			}
		}
		if found < 100 {
			t.Fatalf("corpus %d: only %d scores are above zero", seed, found)
		}
	}
}

// pairScores returns the scores of word order of all chunks, and whether pairs were cut. No score is above its bound,
// and the documents are asked for in no order.
func pairScores(t *testing.T, x *index.Index, s *lexical.Scorer, q *query.Query) (scores []float32, cut bool) {
	t.Helper()
	list, cut := lexical.NewPairs([]*lexical.Scorer{s}, []*query.Query{q})
	p := list[0]
	if p == nil {
		return make([]float32, x.Chunks()), cut
	}
	for _, d := range rand.New(rand.NewPCG(1, uint64(x.Docs()))).Perm(x.Docs()) {
		from, to := x.DocChunks(index.DocID(d))
		steps := [][]float32{}  // the bounds fall to the scores
		for enough := range 3 { // given up twice, as where another document is better
			steps = steps[:0]
			slack := func() float32 {
				steps = append(steps, slices.Clone(p.Scores()[from:to]))
				if enough < 2 && len(steps) > enough {
					return -1
				}
				return 0
			}
			if p.Fill(index.DocID(d), uint32(from), uint32(to), slack) {
				break
			}
		}
		steps = append(steps, p.Scores()[from:to])
		above := slices.Repeat([]float32{p.Bound(index.DocID(d))}, int(to-from))
		for n, bounds := range steps {
			for i, bound := range bounds {
				if bound > above[i]+1e-5 {
					t.Errorf("%q: chunk %d has %g after %d steps, and %g before", q.Text, int(from)+i, bound, n, above[i])
				}
			}
			above = bounds
		}
	}
	return slices.Clone(p.Scores()), cut
}

// TestPairsAreBounded: of a long text the first pairs of words count, and the caller is told.
func TestPairsAreBounded(t *testing.T) {
	x := corpus(t, 9, 12)
	s := lexical.NewScorer(x, lexical.NewRows(x), 10, nil)
	text := "render" // 48 pairs of words that no document has side by side, and one that some have
	for i := range 48 {
		text += fmt.Sprintf(" zz%d", i)
	}
	for _, tt := range []struct {
		text      string
		cut, some bool
	}{{text, false, false}, {text + " child component", true, false}, {"child component " + text, true, true}} {
		scores, cut := pairScores(t, x, s, query.Parse([]*index.Index{x}, tt.text)[0])
		if cut != tt.cut || slices.Max(scores) > 0 != tt.some {
			t.Errorf("%s: cut %t, at most %g, want %t, above 0 %t", tt.text, cut, slices.Max(scores), tt.cut, tt.some)
		}
	}
}

// TestScorerIsClean checks that a query leaves nothing behind for the next one of the same scorer.
func TestScorerIsClean(t *testing.T) {
	x := corpus(t, 9, 12)
	rows, average := lexical.NewRows(x), lexical.AverageLength([]*index.Index{x})
	q := query.Parse([]*index.Index{x}, "rendering the child components")[0]
	s := lexical.NewScorer(x, rows, average, nil)
	run := func(s *lexical.Scorer) [2][]float32 {
		out := [2][]float32{make([]float32, x.Chunks())}
		if err := s.BM25(t.Context(), q, out[0]); err != nil {
			t.Fatal(err)
		}
		out[1], _ = pairScores(t, x, s, q)
		return out
	}
	first, second := run(s), run(s)
	for i := range first {
		if !slices.Equal(first[i], second[i]) {
			t.Errorf("signal %d changes when it is computed again", i)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.BM25(ctx, q, make([]float32, x.Chunks())); err != context.Canceled {
		t.Errorf("BM25 of a cancelled context = %v, want %v", err, context.Canceled)
	}
}

// TestPairsAcrossSpellings: a word is found beside another in whatever spelling folds to it, though its stem, by which a
// pair is known first, may be another.
func TestPairsAcrossSpellings(t *testing.T) {
	for lang, words := range map[string]string{
		"fr": "créée marché chef's", "de": "Größe müßig", "en": "résumé component's",
		"ar": "بكلمة", "tr": "don't aujourd'hui", // their folded forms have other stems
	} {
		body := ""
		for i, w := range strings.Fields(words) {
			body += fmt.Sprintf("Alpha%d %s gamma%d.\n\n", i, w, i)
		}
		x := corpustest.Index(t, map[string]string{"d.md": fmt.Sprintf("---\nlanguage: %s\n---\n# Title\n\n%s", lang, body)})
		for i, w := range strings.Fields(words) {
			for _, spelling := range []string{w, text.Fold(w)} {
				for _, ask := range []string{fmt.Sprintf("alpha%d %s", i, spelling), fmt.Sprintf("%s gamma%d", spelling, i)} {
					q := query.Parse([]*index.Index{x}, ask)[0]
					s := lexical.NewScorer(x, lexical.NewRows(x), 10, nil)
					if err := s.BM25(t.Context(), q, make([]float32, x.Chunks())); err != nil {
						t.Fatal(err)
					}
					scores, _ := pairScores(t, x, s, q)
					if !slices.ContainsFunc(scores, func(v float32) bool { return v > 0 }) {
						t.Errorf("%s: %q stands nowhere, want it in %q", lang, ask, w)
					}
				}
			}
		}
	}
}
