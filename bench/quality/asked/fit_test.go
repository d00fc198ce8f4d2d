package asked

import (
	"strings"
	"testing"

	"kdd/runtime/wire"
)

// TestLearn finds the thresholds between questions that are answered right, those whose answers are wrong, and those of
// another topic, whatever source is left out.
func TestLearn(t *testing.T) {
	var list []result
	add := func(source, kind string, v verdict, confidence float64) {
		q := question{source: source, kind: kind}
		list = append(list, result{question: q, verdict: v, asked: &wire.AnswerResponse{Confidence: confidence}})
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
