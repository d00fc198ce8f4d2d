package asked

import (
	"context"
	"flag"
	"fmt"
	"io"
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
		decided[i].verdict = t.decide(&decided[i])
	}
	return decided
}

// leaveOut prints the thresholds of all sources, those without each one, and what they make of it.
func leaveOut(list []result) string {
	var b strings.Builder
	all := learn(list)
	fmt.Fprintf(&b, "Of all sources: answer from %.3f, closest from %.3f.\n\n", all.answer, all.near)
	b.WriteString("| left out | answer from | closest from |\n|---|---|---|\n")
	var decided []result
	for _, own := range sources(list) {
		t := learn(slices.DeleteFunc(slices.Clone(list), func(r result) bool { return r.source == own }))
		fmt.Fprintf(&b, "| %s | %.3f | %.3f |\n", own, t.answer, t.near)
		others := func(r result) bool { return r.source != own }
		decided = append(decided, t.apply(slices.DeleteFunc(slices.Clone(list), others))...)
	}
	fmt.Fprintf(&b, "\nEach source by the others:\n\n%s", report(decided))
	return b.String()
}
