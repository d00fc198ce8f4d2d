package main

import (
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kdd/runtime/answer"
	"kdd/runtime/shape"
)

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
	list, err := read(set)
	if err != nil {
		t.Fatal(err)
	}
	for i := range list {
		list[i].asked = &shape.AnswerResponse{Grounded: i == 0}
	}
	list[0].asked.Citations = []shape.Citation{{Path: "a.md"}}
	var b strings.Builder
	report(&b, list, func(q *question) bool { return !q.asked.Grounded })
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

// TestLearn separates what the features separate, predicts each question from the others, and finds the share.
func TestLearn(t *testing.T) {
	var list []question
	for i := range 40 {
		kind := "answerable"
		if i%2 == 0 {
			kind = "absent"
		}
		shift := 0.3 * float64(i%2)
		list = append(list, question{id: strconv.Itoa(i), corpus: "x", kind: kind, evidence: answer.Evidence{Vectors: true, Cosine: 0.5, Coverage: 0.2 + shift + 0.01*float64(i%10), Score: 0.3 + shift}})
	}
	w, ps := learn(list), across(list)
	if w[2] <= 0 || w[3] <= 0 {
		t.Errorf("weights %v", w)
	}
	for i := range list {
		if yes := ps[i] > 0.5; yes != (list[i].kind == "answerable") {
			t.Errorf("question %d has %g", i, ps[i])
		}
	}
	for _, least := range []float64{0, 0.5, 0.8, 1} {
		enough, below := threshold(list, ps, least), 0
		for i := range list {
			if list[i].kind != "answerable" && ps[i] < enough {
				below++
			}
		}
		if below < int(least*20) || least == 1 && below != 20 {
			t.Errorf("%g asked for: %d of 20 are below %g", least, below, enough)
		}
	}
}
