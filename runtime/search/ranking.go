package search

import (
	"slices"

	"kdd/format/index"
	"kdd/format/place"
	"kdd/runtime/search/fuse"
	"kdd/runtime/search/lexical"
	"kdd/runtime/search/query"
	"kdd/runtime/wire"
)

// Request is a request to Rank.
type Request struct {
	Text, Mode string
	Operators  bool // the text may have operators
	typed      bool // the words are from the documents: none is corrected or translated
	Filter     *wire.Filter
	Names      NameMode
	Want       int     // how many hits are needed, from the first
	threshold  float64 // of calibrated scores; 0 = none
}

// Result is one hit of one artifact.
type Result struct {
	fuse.Hit
	Index      int             // of the artifact
	Calibrated float64         // calibrated
	class      index.NameClass // of the document's or section's name that the query is; notNamed if it is none
	bonus      float64         // the part of Score for the name

	moved bool            // by Spread, behind hits that come later in the ranking
	note  *wire.Neighbour // it is listed here because it is related with a hit above
}

// Ranking is the result of a search before it is cut and shown.
type Ranking struct {
	ask      *Request
	Hits     []Result // the first ones, as many as were asked for
	more     bool     // there are hits beyond these
	Queries  []*query.Query
	Scored   []*Scores
	Mode     string
	Warnings []string
	arranged bool    // near duplicates are not in Hits
	grouped  bool    // Hits has one of each document
	floor    float64 // the score that a hit needs; 0 = none
}

func (r *Ranking) warn(text string) {
	if text != "" && !slices.Contains(r.Warnings, text) {
		r.Warnings = append(r.Warnings, text)
	}
}

// Release gives the memory of the scores to the next search: none of them may be used any more. Hits, queries and
// vectors stay.
func (r *Ranking) Release() {
	for _, s := range r.Scored {
		s.scorer.Release()
	}
}

// Scores has the scores of one artifact's chunks.
type Scores struct {
	mode    string // as done: hybrid becomes lexical if there is no vector to compare with
	Signals fuse.Signals
	scorer  *lexical.Scorer
	pairs   *lexical.Pairs // Signals.Order; nil if there is none
	Vector  []float32      // of the query; nil if none is compared
	docs    int            // of all artifacts
	scale   float64        // of raw scores before they are calibrated, see fuse.Usual
	names   []place.Match  // what the query names, of the classes that come first
}

// calibrate turns a raw score into one of [0, 1] that compares between queries.
func (s *Scores) calibrate(w *index.Weights, raw float64) float64 {
	return fuse.Calibrate(w, s.mode, raw*s.scale, s.docs)
}
