package runtime

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"kdd/format/index"
	"kdd/runtime/render"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

func similar(t *testing.T, s *Service, q wire.SimilarRequest) *wire.SimilarResponse {
	t.Helper()
	q.MaxBytes = -1
	resp, err := s.Similar(t.Context(), q)
	if err != nil {
		t.Fatalf("Similar(%+v): %v", q, err)
	}
	return resp
}

// near is one section by the plain formula.
type near struct {
	section index.SectionID
	doc     index.DocID
	cosine  float64
}

// plainSimilar ranks all sections outside [first, end) by the largest cosine of their chunks with the mean of the
// chunks [from, to), computed from what the file holds.
func plainSimilar(x *index.Index, from, to index.ChunkID, first, end index.SectionID) []near {
	v := must(x.Vectors())
	rows, scales, _ := v.Stored(false)
	all := index.DequantiseRows(rows, scales, v.Dim)
	row := func(c index.ChunkID) []float32 { return all[int(c)*v.Dim : int(c+1)*v.Dim] }
	mean := make([]float64, v.Dim)
	for c := from; c < to; c++ {
		for k, f := range row(c) {
			mean[k] += float64(f)
		}
	}
	var length float64
	for _, f := range mean {
		length += f * f
	}
	var list []near
	for s := range index.SectionID(x.Sections()) {
		best := math.Inf(-1)
		a, b := x.SectionChunks(s)
		for c := a; c < b; c++ {
			var dot float64
			for k, f := range row(c) {
				dot += float64(f) * mean[k]
			}
			best = max(best, dot/math.Sqrt(length))
		}
		if best >= x.Meta.Weights.Near && (s < first || s >= end) {
			list = append(list, near{s, x.DocOfSection(s), best})
		}
	}
	own := x.DocOfSection(first)
	slices.SortStableFunc(list, func(a, b near) int {
		if (a.doc == own) != (b.doc == own) {
			return map[bool]int{true: 1, false: -1}[a.doc == own]
		}
		return cmp.Compare(b.cosine, a.cosine)
	})
	return list
}

func TestSimilarAgainstAllRows(t *testing.T) {
	path := withVectors(t, random(3, 40).compile(t), "none") // no query encoder is needed
	x := must(index.Open(path))
	defer x.File.Close()
	s := serve(t, path)
	compared := 0
	for d := range index.DocID(x.Docs()) {
		first, end := x.DocSections(d)
		for sec := first; sec < end; sec++ {
			file := render.Address("", x.DocPath(d), x.SectionAnchor(sec))
			last := x.SectionEnd(sec)
			from, _ := x.SectionChunks(sec)
			_, to := x.SectionChunks(last - 1)
			if from == to {
				continue
			}
			got := similar(t, s, wire.SimilarRequest{File: file, Limit: 10_000})
			all := plainSimilar(x, from, to, sec, last)
			if got.Mode != search.ModeVector || got.Count != len(all) || got.Truncated {
				t.Fatalf("Similar(%s): %d hits by %s, want %d", file, got.Count, got.Mode, len(all))
			}
			scores := map[string]float64{}
			for _, n := range all {
				scores[render.Address("", x.DocPath(n.doc), x.SectionAnchor(n.section))] = n.cosine
			}
			mine, docs, above := 0, map[string]int{}, 1.0
			for i, h := range got.Results {
				compared++
				at := render.Address("", h.Path, h.Anchor)
				if want, ok := scores[at]; !ok || math.Abs(want-h.Score) > 3e-4 {
					t.Fatalf("Similar(%s): hit %d, %s, has %g, want %g", file, i+1, at, h.Score, want)
				}
				if h.Path == got.Path {
					mine++
				} else if mine > 0 {
					t.Fatalf("Similar(%s): %s of another document after its own", file, at)
				}
				counts := h.Score * math.Pow(.97, float64(docs[h.Path]))
				if docs[h.Path]++; h.Path != got.Path && counts > above+1e-4 { // scores are rounded
					t.Fatalf("Similar(%s): hit %d counts %g after %g", file, i+1, counts, above)
				}
				above = counts
			}
		}
	}
	if compared < 1000 {
		t.Errorf("%d hits compared, too few to tell anything", compared)
	}
}

