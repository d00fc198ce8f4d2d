package search

import (
	"slices"

	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/names"
	"kdd/runtime/search/fuse"
	"kdd/runtime/search/lexical"
	"kdd/runtime/search/query"
	"kdd/runtime/wire"
)

// Request is what rank is asked.
type Request struct {
	Text, Mode string
	Operators  bool // the text may have them
	typed      bool // its words are what the documents have: none is corrected or translated
	Filter     *wire.Filter
	Names      NameMode
	Want       int     // how many hits are needed, from the first
	threshold  float64 // of calibrated scores; 0 = none
	pieces     bool    // what the transformer makes of each wordpiece of the text is kept
}

// Result is one hit of one artifact.
type Result struct {
	fuse.Hit
	Index      int             // of the artifact
	Calibrated float64         // calibrated
	class      index.NameClass // of the name that the query is to the document or section; notNamed
	bonus      float64         // what Score has gained for that

	note *wire.Neighbour // it stands where it does since it is related with a hit above
}

// Ranking is what a search found, before it is cut and shown.
type Ranking struct {
	ask      *Request
	Hits     []Result // the first ones, as many as were asked for
	total    int      // how many there are
	Queries  []*query.Query
	Scored   []*Scores
	Mode     string
	Warnings []string
	arranged bool // hits are what the reader is to see: near duplicates have left the list
}

func (r *Ranking) warn(text string) {
	if text != "" && !slices.Contains(r.Warnings, text) {
		r.Warnings = append(r.Warnings, text)
	}
}

// Scores is what one artifact's chunks got.
type Scores struct {
	mode    string // what was really done: hybrid becomes lexical where there is no vector to compare with
	Signals fuse.Signals
	scorer  *lexical.Scorer
	Vector  []float32       // of the query; nil if none is compared
	Pieces  artifact.Pieces // of the query; none where they are not wanted, too many, or the encoder is no transformer
	docs    int             // of all artifacts
	scale   float64         // of raw scores before they are calibrated, see fuse.Usual
	names   []names.Match   // what the query names, of the classes that come first
}

// calibrate turns a raw score into [0, 1].
func (s *Scores) calibrate(w *index.Weights, raw float64) float64 {
	return fuse.Calibrate(w, s.mode, raw*s.scale, s.docs)
}
