package draw

import (
	"math"
	"slices"
	"testing"
)

func distance(a, b box) float64 { return math.Hypot(a.x-b.x, a.y-b.y) }

// A chain is drawn as a chain: who is further away along it is further away in the picture, and its edges are about as
// long as they should be.
func TestLayoutOfAChain(t *testing.T) {
	const n = 7
	sizes := make([]box, n)
	var edges []Edge
	for i := range sizes {
		sizes[i] = box{w: 60, h: 30}
		if i > 0 {
			edges = append(edges, Edge{From: i, To: i - 1})
		}
	}
	boxes := layout(sizes, edges)
	for i := range n - 1 {
		if d := distance(boxes[i], boxes[i+1]); d < idealLength*.7 || d > idealLength*1.5 {
			t.Errorf("the edge %d is %.0f pixels long, want about %.0f", i, d, idealLength)
		}
	}
	for k := 2; k < n; k++ {
		if near, far := distance(boxes[0], boxes[k-1]), distance(boxes[0], boxes[k]); far <= near {
			t.Errorf("node %d is %.0f pixels away, node %d %.0f", k-1, near, k, far)
		}
	}
}

// Clusters stay clusters: two cliques that one edge joins lie apart.
func TestLayoutOfClusters(t *testing.T) {
	const n = 5
	sizes := make([]box, 2*n)
	edges := []Edge{{From: 0, To: n}}
	for i := range sizes {
		sizes[i] = box{w: 40, h: 24}
		for o := range i {
			if i/n == o/n {
				edges = append(edges, Edge{From: o, To: i})
			}
		}
	}
	boxes := layout(sizes, edges)
	var within, between []float64
	for i := range boxes {
		for o := range i {
			if i/n == o/n {
				within = append(within, distance(boxes[i], boxes[o]))
			} else if i != n || o != 0 {
				between = append(between, distance(boxes[i], boxes[o]))
			}
		}
	}
	mean := func(list []float64) float64 {
		sum := 0.0
		for _, d := range list {
			sum += d
		}
		return sum / float64(len(list))
	}
	if mean(between) < 1.5*mean(within) {
		t.Errorf("nodes are %.0f pixels apart in a cluster, %.0f from one to the other", mean(within), mean(between))
	}
}

func TestOverlap(t *testing.T) {
	at := func(x, y, w, h float64) box { return box{point{x, y}, w, h} }
	tests := []struct {
		name   string
		a, b   box
		dx, dy float64
	}{
		{"the same place", at(0, 0, 100, 20), at(0, 0, 60, 40), 80 + gap, 30 + gap},
		{"side by side, touching", at(0, 0, 100, 20), at(80+gap, 0, 60, 40), 0, 30 + gap},
		{"one over the other", at(5, -7, 10, 20), at(5, 23, 10, 10), 10 + gap, gap - 15},
		{"apart", at(0, 0, 10, 10), at(-100, 200, 10, 10), 10 + gap - 100, 10 + gap - 200},
	}
	for _, tt := range tests {
		for _, pair := range [][2]box{{tt.a, tt.b}, {tt.b, tt.a}} {
			if dx, dy := overlap(pair[0], pair[1]); dx != tt.dx || dy != tt.dy {
				t.Errorf("%s: overlap = %g, %g, want %g, %g", tt.name, dx, dy, tt.dx, tt.dy)
			}
		}
	}
}

// Two boxes move apart by what they overlap, each by half, on the shorter way.
func TestSpread(t *testing.T) {
	tests := []struct {
		name     string
		a, b     point
		toA, toB point
		w, h     float64
	}{
		{"sideways", point{0, 0}, point{90, 10}, point{-19, 0}, point{109, 10}, 100, 100},
		{"sideways, the other first", point{90, 10}, point{0, 0}, point{109, 10}, point{-19, 0}, 100, 100},
		{"up and down", point{0, 0}, point{10, 40}, point{0, -4}, point{10, 44}, 200, 20},
		{"up and down, the other first", point{10, 40}, point{0, 0}, point{10, 44}, point{0, -4}, 200, 20},
		{"none", point{0, 0}, point{0, 48}, point{0, 0}, point{0, 48}, 200, 20},
	}
	for _, tt := range tests {
		boxes := []box{{tt.a, tt.w, tt.h}, {tt.b, tt.w, tt.h}}
		spread(boxes, []int{0, 1})
		if boxes[0].point != tt.toA || boxes[1].point != tt.toB {
			t.Errorf("%s: spread = %v, %v, want %v, %v", tt.name, boxes[0].point, boxes[1].point, tt.toA, tt.toB)
		}
	}
}

