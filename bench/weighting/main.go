// Command weighting learns how much BM25 should count beside the cosine, query by query.
//
//	go run ./bench/weighting -kdd BIN -sets DIR[,DIR] [-guard DIR] [-artifacts DIR] [-model NAME] [-out DIR]
//
// It asks the questions of the sets (see kdd/bench/quality/score) at a grid of fixed weights of BM25, with the distilled
// query encoder and with the exact one, keeps each question's nDCG@10 by document and by section, and prints
//
//   - the figures at each fixed weight, as the artifact has it, and with the weights of before headings, titles and
//     rarity counted; and the oracle, which takes the best fixed weight of each question
//   - how features of a question go together with what a high weight gains over a low one (Pearson)
//   - the figures of Lexical · exp(Rarity · (rarity − 0.35)), fuse.LexicalWeight, over a grid of both constants
//   - what rules log weight = c + Σ w·feature gain over the best fixed weight, each learned on one half of the questions (by
//     CRC-32 of the id) by seeded random search and measured on the other
//   - the difference of the artifact's rule from the best fixed weight and from the weights of before, with intervals
//
// Rules are measured at the fixed weight that is nearest to theirs, the artifact's own by asking. The constants go into
// compiler/weights.go, by hand.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"kdd/bench/quality/ranking"
	"kdd/bench/record"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	return ranking.Run("weighting", args, stderr, func(ctx context.Context, o *ranking.Options) error {
		return measure(ctx, o, args, stdout, stderr)
	})
}

func measure(ctx context.Context, o *ranking.Options, args []string, stdout, stderr io.Writer) error {
	corpora, done, err := o.Corpora(ctx, stderr)
	if err != nil {
		return err
	}
	defer done()
	var groups []*group
	for i := range corpora {
		more, err := askCorpus(ctx, &corpora[i])
		if err != nil {
			return fmt.Errorf("%s: %w", corpora[i].Set.Name, err)
		}
		groups = append(groups, more...)
	}
	text, err := report(groups)
	if err != nil {
		return err
	}
	if _, err := io.WriteString(stdout, text); err != nil || o.Out == "" {
		return err
	}
	return record.Write(o.Out, record.Run{Title: "The weight of BM25", Command: "go run ./bench/weighting", Args: args,
		Version: record.Version(o.KDD), Body: text, Files: map[string]string{"per-query.tsv.gz": record.Compressed(perQuery(groups))}})
}
