package refusal

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"kdd/runtime/answer/answertest"
	"kdd/runtime/wire"
)

// kinds are those of the questions; "none" is all that have no answer.
var kinds = []string{"answerable", "other-topic", "absent", "false-premise", "none"}

// is says whether a question is of a kind.
func (q *question) is(kind string) bool {
	return q.Kind == kind || kind == "none" && q.Kind != answertest.Answerable
}

// cites says whether an answer cites the document that was noted for its question.
func (q *question) cites() bool {
	path, _, _ := strings.Cut(q.Expected, "#")
	return slices.ContainsFunc(q.asked.Citations, func(c wire.Citation) bool { return c.Path == path })
}

// values returns what a column of the questions holds, in its order.
func values(list []question, column func(*question) string) []string {
	var all []string
	for i := range list {
		if v := column(&list[i]); !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return all
}

// report prints what share is refused: of each half by kind, then of each corpus and each language of the half.
func report(w io.Writer, list []question, refused func(*question) bool) {
	for _, half := range values(list, func(q *question) string { return q.Half }) {
		all := func(*question) bool { return true }
		table(w, half, list, refused, half, all)
		right, answers := 0, 0
		for i := range list {
			if q := &list[i]; q.Half == half && q.Expected != "-" && !refused(q) {
				answers++
				if q.cites() {
					right++
				}
			}
		}
		fmt.Fprintf(w, "%s  of %d answers %d cite the document that was expected\n", half, answers, right)
		for _, corpus := range values(list, func(q *question) string { return q.Corpus }) {
			table(w, half+" "+corpus, list, refused, half, func(q *question) bool { return q.Corpus == corpus })
		}
		for _, corpus := range values(list, func(q *question) string { return q.Corpus }) {
			for _, language := range values(list, func(q *question) string { return q.Language }) {
				table(w, half+" "+corpus+" "+language, list, refused, half, func(q *question) bool { return q.Corpus == corpus && q.Language == language })
			}
		}
	}
}

// curve prints, for thresholds that refuse more and more of the answerable questions, what share of each
// kind is refused, and for each kind how often an answerable question has the higher probability (area under the
// curve).
func curve(w io.Writer, list []question) {
	of := func(kind string) (own []float64) {
		for i := range list {
			if q := &list[i]; q.is(kind) {
				own = append(own, q.asked.Confidence)
			}
		}
		return own
	}
	answerable := of("answerable")
	slices.Sort(answerable)
	fmt.Fprint(w, "answerable refused")
	for _, kind := range kinds[1:] {
		fmt.Fprintf(w, "  %s", kind)
	}
	fmt.Fprintln(w)
	for _, limit := range []float64{0.02, 0.04, 0.06, 0.08, 0.1, 0.12, 0.15, 0.2, 0.3} {
		enough := threshold(answerable, limit)
		fmt.Fprintf(w, "%.3f (threshold %.3f)", share(answerable, enough), enough)
		for _, kind := range kinds[1:] {
			fmt.Fprintf(w, "  %.3f", share(of(kind), enough))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprint(w, "area under the curve")
	for _, kind := range kinds[1:] {
		sum, others := 0.0, of(kind)
		for _, p := range answerable {
			sum += share(others, p)
		}
		fmt.Fprintf(w, "  %.3f", sum/float64(max(1, len(answerable))))
	}
	fmt.Fprintln(w)
}

// threshold is the highest probability below which at most a share of some lie, which are in their order.
func threshold(sorted []float64, limit float64) float64 {
	if n := int(limit * float64(len(sorted))); n < len(sorted) {
		return sorted[n]
	}
	return 1
}

// share is how many of the probabilities are below a threshold.
func share(ps []float64, enough float64) float64 {
	n := 0
	for _, p := range ps {
		if p < enough {
			n++
		}
	}
	return float64(n) / float64(max(1, len(ps)))
}

// table prints a line for each kind, of the questions of a half that are in.
func table(w io.Writer, name string, list []question, refused func(*question) bool, half string, in func(*question) bool) {
	for _, kind := range kinds {
		n, hits := 0, 0
		for i := range list {
			if q := &list[i]; q.Half == half && q.is(kind) && in(q) {
				n++
				if refused(q) {
					hits++
				}
			}
		}
		if n == 0 {
			continue
		}
		low, high := wilson(hits, n)
		fmt.Fprintf(w, "%-20s  %-14s %3d of %3d questions refused  %.3f  [%.3f, %.3f]\n", name, kind, hits, n, float64(hits)/float64(n), low, high)
	}
}

// wilson returns the 95 % score interval of a proportion (Wilson 1927): unlike the bootstrap it has a width where all
// or none are hits.
func wilson(hits, n int) (low, high float64) {
	const z = 1.959964
	p, m := float64(hits)/float64(n), float64(n)
	centre := p + z*z/(2*m)
	spread := z * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(0, (centre-spread)/(1+z*z/m)), min(1, (centre+spread)/(1+z*z/m))
}

// keep writes a line for each question: what was decided and why, and the first citation.
func keep(path string, list []question, refused func(*question) bool) error {
	var b strings.Builder
	b.WriteString("# id\thalf\tcorpus\tlanguage\tkind\trefused\tcited\tconfidence\tcoverage\tpassage\tscore\tgap\tpairs\tagreement\tunknown\trarity\tfirst citation\tquestion\n")
	for i := range list {
		q := &list[i]
		first, e := "-", &q.asked.Retrieval.Evidence
		if len(q.asked.Citations) > 0 {
			first = q.asked.Citations[0].Path
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\t%t\t%t\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%.4f\t%s\t%s\n", q.ID, q.Half, q.Corpus, q.Language, q.Kind,
			refused(q), q.cites(), q.asked.Confidence, e.Coverage, e.Passage, e.Score, e.Gap, e.Pairs, e.Agreement, e.Unknown, e.Rarity, first, q.Text)
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}
