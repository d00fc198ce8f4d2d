package compiler

import "kdd/format"

// defaultWeights are the constants of the ranking, stored in every artifact so that a reader scores as its compiler
// meant. K1, B: BM25 (Robertson & Zaragoza 2009); the others are the weights of the absolute sum that package
// runtime/fuse describes, tuned on documentation and abstracts.
func defaultWeights() format.Weights {
	return format.Weights{
		K1: 1.2, B: 0.75, Title: 3, Path: 2,
		Lexical: 1.25, Pairs: 0.5, Best: 0.6, Top3: 0.4, Anchor: 0.4, File: 2, Whole: 0.3, LexicalOnly: 4,
		Calibration: []format.Calibration{
			{Mode: "lexical", A: 1.6, B: -2.4},
			{Mode: "vector", A: 3, B: -5},
			{Mode: "hybrid", A: 1.4, B: -3.4},
		},
	}
}

// chunkTypes are the types of chunks, by their number in the file.
var chunkTypes = []string{"DEFAULT", "ENTITY", "PROCESS", "RULE", "USE_CASE"}
