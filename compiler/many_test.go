package compiler

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/runtime"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// TestManyRankLikeOne builds documents as one artifact and as several, and compares what they find together: by words
// and with the transformer the same hits with the same scores, with learned tables most of the same. Links are left out:
// they do not lead from one artifact into another.
func TestManyRankLikeOne(t *testing.T) {
	parent := t.TempDir()
	c := newCorpus(47, 200)
	for path, blocks := range c.docs {
		c.docs[path] = slices.DeleteFunc(blocks, func(b string) bool { return strings.HasPrefix(b, "See [") })
	}
	model := smallModel(t, 1, "")
	queries := []string{"how does the payment session end", "index", "order limit", `"vector search"`, "invoice -user", "cache AND token", "error*",
		"kind of document", "paymet sesion", "unheard words of payment", "title:order", "query chunk of a page with a limit for the user"}
	for _, encoder := range []string{"", EncoderExact, EncoderDistilled} {
		build := func(name string, keep func(i int) bool) string {
			part := &corpus{docs: map[string][]string{}}
			for i, path := range c.paths() {
				if keep(i) {
					part.docs[path] = c.docs[path]
				}
			}
			dir := filepath.Join(parent, encoder+name)
			part.write(t, dir)
			o := withVectors(dir, model)
			o.NoVectors, o.Encoder, o.Output = encoder == "", encoder, dir+".kddx"
			mustBuild(t, o)
			return o.Output
		}
		one := runtime.New(runtime.Config{Index: []string{build("one", func(int) bool { return true })}})
		defer one.Close()
		for _, n := range []int{2, 3, 7} {
			t.Run(fmt.Sprintf("%s in %d", encoder, n), func(t *testing.T) {
				var paths []string
				for k := range n {
					paths = append(paths, build(fmt.Sprintf("%d-of-%d", k, n), func(i int) bool { return i%n == k }))
				}
				many := runtime.New(runtime.Config{Index: paths})
				defer many.Close()
				of, all := 0, 0
				for _, q := range queries {
					r := wire.SearchRequest{Query: q, Limit: 10, Diversity: search.DiversityOff, Page: wire.Page{MaxBytes: 1 << 19}}
					whole, err := one.Search(t.Context(), r)
					if err != nil {
						t.Fatal(err)
					}
					parts, err := many.Search(t.Context(), r)
					if err != nil {
						t.Fatal(err)
					}
					if len(parts.Results) != len(whole.Results) {
						t.Errorf("%q: %d hits, want %d", q, len(parts.Results), len(whole.Results))
						continue
					}
					score := map[string]float64{}
					for _, h := range whole.Results {
						score[h.Path+h.Chunk] = h.Score
					}
					same, least := 0, 1.0
					if len(whole.Results) > 0 {
						least = whole.Results[len(whole.Results)-1].Score
					}
					for i, h := range parts.Results {
						want, ok := score[h.Path+h.Chunk]
						if ok {
							same++
						}
						if encoder == EncoderDistilled {
							continue
						}
						// A hit that the other lacks has the score of its last: which of equal hits come first may differ.
						if ok && math.Abs(h.Score-want) > .03 || !ok && h.Score > least+.03 || math.Abs(h.Score-whole.Results[i].Score) > .03 {
							t.Errorf("%q: hit %d is %s %s with %.4f, want %s %s with %.4f", q, i+1, h.Path, h.Anchor, h.Score,
								whole.Results[i].Path, whole.Results[i].Anchor, whole.Results[i].Score)
						}
					}
					of, all = of+same, all+len(whole.Results)
				}
				if of < all*8/10 {
					t.Errorf("%d of %d hits are those of the whole, want 8 of 10", of, all)
				}
			})
		}
	}
}
