package index

import "math"

// Weights are the constants of the ranking, and the calibration of scores, that the artifact was made for, FORMAT.md
// §10.1. A weight that an artifact lacks is not a number. A build puts those of compiler/weights.go there;
// what decides answers has weights of its own: runtime/answer/weights.go.
type Weights struct {
	// BM25, in the field of chunks.
	K1    float64 `json:"k1"`
	B     float64 `json:"b"`
	Title float64 `json:"title"` // of an occurrence in the document's title
	Path  float64 `json:"path"`  // of an occurrence in the section's headings

	// The weights of BM25 and of adjacent words, where a cosine counts 1.
	Lexical float64 `json:"lexical"`
	Pairs   float64 `json:"pairs"`

	// The weights of a document's best section, of its three best, and of the other signals.
	Best       float64 `json:"best"`
	Top3       float64 `json:"top3"`
	Anchor     float64 `json:"anchor"`
	Heading    float64 `json:"heading"`     // of a section whose heading says what the query says
	TitleMatch float64 `json:"title_match"` // of a document whose title does
	File       float64 `json:"file"`

	// What an occurrence counts that is not the query's own word as it stands.
	Whole        float64 `json:"whole"`         // of an identifier beside its parts
	Typo         float64 `json:"typo"`          // of a word that an unknown one may be a misspelling of
	OtherAccents float64 `json:"other_accents"` // of one with other accents than the query's word, which has some
	PlainAccents float64 `json:"plain_accents"` // of one with accents where the query's word has none
	Grammar      float64 `json:"grammar"`       // of a pair of characters that is probably grammar

	// What stands in place of Lexical: LexicalOnly where the encoder does not know the query, LexicalText where the
	// encoder does not know the language of most documents or the query is translated.
	LexicalOnly float64 `json:"lexical_only"`
	LexicalText float64 `json:"lexical_text"`

	Stale float64 `json:"stale"` // what a document that is no longer in force loses of its raw score
	Aside float64 `json:"aside"` // what an aside loses of it, see Aside
	Near  float64 `json:"near"`  // the least cosine of a chunk that is near in meaning
	// Many is the number of documents from which on it no longer matters to a score, see Calibration.
	Many        float64       `json:"many"`
	Calibration []Calibration `json:"calibration"`
}

// Calibration turns a raw score of a mode into 0-1: logistic(A·raw + B), and of n documents, fewer than Many,
// logistic(A·raw + B + C·ln(Many / n)).
type Calibration struct {
	Mode string  `json:"mode"`
	A    float64 `json:"a"`
	B    float64 `json:"b"`
	C    float64 `json:"c"`
}

// Weight is one constant of the ranking.
type Weight struct {
	Name  string // in the file
	Value *float64
}

// Table lists all weights but the calibration, in the order of the file. Values point into w.
func (w *Weights) Table() []Weight {
	return []Weight{
		{"k1", &w.K1}, {"b", &w.B}, {"title", &w.Title}, {"path", &w.Path}, {"lexical", &w.Lexical},
		{"pairs", &w.Pairs}, {"best", &w.Best}, {"top3", &w.Top3},
		{"anchor", &w.Anchor},
		{"heading", &w.Heading}, {"title_match", &w.TitleMatch}, {"file", &w.File}, {"whole", &w.Whole},
		{"typo", &w.Typo},
		{"other_accents", &w.OtherAccents}, {"plain_accents", &w.PlainAccents}, {"grammar", &w.Grammar},
		{"lexical_only", &w.LexicalOnly},
		{"lexical_text", &w.LexicalText}, {"stale", &w.Stale}, {"aside", &w.Aside}, {"near", &w.Near}, {"many", &w.Many},
	}
}

// noWeights returns weights of which none is known: JSON that is read into them leaves those that it lacks.
func noWeights() (w Weights) {
	for _, one := range w.Table() {
		*one.Value = math.NaN()
	}
	return w
}
