package harness

import "testing"

func TestPercentile(t *testing.T) {
	for _, test := range []struct {
		name       string
		n, p, want int // of the values n, n-1, ..., 1
	}{
		{"none", 0, 50, 0},
		{"one", 1, 99, 1},
		{"median of two", 2, 50, 1},
		{"median of three", 3, 50, 2},
		{"p95 of 30", 30, 95, 29},
		{"p99 of 30", 30, 99, 30},
		{"p95 of 100", 100, 95, 95},
		{"p99 of 1000", 1000, 99, 990},
	} {
		t.Run(test.name, func(t *testing.T) {
			var values []int
			for i := range test.n {
				values = append(values, test.n-i)
			}
			if got := Percentile(values, test.p); got != test.want {
				t.Errorf("Percentile(1..%d, %d) = %d, want %d", test.n, test.p, got, test.want)
			}
		})
	}
}
