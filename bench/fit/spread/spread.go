// Package spread measures rules by which the hits of one document stand behind those of others.
//
//	go run ./bench/fit spread [-mode hybrid] [-out DIR] -try "3:.9 2:.8 first5" NAME=FILE.kddx,QUESTIONS.tsv...
//
// Of each -try, separated by spaces, N:SHARE lets each N hits of a document after its first N count with SHARE of their
// score (search.Spread), first5 allows a document two of the first five places. The ranking as it is (off) and the
// rules arrange the same hits, by a reference of their own. Questions are those that eval reads, answers included.
//
// It prints nDCG@10 by section, and by document of what a page of ten hits shows, what each rule gains over the first
// of -try with 95 % intervals of the paired bootstrap, and how many documents are among 5, 10 and 50 hits.
package spread

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"kdd/bench/internal/harness"
	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/eval"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// deep is how many hits of the ranking are arranged.
const deep = 200

// pages are the lengths of lists in which documents are counted.
var pages = []int{5, 10, 50}

// Run arranges the hits of each question by each rule and prints the gains.
func Run(args []string, stdout, stderr io.Writer) int {
	return harness.Run("spread", args, stderr, func(flags *flag.FlagSet) harness.Work {
		mode := flags.String("mode", "hybrid", "hybrid, lexical or vector")
		try := flags.String("try", "first5 3:.9", "rules, with spaces between; the first is what the others are compared with")
		out := flags.String("out", "", "folder that keeps the tables")
		return func(ctx context.Context) error {
			var rules []rule
			for _, text := range append(strings.Fields(*try), "off") {
				r, err := parse(text)
				if err != nil {
					return err
				}
				rules = append(rules, r)
			}
			if flags.NArg() == 0 {
				return harness.ErrUsage
			}
			var all []*source
			for _, text := range flags.Args() {
				s, err := open(ctx, text, *mode, rules)
				if err != nil {
					return err
				}
				all = append(all, s)
			}
			return harness.Report(stdout, *out, harness.Result{Title: "Hits of one document", Command: "fit spread", Args: args, Body: report(all, rules)})
		}
	})
}

// rule arranges hits.
type rule struct {
	text  string
	each  int // 0 = not this rule
	share float64
	five  bool
}

func parse(text string) (rule, error) {
	r := rule{text: text, five: text == "first5"}
	if r.five || text == "off" {
		return r, nil
	}
	each, share, _ := strings.Cut(text, ":")
	var err error
	if r.each, err = strconv.Atoi(each); err == nil {
		r.share, err = strconv.ParseFloat(share, 64)
	}
	if err != nil || r.each < 1 || r.share < 0 || r.share > 1 {
		return r, harness.Wrong("-try: got %q, want first5, off or N:SHARE", text)
	}
	return r, nil
}

// arrange is what the rule makes of a ranking.
func (r rule) arrange(hits []wire.Hit) []wire.Hit {
	seen := map[string]int{}
	switch {
	case r.five:
		var list, late []wire.Hit
		for i, h := range hits {
			if len(list) == 5 {
				return slices.Concat(list, late, hits[i:])
			}
			if seen[h.Path]++; seen[h.Path] > 2 {
				late = append(late, h)
			} else {
				list = append(list, h)
			}
		}
		return append(list, late...)
	case r.each > 0:
		list := slices.Clone(hits)
		for i := range list {
			n := seen[list[i].Path] / r.each
			seen[list[i].Path]++
			list[i].Score *= math.Pow(r.share, float64(n))
		}
		slices.SortStableFunc(list, func(a, b wire.Hit) int { return cmp.Compare(b.Score, a.Score) })
		return list
	}
	return hits
}

// source is one artifact with its questions and what the rules made of the answers.
type source struct {
	name      string
	questions int
	ten       []*eval.Measurement // by rule: of the first ten hits
	five      []*eval.Measurement // of the first five
	documents [][]float64         // by rule and page: documents among the hits, the mean
	crowded   [][]float64         // by rule and page: hits of the document that has most, the mean
}

