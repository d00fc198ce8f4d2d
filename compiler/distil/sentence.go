package distil

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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
// Bodies are cut at line ends, at the sentence marks of East Asian scripts, and after full stops, exclamation and
// question marks with white space behind them. Cost: linear in the bodies, but for a sort of the sentences.
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
		eachSentence(body, func(text string) {
			all = append(all, candidate{hashText(text), Sentence{text, i}})
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
func eachSentence(body string, yield func(text string)) {
	start := 0
	cut := func(end int) {
		text := strings.TrimSpace(body[start:end])
		start = end
		// Bytes bound characters from both sides: most texts are decided without counting.
		if len(text) >= minSentence && len(text) <= maxSentence*utf8.UTFMax {
			if k := utf8.RuneCountInString(text); k >= minSentence && k <= maxSentence {
				yield(text)
			}
		}
	}
	for i := 0; i < len(body); {
		r, size := rune(body[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(body[i:])
		}
		i += size
		switch r {
		case '\n', '\r', '\u2028', '\u2029':
			cut(i)
		case '。', '！', '？', '｡', '．':
			i = skipClosers(body, i)
			cut(i)
		case '.', '!', '?', '…', '؟', '।':
			end := skipClosers(body, i)
			if next, _ := utf8.DecodeRuneInString(body[end:]); unicode.IsSpace(next) {
				i = end
				cut(i)
			}
		}
	}
	cut(len(body))
}

// skipClosers returns the place after brackets and quotation marks that a sentence ends with.
func skipClosers(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !strings.ContainsRune(`"')]}*_»”’」』）】`, r) {
			break
		}
		i += size
	}
	return i
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
