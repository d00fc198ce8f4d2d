package walk

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// shownRelated is a neighbourhood in one line for each neighbour: "distance > type name".
func (m *made) shownRelated(list []Neighbour) string {
	var b strings.Builder
	for _, n := range list {
		arrow := "<"
		if n.Out {
			arrow = ">"
		}
		kind, _ := m.EdgeType(n.Edge)
		fmt.Fprintf(&b, "%d %s %s %s\n", n.Distance, arrow, kind.Name, m.names[n.Node])
	}
	return b.String()
}

func TestRelated(t *testing.T) {
	chain := []string{"A DEPENDS_ON B", "B DEPENDS_ON C", "C DEPENDS_ON D", "D DEPENDS_ON A", "A MENTIONS C", "A WIKI_LINK A"}
	sections := []string{"A CONTAINS A#s", "A CONTAINS A#t", "A#s WIKI_LINK B", "B#x IMPLEMENTS A#t", "B CONTAINS B#x", "A#s WIKI_LINK A#t", "C WIKI_LINK B#x"}
	tests := []struct {
		name  string
		lines []string
		start string
		o     Options
		want  string
	}{
		{"one step, both ways", chain, "A", Options{Depth: 1, Out: true, In: true}, "1 > DEPENDS_ON B\n1 < DEPENDS_ON D\n1 > MENTIONS C\n"},
		{"out", chain, "A", Options{Depth: 1, Out: true}, "1 > DEPENDS_ON B\n1 > MENTIONS C\n"},
		{"in", chain, "A", Options{Depth: 1, In: true}, "1 < DEPENDS_ON D\n"},
		{"a cycle ends", chain, "A", Options{Depth: 3, Out: true}, "1 > DEPENDS_ON B\n1 > MENTIONS C\n2 > DEPENDS_ON D\n"},
		{"by type", chain, "A", Options{Depth: 3, Out: true, In: true, Types: []string{"MENTIONS"}}, "1 > MENTIONS C\n"},
		{"no such edges", chain, "A", Options{Depth: 3, Out: true, In: true, Types: []string{"EMITS"}}, ""},
		{"violations are left out", []string{"A -DEPENDS_ON B", "A EMITS C"}, "A", Options{Depth: 1, Out: true}, "1 > EMITS C\n"},
		{"violations of an asked type", []string{"A -DEPENDS_ON B"}, "A", Options{Depth: 1, Out: true, Types: []string{"DEPENDS_ON"}}, "1 > DEPENDS_ON B\n"},
		{"violations if wanted", []string{"A -DEPENDS_ON B"}, "A", Options{Depth: 1, Out: true, Violations: true}, "1 > DEPENDS_ON B\n"},
		{"a document stands for its sections", sections, "A", Options{Depth: 1, Out: true, In: true}, "1 < IMPLEMENTS B#x\n1 > WIKI_LINK B\n1 > CONTAINS A#s\n1 > CONTAINS A#t\n"},
		{"a section for itself", sections, "A#t", Options{Depth: 1, Out: true, In: true}, "1 < IMPLEMENTS B#x\n1 < WIKI_LINK A#s\n1 < CONTAINS A\n"},
		{"containment beyond one step", sections, "B", Options{Depth: 2, Out: true, In: true}, "1 > IMPLEMENTS A#t\n1 < WIKI_LINK A#s\n1 < WIKI_LINK C\n1 > CONTAINS B#x\n"},
		{"parallel edges once by type", []string{"A EMITS B", "A EMITS B", "A CONSUMES B", "B EMITS A"}, "A", Options{Depth: 2, Out: true, In: true}, "1 > EMITS B\n1 > CONSUMES B\n1 < EMITS B\n"},
		{"alone", []string{"A"}, "A", Options{Depth: 3, Out: true, In: true}, ""},
		{"nothing of depth 0", chain, "A", Options{Out: true, In: true}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := build(t, tt.lines...)
			list, cut, err := Related(t.Context(), m.Index, m.nodes[tt.start], tt.o)
			got := strings.Split(m.shownRelated(list), "\n")
			want := strings.Split(tt.want, "\n")
			if err != nil || cut || len(got) != len(want) {
				t.Fatalf("Related = %v, %v\n%s\nwant\n%s", cut, err, strings.Join(got, "\n"), tt.want)
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("Related gives\n%s\nwant\n%s", m.shownRelated(list), tt.want)
			}
			for i := 1; i < len(list); i++ {
				a, _ := m.EdgeType(list[i-1].Edge)
				b, _ := m.EdgeType(list[i].Edge)
				if list[i-1].Distance > list[i].Distance || list[i-1].Distance == list[i].Distance && a.Weight < b.Weight {
					t.Errorf("not by distance and weight:\n%s", m.shownRelated(list))
				}
			}
		})
	}
}

