package distil

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"kdd/format/text"
)

// Sentence is a sentence of a chunk's body.
type Sentence struct {
	Text  string
	Chunk int // the first chunk that holds it
}

// Lengths of a sentence, in characters. Shorter ones say too little, longer ones are unlike a query.
const (
	minSentence = 16
	maxSentence = 219
)

// Sentences returns n distinct sentences of the bodies, or all there are, in the order of their hashes. Those with the
// smallest hashes are chosen, so an edit changes few of them.
//
// Bodies are cut by text.CoarseSentences. Cost: linear in the bodies, but for a sort of the sentences.
func Sentences(bodies []string, n int) []Sentence {
	if n <= 0 {
		return nil
	}
	type candidate struct {
		hash uint64
		Sentence
	}
	var all []candidate
	for i, body := range bodies {
		eachSentence(body, func(sentence string) {
			all = append(all, candidate{hashText(sentence), Sentence{sentence, i}})
		})
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.hash, b.hash), cmp.Compare(a.Text, b.Text), a.Chunk-b.Chunk)
	})
	all = slices.CompactFunc(all, func(a, b candidate) bool { return a.hash == b.hash && a.Text == b.Text })
	out := make([]Sentence, min(n, len(all)))
	for i := range out {
		out[i] = all[i].Sentence
		out[i].Text = strings.Clone(out[i].Text)
	}
	return out
}

// eachSentence calls yield with the sentences of a body that have the right length.
func eachSentence(body string, yield func(sentence string)) {
	for start := 0; start < len(body); {
		end := text.CoarseSentences.End(body, start)
		sentence := strings.TrimSpace(body[start:end])
		start = end
		// Bytes bound characters from both sides: most texts are decided without counting.
		if len(sentence) >= minSentence && len(sentence) <= maxSentence*utf8.UTFMax {
			if k := utf8.RuneCountInString(sentence); k >= minSentence && k <= maxSentence {
				yield(sentence)
			}
		}
	}
}

// hashText is FNV-1a in 64 bits, and a mix of its bits so that texts with one end do not come together.
func hashText(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := 0; i < len(s); i++ {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	h ^= h >> 32
	h *= 0xd6e8feb86659fd93
	return h ^ h>>32
}
