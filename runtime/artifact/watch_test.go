package artifact

import (
	"context"
	"errors"
	"testing"
	"time"

	"kdd/runtime/source"
)

// tagged is a source whose name may stand for another file now.
type tagged struct {
	source.Source
	moved bool
	err   error
}

func (s *tagged) Changed(context.Context) (bool, error) { return s.moved, s.err }

// TestWatchTag asks a source that knows whether its name was moved, and not often.
func TestWatchTag(t *testing.T) {
	for _, test := range []struct {
		name  string
		src   tagged
		asked time.Duration // ago
		want  bool
	}{
		{"a tag that was moved", tagged{moved: true}, 2 * checkEvery, true},
		{"a tag that stays", tagged{}, 2 * checkEvery, false},
		{"a registry that does not answer", tagged{moved: true, err: errors.New("no answer")}, 2 * checkEvery, false},
		{"asked a moment ago", tagged{moved: true}, time.Second, false},
	} {
		w := &watch{Source: &test.src, asked: time.Now().Add(-test.asked)}
		if got := w.changed(); got != test.want {
			t.Errorf("%s: changed = %t, want %t", test.name, got, test.want)
		}
	}
}
