package main

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestEstimate tells once, after the first texts, how long the rest takes; of what is soon done it tells nothing.
func TestEstimate(t *testing.T) {
	for _, tt := range []struct {
		name      string
		phase     string
		total     int
		each      time.Duration
		sentences bool
		want      string
	}{
		{"minutes", "embed", 6000, 20 * time.Millisecond, false, "embedding 6000 chunks, 50 a second: about 2 minutes; "},
		{"with sentences", "embed", 6000, 20 * time.Millisecond, true, "embedding 6000 chunks, 50 a second: about 2 minutes; "},
		{"with many sentences", "embed", 1000, 200 * time.Millisecond, true, "embedding 1000 chunks, 5 a second: about 4 minutes; "},
		{"hours", "embed", 1_000_000, 20 * time.Millisecond, false, "about 5.6 hours; "},
		{"seconds", "embed", 1200, 20 * time.Millisecond, false, "about 20 seconds; "},
		{"soon", "embed", 600, 20 * time.Millisecond, false, ""},
		{"slow but short", "embed", 10, time.Second, false, ""},
		{"another phase", "parse", 6000, 20 * time.Millisecond, false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var said []string
				e := &estimate{next: unseen{}, say: func(text string) { said = append(said, text) }, sentences: tt.sentences}
				e.Phase(tt.phase, tt.total)
				for range min(tt.total, 1000) {
					time.Sleep(tt.each) // of the bubble's clock
					e.Step(1)
				}
				if got := strings.Join(said, "|"); len(said) > 1 || (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
					t.Errorf("said %q, want %q once", got, tt.want)
				}
			})
		})
	}
}

// TestRoughly says durations as people do.
func TestRoughly(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "10 seconds", 14 * time.Second: "10 seconds", 54 * time.Second: "50 seconds", 70 * time.Second: "a minute",
		2 * time.Minute: "2 minutes", 89 * time.Minute: "89 minutes", 3 * time.Hour: "3.0 hours",
	} {
		if got := roughly(d); got != want {
			t.Errorf("roughly(%v) = %q, want %q", d, got, want)
		}
	}
}
