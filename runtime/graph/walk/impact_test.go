package walk

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"kdd/format/index"
)

func TestFindImpact(t *testing.T) {
	tests := []struct {
		name  string
		edges string
		start string
		o     ImpactOptions
		want  string
	}{
		{"nothing", "A DEPENDS_ON B", "A", ImpactOptions{Depth: 3}, ""},
		{"direct", "A DEPENDS_ON B", "B", ImpactOptions{Depth: 3}, "1 A: A depends on B\n"},
		{"the other end", "C EMITS E; P CONSUMES E; U UC_EXECUTES_CMD C", "C", ImpactOptions{Depth: 3},
			"1 U: U executes C\n1 E: E is emitted by C\n2 P: P consumes E, which is emitted by C\n"},
		{"an emitter does not depend on its event", "C EMITS E", "E", ImpactOptions{Depth: 3}, ""},
		{"cycle", "A DEPENDS_ON B; B DEPENDS_ON C; C DEPENDS_ON A", "A", ImpactOptions{Depth: 5},
			"1 C: C depends on A\n2 B: B depends on C, which depends on A\n"},
		{"self", "A DEPENDS_ON A; A#s DEPENDS_ON A; A WIKI_LINK A#s; B DEPENDS_ON A", "A", ImpactOptions{Depth: 3}, "1 B: B depends on A\n"},
		{"depth", "A DEPENDS_ON B; B DEPENDS_ON C; C DEPENDS_ON D", "D", ImpactOptions{Depth: 2},
			"1 C: C depends on D\n2 B: B depends on C, which depends on D\n"},
		{"plain links count at distance 1, behind typed ones", "A WIKI_LINK B; C WIKI_LINK A; D DEPENDS_ON B; E WIKI_LINK D", "B", ImpactOptions{Depth: 3},
			"1 D: D depends on B\n1 A: A links to B\n"},
		{"parallel edges give one item by the strongest", "A WIKI_LINK B; A EMITS B; A UC_EXECUTES_CMD B; A MENTIONS B", "B", ImpactOptions{Depth: 3},
			"1 A: A executes B\n"},
		{"linked here, typed further on, is followed from there", "A WIKI_LINK B; C DEPENDS_ON B; A DEPENDS_ON C; D DEPENDS_ON A", "B", ImpactOptions{Depth: 3},
			"1 C: C depends on B\n1 A: A links to B\n3 D: D depends on A, which depends on C, which depends on B\n"},
		{"violations are skipped", "A -DEPENDS_ON B; C DEPENDS_ON B", "B", ImpactOptions{Depth: 3}, "1 C: C depends on B\n"},
		{"violations are asked for", "A -DEPENDS_ON B; C DEPENDS_ON B", "B", ImpactOptions{Depth: 3, Violations: true}, "1 A: A depends on B\n1 C: C depends on B\n"},
		{"types", "A DEPENDS_ON B; C IMPLEMENTS B; D IMPLEMENTS C", "B", ImpactOptions{Depth: 3, Types: []string{"IMPLEMENTS"}},
			"1 C: C implements B\n2 D: D implements C, which implements B\n"},
		{"sections count as their documents", "A#one DEPENDS_ON B#x; A#two DEPENDS_ON B; C DEPENDS_ON A#one", "B", ImpactOptions{Depth: 3},
			"1 A#one: A depends on B\n2 C: C depends on A, which depends on B\n"},
		{"a section alone", "A DEPENDS_ON B#x; C DEPENDS_ON B#y; D DEPENDS_ON B", "B#x", ImpactOptions{Depth: 3}, "1 A: A depends on B#x\n"},
		{"containment is no dependence", "A CONTAINS A#x; B DEPENDS_ON A#x", "A#x", ImpactOptions{Depth: 3}, "1 B: B depends on A#x\n"},
		{"scenarios are apart and once", "F!s VALIDATES U; F!s MENTIONS U; F!r VALIDATES C; F!s VALIDATES C; U UC_EXECUTES_CMD C", "C", ImpactOptions{Depth: 3},
			"1 U: U executes C\ncheck F!s of C\ncheck F!r of C\n"},
		{"a background stands for its scenarios", "F#back VALIDATES C; F!s MENTIONS X; F!t MENTIONS X", "C", ImpactOptions{Depth: 3}, "check F!s of C\ncheck F!t of C\n"},
		{"a scenario's own impact", "F!s VALIDATES C; U UC_EXECUTES_CMD C", "F!s", ImpactOptions{Depth: 3},
			"1 C: C is validated by F!s\n2 U: U executes C, which is validated by F!s\n"},
		{"a feature stands for its scenarios", "F!s VALIDATES C; F!r VALIDATES D; F!s WIKI_LINK F!r", "F", ImpactOptions{Depth: 1},
			"1 C: C is validated by F\n1 D: D is validated by F\n"},
		{"a type of kdd.yaml", "A OWNS_TEAM B; C DEPENDS_ON A", "B", ImpactOptions{Depth: 2}, "1 A: A owns team B\n2 C: C depends on A, which owns team B\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m := build(t, strings.Split(test.edges, "; ")...)
			i, err := ImpactOf(t.Context(), m.Index, m.nodes[test.start], test.o)
			if err != nil || m.shownImpact(i) != test.want {
				t.Errorf("FindImpact(%s) =\n%s%v\nwant\n%s", test.start, m.shownImpact(i), err, test.want)
			}
		})
	}
}

