// Package calibration fits what turns a raw score into the probability that the first hit is relevant, and measures it.
//
//	go run ./bench/fit calibration -kdd BIN -sets DIR[,DIR] [-guard DIR] [-artifacts DIR] [-model NAME] [-out DIR]
//
// Each question of the sets (see package sets) is asked by words, by vectors and by both, with the distilled query
// encoder and with the exact one. Its point is the raw score of the first hit in a document that the question does not
// exclude, and whether that document is relevant. For each mode and encoder score = harness.Logistic(a·raw + b) is
// fitted to half of the questions, those whose id has an even CRC-32 (IEEE), of all sets together: Platt scaling (Platt
// 1999) without its smoothing of labels. On the other half, and on all questions of the guard's sets, it prints the
// expected calibration error over ten bins of equal count (Naeini, Cooper & Hauskrecht 2015), of that fit and of the
// scores that the artifact gives.
//
// Two things differ from plain logistic regression. Raw scores count as at most 6, since a hit that the query names
// has a bonus that says nothing of its evidence. All questions have an answer, which those of people do not: to the
// fit by words alone one point in ten is added that has no evidence (raw 0) and is not relevant. Vectors give
// everything some score, so their modes get none.
//
// Then c is fitted, which counts ln(200/documents) where there are fewer: to samples of 6, 10, 15 and 20 documents of
// the sets that have a hundred or more and are no guard, with the questions that these answer and one in ten that they
// do not.
//
// The constants go into compiler/weights.go, by hand.
package calibration

import (
	"context"
	"fmt"
	"io"
	"strings"

	"kdd/bench/internal/harness"
	"kdd/bench/internal/sets"
	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/eval"
	"kdd/runtime/wire"
)

// Run fits and measures, and prints the tables.
func Run(args []string, stdout, stderr io.Writer) int {
	return sets.Run("calibration", args, stderr, func(ctx context.Context, o *sets.Options) error {
		return measure(ctx, o, args, stdout, stderr)
	})
}

// setting is a mode of search with what embeds the query.
type setting struct{ mode, encoder string }

var settings = []setting{{"lexical", ""}, {"vector", harness.Distilled}, {"vector", harness.Exact}, {"hybrid", harness.Distilled}, {"hybrid", harness.Exact}}

func (s setting) name() string {
	if s.encoder == "" {
		return s.mode
	}
	return s.mode + ", " + s.encoder
}

// column is the points of one query file.
type column struct {
	name   string
	guard  bool
	points []point
}

// measured returns the points that are not fitted to.
func (c *column) measured() []point {
	if c.guard {
		return c.points
	}
	_, other := halves(c.points)
	return other
}

// row is what a setting gave.
type row struct {
	setting
	columns []column
	stored  index.Calibration // of the artifact
	few     []point           // of samples
}

func measure(ctx context.Context, o *sets.Options, args []string, stdout, stderr io.Writer) error {
	corpora, done, err := o.Corpora(ctx, stderr)
	if err != nil {
		return err
	}
	defer done()
	var rows []row
	for _, s := range settings {
		r := row{setting: s}
		for i := range corpora {
			if err := r.ask(ctx, &corpora[i]); err != nil {
				return fmt.Errorf("%s, %s: %w", corpora[i].Set.Name, s.name(), err)
			}
		}
		if len(rows) == 0 || len(r.columns) == len(rows[0].columns) { // else a corpus has no such encoder
			rows = append(rows, r)
		}
	}
	text, err := table(rows)
	if err != nil {
		return err
	}
	few, err := fewTable(ctx, o, corpora, rows)
	if err != nil {
		return err
	}
	text += few
	return harness.Report(stdout, o.Out, harness.Result{Title: "Calibration of scores", Command: "fit calibration", Args: args,
		Version: harness.Version(o.KDD), Body: text})
}

// ask adds the points of a corpus, none if it has no artifact for the setting.
func (r *row) ask(ctx context.Context, c *sets.Corpus) error {
	path := c.Paths[r.encoder]
	if r.encoder == "" {
		path = c.Words()
	}
	if path == "" {
		return nil
	}
	x, err := index.Open(path)
	if err != nil {
		return err
	}
	for _, stored := range x.Meta.Weights.Calibration {
		if stored.Mode == r.mode {
			r.stored = stored
		}
	}
	x.File.Close()
	svc := runtime.New(runtime.Config{Index: []string{path}})
	defer svc.Close()
	for _, q := range c.Questions() {
		points, err := ask(ctx, svc, q.List, r.mode, true)
		if err != nil {
			return err
		}
		r.columns = append(r.columns, column{q.Name, c.Guard, points})
	}
	return nil
}

