// Package tuning measures other constants of the ranking beside those that an artifact has.
//
//	go run ./bench/fit tuning [-sources FILE,FILE] [-asked FILE,FILE] [-sets DIR,DIR] [-mode hybrid] [-out DIR]
//	    [-base "k1=1"] [-ablate] -try "k1=.9,b=.6 heading=.8" NAME=FILE.kddx...
//
// Each of -try, separated by spaces, is a list of constants by their names in the table of weights. The questions are
// the answerable ones of the files that -sources names (columns as testdata/relevance/sources; NAME is their source)
// and -asked (as testdata/relevance/ask; NAME is their corpus), and those of the sets that -sets names (see package
// sets; NAME is the set's). -ablate tries, besides, what is left when each signal is left out (see ablations).
//
// It prints nDCG@10 by document and by section of each. The first line has the constants of the artifact, or those that
// -base puts in their place in all lines; then comes what each list gains over that, with 95 % intervals of the paired
// bootstrap, and of three artifacts or more what each gains by the list that is best for the others.
//
// The constants go into compiler/weights.go, by hand.
package tuning

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kdd/bench/internal/harness"
	"kdd/bench/internal/sets"
	asking "kdd/bench/quality/asked"
	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/answer/answertest"
	"kdd/runtime/eval"
	"kdd/runtime/wire"
)

// deep is how many hits a page has; a set's documents are looked for down to eval.Cutoff.
const deep = 50

// Run asks with each list of constants and prints the gains.
func Run(args []string, stdout, stderr io.Writer) int {
	return harness.Run("tuning", args, stderr, func(flags *flag.FlagSet) harness.Work {
		sources := flags.String("sources", "", "files of questions over sources, with commas between")
		asked := flags.String("asked", "", "files of questions as people ask them, with commas between")
		folders := flags.String("sets", "", "folders of sets, with commas between")
		mode := flags.String("mode", "hybrid", "hybrid, lexical or vector")
		try := flags.String("try", "", "lists of constants, with spaces between")
		base := flags.String("base", "", "constants that all lists begin with, and the first line has")
		ablate := flags.Bool("ablate", false, "try the ranking without each of its signals")
		out := flags.String("out", "", "folder that keeps the tables")
		return func(ctx context.Context) error {
			groups, err := load(list(*sources), list(*asked), list(*folders), flags.Args())
			if err != nil {
				return err
			}
			if len(groups) == 0 {
				return harness.ErrUsage
			}
			var lists []constants
			tries := append([]string{""}, strings.Fields(*try)...)
			if *ablate {
				tries = append(tries, ablations...)
			}
			for _, text := range tries {
				c, err := parse(*base, text)
				if err != nil {
					return harness.Wrong("-base, -try: %v", err)
				}
				lists = append(lists, c)
			}
			for i := range groups {
				if err := groups[i].measure(ctx, *mode, lists); err != nil {
					return fmt.Errorf("%s: %w", groups[i].name, err)
				}
			}
			return harness.Report(stdout, *out, harness.Result{Title: "Constants of the ranking", Command: "fit tuning", Args: args, Body: report(groups, lists)})
		}
	})
}

func list(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == ',' })
}

// ablations are the constants at which a signal, or a rule that treats some of them otherwise, says nothing.
var ablations = []string{
	"k1=1.2,b=.75", "title=1", "path=1", "pairs=0", "best=1,top3=0", "best=0,top3=1", "anchor=0", "heading=0",
	"title_match=0", "file=0", "typo=0", "whole=1", "grammar=1", "other_accents=1", "plain_accents=1", "stale=0",
	"aside=0", "lexical_only=.8", "lexical_text=.8",
}

// constants are some of the table of weights, by name.
type constants struct {
	text   string
	values map[string]float64
}

// parse reads NAME=VALUE,NAME=VALUE: those that all lists begin with, and what is tried beside them.
func parse(base, text string) (constants, error) {
	c := constants{text: cmp.Or(text, "as it is"), values: map[string]float64{}}
	names := index.Weights{}
	for _, pair := range append(list(base), list(text)...) {
		name, value, _ := strings.Cut(pair, "=")
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || !slices.ContainsFunc(names.Table(), func(w index.Weight) bool { return w.Name == name }) {
			return c, fmt.Errorf("got %q, want NAME=NUMBER with a name of the table of weights", pair)
		}
		c.values[name] = v
	}
	return c, nil
}

func (c *constants) set(w *index.Weights) {
	for _, one := range w.Table() {
		if v, ok := c.values[one.Name]; ok {
			*one.Value = v
		}
	}
}

// group is questions that are asked of one artifact.
type group struct {
	name, artifact string
	questions      []eval.Question
	results        []*eval.Measurement // by list of constants
}

// load reads the questions of the artifacts that are named.
func load(sources, asked, folders, artifacts []string) ([]group, error) {
	var groups []group
	for _, pair := range artifacts {
		name, path, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, harness.Wrong("got %q, want NAME=FILE.kddx", pair)
		}
		of := group{name: name, artifact: path}
		for _, file := range sources {
			judged, err := asking.Judged(file, name)
			if err != nil {
				return nil, err
			}
			of.questions = append(of.questions, judged...)
		}
		if len(of.questions) > 0 {
			groups = append(groups, of)
		}
		own := group{name: name + ", asked", artifact: path}
		for _, file := range asked {
			all, err := answertest.Read(file)
			if err != nil {
				return nil, err
			}
			for _, q := range all {
				if q.Corpus == name && q.Kind == answertest.Answerable {
					own.questions = append(own.questions, eval.Question{ID: q.ID, Text: q.Text, Relevant: []index.Relevant{{Place: eval.SplitAnchor(q.Expected), Gain: 1}}})
				}
			}
		}
		if len(own.questions) > 0 {
			groups = append(groups, own)
		}
		for _, dir := range folders {
			if filepath.Base(dir) != name {
				continue
			}
			set, err := sets.Load(dir)
			if err != nil {
				return nil, err
			}
			for _, file := range set.Files() {
				groups = append(groups, group{name: name + ", " + file, artifact: path, questions: set.Queries(file)})
			}
		}
	}
	return groups, nil
}

// measure asks the questions with each list of constants.
func (g *group) measure(ctx context.Context, mode string, lists []constants) error {
	for i := range lists {
		svc := runtime.New(runtime.Config{Index: []string{g.artifact}, Weights: lists[i].set})
		places := eval.Run{}
		for k := range g.questions {
			q := &g.questions[k]
			hits, err := sets.Hits(ctx, svc, wire.SearchRequest{Query: q.Text, Mode: mode, Limit: deep}, eval.Cutoff+len(q.Exclude))
			if err != nil {
				svc.Close()
				return err
			}
			places[q.ID] = sets.Places(hits)
		}
		svc.Close()
		g.results = append(g.results, eval.Score(g.questions, places))
	}
	return nil
}