func TestFindImpactEndsWithItsContext(t *testing.T) {
	m := build(t, "A DEPENDS_ON B")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ImpactOf(ctx, m.Index, m.nodes["B"], ImpactOptions{Depth: 3}); !errors.Is(err, context.Canceled) {
		t.Errorf("FindImpact = %v, want %v", err, context.Canceled)
	}
}

// A random graph's answer is what a plain search over pairs finds: each dependant once, at its least distance.
func TestFindImpactAgainstAPlainSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for round := range 200 {
		n := 2 + r.IntN(12)
		var lines []string
		for range r.IntN(4 * n) {
			kind := edgeTypes[r.IntN(len(edgeTypes)-1)].Name
			if r.IntN(8) == 0 {
				kind = "-" + kind
			}
			lines = append(lines, fmt.Sprintf("D%02d %s D%02d", r.IntN(n), kind, r.IntN(n)))
		}
		lines = append(lines, "D00")
		m := build(t, lines...)
		depth := 1 + r.IntN(4)
		start := m.nodes["D00"]
		i, err := ImpactOf(t.Context(), m.Index, start, ImpactOptions{Depth: depth})
		if err != nil {
			t.Fatal(err)
		}
		want := plainImpact(m, start, depth)
		got := map[index.NodeID]int{}
		for _, list := range [][]Dependant{i.Direct, i.Transitive} {
			for _, d := range list {
				if _, twice := got[d.Node]; twice || d.Node == start {
					t.Errorf("round %d: %s twice, or the start itself", round, m.names[d.Node])
				}
				got[d.Node] = d.Distance
				if path := i.Path(d); len(path) != d.Distance || path[len(path)-1].Node != d.Node {
					t.Errorf("round %d: path of %d to %s at distance %d", round, len(path), m.names[d.Node], d.Distance)
				}
			}
		}
		for _, c := range i.Checks {
			delete(want, c.Scenario)
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("round %d, depth %d: FindImpact = %v, want %v\n%s", round, depth, got, want, strings.Join(lines, "\n"))
		}
	}
}

// plainImpact relaxes all edges again and again.
func plainImpact(m *made, start index.NodeID, depth int) map[index.NodeID]int {
	typed := map[index.NodeID]int{start: 0}
	distance := map[index.NodeID]int{}
	for d := 1; d <= depth; d++ {
		for e := range uint32(m.Edges()) {
			kind, violation := m.EdgeType(e)
			from, to := m.EdgeFrom(e), m.EdgeTo(e)
			if kind.Depends == "to" {
				from, to = to, from
			}
			at, ok := typed[to]
			if !ok || at != d-1 || violation || kind.Impact == "no" || kind.Impact == "direct" && d > 1 || from == start {
				continue
			}
			if _, known := distance[from]; !known {
				distance[from] = d
			}
			if _, known := typed[from]; !known && kind.Impact == "follow" {
				typed[from] = d
			}
		}
	}
	return distance
}

// A node that 20,000 others refer to, in circles, is visited in linear time: the cost per edge does not grow.
func TestFindImpactOfAHub(t *testing.T) {
	const n = 20_000
	lines := make([]string, 0, 3*n)
	for i := range n {
		lines = append(lines, fmt.Sprintf("D%05d WIKI_LINK HUB", i), fmt.Sprintf("D%05d DEPENDS_ON HUB", i), fmt.Sprintf("D%05d DEPENDS_ON D%05d", i, (i+1)%n))
	}
	m := build(t, lines...)
	i, err := ImpactOf(t.Context(), m.Index, m.nodes["HUB"], ImpactOptions{Depth: 5})
	if err != nil || len(i.Direct) != n || len(i.Transitive) != 0 || i.Cut {
		t.Errorf("FindImpact = %d direct, %d transitive, cut %v, %v, want %d, 0, false", len(i.Direct), len(i.Transitive), i.Cut, err, n)
	}
}
