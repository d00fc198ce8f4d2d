package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// sample is one measurement; rss is 0 where it was not measured.
type sample struct {
	took time.Duration
	rss  int64 // bytes
}

// series is the measurements of one kind on one artifact.
type series struct {
	form, kind string
	list       []sample
}

// samples are all series in the order they were measured.
type samples []*series

func (s *samples) series(form, kind string) *series {
	one := &series{form: form, kind: kind}
	*s = append(*s, one)
	return one
}

func (s *series) add(took time.Duration, rss int64) { s.list = append(s.list, sample{took, rss}) }

// percentile returns the value that p of 100 are not above (nearest rank).
func (s *series) percentile(p int) time.Duration {
	times := make([]time.Duration, len(s.list))
	for i, one := range s.list {
		times[i] = one.took
	}
	slices.Sort(times)
	return times[max(0, (len(times)*p+99)/100-1)]
}

// table prints a row for each series.
func (s samples) table() string {
	var b strings.Builder
	b.WriteString("| artifact | what | n | median ms | p95 ms | p99 ms | max RSS MB |\n|---|---|---|---|---|---|---|\n")
	for _, one := range s {
		if len(one.list) == 0 {
			continue
		}
		rss := "–"
		var most int64
		for _, v := range one.list {
			most = max(most, v.rss)
		}
		if most > 0 {
			rss = fmt.Sprintf("%.1f", float64(most)/1e6)
		}
		ms := func(p int) float64 { return float64(one.percentile(p)) / 1e6 }
		fmt.Fprintf(&b, "| %s | %s | %d | %.2f | %.2f | %.2f | %s |\n", one.form, one.kind, len(one.list), ms(50), ms(95), ms(99), rss)
	}
	return b.String()
}

// raw prints every measurement.
func (s samples) raw() string {
	var b strings.Builder
	b.WriteString("artifact\twhat\tnumber\tns\trss_bytes\n")
	for _, one := range s {
		for i, v := range one.list {
			fmt.Fprintf(&b, "%s\t%s\t%d\t%d\t%d\n", one.form, one.kind, i, v.took.Nanoseconds(), v.rss)
		}
	}
	return b.String()
}
