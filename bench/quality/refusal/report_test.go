package refusal

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

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

// TestCurve counts the kinds below each threshold, and how often a pair is in order.
func TestCurve(t *testing.T) {
	var list []question
	add := func(kind string, p float64) {
		q := asked("natural", "", kind, "")
		q.asked = &wire.AnswerResponse{Confidence: p}
		list = append(list, q)
	}
	for i := range 100 {
		add(answertest.Answerable, float64(i)/100)
	}
	for _, p := range []float64{0.015, 0.055, 0.995, 0.195} {
		add("absent", p)
	}
	var b strings.Builder
	curve(&b, list)
	for _, want := range []string{"0.020 (threshold 0.020)  0.000  0.250  0.000  0.250\n", "0.100 (threshold 0.100)  0.000  0.500", "0.200 (threshold 0.200)  0.000  0.750", "area under the curve  0.000  0.680"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("the curve has no %q:\n%s", want, b.String())
		}
	}
}
