package calibration

import (
	"cmp"
	"context"
	"fmt"
	"hash/crc32"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kdd/bench/internal/harness"
	"kdd/bench/internal/sets"
	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/eval"
)

// fewSizes are how many documents the samples have.
var fewSizes = []int{6, 10, 15, 20}

const (
	fewSamples   = 2   // of each size and set
	minDocuments = 100 // documents that a set has of which samples are taken
	many         = 200 // documents from which on their number counts for nothing: Weights.Many
)

// few is ln(many/docs), which c counts by; 0 from many documents on.
func (p *point) few() float64 {
	if p.docs == 0 {
		return 0
	}
	return max(0, math.Log(many/float64(p.docs)))
}

// sample is some documents of a set, and the questions that are asked of them.
type sample struct {
	name  string
	paths []string        // of the documents, below the set's corpus
	list  []eval.Question // that these answer; what else is relevant has been taken out
	none  []eval.Question // that these do not answer: one of ten, half of them of the same set
}

// samples takes samples of a set; others are the questions of the other sets. None of a set that is small itself.
func samples(c *sets.Corpus, own, others []eval.Question) ([]sample, error) {
	var all []string
	err := filepath.WalkDir(c.Set.Corpus, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && filepath.Ext(path) == ".md" {
			rel, _ := filepath.Rel(c.Set.Corpus, path)
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil || len(all) < minDocuments {
		return nil, err
	}
	byHash := func(list []eval.Question, salt string) []eval.Question {
		hash := func(q eval.Question) uint32 { return crc32.ChecksumIEEE([]byte(salt + q.ID + q.Text)) }
		return slices.SortedStableFunc(slices.Values(list), func(a, b eval.Question) int { return cmp.Compare(hash(a), hash(b)) })
	}
	var list []sample
	for _, size := range fewSizes {
		for k := range fewSamples {
			s := sample{name: fmt.Sprintf("%s-few-%d-%d", c.Set.Name, size, k)}
			random := rand.New(rand.NewPCG(uint64(size), uint64(k)))
			docs := map[string]bool{}
			for _, i := range random.Perm(len(all))[:size] {
				s.paths = append(s.paths, all[i])
				docs[all[i]] = true
			}
			var unanswered []eval.Question
			for _, q := range own {
				kept := q
				kept.Relevant = slices.DeleteFunc(slices.Clone(q.Relevant), func(j index.Relevant) bool { return !docs[j.Path] || slices.Contains(q.Exclude, j.Path) })
				if len(kept.Relevant) > 0 {
					s.list = append(s.list, kept)
				} else {
					unanswered = append(unanswered, kept)
				}
			}
			n := (len(s.list) + 8) / 9
			strange := byHash(others, s.name)
			s.none = slices.Concat(first(byHash(unanswered, s.name), n-n/2), first(strange, n/2))
			list = append(list, s)
		}
	}
	return list, nil
}

func first(list []eval.Question, n int) []eval.Question { return list[:min(n, len(list))] }

// build makes an artifact of a folder in a form, under a name, and returns its path.
type build func(ctx context.Context, corpus, name, form string) (string, error)

// build makes an artifact of the sample's documents.
func (s *sample) build(ctx context.Context, corpus, form string, make build) (string, error) {
	dir, err := os.MkdirTemp("", "kdd-few")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	files := map[string]string{}
	for _, path := range s.paths {
		data, err := os.ReadFile(filepath.Join(corpus, filepath.FromSlash(path)))
		if err != nil {
			return "", err
		}
		files[path] = string(data)
	}
	if err := harness.WriteFiles(dir, files); err != nil {
		return "", err
	}
	return make(ctx, dir, s.name, form)
}

// fewPoints asks the questions of all samples in a setting. An encoder that cannot be had gives no points.
func fewPoints(ctx context.Context, c *sets.Corpus, list []sample, s setting, make build) ([]point, error) {
	var points []point
	for _, one := range list {
		path, err := one.build(ctx, c.Set.Corpus, cmp.Or(s.encoder, harness.Lexical), make)
		if err != nil {
			return nil, err
		}
		svc := runtime.New(runtime.Config{Index: []string{path}})
		for i, questions := range [][]eval.Question{one.list, one.none} {
			asked, err := ask(ctx, svc, questions, s.mode, i == 0)
			if err != nil {
				svc.Close()
				return nil, err
			}
			for k := range asked {
				asked[k].docs = len(one.paths)
			}
			points = append(points, asked...)
		}
		svc.Close()
	}
	return points, nil
}

// fitFew returns the c of Logistic(a·raw + b + c·few) that makes the labels of points likeliest.
func fitFew(points []point, a, b float64) (c float64) {
	cases := make([]harness.Case, len(points))
	for i := range points {
		p := &points[i]
		cases[i] = harness.Case{X: []float64{p.few()}, Offset: a*p.clipped() + b, Yes: p.relevant, Weight: 1 / float64(len(points))}
	}
	return harness.FitLogistic(cases, []float64{ridge})[0]
}

// fewTable fits c to samples of the sets that are fitted to, with the a and b of the artifacts, and prints the errors;
// nothing where no set is large enough.
func fewTable(ctx context.Context, o *sets.Options, corpora []sets.Corpus, rows []row) (string, error) {
	dir := o.Artifacts
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "kdd-few"); err != nil {
			return "", err
		}
		defer os.RemoveAll(dir)
	}
	make := func(ctx context.Context, corpus, name, form string) (string, error) {
		return harness.BuildOnce(ctx, o.KDD, o.Model, corpus, dir, name, form)
	}
	for i := range rows {
		for k := range corpora {
			c := &corpora[k]
			if c.Guard {
				continue
			}
			var own, others []eval.Question
			for j := range corpora {
				for _, q := range corpora[j].Questions() {
					if j == k {
						own = append(own, q.List...)
					} else {
						others = append(others, q.List...)
					}
				}
			}
			list, err := samples(c, own, others)
			if err != nil {
				return "", err
			}
			points, err := fewPoints(ctx, c, list, rows[i].setting, make)
			if err != nil {
				return "", fmt.Errorf("%s, few documents, %s: %w", c.Set.Name, rows[i].name(), err)
			}
			rows[i].few = append(rows[i].few, points...)
		}
	}
	if len(rows[0].few) == 0 {
		return "", nil
	}
	var b strings.Builder
	b.WriteString("\n## Few documents\n\n| mode, encoder | fitted to | c | of the artifact | ECE without c | fitted | of the artifact | mean score, relevant |\n|---|---|---|---|---|---|---|---|\n")
	for i := range rows {
		r := &rows[i]
		learned, other := halves(r.few)
		c := fitFew(learned, r.stored.A, r.stored.B)
		with := func(c float64) func(p *point) float64 {
			return func(p *point) float64 { return harness.Logistic(r.stored.A*p.clipped() + r.stored.B + c*p.few()) }
		}
		var score, relevant float64
		for i := range other {
			score, relevant = score+other[i].score, relevant+other[i].label()
		}
		n := float64(max(1, len(other)))
		fmt.Fprintf(&b, "| %s | %d | %.2f | %.2f | %.3f | %.3f | %.3f | %.2f, %.2f |\n", r.name(), len(learned), c, r.stored.C, ece(other, with(0)), ece(other, with(c)),
			ece(other, func(p *point) float64 { return p.score }), score/n, relevant/n)
	}
	fmt.Fprintf(&b, "\nOf samples of %v documents of each set, %d of each size; errors, scores and shares of relevant first hits on the other half of the questions.\n", fewSizes, fewSamples)
	return b.String(), nil
}
