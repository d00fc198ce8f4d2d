// Command refusal measures how well ask tells questions that documents answer from those that they do not, and fits the
// constants of that decision (runtime/answer, Weigh).
//
//	go run ./bench/refusal [-fit] [-questions FILE,FILE] [-keep FILE] [-replies FILE [-llm URL -llm-model NAME]] NAME=FILE.kddx...
//
// NAME is a corpus of the questions, which are those of testdata/relevance/ask unless -questions names others. It prints what is
// refused of each half by kind, corpus and language, with 95 % score intervals (Wilson); -keep writes a line for each question.
// With -fit it prints constants learnt from the questions, what is refused of each group of them by constants that were learnt from
// others (eight folds; of the authors of testdata/relevance/asked by those of all other authors), what of each corpus by constants
// learnt from the other corpora, and how much of each kind thresholds between the bounds refuse; all artifacts have one encoder
// then. bench/refusal/pairs makes questions for it.
//
// With -replies a language model writes the answers: its replies come from a file, so that a run can be repeated without it. What the
// file lacks is asked of -llm, whose key is in KDD_LLM_KEY, and added; without -llm the prompts are written to FILE.missing, and the
// run fails.
//
// testdata/relevance/ask-blind and ask-natural are sets that nothing may be fitted to: each look at them belongs into bench/runs.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"kdd/bench/internal/command"
	"kdd/runtime"
	"kdd/runtime/answer"
	"kdd/runtime/answer/answertest"
	"kdd/runtime/answer/generate"
	"kdd/runtime/wire"
)

// blind is the half of questions that are there to measure only.
const blind = "blind"

