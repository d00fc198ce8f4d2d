package answers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"kdd/bench/internal/harness"
)

// makeCorpus writes n documents below dir and compiles them, without vectors: linked and typed ones of several kinds,
// domains and languages, with lists, tables and code, words as frequent as words are, and names that collide. The same
// n gives the same documents.
func makeCorpus(ctx context.Context, dir, output string, n int) error {
	r := rand.New(rand.NewPCG(uint64(n), 1))
	zipf := rand.NewZipf(r, 1.1, 4, 20_000)
	syllables := []string{"ba", "co", "di", "fe", "gu", "la", "mi", "no", "pe", "ra", "so", "tu", "ver", "zen", "ción", "straße", "é"}
	word := func() string {
		at, w := zipf.Uint64()+1, ""
		for ; at > 0; at /= uint64(len(syllables)) {
			w += syllables[at%uint64(len(syllables))]
		}
		return w
	}
	words := func(limit int) string {
		list := make([]string, 1+r.IntN(limit))
		for i := range list {
			list[i] = word()
		}
		return strings.Join(list, " ")
	}
	domains, kinds, status := []string{"billing", "tracking", "core", "größe"}, []string{"requirement", "guide", "adr", "process", "service"}, []string{"draft", "accepted", "superseded"}
	path := func(i int) string { return fmt.Sprintf("%s/part-%02d/doc-%05d.md", domains[i%len(domains)], i%37, i) }
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "---\nid: REQ-%05d\ntitle: %q\nkind: %s\ndomain: %s\nstatus: %s\ntags: [%s, t%d]\nowner: %s\ndate: 20%02d-%02d-%02d\nrelated: [REQ-%05d]\n", i, words(8), kinds[i%len(kinds)], domains[i%len(domains)], status[r.IntN(len(status))], word(), i%50, word(), 10+r.IntN(16), 1+r.IntN(12), 1+r.IntN(28), r.IntN(n))
		if i%20 == 0 {
			fmt.Fprintf(&b, "depends_on: [REQ-%05d, REQ-%05d]\nsupersedes: REQ-%05d\n", r.IntN(n), r.IntN(n), r.IntN(n))
		}
		fmt.Fprintf(&b, "---\n# %s\n\n%s.\n", words(5), words(40))
		for range r.IntN(6) {
			fmt.Fprintf(&b, "\n%s %s\n\n%s, [%s](/%s) and [[REQ-%05d]]. %s.\n", strings.Repeat("#", 2+r.IntN(3)), words(5), words(60), words(3), path(r.IntN(n)), r.IntN(n), words(30))
			switch r.IntN(5) {
			case 0:
				fmt.Fprintf(&b, "\n1. %s\n2. %s\n   - %s\n", words(9), words(9), words(9))
			case 1:
				fmt.Fprintf(&b, "\n| %s | %s |\n|---|---|\n| %s | `%s` |\n", word(), word(), words(4), word())
			case 2:
				fmt.Fprintf(&b, "\n```sh\n%s --%s \"%s\"\n```\n", word(), word(), words(3))
			}
		}
		if err := harness.WriteFiles(dir, map[string]string{path(i): b.String()}); err != nil {
			return err
		}
	}
	return harness.BuildWords(ctx, dir, output)
}
