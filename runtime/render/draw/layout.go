package draw

import (
	"math"
	"slices"
)

// point is a place in a picture, in pixels. All arithmetic on it is written so that no compiler fuses a product and a
// sum: the same picture on every machine.
type point struct{ x, y float64 }

// box is a node's rectangle around its centre.
type box struct {
	point
	w, h float64
}

const (
	idealLength = 165.0 // of an edge, between centres
	gap         = 28.0  // between boxes
)

// layout gives each node a place. sizes are the boxes' widths and heights.
//
// Cost: the square of the nodes of a connected part, times the number of rounds, which is cut for large ones.
func layout(sizes []box, edges []Edge) []box {
	n := len(sizes)
	near := make([][]int, n)
	for _, e := range edges {
		if e.From != e.To {
			near[e.From] = append(near[e.From], e.To)
			near[e.To] = append(near[e.To], e.From)
		}
	}
	for i := range near {
		slices.Sort(near[i])
		near[i] = slices.Compact(near[i])
	}
	boxes := slices.Clone(sizes)
	var parts [][]int
	part := make([]bool, n)
	for i := range n {
		if part[i] {
			continue
		}
		list := []int{i}
		part[i] = true
		for k := 0; k < len(list); k++ {
			for _, other := range near[list[k]] {
				if !part[other] {
					part[other] = true
					list = append(list, other)
				}
			}
		}
		slices.Sort(list)
		parts = append(parts, list)
	}
	for _, list := range parts {
		stress(boxes, list, near)
		spread(boxes, list)
	}
	slices.SortStableFunc(parts, func(a, b []int) int { return len(b) - len(a) })
	shelve(boxes, parts)
	return boxes
}

// maxSteps bounds the work of stress, in pairs of nodes.
const maxSteps = 60_000_000

// stress places the nodes of a connected part by majorization of stress (Gansner, Koren and North 2004), one node at a
// time: each moves to where its distances to all others suit best, near ones counting most.
func stress(boxes []box, list []int, near [][]int) {
	n := len(list)
	at := make(map[int]int, n)
	for k, i := range list {
		at[i] = k
	}
	far := make([][]uint16, n)
	for k, i := range list {
		far[k] = make([]uint16, n)
		queue := []int{i}
		for q := 0; q < len(queue); q++ {
			for _, other := range near[queue[q]] {
				if o := at[other]; o != k && far[k][o] == 0 {
					far[k][o] = far[k][at[queue[q]]] + 1
					queue = append(queue, other)
				}
			}
		}
	}
	// The first places: rings around the node with most edges, turned by a fixed sequence.
	centre := 0
	for k := range list {
		if len(near[list[k]]) > len(near[list[centre]]) {
			centre = k
		}
	}
	seed := uint32(2463534242)
	next := func() float64 {
		seed ^= seed << 13
		seed ^= seed >> 17
		seed ^= seed << 5
		return float64(seed)/float64(1<<32) - .5
	}
	places := make([]point, n)
	for k := range places {
		r := float64(far[centre][k]) * idealLength
		x, y := next(), next()
		norm := math.Sqrt(float64(x*x)+float64(y*y)) + 1e-9
		places[k] = point{float64(x/norm) * r, float64(y/norm) * r}
	}
	rounds := max(8, min(300, maxSteps/(n*n+1)))
	for range rounds {
		moved := 0.0
		for k := range places {
			var sx, sy, sum float64
			for o := range places {
				if o == k {
					continue
				}
				d := float64(far[k][o])
				want := d * idealLength * widen(boxes[list[k]], boxes[list[o]])
				w := 1 / float64(d*d)
				dx, dy := places[k].x-places[o].x, places[k].y-places[o].y
				norm := math.Sqrt(float64(dx*dx)+float64(dy*dy)) + 1e-6
				sx += float64(w * (places[o].x + float64(want*dx)/norm))
				sy += float64(w * (places[o].y + float64(want*dy)/norm))
				sum += w
			}
			if sum == 0 {
				continue
			}
			x, y := sx/sum, sy/sum
			moved += math.Abs(x-places[k].x) + math.Abs(y-places[k].y)
			places[k] = point{x, y}
		}
		if moved < float64(n)*.05 {
			break
		}
	}
	for k, i := range list {
		boxes[i].x, boxes[i].y = float64(places[k].x*1.25), places[k].y // boxes are wider than high
	}
}

// widen lets wide boxes stand further apart.
func widen(a, b box) float64 { return max(1, float64(a.w+b.w)/260) }

// overlap returns how far two boxes, with their gap, reach into each other.
func overlap(a, b box) (dx, dy float64) {
	return float64(a.w+b.w)/2 + gap - math.Abs(a.x-b.x), float64(a.h+b.h)/2 + gap - math.Abs(a.y-b.y)
}

// spread pushes boxes apart until none overlaps. If they do not come free by pushing, the whole is stretched.
func spread(boxes []box, list []int) {
	for round := 0; ; round++ {
		free := true
		for k, i := range list {
			for _, o := range list[k+1:] {
				dx, dy := overlap(boxes[i], boxes[o])
				if dx <= .5 || dy <= .5 {
					continue
				}
				free = false
				a, b := &boxes[i], &boxes[o]
				if dx < dy {
					if a.x > b.x {
						a, b = b, a
					}
					a.x, b.x = a.x-dx/2, b.x+dx/2
				} else {
					if a.y > b.y {
						a, b = b, a
					}
					a.y, b.y = a.y-dy/2, b.y+dy/2
				}
			}
		}
		if free {
			return
		}
		if round%50 == 49 {
			for k, i := range list {
				boxes[i].x = float64(boxes[i].x*1.2) + float64(k%7)
				boxes[i].y = float64(boxes[i].y*1.2) + float64(k%5)
			}
		}
	}
}

// shelve puts the parts side by side in rows of about the same width, and moves all to positive places.
func shelve(boxes []box, parts [][]int) {
	type size struct{ left, top, w, h float64 }
	sizes := make([]size, len(parts))
	area, widest := 0.0, 0.0
	for p, list := range parts {
		left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
		for _, i := range list {
			b := boxes[i]
			left, right = min(left, b.x-b.w/2), max(right, b.x+b.w/2)
			top, bottom = min(top, b.y-b.h/2), max(bottom, b.y+b.h/2)
		}
		sizes[p] = size{left, top, right - left, bottom - top}
		area += float64((right - left + gap) * (bottom - top + gap))
		widest = max(widest, right-left)
	}
	width := max(widest, math.Sqrt(area)*1.3)
	x, y, row := 0.0, 0.0, 0.0
	for p, list := range parts {
		s := sizes[p]
		if x > 0 && x+s.w > width {
			x, y, row = 0, y+row+2*gap, 0
		}
		for _, i := range list {
			boxes[i].x, boxes[i].y = math.Round(boxes[i].x-s.left+x), math.Round(boxes[i].y-s.top+y)
		}
		x += s.w + 2*gap
		row = max(row, s.h)
	}
}
