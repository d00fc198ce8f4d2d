package compiler

import (
	"math"

	"kdd/compiler/distil"
)

// documentPieces is how many pieces a document of general text has.
const documentPieces = 150

// shares returns the share of documents of general text that hold each piece: from the scores of a Unigram vocabulary,
// which are logarithms of probabilities, else guessed from the order of the pieces.
func (e *embedder) shares() []float32 {
	if _, scored := e.vocab.Score(0); !scored {
		return distil.RankShares(e.vocab.Size(), e.vocab.Find)
	}
	shares := make([]float32, e.vocab.Size())
	for id := range shares {
		// Control tokens have the score 0.
		if s, _ := e.vocab.Score(int32(id)); s < 0 {
			shares[id] = float32(1 - math.Pow(1-math.Exp(s), documentPieces))
		}
	}
	return shares
}
