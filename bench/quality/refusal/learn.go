package refusal

import (
	"context"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kdd/bench/internal/harness"
	"kdd/runtime/answer"
	"kdd/runtime/answer/answertest"
)

// Fit learns weights from the questions and prints them, with what they and those of other folds refuse.
func Fit(args []string, stdout, stderr io.Writer) int {
	return harness.Run("evidence", args, stderr, func(flags *flag.FlagSet) harness.Work {
		sets := questionsFlag(flags)
		limit := flags.Float64("refused", 0.07, "share of the answerable questions of -by that may be refused")
		by := flags.String("by", "natural", "half that sets the threshold, empty for all")
		return func(ctx context.Context) error {
			all, err := read(strings.Split(*sets, ","))
			if err != nil {
				return err
			}
			if i := slices.IndexFunc(all, func(q question) bool { return q.Half == blind }); i >= 0 {
				return fmt.Errorf("question %s is of a set that nothing may be fitted to", all[i].ID)
			}
			list, err := askAll(ctx, all, flags.Args())
			if err != nil {
				return err
			}
			weights, ps := learn(list), across(list, (*question).fold)
			enough := threshold(list, ps, *by, *limit)
			for i, name := range answer.FeatureNames() {
				fmt.Fprintf(stdout, "%-24s %7.2f\n", name, weights[i])
			}
			fmt.Fprintf(stdout, "enough %.3f\n\neach question by others, and each corpus by the others:\n\n", enough)
			groups(stdout, list, ps, across(list, (*question).topic), enough)
			fmt.Fprintln(stdout)
			curve(stdout, list, ps, *by)
			fmt.Fprintln(stdout)
			decided := map[string]bool{}
			for i := range list {
				decided[list[i].ID] = ps[i] < enough
			}
			report(stdout, list, func(q *question) bool { return decided[q.ID] })
			return nil
		}
	})
}

// probability is that of an answer, by weights.
func probability(w []float64, e answer.Evidence) float64 {
	z := 0.0
	for i, x := range answer.Features(e) {
		z += w[i] * x
	}
	return harness.Logistic(z)
}

// Constants of the fit.
const (
	decay = 0.4 // of squared weights of features of variance 1, the constant's aside, against sides of weight side
	side  = 10  // what all that is answerable weighs, and all that is not
	folds = 8   // that questions of no author are predicted in
)

// parts is the end of the name of a corpus that lacks some documents: NAME-3, and NAME-3-without where those are
// missing that answer the questions of part 3.
var parts = regexp.MustCompile(`-[0-9]+(-without)?$`)

// topic is the corpus that a question is asked of, whatever documents that lacks.
func (q *question) topic() string { return parts.ReplaceAllString(q.Corpus, "") }

// group is what a question's weight is shared with.
func (q *question) group() string {
	half := q.Half
	if half == "tune" || half == "test" {
		half = "ask"
	}
	return half + " " + q.topic() + " " + q.Kind
}

// halves are those that are no author's, each with what a group of it weighs among those of its side: questions as
// users ask them most, least those that only other corpora answer.
var halves = map[string]float64{"natural": 3, "words": 0.6, "ask": 0.6, "tune": 0.6, "test": 0.6, "pairs": 0.4}

// authors is what a group of an author's questions weighs.
const authors = 0.6

// importance is what a group weighs among those of its side.
func importance(group string) float64 {
	half, _, _ := strings.Cut(group, " ")
	if w, ok := halves[half]; ok {
		return w
	}
	return authors
}

// shares returns the weight of each question: that of its group by its questions, both sides being equal.
func shares(list []question) []float64 {
	count, sides := map[string]int{}, map[bool]float64{}
	for i := range list {
		count[list[i].group()]++
	}
	ws := make([]float64, len(list))
	for i := range list {
		q := &list[i]
		ws[i] = importance(q.group()) / float64(count[q.group()])
		sides[q.Kind == answertest.Answerable] += ws[i]
	}
	for i := range list {
		ws[i] *= side / sides[list[i].Kind == answertest.Answerable]
	}
	return ws
}

// learn fits a logistic regression, with a weight decay on all but the constant that does not depend on a feature's
// unit.
func learn(list []question) []float64 {
	share := shares(list)
	n := len(answer.Features(answer.Evidence{}))
	mean, square, cases := make([]float64, n), make([]float64, n), make([]harness.Case, len(list))
	for i := range list {
		q := &list[i]
		cases[i] = harness.Case{X: answer.Features(q.evidence), Yes: q.Kind == answertest.Answerable, Weight: share[i]}
		for j, x := range cases[i].X {
			mean[j] += share[i] * x / (2 * side)
			square[j] += share[i] * x * x / (2 * side)
		}
	}
	decays := make([]float64, n)
	for j := range decays {
		decays[j] = 1e-9
		if j > 0 {
			decays[j] += decay * (square[j] - mean[j]*mean[j])
		}
	}
	return harness.FitLogistic(cases, decays)
}

// across returns the probability of each question by what is learnt from those of other parts, as part names them.
func across(list []question, part func(*question) string) []float64 {
	ps := make([]float64, len(list))
	for _, own := range values(list, part) {
		var others []question
		for i := range list {
			if part(&list[i]) != own {
				others = append(others, list[i])
			}
		}
		w := learn(others)
		for i := range list {
			if part(&list[i]) == own {
				ps[i] = probability(w, list[i].evidence)
			}
		}
	}
	return ps
}

// fold is one of the parts that questions are predicted in: all questions of an author are in one, and so is the same
// question of the other halves, whatever it is asked of.
func (q *question) fold() string {
	if _, ok := halves[q.Half]; !ok {
		return q.Half
	}
	h := fnv.New32a()
	h.Write([]byte(strings.ToLower(q.Text)))
	return strconv.Itoa(int(h.Sum32() % folds))
}

// threshold is the highest probability below which at most a share of the answerable questions of a half lie.
func threshold(list []question, ps []float64, half string, limit float64) float64 {
	var own []float64
	for i := range list {
		if q := &list[i]; q.Kind == answertest.Answerable && (half == "" || q.Half == half) {
			own = append(own, ps[i])
		}
	}
	if len(own) == 0 {
		return 0
	}
	slices.Sort(own)
	if n := int(limit * float64(len(own))); n < len(own) {
		return own[n]
	}
	return 1
}
