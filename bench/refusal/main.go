// Command refusal measures how well ask tells questions that documents answer from those that they do not, and fits the
// constants of that decision (runtime/answer, Weigh).
//
//	go run ./bench/refusal [-fit] [-questions FILE,FILE] [-keep FILE] NAME=FILE.kddx...
//
// NAME is a corpus of the questions, which are those of testdata/relevance/ask unless -questions names others. It prints what is
// refused of each half by kind, corpus and language, with 95 % score intervals (Wilson); -keep writes a line for each question.
// With -fit it prints constants learnt from the questions, what is refused of each group of them by constants that were learnt from
// others (eight folds; of the authors of testdata/relevance/asked by those of all other authors), what of each corpus by constants
// learnt from the other corpora, and how much of each kind thresholds between the bounds refuse; all artifacts have one encoder
// then. bench/refusal/pairs makes questions for it.
//
// testdata/relevance/ask-blind and ask-natural are sets that nothing may be fitted to: each look at them belongs into bench/runs.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"kdd/runtime"
	"kdd/runtime/answer"
	"kdd/runtime/answer/answertest"
	"kdd/runtime/shape"
)

// blind is the half of questions that are there to measure only.
const blind = "blind"

// question is one line of the set, with what was found for it.
type question struct {
	id, half, corpus, language, kind, expected, text string
	evidence                                         answer.Evidence
	asked                                            *shape.AnswerResponse
}

func main() {
	set := flag.String("questions", "testdata/relevance/ask/questions.tsv", "the questions, several files with commas between")
	fit := flag.Bool("fit", false, "learn constants from the questions")
	most := flag.Float64("refused", 0.07, "with -fit: share of the answerable questions of -by that may be refused")
	by := flag.String("by", "natural", "with -fit: half that sets the threshold, empty for all")
	worst := flag.Bool("worst", false, "list the questions that are decided wrongly")
	kept := flag.String("keep", "", "file to write a line for each question to")
	flag.Parse()
	if err := run(*set, flag.Args(), *fit, *by, *most, *worst, *kept); err != nil {
		fmt.Fprintln(os.Stderr, "refusal:", err)
		os.Exit(1)
	}
}

func run(set string, indexes []string, fit bool, by string, most float64, worst bool, kept string) error {
	var all []question
	for _, path := range strings.Split(set, ",") {
		list, err := read(path)
		if err != nil {
			return err
		}
		all = append(all, list...)
	}
	if i := slices.IndexFunc(all, func(q question) bool { return q.half == blind }); fit && i >= 0 {
		return fmt.Errorf("-fit: question %s is of a set that nothing may be fitted to", all[i].id)
	}
	var list []question
	for _, index := range indexes {
		name, path, ok := strings.Cut(index, "=")
		if !ok {
			return fmt.Errorf("got %q, want NAME=FILE", index)
		}
		service := runtime.New(runtime.Config{Index: []string{path}})
		first, means := len(list), answer.Words
		for _, q := range all {
			if q.corpus != name {
				continue
			}
			var err error
			if q.asked, err = service.Ask(context.Background(), shape.AskRequest{Query: q.text}); err != nil {
				return err
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
			list = append(list, q)
		}
		for i := first; i < len(list); i++ { // a query without a word that the encoder knows is compared by words
			if list[i].evidence.Cosine != 0 {
				list[i].evidence.Means = means
			}
		}
		service.Close()
	}
	if len(list) == 0 {
		return fmt.Errorf("%s has no question for what is named; want NAME=FILE with NAME one of %s", set, strings.Join(values(all, func(q *question) string { return q.corpus }), ", "))
	}
	refused := func(q *question) bool { return !q.asked.Grounded }
	if fit {
		w, ps := learn(list), across(list, (*question).fold)
		enough := threshold(list, ps, by, most)
		fmt.Printf("weights %.2f\nenough %.3f\n\neach question by others, and each corpus by the others:\n\n", w, enough)
		groups(os.Stdout, list, ps, across(list, (*question).topic), enough)
		fmt.Println()
		curve(os.Stdout, list, ps, by)
		fmt.Println()
		decided := map[string]bool{}
		for i := range list {
			decided[list[i].id] = ps[i] < enough
		}
		refused = func(q *question) bool { return decided[q.id] }
	}
	report(os.Stdout, list, refused)
	if kept != "" {
		if err := keep(kept, list, refused); err != nil {
			return err
		}
	}
	if worst {
		for i := range list {
			if q := &list[i]; refused(q) == (q.kind == "answerable") {
				fmt.Printf("%s %s %s %.2f %+v %s\n", q.half, q.kind, q.id, q.asked.Confidence, q.evidence, q.text)
			}
		}
	}
	return nil
}

// read returns the questions of a file.
func read(path string) ([]question, error) {
	asked, err := answertest.Read(path)
	var list []question
	for _, q := range asked {
		list = append(list, question{id: q.ID, half: q.Half, corpus: q.Corpus, language: q.Language, kind: q.Kind, expected: q.Expected, text: q.Text})
	}
	return list, err
}
