package wire

import (
	"net/url"
	"slices"
	"strings"
)

// The values of detail. Without one, an answer has every field but the places of the query's words.
const (
	DetailBrief = "brief" // nothing is said twice
	DetailFull  = "full"  // the places of the query's words in snippets too
)

// ShowBrief makes the JSON of hits brief.
func ShowBrief(hits []Hit) {
	for i := range hits {
		hits[i].Brief = true
	}
}

// shown returns what is encoded of v: of a brief answer a copy without what its reader has no need of.
func shown(v any) any {
	switch v := v.(type) {
	case *SearchResponse:
		if v.Brief {
			brief := *v
			brief.Query, brief.Results = "", briefHits(v.Results)
			return &brief
		}
	case *SimilarResponse:
		if v.Brief {
			brief := *v
			brief.Results = briefHits(v.Results)
			return &brief
		}
	case *Hit:
		if v.Brief {
			brief := briefHit(*v)
			return &brief
		}
	}
	return v
}

func briefHits(hits []Hit) []Hit {
	brief := make([]Hit, len(hits))
	for i := range hits {
		brief[i] = briefHit(hits[i])
	}
	return brief
}

// briefHit leaves out of a hit what its address says, what its place in the list says, and what only programs use.
func briefHit(h Hit) Hit {
	if u, err := url.Parse(h.URL); err == nil && strings.HasSuffix(u.Path, "/"+h.Path) && u.Fragment == h.Anchor {
		h.Path, h.Anchor = "", ""
	}
	if h.Section == h.Title {
		h.Section = ""
	}
	h.Match = slices.DeleteFunc(slices.Clone(h.Match), func(m string) bool { return m == "lexical" || m == "vector" || m == "neighbour" })
	if len(h.Match) == 0 {
		h.Match = nil
	}
	h.Rank, h.SectionLines, h.Chunk, h.NodeID = 0, [2]int{}, "", ""
	h.Type, h.Kind, h.Domain, h.Version = "", "", "", ""
	return h
}
