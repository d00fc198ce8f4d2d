package distil

import (
	"math"
	"strings"
)

// Constants of RankShares: the frequency of a word of rank r is zipfScale/(r + zipfShift) (Mandelbrot 1953), which
// gives "the" its 5 % of English text; a document of general text has documentWords words.
const (
	zipfScale     = .08
	zipfShift     = 1.7
	documentWords = 100
)

// markShares are the shares of what stands before the words in such a vocabulary and has no rank: marks that most texts
// hold, and other ASCII characters.
const (
	commonMarks = ".,-'():?/\""
	commonShare = .5
	otherShare  = .1
)

// orderWords are English words of falling frequency, far apart.
var orderWords = []string{"the", "people", "language", "restaurant", "crab"}

// RankShares returns Input.Shares for vocabularies that list their pieces by falling frequency, as those of BERT do:
// the share of documents of general text that hold a piece, guessed from its rank by Zipf's law. It returns nil for
// other vocabularies, which are told by the order of a few English words. find gives the id of a piece.
//
// Why: a corpus of a hundred chunks cannot tell a rare word from a common one that it happens not to hold, and short
// texts of one subject hardly use some of the commonest. With these shares the table's vectors of questions come nearer
// to the encoder's by .05 to .09 in the cosine on corpora of a dozen pages, and by .01 to .03 on larger ones
// (bench/runs/2026-11-21-distil). Rankings that words and vectors make together change by less than can be told from
// noise.
func RankShares(pieces int, find func(piece string) (id int32, ok bool)) []float32 {
	first, last := 0, -1
	for i, word := range orderWords {
		id, ok := find(word)
		if !ok || int(id) <= last || int(id) >= pieces {
			return nil
		}
		if last = int(id); i == 0 {
			first = last
		}
	}
	shares := make([]float32, pieces)
	for id := first; id < pieces; id++ {
		frequency := zipfScale / (float64(id-first) + zipfShift)
		shares[id] = float32(1 - math.Pow(1-frequency, documentWords))
	}
	for c := byte('!'); c <= '~'; c++ {
		id, ok := find(string(c))
		if !ok || int(id) >= first {
			continue
		}
		if shares[id] = otherShare; strings.IndexByte(commonMarks, c) >= 0 {
			shares[id] = commonShare
		}
	}
	return shares
}
