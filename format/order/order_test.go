package order

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

type row struct {
	key  string
	rank int // of many, few are different
	was  int
}

func byRank(a, b row) int { return cmp.Compare(a.rank, b.rank) }

// TestLikeSlices compares with package slices, elements that compare equal included.
func TestLikeSlices(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 11, 12, 13, 49, 50, 51, 1000, 5000} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(n)))
			list := make([]row, n)
			for i := range list {
				list[i] = row{fmt.Sprint("row ", i), r.IntN(n/3 + 1), i}
			}
			want := slices.SortedStableFunc(slices.Values(list), byRank)
			if got := Sorted(slices.Values(list), byRank); !slices.Equal(got, want) {
				t.Errorf("Sorted of %d rows is not what slices.SortedStableFunc makes of them", n)
			}
			if Sort(list, byRank); !slices.Equal(list, want) {
				t.Errorf("Sort of %d rows is not what slices.SortedStableFunc makes of them", n)
			}
		})
	}
}

func BenchmarkSort(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 10000} {
		r := rand.New(rand.NewPCG(1, 1))
		list := make([]row, n)
		for i := range list {
			list[i] = row{fmt.Sprint("row ", i), r.IntN(n), i}
		}
		work := make([]row, n)
		for _, c := range []struct {
			name string
			sort func(list []row)
		}{
			{"by indexes", func(l []row) { Sort(l, byRank) }},
			{"slices", func(l []row) { slices.SortStableFunc(l, byRank) }},
		} {
			b.Run(fmt.Sprintf("rows=%d/%s", n, c.name), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					copy(work, list)
					c.sort(work)
				}
				if !slices.IsSortedFunc(work, byRank) {
					b.Fatal("not sorted")
				}
			})
		}
	}
}
