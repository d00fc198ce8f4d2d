package index

import "math"

// Weights are the constants of the ranking, and the calibration of scores, that the artifact was made for, FORMAT.md §10.1.
// A weight that an artifact lacks is not a number.
type Weights struct {
	K1            float64       `json:"k1"`
	B             float64       `json:"b"`
	Title         float64       `json:"title"`
	Path          float64       `json:"path"`
	Lexical       float64       `json:"lexical"`
	OwnLexical    float64       `json:"own_lexical"` // times that, of BM25 in a section's own score
	Pairs         float64       `json:"pairs"`
	Best          float64       `json:"best"`
	Top3          float64       `json:"top3"`
	Anchor        float64       `json:"anchor"`
	Heading       float64       `json:"heading"`     // of headings that say what the query says, a section's
	TitleMatch    float64       `json:"title_match"` // of a title that does, a document's
	File          float64       `json:"file"`
	Whole         float64       `json:"whole"`          // of an identifier beside its parts
	Typo          float64       `json:"typo"`           // of an occurrence of a word that an unknown one may be a misspelling of
	OtherAccents  float64       `json:"other_accents"`  // of one that has other accents than the query's, which has some
	PlainAccents  float64       `json:"plain_accents"`  // of one that has accents where the query has none
	Grammar       float64       `json:"grammar"`        // of a pair of characters that is rather grammar than subject
	Rarity        float64       `json:"rarity"`         // how much Lexical grows where the query's words are rare, see fuse.LexicalWeight
	UsualRarity   float64       `json:"usual_rarity"`   // where it does not
	LexicalBeside float64       `json:"lexical_beside"` // instead of Lexical where cosines count too, for every query; 0 = Lexical there too
	LexicalOnly   float64       `json:"lexical_only"`   // instead of Lexical where the encoder does not know the query
	LexicalText   float64       `json:"lexical_text"`   // instead of Lexical, where that is less, where the encoder does not know the language of most documents, or the query is translated
	Stale         float64       `json:"stale"`          // what a document that is no longer in force loses of its raw score
	Near          float64       `json:"near"`           // the cosine from which on a chunk is near in meaning
	Many          float64       `json:"many"`           // documents from which on their number says nothing of a score, see Calibration
	Calibration   []Calibration `json:"calibration"`
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
		{"k1", &w.K1}, {"b", &w.B}, {"title", &w.Title}, {"path", &w.Path}, {"lexical", &w.Lexical}, {"own_lexical", &w.OwnLexical}, {"pairs", &w.Pairs}, {"best", &w.Best}, {"top3", &w.Top3},
		{"anchor", &w.Anchor}, {"heading", &w.Heading}, {"title_match", &w.TitleMatch}, {"file", &w.File}, {"whole", &w.Whole}, {"typo", &w.Typo},
		{"other_accents", &w.OtherAccents}, {"plain_accents", &w.PlainAccents}, {"grammar", &w.Grammar}, {"rarity", &w.Rarity}, {"usual_rarity", &w.UsualRarity},
		{"lexical_beside", &w.LexicalBeside}, {"lexical_only", &w.LexicalOnly}, {"lexical_text", &w.LexicalText}, {"stale", &w.Stale}, {"near", &w.Near}, {"many", &w.Many},
	}
}

// noWeights returns weights of which none is known: JSON that is read into them leaves those that it lacks.
func noWeights() (w Weights) {
	for _, one := range w.Table() {
		*one.Value = math.NaN()
	}
	return w
}
