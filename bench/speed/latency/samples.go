package latency

import (
	"fmt"
	"strings"
	"time"

	"kdd/bench/internal/harness"
)

// series is the measurements of one kind on one artifact.
type series struct {
	form, kind string
	times      []time.Duration
	peak       int64 // bytes of memory; 0 where it was not measured
}

// samples are all series in the order they were measured.
type samples []*series

func (s *samples) series(form, kind string) *series {
	one := &series{form: form, kind: kind}
	*s = append(*s, one)
	return one
}

func (s *series) add(took time.Duration, peak int64) {
	s.times, s.peak = append(s.times, took), max(s.peak, peak)
}

// table prints a row for each series.
func (s samples) table() string {
	var b strings.Builder
	b.WriteString("| artifact | what | n | median ms | p95 ms | p99 ms | max RSS MB |\n|---|---|---|---|---|---|---|\n")
	for _, one := range s {
		if len(one.times) == 0 {
			continue
		}
		peak := "–"
		if one.peak > 0 {
			peak = fmt.Sprintf("%.1f", float64(one.peak)/1e6)
		}
		ms := func(p int) float64 { return float64(harness.Percentile(one.times, p)) / 1e6 }
		fmt.Fprintf(&b, "| %s | %s | %d | %.2f | %.2f | %.2f | %s |\n", one.form, one.kind, len(one.times), ms(50), ms(95), ms(99), peak)
	}
	return b.String()
}
