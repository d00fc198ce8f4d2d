// Package refusal measures how well ask tells questions that documents answer from those that they do not.
//
//	go run ./bench/quality refusal [-questions FILE,FILE] [-keep FILE] [-worst] NAME=FILE.kddx...
//
// NAME is a corpus of the questions, which are those of testdata/relevance/ask unless -questions names others. It
// prints what is not answered of each half by kind, corpus and language, with 95 % score intervals (Wilson); -keep
// writes a line for each question. Then how much of each kind
// thresholds would decline that decline some of the answerable ones.
//
// testdata/relevance/ask-blind and ask-natural are sets that nothing may be fitted to: each look at them is counted in
// bench/runs.
package refusal

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"kdd/bench/internal/harness"
	"kdd/runtime"
	"kdd/runtime/answer/answertest"
	"kdd/runtime/wire"
)

// question is one line of the set, with what was found for it.
type question struct {
	answertest.Question
	asked *wire.AnswerResponse
}

// Run asks the questions and prints what is refused.
func Run(args []string, stdout, stderr io.Writer) int {
	return harness.Run("refusal", args, stderr, func(flags *flag.FlagSet) harness.Work {
		sets := questionsFlag(flags)
		worst := flags.Bool("worst", false, "list the questions that are decided wrongly")
		kept := flags.String("keep", "", "file to write a line for each question to")
		return func(ctx context.Context) error {
			all, err := read(strings.Split(*sets, ","))
			if err != nil {
				return err
			}
			list, err := askAll(ctx, all, flags.Args())
			if err != nil {
				return err
			}
			refused := func(q *question) bool { return !q.asked.Answered() }
			report(stdout, list, refused)
			fmt.Fprintln(stdout)
			curve(stdout, list)
			for i := range list {
				if q := &list[i]; *worst && refused(q) == (q.Kind == answertest.Answerable) {
					fmt.Fprintf(stdout, "%s %s %s %.2f %+v %s\n", q.Half, q.Kind, q.ID, q.asked.Confidence, q.asked.Retrieval.Evidence, q.Text)
				}
			}
			if *kept == "" {
				return nil
			}
			return keep(*kept, list, refused)
		}
	})
}

func questionsFlag(flags *flag.FlagSet) *string {
	return flags.String("questions", "testdata/relevance/ask/questions.tsv", "the questions, several files with commas between")
}

// askAll asks each artifact, named as NAME=FILE, the questions of its corpus.
func askAll(ctx context.Context, all []question, indexes []string) ([]question, error) {
	var list []question
	for _, index := range indexes {
		name, path, ok := strings.Cut(index, "=")
		if !ok {
			return nil, harness.Wrong("got %q, want NAME=FILE", index)
		}
		asked, err := ask(ctx, path, slices.DeleteFunc(slices.Clone(all), func(q question) bool { return q.Corpus != name }))
		if err != nil {
			return nil, err
		}
		list = append(list, asked...)
	}
	if len(list) == 0 {
		names := strings.Join(values(all, func(q *question) string { return q.Corpus }), ", ")
		return nil, harness.Wrong("no question is of a corpus that is named; want NAME=FILE with NAME one of %s", names)
	}
	return list, nil
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
func ask(ctx context.Context, path string, list []question) ([]question, error) {
	service := runtime.New(runtime.Config{Index: []string{path}})
	defer service.Close()
	for i := range list {
		q := &list[i]
		var err error
		if q.asked, err = service.Ask(ctx, wire.AskRequest{Query: q.Text}); err != nil {
			return nil, err
		}
	}
	return list, nil
}
