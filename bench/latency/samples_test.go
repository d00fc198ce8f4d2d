package main

import (
	"testing"
	"time"
)

func TestPercentile(t *testing.T) {
	for _, test := range []struct {
		name    string
		n, p    int
		wantNth time.Duration
	}{
		{"one", 1, 99, 1}, {"median of two", 2, 50, 1}, {"median of three", 3, 50, 2}, {"p95 of 30", 30, 95, 29}, {"p99 of 30", 30, 99, 30},
		{"p95 of 100", 100, 95, 95}, {"p99 of 1000", 1000, 99, 990},
	} {
		t.Run(test.name, func(t *testing.T) {
			var s series
			for i := range test.n {
				s.add(time.Duration(test.n-i), 0)
			}
			if got := s.percentile(test.p); got != test.wantNth {
				t.Errorf("percentile(%d) of 1..%d = %d, want %d", test.p, test.n, got, test.wantNth)
			}
		})
	}
}
