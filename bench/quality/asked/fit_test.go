package asked

import (
	"strings"
	"testing"

	"kdd/bench/internal/harness"
	"kdd/runtime/answer"
	"kdd/runtime/wire"
)

// TestLearn finds the thresholds between questions that are answered right, those whose answers are wrong, and those of
// another topic, whatever source is left out.
func TestLearn(t *testing.T) {
	var list []result
	add := func(source, kind string, v verdict, confidence float64) {
		q := question{source: source, kind: kind}
		list = append(list, result{question: q, verdict: v, asked: &wire.AnswerResponse{Confidence: confidence, Explain: &wire.AnswerExplain{
			Evidence: []wire.ExplainPart{{Name: "constant", Value: 1}, {Name: "score", Value: confidence}, {Name: "nothing", Value: 0.5}},
		}}})
	}
	for _, source := range []string{"a", "b", "c"} {
		for i := range 10 {
			shift := float64(i) / 100
			add(source, "value", right, 0.8+shift)
			add(source, "how-to", wrong, 0.5+shift)
			add(source, otherTopic, wrong, 0.1+shift)
		}
		add(source, "value", closest, 0.9) // no sentence could be quoted
		add(source, "value", refused, 0.9) // nothing was found
	}
	got := learn(list)
	// Of 10 questions one may be refused that could have been answered with passages: that costs less than slack.
	if got.answer <= 0.59 || got.answer > 0.605 || got.near <= 0.5 || got.near > 0.51 {
		t.Errorf("learn = %+v, want an answer from above 0.59 on, the closest from above 0.5", got)
	}
	said := leaveOut(list)
	for _, want := range []string{
		"| b | answerable | 22 | .45 | .00 | .00 | .45 | .09 | 0.59 |",
		"| b | other-topic | 10 | .00 | .00 | .00 | .00 | 1.00 | 0.00 |",
		"| left out | answer from | closest from |",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
}

// TestReportUnits finds the feature that tells right units from others, and what is lost without it.
func TestReportUnits(t *testing.T) {
	n := len(answer.SentenceNames())
	var lists []unitList
	for i := range 30 {
		l := unitList{source: []string{"a", "b", "c"}[i%3], kind: "value", chosen: i%2 == 0}
		for k := range 4 {
			x := make([]float64, n)
			x[0], x[1] = float64((i+k)%4)/4, float64((i*k)%3)
			l.X, l.Right = append(l.X, x), append(l.Right, (i+k)%4 == 3)
		}
		lists = append(lists, l)
	}
	lists = append(lists, unitList{source: "a", kind: "error", List: harness.List{X: [][]float64{make([]float64, n)}, Right: []bool{false}}})
	said := reportUnits(lists)
	for _, want := range []string{"31 questions, 30 with a right unit", "| (all) | | ", " | 30 |\n", "| a | 11 | 0.909 | 0.455 |", "| error | 1 | 0.000 | 0.000 |", "| **all** | 31 | 0.968 | 0.484 |"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in\n%s", want, said)
		}
	}
	if all, without := acrossSources(lists, -1), acrossSources(lists, 0); all.all != 30 || without.all >= all.all || without.loss <= all.loss {
		t.Errorf("right %d and loss %g with all features, %d and %g without the one that tells", all.all, all.loss, without.all, without.loss)
	}
}
