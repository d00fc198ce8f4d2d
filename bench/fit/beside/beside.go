// Package beside measures other artifacts of the same sources beside those that are there.
//
//	go run ./bench/fit beside -sources FILE,FILE -first DIR [-mode hybrid] [-out DIR] NAME=DIR...
//
// DIR has an artifact SOURCE.kddx for each source that FILE (columns as testdata/relevance/sources) asks about. It
// prints what each folder reaches by source, what it gains over the first with 95 % intervals of the paired bootstrap
// (each source counting the same), and how questions of each kind fare; rankings are as they are, without diversity.
package beside

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"kdd/bench/internal/harness"
	"kdd/bench/internal/sets"
	asking "kdd/bench/quality/asked"
	"kdd/runtime"
	"kdd/runtime/eval"
	"kdd/runtime/wire"
)

// deep is how many hits a page has; documents are looked for down to eval.Cutoff.
const deep = 50

// Run prints the tables.
func Run(args []string, stdout, stderr io.Writer) int {
	return harness.Run("beside", args, stderr, func(flags *flag.FlagSet) harness.Work {
		files := flags.String("sources", "", "files of questions over sources, with commas between")
		first := flags.String("first", "", "folder of the artifacts that others are compared with")
		mode := flags.String("mode", "hybrid", "hybrid, lexical or vector")
		out := flags.String("out", "", "folder that keeps the tables")
		return func(ctx context.Context) error {
			if *files == "" || *first == "" || flags.NArg() == 0 {
				return harness.ErrUsage
			}
			folders := []folder{{name: "first", dir: *first}}
			for _, pair := range flags.Args() {
				name, dir, ok := strings.Cut(pair, "=")
				if !ok {
					return harness.Wrong("got %q, want NAME=DIR", pair)
				}
				folders = append(folders, folder{name: name, dir: dir})
			}
			sources := strings.Split(*files, ",")
			for i := range folders {
				if err := folders[i].measure(ctx, *mode, sources); err != nil {
					return fmt.Errorf("%s: %w", folders[i].name, err)
				}
			}
			result := harness.Result{Title: "Artifacts beside each other", Command: "fit beside", Args: args}
			result.Body = report(folders)
			return harness.Report(stdout, *out, result)
		}
	})
}

// folder is a folder of artifacts, with what each reaches.
type folder struct {
	name, dir string
	sources   []source
}

// source is what an artifact reaches on its questions.
type source struct {
	name              string
	kinds             map[string]string // of questions, by id
	document, section *eval.Scored
}

// measure asks each source's questions of the folder's artifact.
func (f *folder) measure(ctx context.Context, mode string, files []string) error {
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".tsv")
		questions, err := asking.Judged(file, name)
		if err != nil {
			return err
		}
		svc := runtime.New(runtime.Config{Index: []string{filepath.Join(f.dir, name+".kddx")}})
		s, places := source{name: name, kinds: map[string]string{}}, eval.Run{}
		for i := range questions {
			q := &questions[i]
			s.kinds[q.ID] = q.Group
			request := wire.SearchRequest{Query: q.Text, Mode: mode, Limit: deep, Diversity: "off"}
			hits, err := sets.Hits(ctx, svc, request, eval.Cutoff)
			if err != nil {
				svc.Close()
				return fmt.Errorf("%s: %w", name, err)
			}
			places[q.ID] = sets.Places(hits)
		}
		svc.Close()
		m := eval.Score(questions, places)
		s.document, s.section = &m.Document, &m.Section
		f.sources = append(f.sources, s)
	}
	return nil
}

// hit1 is whether the first hit is right.
var hit1 = eval.Metric{Name: "hit@1", Of: func(m *eval.Metrics) *float64 { return &m.Hit1 }}

// view is what a table shows.
type view struct {
	name   string
	of     func(*source) *eval.Scored
	metric eval.Metric
}

// views are the tables by source; those of nDCG come by kind too.
var views = []view{
	{"nDCG@10 by document", func(s *source) *eval.Scored { return s.document }, eval.NDCG},
	{"right document first", func(s *source) *eval.Scored { return s.document }, hit1},
	{"nDCG@10 by section", func(s *source) *eval.Scored { return s.section }, eval.NDCG},
	{"right section first", func(s *source) *eval.Scored { return s.section }, hit1},
}

// report prints the tables of the views, by source and by kind.
func report(folders []folder) string {
	var b strings.Builder
	for _, v := range views {
		fmt.Fprintf(&b, "%s\n\n| |", v.name)
		for _, s := range folders[0].sources {
			fmt.Fprintf(&b, " %s |", s.name)
		}
		fmt.Fprintf(&b, " mean | gain |\n|---|%s---|---|\n", strings.Repeat("---|", len(folders[0].sources)))
		for i := range folders {
			f := &folders[i]
			fmt.Fprintf(&b, "| %s |", f.name)
			sum := 0.0
			var first, own []*eval.Scored
			for k := range f.sources {
				first, own = append(first, v.of(&folders[0].sources[k])), append(own, v.of(&f.sources[k]))
				value := mean(own[k], v.metric)
				sum += value
				fmt.Fprintf(&b, " %.3f |", value)
			}
			d := eval.CompareMeans(own, first, v.metric)
			fmt.Fprintf(&b, " %.4f | %+.4f (%+.4f to %+.4f) |\n", sum/float64(len(own)), d.Mean, d.Low, d.High)
		}
		b.WriteString("\n")
	}
	byKind(&b, folders)
	return b.String()
}

// byKind prints the tables by kind of question.
func byKind(b *strings.Builder, folders []folder) {
	kinds := map[string]int{}
	for _, s := range folders[0].sources {
		for _, kind := range s.kinds {
			kinds[kind]++
		}
	}
	var names []string
	for kind := range kinds {
		names = append(names, kind)
	}
	slices.SortFunc(names, cmp.Compare)
	for _, v := range []view{views[0], views[2]} {
		fmt.Fprintf(b, "%s, by kind, each question counting the same\n\n| |", v.name)
		for _, kind := range names {
			fmt.Fprintf(b, " %s (%d) |", kind, kinds[kind])
		}
		fmt.Fprintf(b, "\n|---|%s\n", strings.Repeat("---|", len(names)))
		for i := range folders {
			fmt.Fprintf(b, "| %s |", folders[i].name)
			for _, kind := range names {
				sum, n := 0.0, 0.0
				for k := range folders[i].sources {
					s := &folders[i].sources[k]
					scored := v.of(s)
					for j, id := range scored.Queries {
						if s.kinds[id] == kind {
							sum += *v.metric.Of(&scored.Metrics[j])
							n++
						}
					}
				}
				fmt.Fprintf(b, " %.3f |", sum/max(1, n))
			}
			b.WriteString("\n")
		}
		b.WriteString("\n")
	}
}

// mean is that of a metric over all questions.
func mean(s *eval.Scored, metric eval.Metric) float64 {
	sum := 0.0
	for i := range s.Metrics {
		sum += *metric.Of(&s.Metrics[i])
	}
	return sum / float64(max(1, len(s.Metrics)))
}
