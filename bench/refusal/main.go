// Command refusal measures how well ask tells questions that documents answer from those that they do not, and fits the
// constants of that decision (runtime/answer, Weigh) to the half of the questions that is for it.
//
//	go run ./bench/refusal [-fit] NAME=FILE.kddx...
//
// NAME is a corpus of testdata/relevance/ask/questions.tsv. With -fit it prints constants learnt from the half "tune"; without
// it measures the constants that are built in. Both print what is refused of each half and kind, with 95 % intervals of 2,000
// bootstrap samples.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"kdd/runtime"
	"kdd/runtime/answer"
	"kdd/runtime/shape"
)

// question is one line of the set, with what was found for it.
type question struct {
	id, half, corpus, kind, expected, text string
	evidence                               answer.Evidence
	asked                                  *shape.AnswerResponse
}

func main() {
	set := flag.String("questions", "testdata/relevance/ask/questions.tsv", "the questions")
	fit := flag.Bool("fit", false, "learn constants from the half tune")
	most := flag.Float64("refused", 0.08, "with -fit: share of the answerable that may be refused")
	worst := flag.Bool("worst", false, "list the questions that are decided wrongly")
	flag.Parse()
	if err := run(*set, flag.Args(), *fit, *most, *worst); err != nil {
		fmt.Fprintln(os.Stderr, "refusal:", err)
		os.Exit(1)
	}
}

func run(set string, indexes []string, fit bool, most float64, worst bool) error {
	all, err := read(set)
	if err != nil {
		return err
	}
	var list []question
	for _, index := range indexes {
		name, path, ok := strings.Cut(index, "=")
		if !ok {
			return fmt.Errorf("got %q, want NAME=FILE", index)
		}
		service := runtime.New(runtime.Config{Index: []string{path}})
		for _, q := range all {
			if q.corpus != name {
				continue
			}
			if q.asked, err = service.Ask(context.Background(), shape.AskRequest{Query: q.text}); err != nil {
				return err
			}
			e := q.asked.Retrieval.Evidence
			q.evidence = answer.Evidence{Vectors: e.Cosine != 0, Cosine: e.Cosine, Coverage: e.Coverage, Strange: e.Strange}
			list = append(list, q)
		}
		service.Close()
	}
	refused := func(q *question) bool { return !q.asked.Grounded }
	if fit {
		w := learn(list)
		least := threshold(list, w, most)
		fmt.Printf("weights %.3f\nenough %.3f\n\n", w, least)
		refused = func(q *question) bool { return logistic(w, answer.Features(q.evidence)) < least }
	}
	report(list, refused)
	if worst {
		for i := range list {
			if q := &list[i]; refused(q) == (q.kind == "answerable") {
				fmt.Printf("%s %s %s %.2f %+v %s\n", q.half, q.kind, q.id, q.asked.Confidence, q.evidence, q.text)
			}
		}
	}
	return nil
}

func read(path string) ([]question, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var list []question
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		c := strings.Split(lines.Text(), "\t")
		if len(c) != 7 {
			return nil, fmt.Errorf("%s: got %d columns, want 7: %s", path, len(c), lines.Text())
		}
		list = append(list, question{id: c[0], half: c[1], corpus: c[2], kind: c[4], expected: c[5], text: c[6]})
	}
	return list, lines.Err()
}

// logistic is the probability of an answer.
func logistic(w, x []float64) float64 {
	z := 0.0
	for i := range w {
		z += w[i] * x[i]
	}
	return 1 / (1 + math.Exp(-z))
}

// learn fits a logistic regression to the half tune, by gradient descent with a little weight decay.
func learn(list []question) []float64 {
	var xs [][]float64
	var ys []float64
	for i := range list {
		if q := &list[i]; q.half == "tune" {
			y := 0.0
			if q.kind == "answerable" {
				y = 1
			}
			xs, ys = append(xs, answer.Features(q.evidence)), append(ys, y)
		}
	}
	w := make([]float64, len(xs[0]))
	for range 40000 {
		grad := make([]float64, len(w))
		for i, x := range xs {
			d := logistic(w, x) - ys[i]
			for j := range w {
				grad[j] += d * x[j]
			}
		}
		for j := range w {
			decay := 0.5 * w[j]
			if j == 0 {
				decay = 0 // the constant
			}
			w[j] -= 0.5 * (grad[j] + decay) / float64(len(xs))
		}
	}
	return w
}

// threshold is the highest probability below which at most a share of the answerable questions of the half tune lie.
func threshold(list []question, w []float64, most float64) float64 {
	var ps []float64
	for i := range list {
		if q := &list[i]; q.half == "tune" && q.kind == "answerable" {
			ps = append(ps, logistic(w, answer.Features(q.evidence)))
		}
	}
	slices.Sort(ps)
	return ps[int(most*float64(len(ps)))]
}

// report prints what share is refused.
func report(list []question, refused func(*question) bool) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, half := range []string{"tune", "test"} {
		for _, kind := range []string{"answerable", "other-topic", "absent", "false-premise", "none"} {
			var hits []float64
			for i := range list {
				q := &list[i]
				if q.half != half || q.kind != kind && !(kind == "none" && q.kind != "answerable") {
					continue
				}
				hit := 0.0
				if refused(q) {
					hit = 1
				}
				hits = append(hits, hit)
			}
			if len(hits) == 0 {
				continue
			}
			mean, low, high := interval(hits, random)
			fmt.Printf("%s  %-14s %3d questions  refused %.3f  [%.3f, %.3f]\n", half, kind, len(hits), mean, low, high)
		}
		right, all := 0, 0
		for i := range list {
			q := &list[i]
			if q.half != half || q.expected == "-" || refused(q) {
				continue
			}
			all++
			if slices.ContainsFunc(q.asked.Citations, func(c shape.Citation) bool { return c.Path == q.expected }) {
				right++
			}
		}
		fmt.Printf("%s  of %d answers %d cite the document that was expected\n", half, all, right)
	}
}

// interval is the mean of a sample and the 2.5th and 97.5th percentile of it over bootstrap samples.
func interval(sample []float64, random *rand.Rand) (mean, low, high float64) {
	var means []float64
	for range 2000 {
		sum := 0.0
		for range sample {
			sum += sample[random.IntN(len(sample))]
		}
		means = append(means, sum/float64(len(sample)))
	}
	slices.Sort(means)
	for _, x := range sample {
		mean += x / float64(len(sample))
	}
	return mean, means[50], means[1949]
}
