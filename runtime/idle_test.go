package runtime

import (
	"testing"
	"time"

	"kdd/runtime/wire"
)

// TestIdle checks that files are closed some time after the last call, not while one runs, and opened by the next.
func TestIdle(t *testing.T) {
	const idle = 20 * time.Millisecond
	s := New(Config{Index: []string{tree{"a.md": "# A\n\nalpha text\n"}.compile(t)}, Idle: idle})
	defer s.Close()
	for range 3 {
		if r, err := s.Search(t.Context(), wire.SearchRequest{Query: "alpha"}); err != nil || len(r.Results) != 1 {
			t.Fatalf("Search = %v, %v, want a hit", r, err)
		}
		set, err := s.store.Open(t.Context(), true, func() {})
		if err != nil {
			t.Fatal(err)
		}
		src := s.store.Sources[0]
		time.Sleep(5 * idle)
		if !src.IsOpen() {
			t.Error("closed while a call runs")
		}
		set.Done(t.Context(), &err)
		for deadline := time.Now().Add(10 * time.Second); src.IsOpen(); time.Sleep(idle) {
			if time.Now().After(deadline) {
				t.Fatal("open after its time")
			}
		}
	}
}
