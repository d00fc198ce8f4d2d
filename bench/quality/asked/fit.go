package asked

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"kdd/bench/internal/harness"
)

// Fit learns the probabilities from which a question is answered and from which the closest passages are named: those
// of least cost. It prints what they make of each source when they are learnt from the others alone.
//
//	go run ./bench/fit outcome -questions FILE,FILE NAME=FILE.kddx...
func Fit(args []string, stdout, stderr io.Writer) int {
	return harness.Run("outcome", args, stderr, func(flags *flag.FlagSet) harness.Work {
		sets := flags.String("questions", "", "the questions, several files with commas between")
		out := flags.String("out", "", "folder that keeps the tables")
		return func(ctx context.Context) error {
			list, err := askAll(ctx, *sets, flags.Args(), true)
			if err != nil {
				return err
			}
			return harness.Report(stdout, *out, harness.Result{
				Title: "From what evidence on a question is answered", Command: "fit outcome", Args: args, Body: leaveOut(list),
			})
		}
	})
}

// thresholds are probabilities: from answer on a question is answered, from near on the closest passages are named.
type thresholds struct{ answer, near float64 }

// decide returns the verdict of a question that was answered whatever the evidence.
func (t thresholds) decide(r *result) verdict {
	switch p := r.asked.Confidence; {
	case p < t.near || r.verdict == refused:
		return refused
	case p < t.answer || r.verdict == closest:
		return closest
	}
	return r.verdict
}

// grid is how many steps of a probability are tried.
const grid = 200

// slack is a difference in the mean cost of a question that some 900 questions cannot tell from chance.
const slack = 0.02

// learn returns the thresholds of least cost, each source weighing as much as another. Of those whose cost is within
// slack of the least, those are taken that answer most, and of these the one that refuses most.
func learn(list []result) thresholds {
	count := map[string]int{}
	for i := range list {
		count[list[i].source]++
	}
	cost := func(t thresholds) (sum float64) {
		for i := range list {
			r := &list[i]
			sum += costOf(t.decide(r), &r.question) / float64(count[r.source])
		}
		return sum
	}
	allowed := slack * float64(len(count))
	within := func(of func(x float64) thresholds) (list []thresholds) { // in their order
		var costs [grid]float64
		for i := range costs {
			costs[i] = cost(of(float64(i+1) / grid))
		}
		least := slices.Min(costs[:])
		for i, c := range costs {
			if c <= least+allowed {
				list = append(list, of(float64(i+1)/grid))
			}
		}
		return list
	}
	// The cost of answering from a threshold on does not depend on the other one, as long as that is lower.
	t := within(func(x float64) thresholds { return thresholds{answer: x} })[0]
	near := within(func(x float64) thresholds { return thresholds{answer: t.answer, near: min(x, t.answer)} })
	return near[len(near)-1]
}

// apply returns the results with the verdicts that thresholds give.
func (t thresholds) apply(list []result) []result {
	decided := slices.Clone(list)
	for i := range decided {
		decided[i].quoted = decided[i].verdict
		decided[i].verdict = t.decide(&decided[i])
	}
	return decided
}

// decay is of the squared weights of features of variance 1, for each question of weight 1.
const decay = 0.01

// values returns the features of a result, the constant first.
func (r *result) values() []float64 {
	x := make([]float64, len(r.asked.Explain.Evidence))
	for i, p := range r.asked.Explain.Evidence {
		x[i] = p.Value
	}
	return x
}

