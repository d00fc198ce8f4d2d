package distil

import (
	"fmt"

	"kdd/format/encoder"
)

// Options are the constants of the recipe. What others than the defaults give is in
// bench/runs/2026-11-21-distil: ranking by vectors
// alone, and the mean cosine between the table's and the document encoder's vectors of queries.
type Options struct {
	// SentenceCount is how many sentences are learned from. Half as many lose .015 to .03 of the cosine on large
	// corpora; none at all .03 to .09.
	SentenceCount int
	// TeacherShare of a sentence's target is its own vector, the rest that of its chunk: a query looks for the chunk.
	TeacherShare float32
	// PseudoChunks are added to the corpus when wordpieces are weighed, with Input.Shares as their contents: in a
	// corpus of few documents a frequent word would else weigh as much as a rare one. Without Shares they are not used.
	PseudoChunks float64
	// MinWeight is the least weight of a wordpiece.
	MinWeight float64
	// PairCount is how many pairs have a row, the most frequent ones; PairMin how often one must occur.
	PairCount, PairMin int
	// StopShare is the share of the chunks from which on a wordpiece is a stop word; a pair of two has no row.
	StopShare float64
	// PairWeight is the weight of a pair, in median weights of the corpus's wordpieces.
	PairWeight float64
	// Steps of Chebyshev's iteration. 20 or 30 are within .002 of the nDCG@10 that 24 give, 12 lose up to .01 of it.
	Steps int
	// SeenForm and PairForm are how rows are stored: of the wordpieces that the texts hold, and of pairs. Int8 instead
	// of int4 gains .003 of the cosine for 180 bytes a row.
	SeenForm, PairForm encoder.RowForm
	// UnseenForm is how rows of other wordpieces are stored, 0 for not at all; UnseenCount how many of them there are
	// at most, those that are most common by Shares, and none that Shares says never occur. Without them the cosine
	// falls by .03 where a fifth of the queries' wordpieces is unseen. Signs lose .016 of it against int8, an eighth of
	// whose size they have.
	UnseenForm  encoder.RowForm
	UnseenCount int
	// UnseenScale is what the priors of unseen wordpieces are multiplied with: a word says less among others than
	// alone.
	UnseenScale float32
}

// Defaults returns the options that a build uses.
func Defaults() Options {
	return Options{
		SentenceCount: 10_000, TeacherShare: .75, PseudoChunks: 10_000, MinWeight: .05,
		PairCount: 2000, PairMin: 3, StopShare: .2, PairWeight: .5, Steps: 24,
		SeenForm: encoder.FormInt4, PairForm: encoder.FormInt4, UnseenForm: encoder.FormSigns, UnseenCount: 14_000, UnseenScale: .7,
	}
}

// check reports options that make no sense.
func (o *Options) check() error {
	switch {
	case o.SentenceCount < 0 || o.PairCount < 0 || o.Steps < 0:
		return fmt.Errorf("options: %d sentences, %d pairs, %d steps, want none below 0", o.SentenceCount, o.PairCount, o.Steps)
	case !(o.TeacherShare >= 0 && o.TeacherShare <= 1):
		return fmt.Errorf("options: a teacher's share of %g, want 0 to 1", o.TeacherShare)
	case !(o.PseudoChunks >= 0) || !(o.MinWeight > 0) || !(o.StopShare >= 0) || !(o.PairWeight > 0):
		return fmt.Errorf("options: %g pseudo-chunks, least weight %g, stop share %g, pair weight %g, want none below 0 and weights above",
			o.PseudoChunks, o.MinWeight, o.StopShare, o.PairWeight)
	case o.SeenForm < encoder.FormInt8 || o.SeenForm > encoder.FormSigns || o.PairForm < encoder.FormInt8 || o.PairForm > encoder.FormSigns:
		return fmt.Errorf("options: forms %d and %d of seen rows and pairs, want 1 to 3", o.SeenForm, o.PairForm)
	case o.UnseenForm > encoder.FormSigns || o.UnseenCount < 0 || !(o.UnseenScale >= 0):
		return fmt.Errorf("options: form %d, count %d and scale %g of unseen rows, want form 0 to 3 and none below 0",
			o.UnseenForm, o.UnseenCount, o.UnseenScale)
	}
	return nil
}