// Parts that nothing joins stand in rows: free of each other, from the top left corner on, and about as high as wide.
func TestShelve(t *testing.T) {
	for _, n := range []int{1, 2, 5, 30, 100} {
		boxes := make([]box, n)
		var parts [][]int
		for i := range boxes {
			boxes[i] = box{point{float64(-1000 * i), float64(500 * i)}, float64(40 + i*37%150), float64(24 + i%3*15)}
			parts = append(parts, []int{i})
		}
		shelve(boxes, parts)
		left, top, right, bottom := math.Inf(1), math.Inf(1), 0.0, 0.0
		for i, b := range boxes {
			left, right = min(left, b.x-b.w/2), max(right, b.x+b.w/2)
			top, bottom = min(top, b.y-b.h/2), max(bottom, b.y+b.h/2)
			for o := range boxes[:i] {
				if dx, dy := overlap(b, boxes[o]); dx > .5 && dy > .5 {
					t.Errorf("%d parts: %d and %d overlap by %g, %g", n, i, o, dx, dy)
				}
			}
		}
		if left < -.5 || left > .5 || top < -.5 || top > .5 {
			t.Errorf("%d parts begin at %g, %g, want 0, 0", n, left, top)
		}
		if n >= 30 && (right > 3*bottom || bottom > 3*right) {
			t.Errorf("%d parts are %g wide and %g high", n, right, bottom)
		}
	}
}

// Edges that join the same nodes are told apart, and one that would run through a third box goes around it.
func TestCurves(t *testing.T) {
	at := func(x, y float64) box { return box{point{x, y}, 60, 30} }
	boxes := []box{at(0, 0), at(200, 0), at(400, 0)}
	edges := []Edge{{From: 0, To: 1}, {From: 1, To: 0}, {From: 0, To: 1}, {From: 0, To: 2}}
	list := (&Graph{}).curves(edges, boxes)
	for i, c := range list[:3] {
		for o, other := range list[:i] {
			if a, b := c.at(.5), other.at(.5); math.Hypot(a.x-b.x, a.y-b.y) < 10 {
				t.Errorf("the edges %d and %d both run through %v", o, i, a)
			}
		}
	}
	if both := (&Graph{}).curves(edges[:2], boxes); math.Abs(both[0].at(.5).y-both[1].at(.5).y) < 10 {
		t.Errorf("an edge and the one back run through %v and %v", both[0].at(.5), both[1].at(.5))
	}
	if list[3].crosses(boxes[1]) {
		t.Error("an edge runs through the box between its ends")
	}
	if straight := (&Graph{}).curves(edges[:1], boxes)[0]; straight.from.y != 0 || straight.control.y != 0 || straight.to.y != 0 {
		t.Errorf("an edge with nothing in its way is bent: %v", straight)
	}
	for i, c := range list { // from border to border
		for end, b := range map[point]box{c.from: boxes[edges[i].From], c.to: boxes[edges[i].To]} {
			if dx, dy := math.Abs(end.x-b.x), math.Abs(end.y-b.y); math.Abs(max(dx/30, dy/15)-1) > 1e-9 {
				t.Errorf("edge %d ends at %v, which is not on the border of %v", i, end, b)
			}
		}
	}
	// A box in the way on every side: the way that crosses least is taken, and there is one.
	walls := slices.Clone(boxes)
	for y := -400.0; y <= 400; y += 20 {
		walls = append(walls, at(200, y))
	}
	if c := (&Graph{}).curves(edges[3:], walls)[0]; c == (curve{}) {
		t.Error("an edge with boxes everywhere in its way is left out")
	}
}
