package runtime

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// filters makes random filters from what the documents of an artifact have: from one document to all of them, and some
// that admit none.
type filters struct {
	r *rand.Rand
	x *index.Index
}

func (f *filters) next() wire.Filter {
	var q wire.Filter
	d := index.DocID(f.r.IntN(f.x.Docs()))
	any := func() index.DocID { return index.DocID(f.r.IntN(f.x.Docs())) }
	add := func(list *[]string, values ...string) {
		for _, v := range values {
			if v != "" && f.r.IntN(3) > 0 {
				*list = append(*list, strings.ToUpper(v[:1])+v[1:])
			}
		}
	}
	for range f.r.IntN(4) {
		switch f.r.IntN(8) {
		case 0:
			add(&q.Kinds, f.x.DocKind(d), f.x.DocKind(any()))
		case 1:
			add(&q.Tags, append(f.x.DocTags(d), f.x.DocTags(any())...)...)
		case 2:
			add(&q.Languages, f.x.DocLanguage(d), f.x.DocLanguage(any()))
		case 3:
			if date := f.x.DocDate(d); len(date) == 10 {
				q.Since = date[:[]int{4, 7, 10}[f.r.IntN(3)]]
			}
		case 4:
			path := f.x.DocPath(d)
			folder, _, _ := strings.Cut(path, "/")
			name := path[strings.LastIndexByte(path, '/')+1:]
			q.PathGlob = []string{path, folder + "/**", "**/*.md", "*.md", "**/*" + name[len(name)/2:]}[f.r.IntN(5)]
		case 5:
			if fields := f.x.FrontMatter(d); len(fields) > 0 {
				field := fields[f.r.IntN(len(fields))]
				if field.Value != "" {
					q.Where = map[string][]string{field.Name: {field.Value}}
				}
			}
		case 6:
			add(&q.Domains, f.x.DocDomain(d), f.x.DocDomain(any()))
			add(&q.Status, f.x.DocStatus(d))
		case 7:
			add(&q.ChunkTypes, f.x.DocChunkType(d), f.x.DocChunkType(any()))
		}
	}
	return q
}

// admits says by reading the document's rows, not its bitmaps, whether a filter admits it.
func admits(x *index.Index, d index.DocID, q *wire.Filter, glob func(pattern, path string) bool) bool {
	some := func(wanted []string, have ...string) bool {
		return len(wanted) == 0 || slices.ContainsFunc(wanted, func(w string) bool {
			return slices.ContainsFunc(have, func(h string) bool { return strings.EqualFold(w, h) })
		})
	}
	ok := some(q.Kinds, x.DocKind(d)) && some(q.Tags, x.DocTags(d)...) && some(q.Languages, x.DocLanguage(d)) && some(q.Domains, x.DocDomain(d)) &&
		some(q.Status, x.DocStatus(d)) && some(q.ChunkTypes, x.DocChunkType(d)) && (q.PathGlob == "" || glob(q.PathGlob, x.DocPath(d)))
	if date := x.DocDate(d); q.Since != "" && (len(date) < len(q.Since) || date[:len(q.Since)] < q.Since) {
		ok = false
	}
	for name, values := range q.Where {
		var have []string
		for _, f := range x.FrontMatter(d) {
			if strings.EqualFold(f.Name, name) {
				have = append(have, f.Value)
			}
		}
		ok = ok && some(values, have...)
	}
	return ok
}

// globbed matches the few forms of globs that filters makes.
func globbed(pattern, path string) bool {
	if folder, ok := strings.CutSuffix(pattern, "/**"); ok {
		return strings.HasPrefix(path, folder+"/") || path == folder
	}
	if end, ok := strings.CutPrefix(pattern, "**/*"); ok {
		return strings.HasSuffix(path, end) && len(path[strings.LastIndexByte(path, '/')+1:]) >= len(end)
	}
	if end, ok := strings.CutPrefix(pattern, "*"); ok {
		return strings.HasSuffix(path, end) && !strings.Contains(path, "/")
	}
	return path == pattern
}

