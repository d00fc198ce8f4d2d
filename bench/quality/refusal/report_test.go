package refusal

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kdd/runtime/answer"
	"kdd/runtime/answer/answertest"
	"kdd/runtime/wire"
)

// asked is a question of a set.
func asked(half, corpus, kind, text string) question {
	return question{Question: answertest.Question{Half: half, Corpus: corpus, Kind: kind, Text: text}}
}

func TestWilson(t *testing.T) {
	for _, test := range []struct {
		hits, n   int
		low, high float64 // Newcombe 1998, table I, method 3
	}{
		{81, 263, 0.2553, 0.3662},
		{15, 148, 0.0624, 0.1605},
		{0, 20, 0, 0.1611},
		{1, 29, 0.0061, 0.1718},
	} {
		low, high := wilson(test.hits, test.n)
		if math.Abs(low-test.low) > 6e-5 || math.Abs(high-test.high) > 6e-5 {
			t.Errorf("wilson(%d, %d) = %.4f, %.4f, want %.4f, %.4f", test.hits, test.n, low, high, test.low, test.high)
		}
	}
}

// TestReport counts by half, corpus and language, and takes an expected anchor for its document.
func TestReport(t *testing.T) {
	set := filepath.Join(t.TempDir(), "questions.tsv")
	if err := os.WriteFile(set, []byte("# id\n"+
		"a1\tblind\tx\ten\tanswerable\ta.md#b\tone\n"+
		"a2\tblind\ty\tes\tanswerable\ta.md\ttwo\n"+
		"n1\tblind\tx\ten\tabsent\t-\tthree\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	list, err := read([]string{set})
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		list[i].asked = &wire.AnswerResponse{}
	}
	list[0].asked.Outcome = wire.OutcomeAnswered
	list[0].asked.Citations = []wire.Citation{{Path: "a.md"}}
	var b strings.Builder
	report(&b, list, func(q *question) bool { return !q.asked.Answered() })
	for _, want := range []string{
		"blind                 answerable       1 of   2 questions refused  0.500",
		"blind                 none             1 of   1 questions refused  1.000",
		"of 1 answers 1 cite",
		"blind y es            answerable       1 of   1",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the report has no %q:\n%s", want, b.String())
		}
	}
	if strings.Contains(b.String(), "blind x es") {
		t.Error("a language without questions has a line")
	}
}

// TestLearn separates what the features separate, predicts each part from the others, and finds the share.
func TestLearn(t *testing.T) {
	var list []question
	for i := range 80 {
		kind := answertest.Answerable
		if i%2 == 0 {
			kind = "other-topic"
		}
		shift := 0.3 * float64(i%2)
		q := asked("words", []string{"x", "y-1", "y-2-without", "z"}[i/2%4], kind, strconv.Itoa(i))
		q.evidence = answer.Evidence{Means: answer.Distilled, Agreement: 0.2 + shift + 0.002*float64(i), Score: 0.3 + shift, Rarity: 0.9 - shift}
		list = append(list, q)
	}
	w, ps := learn(list), across(list, (*question).topic)
	if w[3] >= 0 || w[4] <= 0 || w[10] <= 0 || w[1] != 0 {
		t.Errorf("weights %v", w)
	}
	for _, part := range []func(*question) string{(*question).topic, (*question).fold} {
		for i, p := range across(list, part) {
			if yes := p > 0.5; yes != (list[i].Kind == answertest.Answerable) {
				t.Errorf("question %d has %g", i, p)
			}
		}
	}
	if a, b := asked("", "", "", "What is X"), asked("", "y", "", "what is x"); a.fold() != b.fold() {
		t.Errorf("one question is in parts %s and %s", a.fold(), b.fold())
	}
	if a, b := asked("r1", "", "", "what is x"), asked("r1", "", "", "what is y"); a.fold() != b.fold() || importance(a.group()) != authors {
		t.Errorf("questions of an author are in parts %s and %s, with importance %g", a.fold(), b.fold(), importance(a.group()))
	}
	if got := values(list, (*question).topic); strings.Join(got, " ") != "x y z" {
		t.Errorf("topics %v", got)
	}
	for _, most := range []float64{0, 0.1, 0.5} {
		enough, below := threshold(list, ps, "words", most), 0
		for i := range list {
			if list[i].Kind == answertest.Answerable && ps[i] < enough {
				below++
			}
		}
		if float64(below) > most*40 || float64(below) < most*40-1 {
			t.Errorf("%g asked for: %d of 40 are below %g", most, below, enough)
		}
	}
}

// TestCurve counts the kinds below each threshold, and how often a pair is in order.
func TestCurve(t *testing.T) {
	var list []question
	var ps []float64
	for i := range 100 {
		list = append(list, asked("natural", "", answertest.Answerable, ""))
		ps = append(ps, float64(i)/100)
	}
	for _, p := range []float64{0.015, 0.055, 0.995, 0.195} {
		list, ps = append(list, asked("natural", "", "absent", "")), append(ps, p)
	}
	list, ps = append(list, asked("ask", "", answertest.Answerable, "")), append(ps, 0)
	var b strings.Builder
	curve(&b, list, ps, "natural")
	for _, want := range []string{"0.020 (threshold 0.020)  0.000  0.250  0.000  0.250\n", "0.100 (threshold 0.100)  0.000  0.500", "0.200 (threshold 0.200)  0.000  0.750", "area under the curve  0.000  0.680"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the curve has no %q:\n%s", want, b.String())
		}
	}
	if got := threshold(list, ps, "nobody", 0.1); got != 0 {
		t.Errorf("a threshold by no question is %g", got)
	}
}

// TestShares gives both sides the same weight, and a group its own whatever its questions are.
func TestShares(t *testing.T) {
	list := []question{
		asked("words", "x", answertest.Answerable, ""), asked("tune", "x", answertest.Answerable, ""), asked("test", "x", answertest.Answerable, ""),
		asked("pairs", "x-1-without", "absent", ""), asked("pairs", "x", "other-topic", ""),
	}
	sides := map[bool]float64{}
	ws := shares(list)
	for i := range list {
		sides[list[i].Kind == answertest.Answerable] += ws[i]
	}
	if math.Abs(sides[true]-side) > 1e-9 || math.Abs(sides[false]-side) > 1e-9 {
		t.Errorf("sides weigh %v, want %v each", sides, side)
	}
	if ws[1] != ws[2] || math.Abs(ws[0]/(ws[1]+ws[2])-1) > 1e-9 || ws[4] != ws[3] {
		t.Errorf("weights %v", ws)
	}
}
