package search

import "kdd/runtime/wire"

// The modes of a search.
const (
	ModeHybrid  = "hybrid"
	ModeLexical = "lexical"
	ModeVector  = "vector"
)

func KnownMode(mode string) bool {
	return mode == ModeHybrid || mode == ModeLexical || mode == ModeVector
}

func BadMode(mode string) error { return wire.BadChoice("mode", mode, "hybrid, lexical or vector") }

func KnownDiversity(d string) bool { return d == "" || d == DiversityOn || d == DiversityOff }

func BadDiversity(d string) error { return wire.BadChoice("diversity", d, "on or off") }

// The values of diversity and sort.
const (
	DiversityOn   = "on"
	DiversityOff  = "off"
	SortRelevance = "relevance"
	SortDate      = "date"
)

// The values of detail.
const (
	DetailBrief = "brief"
	DetailFull  = "full" // the places of the query's words in snippets too
)
