package compiler

import (
	"kdd/format/index"
)

// defaultWeights are the constants of the ranking, stored in every artifact so that a reader scores as its compiler
// meant. What each is: format/index/weights.go. K1, B: BM25 (Robertson & Zaragoza 2009); the others are the weights of
// the absolute sum that package runtime/search/fuse describes.
//
// K1, B, Heading and OwnLexical are those of bench/runs/2026-11-22-xeon/tuning, on questions as people ask them of
// eight corpora. The run tried other values of Lexical, Rarity, Pairs, Best, Top3, Anchor, TitleMatch, File and Path
// too, which stay as tuned on documentation and abstracts before; of the rest it says nothing. "bench/fit tuning"
// measures other values; a new one goes here, with its run. What decides answers has weights of its own:
// runtime/answer/weights.go.
func defaultWeights() index.Weights {
	return index.Weights{
		K1: 0.9, B: 0.6, Title: 3, Path: 2,
		Lexical: 0.5, OwnLexical: 1.3, Rarity: 2, Pairs: 0.6, Best: 0.6, Top3: 0.4, Anchor: 0.4,
		Heading: 0.8, TitleMatch: 0.25, File: 2,
		Whole: 0.3, LexicalOnly: 4, LexicalText: 2, Typo: 0.5, Stale: 0.15, Aside: 0.15, UsualRarity: 0.35, Near: 0.3, Many: 200,
		// Who types accents means them: résumé is not resume, bạn not bán. Who types none may just have left them out.
		OtherAccents: 0.6, PlainAccents: 0.95,
		// Enough to tell two texts apart that are alike otherwise: pairs across a noun and its particle are rare, so by
		// their idf alone they would outweigh the noun.
		Grammar:     0.3,
		Calibration: calibration(EncoderNone),
	}
}

// encoderWeights sets the constants that depend on what embeds the query. Beside the transformer's cosines BM25 has one
// weight for all queries: that is as good as the rule of rarity on documentation and abstracts, and simpler. More of it
// in a section's own score would be better by section still, but hybrid search is not to be below vectors alone on any
// set.
func encoderWeights(w *index.Weights, encoder string) {
	if encoder == EncoderExact {
		w.LexicalBeside, w.OwnLexical = 0.4, 1.2
	}
	w.Calibration = calibration(encoder)
}

// calibration turns raw scores into the probability that the first hit is relevant: logistic regression on half of the
// questions of documentation and of abstracts, by mode and by what embeds the query; bench/fit calibration fits it, and
// measures the error on the other half. To the fit by words alone points without evidence were added, which the
// questions, all answerable, do not have. C is fitted to corpora of 6 to 20 of the same documents, with one point in
// ten of questions that these do not answer; Many is what the smallest of the whole corpora has. The last run:
// bench/runs/2026-11-22-xeon/calibration.
func calibration(encoder string) []index.Calibration {
	hybrid, vector := index.Calibration{A: 1.04, B: -2.68, C: 0.37}, index.Calibration{A: 2.62, B: -4.75, C: 0.65}
	if encoder == EncoderExact {
		hybrid, vector = index.Calibration{A: 0.82, B: -1.63, C: 0.31}, index.Calibration{A: 1.72, B: -3.07, C: 0.45}
	}
	hybrid.Mode, vector.Mode = "hybrid", "vector"
	return []index.Calibration{{Mode: "lexical", A: 0.89, B: -0.78, C: 0.16}, vector, hybrid}
}

// chunkTypes are the types of chunks, by their number in the file.
var chunkTypes = []string{"DEFAULT", "ENTITY", "PROCESS", "RULE", "USE_CASE"}
