package wire

import (
	"cmp"
	"slices"
)

// FitStats cuts the artifacts of an answer to a budget, as FitSearch cuts hits. An artifact that is too large by itself
// loses its smallest blocks and counts first.
func FitStats(resp *StatsResponse, b Budget) {
	p := paged[ArtifactStats]{
		answer: resp, envelope: &resp.Envelope, rest: &resp.Rest, what: "an artifact", items: &resp.Artifacts,
		prepare: func(a *ArtifactStats) {
			a.Title, a.Kinds = Clean(a.Title), cleanKeys(a.Kinds)
			if a.Blocks == nil {
				a.Blocks = []BlockBytes{}
			}
		},
		shorten: shortenStats,
	}
	p.fit(b)
}

// cleanKeys cleans what counts are of; what is alike then counts together.
func cleanKeys(counts map[string]int) map[string]int {
	clean := make(map[string]int, len(counts))
	for k, n := range counts {
		clean[Clean(k)] += n
	}
	return clean
}

func shortenStats(a *ArtifactStats, n int) {
	limit := 32 >> n // 16, 8, 4, 2, 1, 0
	a.Title = Shorten(a.Title, 320>>n)
	a.Blocks = largest(a.Blocks, limit)
	for _, m := range []*map[string]int{&a.Languages, &a.Kinds, &a.Edges, &a.Findings} {
		*m = mostFrequent(*m, limit)
	}
	a.Source.Roots = a.Source.Roots[:min(len(a.Source.Roots), limit)]
	if n >= 4 {
		a.Model, a.Source.Date, a.Source.Roots = nil, "", nil
	}
	if n >= 5 {
		a.Source.TreeHash = Shorten(a.Source.TreeHash, 19)
		a.Source.Commit = Shorten(a.Source.Commit, 15)
	}
}

// largest keeps the n largest blocks, in their order.
func largest(blocks []BlockBytes, n int) []BlockBytes {
	if len(blocks) <= n {
		return blocks
	}
	bySize := slices.Clone(blocks)
	slices.SortStableFunc(bySize, func(a, b BlockBytes) int { return cmp.Compare(b.Bytes, a.Bytes) })
	return slices.DeleteFunc(slices.Clone(blocks), func(b BlockBytes) bool {
		return !slices.ContainsFunc(bySize[:n], func(large BlockBytes) bool { return large.Tag == b.Tag })
	})
}

// mostFrequent keeps the n names with the largest counts, names with equal counts in their order. It cuts names to 40
// bytes.
func mostFrequent(counts map[string]int, n int) map[string]int {
	names := ByCount(counts)
	kept := map[string]int{}
	for _, name := range names[:min(n, len(names))] {
		kept[Shorten(name, 40)] += counts[name]
	}
	return kept
}
