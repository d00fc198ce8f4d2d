package search

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"kdd/runtime/eval"
)

func TestReciprocal(t *testing.T) {
	a, b, c := eval.Place{Path: "a"}, eval.Place{Path: "b"}, eval.Place{Path: "c"}
	for _, test := range []struct {
		name     string
		one, two []eval.Place
		want     []eval.Place
	}{
		{"both lists beat one", []eval.Place{a, b}, []eval.Place{c, b}, []eval.Place{b, a, c}},
		{"one is empty", []eval.Place{a, b}, nil, []eval.Place{a, b}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, reciprocal(test.one, test.two)); diff != "" {
				t.Errorf("reciprocal (-want +got):\n%s", diff)
			}
		})
	}
}
