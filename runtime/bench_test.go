package runtime

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// large returns documents with about 6 chunks each, whose words are spread as in text: few of them are most of it.
func large(docs int) tree {
	r := rand.New(rand.NewPCG(1, 1))
	zipf := rand.NewZipf(r, 1.1, 4, 30_000)
	words := append(strings.Fields("the of a to is and in for with on how does when can that this it not be are"), words...)
	say := func(b *strings.Builder, n int) {
		for range n {
			n := zipf.Uint64()
			if n < uint64(len(words)) {
				b.WriteString(words[n])
			} else {
				fmt.Fprintf(b, "w%dx", n)
			}
			b.WriteByte(' ')
		}
	}
	f := tree{}
	for d := range docs {
		var b strings.Builder
		b.WriteString("# ")
		say(&b, 3)
		for range 6 {
			b.WriteString("\n\n## ")
			say(&b, 3)
			b.WriteString("\n\n")
			say(&b, 80)
		}
		f[fmt.Sprintf("%02d/%05d.md", d%100, d)] = b.String()
	}
	return f
}

func BenchmarkSearch(b *testing.B) {
	for _, docs := range []int{170, 14_300} {
		plain := large(docs).compile(b)
		for _, mode := range []string{search.ModeLexical, search.ModeHybrid} {
			path := plain
			if mode == search.ModeHybrid {
				path = withVectors(b, plain, "distilled")
			}
			s := serve(b, path)
			queries := []string{"how does the component render when the state is not reset", "session token retry", "w300x w400x", "how can I find the w900x of a memo"}
			first := must(s.Search(b.Context(), wire.SearchRequest{Query: queries[0], Mode: mode}))
			chunks := must(s.Stats(b.Context(), wire.StatsRequest{})).Artifacts[0].Counts.Chunks
			b.Run(fmt.Sprintf("chunks=%dk/mode=%s", (chunks+500)/1000, mode), func(b *testing.B) {
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					resp, err := s.Search(b.Context(), wire.SearchRequest{Query: queries[i%len(queries)], Mode: mode})
					if err != nil || resp.Count == 0 {
						b.Fatal(resp, err)
					}
					i++
				}
			})
			if first.Mode != mode {
				b.Fatalf("mode %s, want %s", first.Mode, mode)
			}
		}
	}
}