var askedOfCorpora = []string{
	"how are documents indexed", "retry policy", "token", "búsqueda híbrida de documentos", "event", "regla de negocio", "webhook signature", "the vector index of a document",
	"relations between entities", "expiry", "¿qué pasa si falla?", "schema query parser build", "nothing at all",
}

// ranks is the whole base ranking of a search.
func ranks(t *testing.T, s *Service, text, mode string, filter *wire.Filter) []search.Result {
	t.Helper()
	var hits []search.Result
	err := s.with(t.Context(), func(set *artifact.Set) error {
		names := search.PageNamed
		if mode == search.ModeVector {
			names = search.NoNames
		}
		r, err := search.Rank(t.Context(), set, &search.Request{Text: text, Mode: mode, Operators: true, Filter: filter, Names: names, Want: 1 << 20})
		if err == nil {
			hits = r.Hits
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return hits
}

// A filtered ranking is the whole one with the other hits taken out: the same order and scores. Frequencies of words
// and lengths stay those of all documents, and so does every choice that the ranking makes.
func TestFilterOnlyTakesOut(t *testing.T) {
	f := random(1, 60)
	for path, text := range random(1, 12) {
		f["copies/"+path] = text
	}
	for _, tt := range []struct {
		name, path string
		asked      []string
	}{
		{"random", f.compile(t), asked}, {"handbook", corpus(t, "handbook"), askedOfCorpora}, {"kdd-specs", corpus(t, "kdd-specs"), askedOfCorpora},
	} {
		x := must(index.Open(tt.path))
		defer x.File.Close()
		var known []string
		for _, term := range x.TermDict().From("") {
			if word := string(term); len(known) < 4000 && len(word) > 2 && !slices.Contains(words, word) && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" {
				known = append(known, word)
			}
		}
		vectors := withVectors(t, tt.path, "distilled", known...)
		for _, mode := range []string{search.ModeLexical, search.ModeVector, search.ModeHybrid} {
			t.Run(tt.name+"/"+mode, func(t *testing.T) {
				s := serve(t, vectors)
				whole := map[string][]search.Result{}
				for _, text := range tt.asked {
					whole[text] = ranks(t, s, text, mode, &wire.Filter{})
				}
				source := filters{rand.New(rand.NewPCG(2, 2)), x}
				taken, sizes := 0, map[string]int{}
				for i := range 200 {
					text, q := tt.asked[i%len(tt.asked)], source.next()
					docs := map[index.DocID]bool{}
					for d := range index.DocID(x.Docs()) {
						if admits(x, d, &q, globbed) {
							docs[d] = true
						}
					}
					switch n := len(docs); {
					case n <= 1:
						sizes[[]string{"none", "one"}[n]]++
					case n == x.Docs():
						sizes["all"]++
					default:
						sizes["some"]++
					}
					var want []search.Result
					for _, h := range whole[text] {
						if docs[h.Doc] {
							want = append(want, h)
						} else {
							taken++
						}
					}
					got := ranks(t, s, text, mode, &q)
					if len(want) != len(got) {
						t.Fatalf("%q with %+v: %d hits, want %d", text, q, len(got), len(want))
					}
					for k, h := range got {
						if h != want[k] {
							t.Fatalf("%q with %+v: hit %d is %+v, want %+v", text, q, k+1, h, want[k])
						}
					}
					if i%20 > 0 || len(want) == 0 {
						continue
					}
					shown := searched(t, s, wire.SearchRequest{Query: text, Mode: mode, Limit: 40, Filter: q, Diversity: search.DiversityOff})
					for k, h := range shown.Results {
						if h.Path != x.DocPath(want[k].Doc) || h.Score != wire.Round4(want[k].Calibrated) {
							t.Fatalf("%q with %+v: diversity off shows %s %g as hit %d, want document %d and %g", text, q, h.Chunk, h.Score, k+1, want[k].Doc, want[k].Calibrated)
						}
					}
				}
				if taken == 0 || sizes["one"] < 5 || sizes["all"] < 5 || sizes["some"] < 50 {
					t.Errorf("%d hits taken out, filters by documents admitted %v: too few to tell anything", taken, sizes)
				}
			})
		}
	}
}
