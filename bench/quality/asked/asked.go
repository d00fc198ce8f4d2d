// Package asked measures what ask makes of questions over documents that nothing was fitted to: whether an answer holds
// what a good one must, and what becomes of the questions that the documents do not answer.
//
//	go run ./bench/quality asked -questions FILE,FILE [-keep FILE] [-always] [-out DIR] NAME=FILE.kddx...
//
// A file has one question a line, with columns parted by tabs: id, source, language, kind, expected (the sections that
// each answer it, as path#anchor with ";" between), answer (a regular expression that every good answer meets) and
// question. Expected and answer are "-" of the kinds absent (near what the documents are about) and other-topic. NAME
// is a source of the questions.
//
// Of each source and kind it counts questions that are answered right (the text meets the pattern), from the right
// place without what the pattern asks for, and wrong; those whose closest sections are named, and those that are
// refused. The last column is the mean cost of a question (costOf).
package asked

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"kdd/bench/internal/harness"
	"kdd/runtime"
	"kdd/runtime/wire"
)

// Run asks the questions and prints what became of them.
func Run(args []string, stdout, stderr io.Writer) int {
	return harness.Run("asked", args, stderr, func(flags *flag.FlagSet) harness.Work {
		sets := flags.String("questions", "", "the questions, several files with commas between")
		kept := flags.String("keep", "", "file to write a line for each question to")
		always := flags.Bool("always", false, "answer whatever the evidence, to see what is quoted")
		out := flags.String("out", "", "folder that keeps the tables")
		return func(ctx context.Context) error {
			list, err := askAll(ctx, *sets, flags.Args(), *always)
			if err != nil {
				return err
			}
			if *kept != "" {
				if err := os.WriteFile(*kept, []byte(lines(list)), 0o644); err != nil {
					return err
				}
			}
			return harness.Report(stdout, *out, harness.Result{
				Title: "What becomes of questions", Command: "quality asked", Args: args, Body: report(list),
			})
		}
	})
}

// result is a question with what became of it.
type result struct {
	question
	verdict verdict
	quoted  verdict // what it would be whatever the evidence
	named   bool    // the right section is among those that were named or cited
	asked   *wire.AnswerResponse
}

// askAll reads the files of questions and asks each artifact, named as NAME=FILE, those of its source. With always they
// are answered whatever the evidence.
func askAll(ctx context.Context, sets string, indexes []string, always bool) ([]result, error) {
	all, err := readSets(sets)
	if err != nil {
		return nil, err
	}
	var results []result
	for _, index := range indexes {
		name, path, ok := strings.Cut(index, "=")
		if !ok {
			return nil, harness.Wrong("got %q, want NAME=FILE.kddx", index)
		}
		list := slices.DeleteFunc(slices.Clone(all), func(q question) bool { return q.source != name })
		if len(list) == 0 {
			return nil, harness.Wrong("no question is of source %q", name)
		}
		of, err := askSource(ctx, path, list, always)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		results = append(results, of...)
	}
	if len(results) == 0 {
		return nil, harness.ErrUsage
	}
	return results, nil
}

// askSource asks an artifact the questions of its source. With always they are answered whatever the evidence.
func askSource(ctx context.Context, path string, list []question, always bool) ([]result, error) {
	service := runtime.New(runtime.Config{Index: []string{path}})
	defer service.Close()
	results := make([]result, 0, len(list))
	for _, q := range list {
		for i, place := range q.expected {
			at, err := service.Read(ctx, wire.ReadRequest{File: place, MaxBytes: 512})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", q.id, err)
			}
			if q.expected[i] = at.Path; at.Anchor != "" { // the name that answers have, where the file has another
				q.expected[i] += "#" + at.Anchor
			}
		}
		a, err := service.Ask(ctx, wire.AskRequest{Query: q.text, Explain: always, Always: always})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", q.id, err)
		}
		r := result{question: q, asked: a}
		r.judge()
		results = append(results, r)
	}
	return results, nil
}

// verdict is what became of a question.
type verdict int

// The verdicts, in the order of their columns.
const (
	right   verdict = iota // answered, and the text meets the pattern
	place                  // answered from a section that answers it, without what the pattern asks for
	wrong                  // answered from another section, or where there is no answer
	closest                // passages are named as the closest, and nothing is claimed
	refused
	verdicts // their number
)

// String is the column's name.
func (v verdict) String() string {
	return [...]string{"right", "place", "wrong", "closest", "refused"}[v]
}

// marker is what stands in an answer for a citation.
var marker = regexp.MustCompile(` ?\[[0-9]+\]`)

// judge sets the verdict.
func (r *result) judge() {
	cites := slices.ContainsFunc(r.asked.Citations, func(c wire.Citation) bool { return r.at(c.Path, c.Anchor) })
	switch {
	case r.asked.Outcome == wire.OutcomeClosest:
		r.verdict = closest
	case !r.asked.Answered():
		r.verdict = refused
	case !r.answerable():
		r.verdict = wrong
	case r.meets(marker.ReplaceAllString(r.asked.Answer, "")):
		r.verdict = right
	case cites:
		r.verdict = place
	default:
		r.verdict = wrong
	}
	r.named = cites || slices.ContainsFunc(r.asked.Retrieval.Sections, func(s wire.AnswerSection) bool {
		return r.at(s.Path, s.Anchor)
	})
}

// meets says that a text meets the pattern, wherever its lines are broken.
func (r *result) meets(text string) bool {
	return r.pattern.MatchString(text) || r.pattern.MatchString(strings.Join(strings.Fields(text), " "))
}

// at says that a section is one that answers the question. A document answers with any of its sections.
func (r *result) at(path, anchor string) bool {
	return slices.Contains(r.expected, path) || slices.Contains(r.expected, path+"#"+anchor)
}

// costOf is what a verdict costs: a wrong answer three times as much as a list of passages, which an answer from the
// right place costs too that lacks what was asked for, as it leads there.
func costOf(v verdict, q *question) float64 {
	switch {
	case v == wrong:
		return 3
	case q.answerable() && (v == place || v == closest):
		return 1
	case q.answerable() && v == refused:
		return 1.5
	case q.kind == otherTopic && v == closest: // they have nothing to do with it
		return 0.5
	}
	return 0
}
