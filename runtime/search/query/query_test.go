package query

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"kdd/compiler/corpustest"
	"kdd/format/index"
	"kdd/runtime/wire"
)

// shown is the words of a query: "text" or "text!" for a stop word, "*" before a whole, "?" after one without terms.
func shown(words []Word) string {
	var list []string
	for _, w := range words {
		s := w.Text
		if w.Whole {
			s = "*" + s
		}
		if w.Stop {
			s += "!"
		}
		if len(w.Terms) == 0 {
			s += "?"
		}
		list = append(list, s)
	}
	return strings.Join(list, " ")
}

func TestParse(t *testing.T) {
	x := corpustest.Index(t, map[string]string{
		"a.md": "---\nlanguage: en\n---\n# Rendering\n\nThe components render with useState and foo_bar.\n",
		"b.md": "---\nlanguage: es\n---\n# Métodos\n\nLos métodos de la página son rápidos.\n",
		"c.md": "# 検索\n\n検索エンジンの設計。\n",
	})
	tests := []struct{ name, text, words, all string }{
		{"stop words are dropped", "how does the component render", "component render", ""},
		{"all words are stop words", "the of a", "the! of!? a!?", ""},
		{"Spanish", "los métodos de la página", "metodos pagina", ""},
		{"without accents", "metodos", "metodos", ""},
		{"identifier", "useState", "*usestate use state", ""},
		{"unknown identifier gives its parts", "useEffectOnce", "use effect? once?", ""},
		{"unknown word stays", "component zxqwv", "component zxqwv?", ""},
		{"twice", "render render", "render render", ""},
		{"one character", "索", "索", ""},
		{"nothing", "?! 🦊", "", ""},
		{"long", strings.Repeat("render ", 10_000), strings.TrimSpace(strings.Repeat("render ", maxWords)), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := Parse([]*index.Index{x}, tt.text)[0]
			if got := shown(q.Words); got != tt.words {
				t.Errorf("Parse(%.40q) = %.200s, want %.200s", tt.text, got, tt.words)
			}
			if !strings.HasPrefix(tt.text, q.Text) || len(q.Text) < min(len(tt.text), maxText) || len(q.All) < len(q.Words) {
				t.Errorf("Parse(%.40q): %d words of %d", tt.text, len(q.Words), len(q.All))
			}
			for _, w := range q.All {
				if !(w.IDF > 0) || math.IsInf(w.IDF, 0) || int(w.DF) > x.Chunks() {
					t.Errorf("%s: idf %g, df %d", w.Text, w.IDF, w.DF)
				}
			}
		})
	}
}

// TestLoneCharacter checks that one character of a script without spaces finds every text that has it.
func TestLoneCharacter(t *testing.T) {
	x := corpustest.Index(t, map[string]string{"a.md": "検索の設計\n", "b.md": "全文検索\n", "c.md": "索引\n", "d.md": "索\n", "e.md": "設計\n"})
	q := Parse([]*index.Index{x}, "索")[0]
	found := map[uint32]bool{}
	for _, id := range q.Words[0].Terms {
		rec := x.Postings(id)
		var rows, freqs [128]uint32
		for _, f := range []index.FieldID{index.BodyField} {
			for i := range rec.Fields[f].Blocks() {
				for _, row := range rows[:rec.Fields[f].Decode(i, rows[:], freqs[:])] {
					found[row] = true
				}
			}
		}
	}
	if len(found) != 4 || q.Words[0].DF < 4 {
		t.Errorf("索 stands in %v with df %d, want the 4 texts that have it", found, q.Words[0].DF)
	}
}

// TestSeveral checks that the weights of words are those of all artifacts together.
func TestSeveral(t *testing.T) {
	x := corpustest.Index(t, map[string]string{"a.md": "# A\n\nalpha beta\n", "b.md": "# B\n\nalpha\n"})
	y := corpustest.Index(t, map[string]string{"c.md": "# C\n\nbeta gamma\n"})
	both := Parse([]*index.Index{x, y}, "alpha gamma")
	n := float64(x.Chunks() + y.Chunks())
	for i, df := range []float64{2, 1} {
		for _, q := range both {
			if got, want := q.Words[i].IDF, IDF(n, df); math.Abs(got-want) > 1e-12 {
				t.Errorf("idf of %s = %g, want %g", q.Words[i].Text, got, want)
			}
		}
	}
	if len(both[0].Words[0].Terms) == 0 || len(both[1].Words[0].Terms) != 0 || both[0].Words[0].DF != 2 || both[1].Words[0].DF != 0 {
		t.Errorf("terms of each: %+v and %+v", both[0].Words, both[1].Words)
	}
}

