package distil

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSentences(t *testing.T) {
	long := strings.Repeat("x", 219)
	tests := []struct {
		name   string
		bodies []string
		want   []string // "chunk text", by text
	}{
		{"none", nil, nil},
		{"empty", []string{"", " \n "}, nil},
		{"ends", []string{"The first one ends here. The second one too! And does the third? Yes."},
			[]string{"0 And does the third?", "0 The first one ends here.", "0 The second one too!"}},
		{"lines", []string{"no full stop in this line\nnor in this one here\r\nshort\nthe last line of all"},
			[]string{"0 no full stop in this line", "0 nor in this one here", "0 the last line of all"}},
		{"dots within words", []string{"Call React.memo or v1.2.3 of foo.bar, e.g.this one"}, []string{"0 Call React.memo or v1.2.3 of foo.bar, e.g.this one"}},
		{"closers", []string{`He said "it is all over." (Then he left the room.) After that, nothing.`},
			[]string{`0 (Then he left the room.)`, `0 After that, nothing.`, `0 He said "it is all over."`}},
		{"length 15 and 16", []string{"123456789012345\n1234567890123456"}, []string{"0 1234567890123456"}},
		{"length 219 and 220", []string{long + "\n" + long + "y"}, []string{"0 " + long}},
		{"characters, not bytes", []string{strings.Repeat("é", 219) + "\n" + strings.Repeat("é", 15)}, []string{"0 " + strings.Repeat("é", 219)}},
		{"east asian", []string{"これは最初の文ですがかなり短いです。これは二番目の文でもう少し長いです。"},
			[]string{"0 これは二番目の文でもう少し長いです。", "0 これは最初の文ですがかなり短いです。"}},
		{"the first chunk counts", []string{"nothing to see", "the same sentence twice", "the same sentence twice\nthe same sentence twice"}, []string{"1 the same sentence twice"}},
		{"bad UTF-8", []string{"\xff\xfe broken bytes \xc3 in here."}, []string{"0 \xff\xfe broken bytes \xc3 in here."}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			list := Sentences(test.bodies, 100)
			slices.SortFunc(list, func(a, b Sentence) int { return cmp.Compare(a.Text, b.Text) })
			var got []string
			for _, s := range list {
				got = append(got, fmt.Sprintf("%d %s", s.Chunk, s.Text))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("Sentences(%q) = %q, want %q", test.bodies, got, test.want)
			}
		})
	}
}

// Fewer sentences are a prefix of more, and an edit of one body changes no others.
func TestSentencesAreStable(t *testing.T) {
	s := newSample(9, 500, 4, 400)
	all := Sentences(s.input.Bodies, 1<<30)
	for _, n := range []int{0, 1, 10, len(all) - 1, len(all) + 1} {
		if got := Sentences(s.input.Bodies, n); !slices.Equal(got, all[:min(n, len(all))]) {
			t.Errorf("Sentences(%d) is not the beginning of all %d", n, len(all))
		}
	}
	const n = 200
	before := Sentences(s.input.Bodies, n)
	s.input.Bodies[17] = "w1 w2 w3 w4 w5 and something else."
	after, same := Sentences(s.input.Bodies, n), 0
	for _, x := range before {
		if slices.Contains(after, x) {
			same++
		}
	}
	if same < n-10 {
		t.Errorf("after an edit of one body in 400 %d of %d sentences are the same, want nearly all", same, n)
	}
}

func FuzzSentences(f *testing.F) {
	f.Add("One sentence is here. Another one is there!\nAnd a line")
	f.Add("これは最初の文です。\xff…\"')] x")
	f.Fuzz(func(t *testing.T, body string) {
		seen := map[string]bool{}
		for _, s := range Sentences([]string{"", body}, 1000) {
			n := utf8.RuneCountInString(s.Text)
			if s.Chunk != 1 || n < minSentence || n > maxSentence || seen[s.Text] || !strings.Contains(body, s.Text) || strings.Contains(s.Text, "\n") {
				t.Errorf("Sentences(%q) has %q of chunk %d", body, s.Text, s.Chunk)
			}
			seen[s.Text] = true
		}
	})
}
