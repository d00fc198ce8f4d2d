package query

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"kdd/compiler/corpustest"
	"kdd/format/index"
)

// termsOf are those of the words of a query, as they stand in the dictionary, and those near.
func termsOf(x *index.Index, words []Word) []string {
	list := []string{}
	for i := range words {
		for _, id := range slices.Concat(words[i].Terms, words[i].Near) {
			list = append(list, x.TermDict().At(uint32(id)))
		}
	}
	return list
}

// A prefix stands for the words that begin with it, a fuzzy word for those that are no more edits away, each list of
// postings once.
func TestMarkedWords(t *testing.T) {
	x := corpustest.Index(t, map[string]string{
		"a.md": "# One\n\nPlanet planet plank plum.\n", "b.md": "# Two\n\nPlank flank plane.\n", "c.md": "# Three\n\nPlank orbit planets.\n",
	})
	for _, tt := range []struct {
		text  string
		has   []string // among its terms and those near
		lacks []string
		df    uint32
	}{
		{"+plan*", []string{"plank", "planet", "plane"}, []string{"plum", "flank"}, 3},
		{"+PLANK*", []string{"plank"}, []string{"plane"}, 3},
		{"+orb*", []string{"orbit"}, []string{"plank"}, 1},
		{"+plank~", []string{"plank", "flank", "plane"}, []string{"planet", "orbit", "plum"}, 3},
		{"+plan~2", []string{"plank", "plane", "flank", "plum"}, []string{"orbit"}, 3},
		{"+zzz*", nil, []string{"plank"}, 0},
	} {
		t.Run(tt.text, func(t *testing.T) {
			q := Read([]*index.Index{x}, tt.text, Options{})[0]
			if len(q.All) != 1 || q.All[0].DF != tt.df {
				t.Fatalf("words %+v, want one in %d chunks", q.All, tt.df)
			}
			got := termsOf(x, q.All)
			for _, term := range tt.has {
				if !slices.Contains(got, term) {
					t.Errorf("stands for %q, want %s among them", got, term)
				}
			}
			for _, term := range tt.lacks {
				if slices.Contains(got, term) {
					t.Errorf("stands for %q, want them without %s", got, term)
				}
			}
			lists := map[uint32]bool{}
			for _, id := range slices.Concat(q.All[0].Terms, q.All[0].Near) {
				if l := x.ListOf(id); lists[l] {
					t.Errorf("stands for %q: the postings of %s are counted twice", got, x.TermDict().At(uint32(id)))
				} else {
					lists[l] = true
				}
			}
		})
	}
}

// Of too many words of a prefix those in most chunks are used, and all prefixes of a query share a bound.
func TestPrefixesOfManyWords(t *testing.T) {
	var all []string
	for i := range maxPrefixTerms + 20 {
		all = append(all, fmt.Sprintf("%s%03d", "kq", i))
	}
	usual := all[len(all)-10:]
	x := corpustest.Index(t, map[string]string{"a.md": "# A\n\n" + strings.Join(all, " ") + "\n", "b.md": "# B\n\n" + strings.Join(usual, " ") + "\n"})
	q := Read([]*index.Index{x}, "+kq*", Options{})[0]
	got := termsOf(x, q.All)
	for _, term := range usual {
		if !slices.Contains(got, term) {
			t.Errorf("%s, which is in more chunks than others, is not among the %d words", term, len(got))
		}
	}
	want := fmt.Sprintf(`"kq*" stands for too many words, the %d most frequent are used`, maxPrefixTerms)
	if len(got) != maxPrefixTerms || !slices.Equal(q.Notes, []string{want}) {
		t.Errorf("%d words, notes %q, want %d and %q", len(got), q.Notes, maxPrefixTerms, want)
	}
	q = Read([]*index.Index{x}, "kq* kq0* kq00* kq1* kq01*", Options{})[0]
	if n := len(termsOf(x, q.All)); n > maxExpansions+5 || n < 200 {
		t.Errorf("the prefixes stand for %d words, want 200 to about %d", n, maxExpansions)
	}
}

func TestClip(t *testing.T) {
	for _, tt := range []struct {
		text string
		want int
		cut  bool
	}{
		{"", 0, false}, {strings.Repeat("a", maxText), maxText, false}, {strings.Repeat("a", maxText+1), maxText, true},
		{"a" + strings.Repeat("é", maxText/2), maxText - 1, true}, {strings.Repeat("索", maxText), maxText / 3 * 3, true}, {strings.Repeat("\x80", maxText+9), 0, true},
	} {
		got, cut := Clip(tt.text)
		if len(got) != tt.want || cut != tt.cut || !strings.HasPrefix(tt.text, got) || utf8.ValidString(tt.text) && !utf8.ValidString(got) {
			t.Errorf("Clip(%.20q, %d bytes) = %d bytes, %t, want %d, %t", tt.text, len(tt.text), len(got), cut, tt.want, tt.cut)
		}
	}
	x := corpustest.Index(t, map[string]string{"a.md": "# A\n"})
	for _, plain := range []bool{false, true} {
		q := Read([]*index.Index{x}, strings.Repeat("a ", maxText), Options{Plain: plain})[0]
		if !slices.Contains(q.Notes, ClipNote(2*maxText)) {
			t.Errorf("a long query, plain %t: notes %q, want %q", plain, q.Notes, ClipNote(2*maxText))
		}
	}
}
