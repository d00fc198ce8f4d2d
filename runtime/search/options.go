package search

import "kdd/runtime/wire"

// The modes of a search.
const (
	ModeHybrid  = "hybrid"
	ModeLexical = "lexical"
	ModeVector  = "vector"
)

// CheckMode returns an error unless mode is one of the modes of a search.
func CheckMode(mode string) error {
	if mode == ModeHybrid || mode == ModeLexical || mode == ModeVector {
		return nil
	}
	return wire.BadChoice("mode", mode, "hybrid, lexical or vector")
}

// CheckDiversity returns an error unless d is a value of diversity or "".
func CheckDiversity(d string) error {
	if d == "" || d == DiversityOn || d == DiversityOff {
		return nil
	}
	return wire.BadChoice("diversity", d, "on or off")
}

// checkGroup returns an error unless g is what a hit can be, or "".
func checkGroup(g string) error {
	if g == "" || g == GroupSection || g == GroupDocument {
		return nil
	}
	return wire.BadChoice("group", g, "section or document")
}

// The values of diversity, group and sort.
const (
	DiversityOn   = "on"
	DiversityOff  = "off"
	GroupSection  = "section"
	GroupDocument = "document"
	SortRelevance = "relevance"
	SortDate      = "date"
)