// weigh fits the weights of the features, but those that are left out, to whether an answer is right. One of the right
// place that lacks what was asked for is as good as half of one. Each source weighs as much as another.
func weigh(list []result, without []int) []float64 {
	count := map[string]float64{}
	for i := range list {
		count[list[i].source]++
	}
	var cases []harness.Case
	total := 0.0
	n := len(list[0].values())
	mean, square := make([]float64, n), make([]float64, n)
	for i := range list {
		r := &list[i]
		if r.verdict > wrong {
			continue
		}
		x, w := r.values(), 1/count[r.source]
		for _, j := range without {
			x[j] = 0
		}
		switch r.verdict {
		case place:
			cases = append(cases, harness.Case{X: x, Yes: true, Weight: w / 2}, harness.Case{X: x, Weight: w / 2})
		default:
			cases = append(cases, harness.Case{X: x, Yes: r.verdict == right, Weight: w})
		}
		total += w
		for j, v := range x {
			mean[j] += w * v
			square[j] += w * v * v
		}
	}
	decays := make([]float64, n)
	for j := range decays {
		decays[j] = 1e-9
		if j > 0 {
			m := mean[j] / total
			decays[j] += decay * total * (square[j]/total - m*m)
		}
	}
	return harness.FitLogistic(cases, decays)
}

// confide returns the results with the probabilities that weights give.
func confide(list []result, weights []float64) []result {
	list = slices.Clone(list)
	for i := range list {
		r := &list[i]
		z := 0.0
		for j, x := range r.values() {
			z += weights[j] * x
		}
		asked := *r.asked
		asked.Confidence = harness.Logistic(z)
		r.asked = &asked
	}
	return list
}

// split returns the results of a source, and those of the others.
func split(list []result, source string) (own, others []result) {
	for i := range list {
		if list[i].source == source {
			own = append(own, list[i])
		} else {
			others = append(others, list[i])
		}
	}
	return own, others
}

// across decides each source by weights and thresholds of the others.
func across(list []result, without []int, each func(source string, t thresholds)) []result {
	var decided []result
	for _, source := range sources(list) {
		own, others := split(list, source)
		w := weigh(others, without)
		t := learn(confide(others, w))
		each(source, t)
		decided = append(decided, t.apply(confide(own, w))...)
	}
	return decided
}

// meanCost is the mean cost of the sources.
func meanCost(list []result) (sum float64) {
	names := sources(list)
	for _, s := range names {
		c := tally(list, s, func(*question) bool { return true })
		sum += c.cost / float64(c.all) / float64(len(names))
	}
	return sum
}

// meanLoss is the mean log loss of the sources: of whether an answer is right, whatever was decided.
func meanLoss(list []result) (sum float64) {
	names := sources(list)
	for _, s := range names {
		own, _ := split(list, s)
		loss, n := 0.0, 0.0
		for i := range own {
			r := &own[i]
			y := 0.0
			switch r.quoted {
			case right:
				y = 1
			case place:
				y = 0.5
			case wrong:
			default:
				continue
			}
			loss, n = loss-y*math.Log(r.asked.Confidence)-(1-y)*math.Log(1-r.asked.Confidence), n+1
		}
		sum += loss / max(1, n) / float64(len(names))
	}
	return sum
}

// leaveOut prints weights and thresholds, what they make of each source when they are learnt from the others, and what
// the cost is without each feature.
func leaveOut(list []result) string {
	var b strings.Builder
	weights := weigh(list, nil)
	all := learn(confide(list, weights))
	fmt.Fprintf(&b, "Of all sources: answer from %.3f, closest from %.3f.\n\n| left out | answer from | closest from |\n|---|---|---|\n",
		all.answer, all.near)
	decided := across(list, nil, func(source string, t thresholds) {
		fmt.Fprintf(&b, "| %s | %.3f | %.3f |\n", source, t.answer, t.near)
	})
	cost, loss := meanCost(decided), meanLoss(decided)
	fmt.Fprintf(&b, "\nMean of the sources, each by the others: cost %.3f, log loss %.4f. Weights, and by how much both are higher without one:\n\n"+
		"| feature | weight | log loss | cost |\n|---|---|---|---|\n", cost, loss)
	for i, p := range list[0].asked.Explain.Evidence {
		if weights[i] == 0 {
			continue
		}
		without := across(list, []int{i}, func(string, thresholds) {})
		fmt.Fprintf(&b, "| %s | %.2f | %+.4f | %+.3f |\n", p.Name, weights[i], meanLoss(without)-loss, meanCost(without)-cost)
	}
	fmt.Fprintf(&b, "\nEach source by the others:\n\n%s", report(decided))
	return b.String()
}
