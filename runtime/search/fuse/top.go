package fuse

import (
	"cmp"
	"slices"
)

// top keeps the best of many hits: a heap with the worst of them first.
type top struct {
	limit int
	heap  []Hit
}

// better says that a comes before b in the ranked list.
func better(a, b *Hit) bool {
	if a.Score != b.Score {
		return a.Score > b.Score
	}
	return a.Section < b.Section
}

func (t *top) add(h Hit) {
	if len(t.heap) < t.limit {
		t.heap = append(t.heap, h)
		for i := len(t.heap) - 1; i > 0; {
			up := (i - 1) / 2
			if !better(&t.heap[up], &t.heap[i]) {
				break
			}
			t.heap[i], t.heap[up] = t.heap[up], t.heap[i]
			i = up
		}
		return
	}
	if t.limit <= 0 || !better(&h, &t.heap[0]) {
		return
	}
	t.heap[0] = h
	for i := 0; ; {
		worst, left, right := i, 2*i+1, 2*i+2
		if left < len(t.heap) && better(&t.heap[worst], &t.heap[left]) {
			worst = left
		}
		if right < len(t.heap) && better(&t.heap[worst], &t.heap[right]) {
			worst = right
		}
		if worst == i {
			return
		}
		t.heap[i], t.heap[worst] = t.heap[worst], t.heap[i]
		i = worst
	}
}

// sorted returns the hits, best first.
func (t *top) sorted() []Hit {
	slices.SortFunc(t.heap, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Section, b.Section))
	})
	return t.heap
}