func open(ctx context.Context, text, mode string, rules []rule) (*source, error) {
	name, rest, ok := strings.Cut(text, "=")
	artifact, file, both := strings.Cut(rest, ",")
	if !ok || !both {
		return nil, harness.Wrong("got %q, want NAME=FILE.kddx,QUESTIONS.tsv", text)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := eval.Parse(eval.File{Name: file, Data: data}, nil, "")
	if err := eval.Err(set.Faults); err != nil {
		return nil, err
	}
	questions := slices.DeleteFunc(set.Set.Questions, func(q index.Question) bool { return len(q.Relevant) == 0 })
	s := &source{name: name, questions: len(questions)}
	svc := runtime.New(runtime.Config{Index: []string{artifact}})
	defer svc.Close()
	ten, five := make([]eval.Run, len(rules)), make([]eval.Run, len(rules))
	for i := range rules {
		ten[i], five[i] = eval.Run{}, eval.Run{}
		s.documents, s.crowded = append(s.documents, make([]float64, len(pages))), append(s.crowded, make([]float64, len(pages)))
	}
	for i := range questions {
		q := &questions[i]
		request := wire.SearchRequest{Query: q.Text, Mode: mode, Limit: deep, Diversity: search.DiversityOff, Page: wire.Page{MaxBytes: -1}}
		resp, err := svc.Search(ctx, request)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for k, r := range rules {
			list := r.arrange(resp.Results)
			ten[k][q.ID], five[k][q.ID] = places(list, 10), places(list, 5)
			for p, n := range pages {
				count := map[string]int{}
				most := 0
				for _, h := range list[:min(n, len(list))] {
					count[h.Path]++
					most = max(most, count[h.Path])
				}
				s.documents[k][p] += float64(len(count)) / float64(len(questions))
				s.crowded[k][p] += float64(most) / float64(len(questions))
			}
		}
	}
	for k := range rules {
		s.ten, s.five = append(s.ten, eval.Score(questions, ten[k])), append(s.five, eval.Score(questions, five[k]))
	}
	return s, nil
}

// places are those of the first n hits: what a page of n shows.
func places(hits []wire.Hit, n int) []index.Place {
	list := make([]index.Place, min(n, len(hits)))
	for i := range list {
		list[i] = index.Place{Path: hits[i].Path, Anchor: hits[i].Anchor}
	}
	return list
}

// mean returns the mean of a metric over the questions of one source.
func mean(s *eval.Scored, metric eval.Metric) float64 {
	sum := 0.0
	for i := range s.Metrics {
		sum += *metric.Of(&s.Metrics[i])
	}
	return sum / float64(max(1, len(s.Metrics)))
}

func report(all []*source, rules []rule) string {
	var b strings.Builder
	levels := []struct {
		name   string
		of     func(*source, int) *eval.Scored
		metric eval.Metric
	}{
		{"nDCG@10 by section", func(s *source, k int) *eval.Scored { return &s.ten[k].Section }, eval.NDCG},
		{"right section in five hits", func(s *source, k int) *eval.Scored { return &s.five[k].Section }, found},
		{"right section in ten hits", func(s *source, k int) *eval.Scored { return &s.ten[k].Section }, found},
		{"nDCG by document of ten hits", func(s *source, k int) *eval.Scored { return &s.ten[k].Document }, eval.NDCG},
		{"right document in five hits", func(s *source, k int) *eval.Scored { return &s.five[k].Document }, found},
		{"right document in ten hits", func(s *source, k int) *eval.Scored { return &s.ten[k].Document }, found},
	}
	n := 0
	for _, s := range all {
		n += s.questions
	}
	for _, l := range levels {
		fmt.Fprintf(&b, "\n## %s\n\n| rule | mean of sources, %d questions | gain over %s |", l.name, n, rules[0].text)
		for _, s := range all {
			fmt.Fprintf(&b, " %s |", s.name)
		}
		fmt.Fprintf(&b, "\n|---|---|---|%s\n", strings.Repeat("---|", len(all)))
		for k, r := range rules {
			var mine, base []*eval.Scored
			own, sum := "", 0.0
			for _, s := range all {
				mine, base = append(mine, l.of(s, k)), append(base, l.of(s, 0))
				value := mean(l.of(s, k), l.metric)
				own += fmt.Sprintf(" %.4f |", value)
				sum += value / float64(len(all))
			}
			c := eval.CompareMeans(mine, base, l.metric)
			fmt.Fprintf(&b, "| %s | %.4f | %+.4f (%+.4f to %+.4f) |%s\n", r.text, sum, c.Mean, c.Low, c.High, own)
		}
	}
	for _, what := range []struct {
		name string
		of   func(*source) [][]float64
	}{{"Documents among 5, 10 and 50 hits", func(s *source) [][]float64 { return s.documents }}, {"Hits of the document that has most, among 5, 10 and 50", func(s *source) [][]float64 { return s.crowded }}} {
		fmt.Fprintf(&b, "\n## %s\n\n| rule |", what.name)
		for _, s := range all {
			fmt.Fprintf(&b, " %s |", s.name)
		}
		fmt.Fprintf(&b, "\n|---|%s\n", strings.Repeat("---|", len(all)))
		for k, r := range rules {
			fmt.Fprintf(&b, "| %s |", r.text)
			for _, s := range all {
				v := what.of(s)[k]
				fmt.Fprintf(&b, " %.1f, %.1f, %.1f |", v[0], v[1], v[2])
			}
			fmt.Fprintf(&b, "\n")
		}
	}
	return b.String()
}

// found is 1 for a question with a relevant place among the hits.
var found = eval.Metric{Name: "found", Of: func(m *eval.Metrics) *float64 {
	value := 0.0
	if m.MRR > 0 {
		value = 1
	}
	return &value
}}
