package model

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"

	"kdd/format/encoder"
)

// prose has lines of general English: statements, directions, headings and questions in which the common words of
// English stand among those that go with them. Language models wrote them for kdd, from lists of common words; no line
// is about what kdd is measured on, and their facts are nothing to go by. What they give is in
// bench/runs/2026-11-22-xeon/prose.
//
//go:embed prose.txt
var prose string

// proseUnknown is the largest share of pieces of a line that a vocabulary may not know: one of another language learns
// nothing from it.
const proseUnknown = .25

// proseLines returns the wordpieces of n lines of prose spread over the file, the short ones first; without those that
// have more than longest pieces or that the vocabulary does not know.
func proseLines(vocab *encoder.Vocab, n, longest int) [][]int32 {
	all := strings.Split(strings.TrimSpace(prose), "\n")
	unknown := vocab.Unknown()
	var lines [][]int32
	for k := range n {
		ids := vocab.Encode(nil, all[k*len(all)/n])
		missing := 0
		for _, id := range ids {
			if id == unknown {
				missing++
			}
		}
		if len(ids) > 0 && len(ids) <= longest && float64(missing) <= proseUnknown*float64(len(ids)) {
			lines = append(lines, ids)
		}
	}
	slices.SortStableFunc(lines, func(a, b []int32) int { return cmp.Compare(len(a), len(b)) })
	return lines
}