func TestSimilarFiltersAndPages(t *testing.T) {
	each(t, 30, func(t *testing.T, s *Service, mode string) {
		for _, file := range []string{"a/d1.md", "b/d2.md", "a/d3.md", "b/d3.md"} {
			whole, err := s.Similar(t.Context(), wire.SimilarRequest{File: file, Limit: 1000, Page: wire.Page{MaxBytes: -1}})
			if err != nil {
				continue // the document is in the other folder
			}
			var all []string
			for _, h := range whole.Results {
				if all = append(all, h.Chunk); h.Path == file || h.Rank != len(all) {
					t.Fatalf("Similar(%s): %s as hit %d", file, h.Chunk, h.Rank)
				}
			}
			q := wire.SimilarRequest{File: file, Limit: 4, Page: wire.Page{MaxBytes: 2000}}
			var paged []string
			for range 1000 {
				resp, err := s.Similar(t.Context(), q)
				if err != nil {
					t.Fatal(err)
				}
				for _, h := range resp.Results {
					paged = append(paged, h.Chunk)
				}
				if n := max(len(wire.Encode(resp)), len(render.Text(resp, render.Style{Agent: true}))); n > 2000 {
					t.Fatalf("Similar(%s): %d bytes, want at most 2000", file, n)
				}
				if q.Cursor = resp.Cursor; q.Cursor == "" {
					break
				}
			}
			if !slices.Equal(paged, all) {
				t.Fatalf("Similar(%s): %d hits by pages, want %d", file, len(paged), len(all))
			}
			filtered := similar(t, s, wire.SimilarRequest{File: file, Limit: 1000, Filter: wire.Filter{Kinds: []string{"guide"}}})
			for _, h := range filtered.Results {
				if h.Kind != "guide" {
					t.Errorf("Similar(%s) of guides gives %s, %s", file, h.Chunk, h.Kind)
				}
			}
			if len(whole.Results) > 10 && len(filtered.Results) == 0 {
				t.Errorf("Similar(%s) of guides gives nothing", file)
			}
		}
	})
}

func TestSimilarNames(t *testing.T) {
	s := serve(t, corpus(t, "handbook"))
	for _, tt := range []struct{ file, path, anchor, chunk string }{
		{"security/auth.md#refresh", "security/auth.md", "refresh", ""},
		{"security/auth.md#refresh~1", "security/auth.md", "refresh", "security/auth.md#refresh~1"},
		{"security/auth.md", "security/auth.md", "", ""},
		{"ADR-0004", "decisions/ADR-0004.md", "", ""},
		{"adr-0004#decision", "decisions/ADR-0004.md", "decision", ""},
		{"Short-lived signed access tokens", "decisions/ADR-0004.md", "", ""},
		{"kdd://doc/security/auth.md#refresh", "security/auth.md", "refresh", ""},
	} {
		got := similar(t, s, wire.SimilarRequest{File: tt.file})
		if got.Path != tt.path || got.Anchor != tt.anchor || got.Chunk != tt.chunk || got.Count == 0 || got.Mode != search.ModeLexical || len(got.Warnings) != 1 {
			t.Errorf("Similar(%s) = %s#%s %s, %d hits by %s, %v", tt.file, got.Path, got.Anchor, got.Chunk, got.Count, got.Mode, got.Warnings)
		}
	}
	got := similar(t, s, wire.SimilarRequest{File: "ADR-0004#decision", Limit: 10})
	if !slices.ContainsFunc(got.Results, func(h wire.Hit) bool { return h.Path == "security/auth.md" }) {
		t.Errorf("nothing of the authentication system among what is similar to its decision: %+v", got.Results)
	}
	for file, hint := range map[string]string{"ADR-00004": "ADR-0004", "security/auth.md#refesh": "refresh", "nothing of the kind": ""} {
		_, err := s.Similar(t.Context(), wire.SimilarRequest{File: file})
		if e := want(t, err, wire.CodeNotFound); !strings.Contains(e.Hint, hint) {
			t.Errorf("Similar(%s): %v, hint %q", file, e, e.Hint)
		}
	}
	_, err := s.Similar(t.Context(), wire.SimilarRequest{File: " "})
	want(t, err, wire.CodeInvalidInput)
}

// Artifacts of one model answer together; one without vectors is left out and said so.
func TestSimilarInSeveral(t *testing.T) {
	a, b := withVectors(t, random(3, 12).compile(t), "none"), withVectors(t, random(4, 12).compile(t), "none")
	plain := random(5, 5).compile(t)
	x := must(index.Open(a))
	path := x.DocPath(0)
	x.File.Close()
	got := similar(t, serve(t, "one="+a, "two="+b, "three="+plain), wire.SimilarRequest{File: "one:" + path, Limit: 100})
	names := map[string]int{}
	for _, h := range got.Results {
		names[h.Index]++
	}
	if got.Index != "one" || names["one"] == 0 || names["two"] == 0 || names["three"] != 0 || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "three") {
		t.Errorf("hits by index %v, asked of %s, warnings %q", names, got.Index, got.Warnings)
	}
}
