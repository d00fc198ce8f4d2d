package compiler

import (
	"kdd/format/index"
)

// defaultWeights are the constants of the ranking, stored in every artifact so that a reader scores as its compiler
// meant. What each is: format/index/weights.go. K1, B: BM25 (Robertson & Zaragoza 2009); the others are the weights of
// the absolute sum that package runtime/search/fuse describes.
//
// Lexical, Pairs, File, Heading, Anchor and TitleMatch are learnt over the thirteen sources of
// testdata/relevance/sources; bench/runs/2026-11-26-epyc/sources has what they give on a source that was left out, and
// what each signal does. K1 and B are those of bench/runs/2026-11-22-xeon/tuning. "bench/fit tuning" measures other
// values; a new one goes here, with its run. What decides answers has weights of its own: runtime/answer/weights.go.
func defaultWeights() index.Weights {
	return index.Weights{
		K1: 0.9, B: 0.6, Title: 3, Path: 2,
		Lexical: 0.8, Pairs: 0.8, Best: 0.6, Top3: 0.4, Anchor: 0.6, Heading: 0.6, TitleMatch: 0.3, File: 1,
		Whole: 0.3, LexicalOnly: 4, LexicalText: 2, Typo: 0.5, Stale: 0.15, Aside: 0.15, Near: 0.3, Many: 200,
		// Who types accents means them: résumé is not resume, bạn not bán. Who types none may just have left them out.
		OtherAccents: 0.6, PlainAccents: 0.95,
		// Enough to tell two texts apart that are alike otherwise: pairs across a noun and its particle are rare, so by
		// their idf alone they would outweigh the noun.
		Grammar:     0.3,
		Calibration: calibration(EncoderNone),
	}
}

// calibration turns raw scores into the probability that the first hit is relevant: logistic regression on half of the
// questions of the thirteen sources of testdata/relevance/sources, by mode and by what embeds the query; bench/fit
// calibration fits it, and measures the error on the other half. To the fit by words alone points without evidence were
// added, which the questions, all answerable, do not have. C is fitted to corpora of 6 to 20 of the same documents, with
// one point in ten of questions that these do not answer; Many is what the smallest of the whole corpora has. The last
// run: bench/runs/2026-11-26-epyc/sources.
func calibration(encoder string) []index.Calibration {
	hybrid, vector := index.Calibration{A: 1.72, B: -2.16, C: 0.67}, index.Calibration{A: 2.02, B: -1.73, C: 0.93}
	if encoder == EncoderExact {
		hybrid, vector = index.Calibration{A: 1.53, B: -1.49, C: 0.50}, index.Calibration{A: 1.60, B: -1.27, C: 0.81}
	}
	hybrid.Mode, vector.Mode = "hybrid", "vector"
	return []index.Calibration{{Mode: "lexical", A: 3.05, B: -1.63, C: 0.37}, vector, hybrid}
}

// chunkTypes are the types of chunks, by their number in the file.
var chunkTypes = []string{"DEFAULT", "ENTITY", "PROCESS", "RULE", "USE_CASE"}
