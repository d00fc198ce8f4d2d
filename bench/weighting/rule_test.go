package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"kdd/format/index"
	"kdd/runtime/eval"
	"kdd/runtime/search/fuse"
)

// made is a group whose questions want a high weight where they are rare, and a low one where they are not.
func made(set string, n int) *group {
	random := rand.New(rand.NewPCG(3, 3))
	g := &group{set: set, name: set + ", distilled"}
	found := map[string][features]float64{}
	for i := range n {
		id := fmt.Sprintf("q%d", i)
		var f [features]float64
		f[rarity], f[contrast] = random.Float64(), random.Float64()
		found[id] = f
		for w := range fixed {
			if i == 0 {
				g.at = append(g.at, &eval.Result{})
			}
			add(&g.at[w].Document, id, math.Max(0, 1-math.Abs(logs[w]-2*(f[rarity]-0.5))))
			if i%2 == 0 {
				add(&g.at[w].Section, id, 0.5)
			}
		}
	}
	g.stored, g.before = g.at[5], g.at[0]
	g.fill(found)
	return g
}

func TestCrossValidate(t *testing.T) {
	groups := []*group{made("one", 120), made("two", 60)}
	standardise(groups)
	flat := pooled(groups, chosen{always(bestFixed(groups, 0)), always(bestFixed(groups, 1))}.of)
	if n := len(flat.Document.Queries); n != 180 {
		t.Fatalf("%d questions, want 180", n)
	}
	gain := func(used ...int) float64 {
		return eval.Compare(&pooled(groups, crossValidate(groups, used).of).Document, &flat.Document, eval.NDCG).Mean
	}
	if g := gain(rarity); g < 0.2 {
		t.Errorf("the feature that decides gains %.3f, want at least 0.2", g)
	}
	if g := gain(contrast); g > 0.05 {
		t.Errorf("a feature without meaning gains %.3f, want about 0", g)
	}
	if g := gain(known); g > 0.01 {
		t.Errorf("a feature that is always the same gains %.3f, want 0", g)
	}
	best := pooled(groups, oracle).Document.Mean().NDCG
	if learned := pooled(groups, crossValidate(groups, []int{rarity}).of).Document.Mean().NDCG; learned > best || best < 0.9 {
		t.Errorf("the oracle reaches %.3f, a rule %.3f", best, learned)
	}
	text, err := report(groups)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| rarity | +0.7", "| known | – | – |", "\n| oracle | 0.9", "\n| all | the best fixed weight, ", "\n| all | before | "} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q:\n%s", want, text)
		}
	}
}

// TestGuard checks that what is learned does not depend on a guard.
func TestGuard(t *testing.T) {
	one, guard := made("one", 80), made("guard", 80)
	guard.guard = true
	for i := range guard.samples { // the other way round
		s := &guard.samples[i]
		s.features[rarity] = 10 - s.features[rarity]
	}
	standardise([]*group{one})
	alone := pooled([]*group{one}, crossValidate([]*group{one}, []int{rarity}).of).Document.Mean().NDCG
	with := []*group{guard, one}
	standardise(with)
	if got := pooled(with, crossValidate(with, []int{rarity}).of).Document.Mean().NDCG; got != alone {
		t.Errorf("with a guard the learned rule reaches %.4f, without %.4f", got, alone)
	}
}

func TestByRarity(t *testing.T) {
	w := index.Weights{Lexical: 0.5, Rarity: 2, UsualRarity: 0.35}
	for _, r := range []float64{0, 0.2, 0.35, 0.6, 1, 1.4} {
		s := sample{}
		s.features[rarity] = r
		if got, want := byRarity(w.Lexical, w.Rarity, w.UsualRarity)(&s), nearest(math.Log(fuse.LexicalWeight(&w, r, true))); got != want {
			t.Errorf("rarity %g: weight %g, want %g", r, fixed[got], fixed[want])
		}
	}
}

func TestNearest(t *testing.T) {
	for _, test := range []struct{ weight, want float64 }{{0.01, 0.25}, {0.25, 0.25}, {0.29, 0.25}, {0.30, 0.35}, {1.19, 1.4}, {1.18, 1}, {100, 2.8}} {
		if got := fixed[nearest(math.Log(test.weight))]; got != test.want {
			t.Errorf("nearest(%g) = %g, want %g", test.weight, got, test.want)
		}
	}
}

func TestPool(t *testing.T) {
	result := func(ids string, values ...float64) *eval.Result {
		r := &eval.Result{}
		for i, id := range strings.Fields(ids) {
			add(&r.Document, id, values[i])
		}
		return r
	}
	groups := []*group{{set: "s", stored: result("a b", 1, 0.5)}, {set: "s", stored: result("b c", 0, 1)}, {set: "t", stored: result("a", 0)}, {set: "u", guard: true, stored: result("a", 1)}}
	got := pool(groups, func(g *group) *eval.Result { return g.stored }).Document
	if text := fmt.Sprint(got.Queries); text != "[s a s b s c t a]" {
		t.Errorf("questions %s", text)
	}
	for i, want := range []float64{1, 0.25, 1, 0} {
		if got.Metrics[i].NDCG != want {
			t.Errorf("%s has %g, want %g", got.Queries[i], got.Metrics[i].NDCG, want)
		}
	}
}

func TestPearson(t *testing.T) {
	x := []float64{1, 2, 3, 4}
	for _, test := range []struct {
		name string
		y    []float64
		want float64
	}{{"line", []float64{3, 5, 7, 9}, 1}, {"falling", []float64{4, 3, 2, 1}, -1}, {"none", []float64{1, 2, 2, 1}, 0}, {"constant", []float64{2, 2, 2, 2}, math.NaN()}} {
		if got := pearson(x, test.y); math.Abs(got-test.want) > 1e-9 || math.IsNaN(got) != math.IsNaN(test.want) {
			t.Errorf("pearson of %s = %g, want %g", test.name, got, test.want)
		}
	}
}
