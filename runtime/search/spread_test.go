package search

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kdd/format/index"
	"kdd/runtime/search/fuse"
	"kdd/runtime/wire"
)

// hit is one that no query names.
func hit(d index.DocID, s index.SectionID, score float64) Result {
	return Result{Hit: fuse.Hit{Doc: d, Section: s}, Calibrated: score, class: notNamed}
}

// spreadNaively is the reference of Spread: it sorts by what scores count.
func spreadNaively(hits []Result) []Result {
	above := map[index.DocID]int{}
	counts := map[index.SectionID]float64{}
	for _, h := range hits {
		counts[h.Section] = h.Calibrated * math.Pow(.97, float64(above[h.Doc]))
		above[h.Doc]++
	}
	list := slices.Clone(hits)
	slices.SortStableFunc(list, func(a, b Result) int { return cmp.Compare(counts[b.Section], counts[a.Section]) })
	return list
}

// hitsOf turns "A.8 B.7" into hits that no query names, of documents A and B, numbered as sections.
func hitsOf(text string) []Result {
	var hits []Result
	for i, word := range strings.Fields(text) {
		score, _ := strconv.ParseFloat(word[1:], 64)
		hits = append(hits, hit(index.DocID(word[0]), index.SectionID(i), score))
	}
	return hits
}

// sectionsOf lists the sections of hits.
func sectionsOf(hits []Result) string {
	var places []string
	for _, h := range hits {
		places = append(places, fmt.Sprint(h.Section))
	}
	return strings.Join(places, " ")
}

func TestSpread(t *testing.T) {
	for _, tt := range []struct {
		hits, want, settled string // as positions; settled are those whose place no further hit changes
	}{
		{"", "", ""},
		{"A.9", "0", ""},
		{"A.9 B.9", "0 1", "0"},
		{"A.9 A.8 A.7 A.6", "0 1 2 3", "0 1 2"},                  // one document: its order
		{"A.9 A.89 B.87", "0 2 1", "0"},                          // the second counts .8633
		{"A.9 A.89 B.86", "0 1 2", "0 1"},                        // B is not comparable
		{"A.9 A.9 A.9 A.9 B.83 C.7", "0 1 2 4 3 5", "0 1 2 4 3"}, // the fourth counts .8214
		{"A.9 A.9 A.9 A.9 A.9 B.83 C.8 D.7", "0 1 2 5 3 6 4 7", "0 1 2 5 3 6 4"},
		{"A.9 B.9 A.9 B.9 C.9", "0 1 4 2 3", "0 1"},
		{"A0 A0 B0", "0 1 2", "0 1"},
	} {
		hits := hitsOf(tt.hits)
		if got := sectionsOf(Spread(hits, true)); got != tt.want {
			t.Errorf("Spread(%s) = %s, want %s", tt.hits, got, tt.want)
		}
		if got := sectionsOf(Spread(hits, false)); got != tt.settled {
			t.Errorf("Spread(%s) without the end = %s, want %s", tt.hits, got, tt.settled)
		}
	}
}

// Spread agrees with the reference, has the beginning of the whole list from the beginning of the hits, and lets no
// document have a fourth hit before each document of comparable score has one.
func TestSpreadAgainstReference(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		hits := make([]Result, random.IntN(60))
		score := 1.0
		documents := 1 + random.IntN(12)
		for i := range hits {
			score *= 1 - random.Float64()*[]float64{0, .01, .1}[random.IntN(3)]
			hits[i] = hit(index.DocID(random.IntN(documents)), index.SectionID(i), score)
		}
		whole := Spread(hits, true)
		if got, want := sectionsOf(whole), sectionsOf(spreadNaively(hits)); got != want {
			t.Fatalf("Spread = %s, want %s", got, want)
		}
		cut := random.IntN(len(hits) + 1)
		if part := sectionsOf(Spread(hits[:cut], false)); !strings.HasPrefix(sectionsOf(whole), part) {
			t.Fatalf("of the first %d: %s, which does not begin %s", cut, part, sectionsOf(whole))
		}
		above, best := map[index.DocID]int{}, map[index.DocID]float64{}
		for _, h := range hits {
			best[h.Doc] = max(best[h.Doc], h.Calibrated)
		}
		for _, h := range whole {
			if above[h.Doc]++; above[h.Doc] < 4 {
				continue
			}
			for d, score := range best {
				if above[d] == 0 && score > .913*h.Calibrated {
					t.Fatalf("document %d has a fourth hit before document %d with a comparable score has one: %s", h.Doc, d, sectionsOf(whole))
				}
			}
		}
	}
}

// Hits that the query names stay where they are, neighbours below their hit; what was passed is told.
func TestSpreadKeepsNamesAndNeighbours(t *testing.T) {
	hits := hitsOf("A.2 A.9 A.89 N.1 B.88 C.5")
	hits[0].class, hits[3].note = index.TitleName, &wire.Neighbour{}
	got := Spread(hits, true)
	if sectionsOf(got) != "0 4 1 2 3 5" {
		t.Errorf("Spread = %s, want the named one first and the neighbour below its hit", sectionsOf(got))
	}
	for i, moved := range []bool{false, false, true, true, false, false} {
		if got[i].moved != moved {
			t.Errorf("hit %d: moved %v, want %v", got[i].Section, got[i].moved, moved)
		}
	}
}