func TestIDF(t *testing.T) {
	tests := []struct {
		name      string
		n, df     float64
		low, high float64
	}{
		{"in none", 100, 0, 5.2, 5.4}, {"in all", 100, 100, 0, 0.01}, {"more than there are", 100, 1000, 0, 0.01}, {"in half", 100, 50, 0.69, 0.70}, {"nothing at all", 0, 0, 0.69, 0.70},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := IDF(tt.n, tt.df); !(got > tt.low && got < tt.high) {
				t.Errorf("IDF(%g, %g) = %g, want %g to %g", tt.n, tt.df, got, tt.low, tt.high)
			}
		})
	}
}

func TestNotBefore(t *testing.T) {
	tests := []struct {
		name, date, since string
		want              bool
	}{
		{"same day", "2024-05-01", "2024-05-01", true}, {"day before", "2024-04-30", "2024-05-01", false}, {"month", "2024-05-01", "2024-05", true}, {"year", "2024-05-01", "2024", true},
		{"year before", "2023-12-31", "2024", false}, {"no date", "", "2024", false}, {"no year", "soon", "2024", false}, {"a year alone", "2024", "2024-06", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := notBefore(tt.date, tt.since); got != tt.want {
				t.Errorf("notBefore(%s, %s) = %v, want %v", tt.date, tt.since, got, tt.want)
			}
		})
	}
}

// TestHostileGlobs checks that no pattern takes longer than its length deserves.
func TestHostileGlobs(t *testing.T) {
	files := map[string]string{}
	for i := range 50 {
		files[fmt.Sprintf("%s%d.md", strings.Repeat("a", 150), i)] = "# A\n"
	}
	x := corpustest.Index(t, files)
	for name, glob := range map[string]string{
		"stars": strings.Repeat("*a", 100) + "b", "double stars": strings.Repeat("**/", 500) + "b", "alternatives": strings.Repeat("{a,a}", 40) + "b", "nested": strings.Repeat("{a,", 200) + "b" + strings.Repeat("}", 200),
		"stars in alternatives": strings.Repeat("{*a,a*}", 30) + "b", "long": strings.Repeat("x", 60_000), "classes": strings.Repeat("[a-z]", 5000), "open": "{{{{[[[[",
	} {
		began := time.Now()
		Filter(x, &wire.Filter{PathGlob: glob})
		if took := time.Since(began); took > 2*time.Second {
			t.Errorf("%s: took %s", name, took)
		}
	}
}

func TestAlternatives(t *testing.T) {
	tests := []struct {
		name, glob string
		want       int
	}{
		{"none", "a/**/*.md", 1}, {"one group", "*.{md,mdx,feature}", 3}, {"two", "{a,b}/{c,d,e}", 6}, {"nested", "{a,{b,c}}", 4}, {"escaped", `\{a,b\}`, 1}, {"comma outside", "a,b", 1}, {"not closed", "{a,b", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := alternatives(tt.glob); got != tt.want {
				t.Errorf("alternatives(%s) = %d, want %d", tt.glob, got, tt.want)
			}
		})
	}
	for name, glob := range map[string]string{"1000 groups": strings.Repeat("{a,b}", 1000), "deep braces": strings.Repeat("{", maxBraces+1) + strings.Repeat("}", maxBraces+1)} {
		if got := alternatives(glob); got <= maxAlternatives {
			t.Errorf("alternatives of %s = %d, want more than %d", name, got, maxAlternatives)
		}
	}
	if got := alternatives(strings.Repeat("{a,", maxBraces-3) + strings.Repeat("}", maxBraces-3)); got > maxAlternatives {
		t.Errorf("alternatives of braces within bounds = %d, want at most %d", got, maxAlternatives)
	}
}