// ask returns the points of the questions that have an answer and a hit; with answered false of all that have a hit.
func ask(ctx context.Context, svc *runtime.Service, questions []eval.Question, mode string, answered bool) ([]point, error) {
	var points []point
	for _, q := range questions {
		excluded, relevant := map[string]bool{}, map[string]bool{}
		for _, path := range q.Exclude {
			excluded[path] = true
		}
		for _, j := range q.Relevant {
			if j.Gain > 0 && !excluded[j.Path] {
				relevant[j.Path] = true
			}
		}
		if answered && len(relevant) == 0 {
			continue
		}
		hits, err := sets.Hits(ctx, svc, wire.SearchRequest{Query: q.Text, Mode: mode, Limit: 10, Explain: true}, len(excluded)+1)
		if err != nil {
			return nil, fmt.Errorf("query %s: %w", q.ID, err)
		}
		for _, h := range hits {
			if !excluded[h.Path] {
				raw := h.Explain.Raw
				if h.Explain.Scale > 0 {
					raw *= h.Explain.Scale
				}
				points = append(points, point{id: q.ID, raw: raw, score: h.Score, relevant: relevant[h.Path]})
				break
			}
		}
	}
	return points, nil
}

// table prints the fit of each row and its errors, those of the artifact's constants below it.
func table(rows []row) (string, error) {
	var b strings.Builder
	header, rule := "| mode, encoder | constants | fitted to | a | b | ECE |", "|---|---|---|---|---|---|"
	for _, c := range rows[0].columns {
		if c.guard {
			header += " guard: " + c.name + " |"
		} else {
			header += " " + c.name + " |"
		}
		rule += "---|"
	}
	fmt.Fprintf(&b, "%s\n%s\n", header, rule)
	for i := range rows {
		r := &rows[i]
		var learned, other []point
		for _, c := range r.columns {
			if !c.guard {
				half, rest := halves(c.points)
				learned, other = append(learned, half...), append(other, rest...)
			}
		}
		n := len(learned)
		if r.mode == "lexical" {
			learned = append(learned, without(n/10)...)
		}
		a, offset, err := fit(learned)
		if err != nil {
			return "", fmt.Errorf("%s: %w", r.name(), err)
		}
		fitted := func(p *point) float64 { return harness.Logistic(a*p.clipped() + offset) }
		stored := func(p *point) float64 { return p.score }
		fmt.Fprintf(&b, "| %s | fitted | %d | %.2f | %.2f | %.3f |%s\n", r.name(), n, a, offset, ece(other, fitted), r.each(fitted))
		fmt.Fprintf(&b, "| | of the artifact | | %.2f | %.2f | %.3f |%s\n", r.stored.A, r.stored.B, ece(other, stored), r.each(stored))
	}
	b.WriteString("\nECE: expected calibration error on the other half of the questions, of all sets and of each; of a guard on all its questions.\n")
	b.WriteString("\nOn these questions, the mean score that the artifact gives the first hit, and how many of the first hits are relevant:\n\n")
	fmt.Fprintf(&b, "%s\n%s\n", strings.Replace(header, "| constants | fitted to | a | b | ECE |", "|", 1), strings.Replace(rule, strings.Repeat("---|", 5), "", 1))
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(&b, "| %s |", r.name())
		for _, c := range r.columns {
			points := c.measured()
			var score, relevant float64
			for i := range points {
				score, relevant = score+points[i].score, relevant+points[i].label()
			}
			n := float64(max(1, len(points)))
			fmt.Fprintf(&b, " %.2f, %.2f |", score/n, relevant/n)
		}
		b.WriteString("\n")
	}
	return b.String(), nil
}

// each prints the error on what is not fitted of every column, with how many points that is.
func (r *row) each(score func(*point) float64) string {
	var b strings.Builder
	for _, c := range r.columns {
		points := c.measured()
		fmt.Fprintf(&b, " %.3f of %d |", ece(points, score), len(points))
	}
	return b.String()
}
