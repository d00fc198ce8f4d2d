package distil

import (
	"slices"
	"testing"

	"kdd/format/encoder"
)

// finder is a vocabulary of one list.
func finder(list []string) func(string) (int32, bool) {
	return func(piece string) (int32, bool) {
		id := slices.Index(list, piece)
		return int32(id), id >= 0
	}
}

func TestRankShares(t *testing.T) {
	list := make([]string, 3000)
	for id, piece := range map[int]string{5: "?", 6: "#", 7: "q", 100: "the", 101: "of", 200: "people", 700: "language", 2000: "restaurant", 2900: "crab"} {
		list[id] = piece
	}
	shares := RankShares(len(list), finder(list))
	if len(shares) != len(list) {
		t.Fatalf("RankShares gives %d shares, want %d", len(shares), len(list))
	}
	for id, want := range map[int32][2]float32{
		0: {0, 0}, 5: {.5, .5}, 6: {.1, .1}, 7: {.1, .1}, 8: {0, 0},
		100: {.98, 1}, 101: {.9, 1}, 200: {.05, .1}, 2900: {.002, .004}, 2999: {.002, .004},
	} {
		if got := shares[id]; got < want[0] || got > want[1] {
			t.Errorf("share of %d = %g, want %g to %g", id, got, want[0], want[1])
		}
	}
	if !slices.IsSortedFunc(shares[100:], func(a, b float32) int { return int((b - a) * 1e9) }) {
		t.Error("shares grow with the rank, want them to fall")
	}
}

func TestRankSharesOfOtherVocabularies(t *testing.T) {
	tests := []struct {
		name   string
		list   []string
		pieces int
	}{
		{"empty", nil, 10},
		{"by letters", []string{"crab", "language", "people", "restaurant", "the"}, 5},
		{"another language", []string{"der", "die", "und", "leute", "sprache"}, 5},
		{"fewer pieces than its words", []string{"the", "people", "language", "restaurant", "crab"}, 4},
	}
	for _, test := range tests {
		if got := RankShares(test.pieces, finder(test.list)); got != nil {
			t.Errorf("%s: RankShares = %v, want nil", test.name, got)
		}
	}
}

// With shares, unseen wordpieces have rows in the order of their shares, and those that never occur have none.
func TestUnseenRows(t *testing.T) {
	s := newSample(3, 200, 24, 60)
	in := &s.input
	_, all, _ := mustTrain(t, in)
	var unseen []int32
	for id := range int32(200) {
		if !all.Holds(id) {
			unseen = append(unseen, id)
		}
	}
	if len(unseen) < 20 || all.Unseen != len(unseen) {
		t.Fatalf("%d unseen rows of %d wordpieces in no text, want all of at least 20", all.Unseen, len(unseen))
	}
	in.Shares = make([]float32, 200)
	for k, id := range unseen {
		in.Shares[id] = float32(k) / 1000
	}
	o := Defaults()
	o.UnseenCount = 5
	in.Options = &o
	_, r, table := mustTrain(t, in)
	if r.Unseen != 5 {
		t.Errorf("%d unseen rows, want 5", r.Unseen)
	}
	for k, id := range unseen {
		if want := k >= len(unseen)-5; table.Knows(id) != want {
			t.Errorf("table knows unseen wordpiece %d of %d: %v, want %v", k, len(unseen), !want, want)
		}
	}
	if form := table.Form(unseen[len(unseen)-1]); form != encoder.FormSigns {
		t.Errorf("form of an unseen row = %d, want %d", form, encoder.FormSigns)
	}
	o.UnseenCount = 1000
	if _, r, table := mustTrain(t, in); r.Unseen != len(unseen)-1 || table.Knows(unseen[0]) {
		t.Errorf("%d unseen rows, want all of %d but the one of share 0", r.Unseen, len(unseen))
	}
}