// question is one line of the set, with what was found for it.
type question struct {
	answertest.Question
	evidence answer.Evidence
	asked    *wire.AnswerResponse
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// settings are the command line.
type settings struct {
	sets  []string // files of questions
	fit   bool
	most  float64
	by    string
	worst bool
	kept  string

	replies, llm, name string // of a language model
}

func run(args []string, stdout, stderr io.Writer) int {
	var s settings
	return command.Run("refusal", args, stderr, func(flags *flag.FlagSet) command.Work {
		sets := flags.String("questions", "testdata/relevance/ask/questions.tsv", "the questions, several files with commas between")
		flags.BoolVar(&s.fit, "fit", false, "learn constants from the questions")
		flags.Float64Var(&s.most, "refused", 0.07, "with -fit: share of the answerable questions of -by that may be refused")
		flags.StringVar(&s.by, "by", "natural", "with -fit: half that sets the threshold, empty for all")
		flags.BoolVar(&s.worst, "worst", false, "list the questions that are decided wrongly")
		flags.StringVar(&s.kept, "keep", "", "file to write a line for each question to")
		flags.StringVar(&s.replies, "replies", "", "file of a language model's replies: the model writes the answers")
		flags.StringVar(&s.llm, "llm", "", "with -replies: endpoint that is asked for replies that the file lacks, which are added to it")
		flags.StringVar(&s.name, "llm-model", "", "with -llm: the model's name")
		return func(ctx context.Context) error {
			s.sets = strings.Split(*sets, ",")
			return measure(ctx, stdout, &s, flags.Args())
		}
	})
}

// measure asks the questions and prints what is refused.
func measure(ctx context.Context, w io.Writer, s *settings, indexes []string) error {
	all, err := read(s.sets)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(all, func(q question) bool { return q.Half == blind }); s.fit && i >= 0 {
		return fmt.Errorf("-fit: question %s is of a set that nothing may be fitted to", all[i].ID)
	}
	model, endpoint, err := writer(s)
	if err != nil {
		return err
	}
	if endpoint != nil {
		defer endpoint.Close()
	}
	var list []question
	for _, index := range indexes {
		name, path, ok := strings.Cut(index, "=")
		if !ok {
			return command.Wrong("got %q, want NAME=FILE", index)
		}
		asked, err := ask(ctx, path, model, slices.DeleteFunc(slices.Clone(all), func(q question) bool { return q.Corpus != name }))
		if err != nil {
			return err
		}
		list = append(list, asked...)
	}
	if endpoint != nil {
		if err := endpoint.finish(s.replies); err != nil {
			return err
		}
		writers(w, list)
	}
	if len(list) == 0 {
		return command.Wrong("%s has no question for what is named; want NAME=FILE with NAME one of %s", strings.Join(s.sets, ","), strings.Join(values(all, func(q *question) string { return q.Corpus }), ", "))
	}
	refused := func(q *question) bool { return !q.asked.Grounded }
	if s.fit {
		weights, ps := learn(list), across(list, (*question).fold)
		enough := threshold(list, ps, s.by, s.most)
		for i, name := range answer.FeatureNames() {
			fmt.Fprintf(w, "%-24s %7.2f\n", name, weights[i])
		}
		fmt.Fprintf(w, "enough %.3f\n\neach question by others, and each corpus by the others:\n\n", enough)
		groups(w, list, ps, across(list, (*question).topic), enough)
		fmt.Fprintln(w)
		curve(w, list, ps, s.by)
		fmt.Fprintln(w)
		decided := map[string]bool{}
		for i := range list {
			decided[list[i].ID] = ps[i] < enough
		}
		refused = func(q *question) bool { return decided[q.ID] }
	}
	report(w, list, refused)
	if s.kept != "" {
		if err := keep(s.kept, list, refused); err != nil {
			return err
		}
	}
	if s.worst {
		for i := range list {
			if q := &list[i]; refused(q) == (q.Kind == answertest.Answerable) {
				fmt.Fprintf(w, "%s %s %s %.2f %+v %s\n", q.Half, q.Kind, q.ID, q.asked.Confidence, q.evidence, q.Text)
			}
		}
	}
	return nil
}

// writer returns the language model that writes the answers, and the endpoint that it is behind; nil if none does.
func writer(s *settings) (*generate.Model, *recorded, error) {
	if s.replies == "" {
		if s.llm != "" || s.name != "" {
			return nil, nil, command.Wrong("-llm and -llm-model need -replies FILE")
		}
		return nil, nil, nil
	}
	var behind *generate.Model
	if s.llm != "" {
		var err error
		if behind, err = generate.New(s.llm, s.name, os.Getenv("KDD_LLM_KEY"), 0, 0); err != nil {
			return nil, nil, command.Wrong("-llm: %v", err)
		}
	}
	endpoint, err := record(s.replies, behind)
	if err != nil {
		return nil, nil, err
	}
	model, err := endpoint.model()
	return model, endpoint, err
}

// read returns the questions of files.
func read(paths []string) ([]question, error) {
	var all []question
	for _, path := range paths {
		list, err := answertest.Read(path)
		if err != nil {
			return nil, err
		}
		for _, q := range list {
			all = append(all, question{Question: q})
		}
	}
	return all, nil
}

// ask asks an artifact the questions of a corpus, and returns them with their answers.
func ask(ctx context.Context, path string, model *generate.Model, list []question) ([]question, error) {
	service := runtime.New(runtime.Config{Index: []string{path}, Model: model})
	defer service.Close()
	means := answer.Words
	for i := range list {
		q := &list[i]
		var err error
		if q.asked, err = service.Ask(ctx, wire.AskRequest{Query: q.Text}); err != nil {
			return nil, err
		}
		e := q.asked.Retrieval.Evidence
		q.evidence = answer.Evidence{
			Cosine: e.Cosine, Agreement: e.Agreement, Coverage: e.Coverage, Missing: e.Missing, Score: e.Score, Pairs: e.Pairs,
			Aligned: e.Aligned, Without: e.Without, Together: e.Together, Unknown: e.Unknown, Figure: e.Figure,
			Rarity: e.Rarity, Strange: e.Strange, Foreign: e.Foreign,
		}
		switch {
		case e.Aligned != 0:
			means = answer.Exact
		case e.Cosine != 0:
			means = max(means, answer.Distilled)
		}
	}
	for i := range list { // a query without a word that the encoder knows is compared by words
		if list[i].evidence.Cosine != 0 {
			list[i].evidence.Means = means
		}
	}
	return list, nil
}