// TestRelatedDistances compares distances with a plain breadth-first walk over random graphs of documents.
func TestRelatedDistances(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 2 + r.IntN(15)
		var lines []string
		next := map[string][]string{}
		for range r.IntN(40) {
			a, b := fmt.Sprintf("D%02d", r.IntN(n)), fmt.Sprintf("D%02d", r.IntN(n))
			lines = append(lines, a+" "+[]string{"DEPENDS_ON", "MENTIONS", "EMITS"}[r.IntN(3)]+" "+b)
			next[a], next[b] = append(next[a], b), append(next[b], a)
		}
		lines = append(lines, "D00")
		m := build(t, lines...)
		want := map[string]int{"D00": 0}
		for frontier, d := []string{"D00"}, 1; d <= 3; d++ {
			var further []string
			for _, a := range frontier {
				for _, b := range next[a] {
					if _, ok := want[b]; !ok {
						want[b] = d
						further = append(further, b)
					}
				}
			}
			frontier = further
		}
		list, _, err := Related(t.Context(), m.Index, m.nodes["D00"], Options{Depth: 3, Out: true, In: true})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]int{"D00": 0}
		for _, x := range list {
			name := m.names[x.Node]
			if d, ok := got[name]; ok && d != x.Distance || name == "D00" {
				t.Fatalf("seed %d: %s at distances %d and %d", seed, name, d, x.Distance)
			}
			got[name] = x.Distance
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("seed %d: distances %v, want %v", seed, got, want)
		}
	}
}

// TestRelatedHub walks around a document that 20,000 others point at, and around one of those.
func TestRelatedHub(t *testing.T) {
	const spokes = 20_000
	lines := make([]string, 0, 2*spokes)
	for i := range spokes {
		lines = append(lines, fmt.Sprintf("S%05d DEPENDS_ON HUB", i), fmt.Sprintf("S%05d MENTIONS S%05d", i, (i*7+1)%spokes))
	}
	m := build(t, lines...)
	for _, start := range []string{"HUB", "S00042"} {
		for depth := 1; depth <= 3; depth++ {
			began := time.Now()
			list, cut, err := Related(t.Context(), m.Index, m.nodes[start], Options{Depth: depth, Out: true, In: true})
			if err != nil || cut || (start == "HUB" || depth > 1) && len(list) < spokes-1 {
				t.Errorf("%s to depth %d: %d, cut %v, %v", start, depth, len(list), cut, err)
			}
			if took := time.Since(began); took > 5*time.Second {
				t.Errorf("%s to depth %d took %s", start, depth, took)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := Related(ctx, m.Index, m.nodes["HUB"], Options{Depth: 3, Out: true, In: true}); !errors.Is(err, context.Canceled) {
		t.Errorf("Related of a cancelled context: %v", err)
	}
}

func TestRelatedIsCut(t *testing.T) {
	lines := make([]string, 0, maxVisited+10)
	for i := range maxVisited + 10 {
		lines = append(lines, fmt.Sprintf("S%05d DEPENDS_ON HUB", i))
	}
	m := build(t, lines...)
	_, cut, err := Related(t.Context(), m.Index, m.nodes["HUB"], Options{Depth: 1, In: true})
	if err != nil || !cut {
		t.Errorf("a neighbourhood of %d: cut %v, %v", len(lines), cut, err)
	}
}
