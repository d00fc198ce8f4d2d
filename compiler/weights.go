package compiler

import "kdd/format"

// defaultWeights are the constants of the ranking, stored in every artifact so that a reader scores as its compiler
// meant. K1, B: BM25 (Robertson & Zaragoza 2009); the others are the weights of the absolute sum that package
// runtime/fuse describes, tuned on documentation and abstracts.
func defaultWeights() format.Weights {
	return format.Weights{
		K1: 1.2, B: 0.75, Title: 3, Path: 2,
		Lexical: 1.25, Pairs: 0.5, Best: 0.6, Top3: 0.4, Anchor: 0.4, File: 2, Whole: 0.3, LexicalOnly: 4, Typo: 0.5, Stale: 0.15,
		Calibration: []format.Calibration{
			{Mode: "lexical", A: 0.9, B: -1.3},
			{Mode: "vector", A: 2.16, B: -3.57},
			{Mode: "hybrid", A: 0.87, B: -3.11},
		},
	}
}

// chunkTypes are the types of chunks, by their number in the file.
var chunkTypes = []string{"DEFAULT", "ENTITY", "PROCESS", "RULE", "USE_CASE"}
