package asked

import (
	"context"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"kdd/bench/internal/harness"
	"kdd/runtime/answer"
	"kdd/runtime/answer/ask"
	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

// FitSentences learns the weights by which the unit is chosen that an answer begins with. A unit is right if the answer
// that begins with it meets the pattern of the question. It prints what the weights choose in each source when they are
// learnt from the others alone, and what is lost without each feature.
//
//	go run ./bench/fit sentences -questions FILE,FILE NAME=FILE.kddx...
func FitSentences(args []string, stdout, stderr io.Writer) int {
	return harness.Run("sentences", args, stderr, func(flags *flag.FlagSet) harness.Work {
		sets := flags.String("questions", "", "the questions, several files with commas between")
		out := flags.String("out", "", "folder that keeps the tables")
		return func(ctx context.Context) error {
			all, err := readSets(*sets)
			if err != nil {
				return err
			}
			var lists []unitList
			for _, index := range flags.Args() {
				name, path, ok := strings.Cut(index, "=")
				if !ok {
					return harness.Wrong("got %q, want NAME=FILE.kddx", index)
				}
				of, err := unitsOf(ctx, name, path, all)
				if err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
				lists = append(lists, of...)
			}
			if len(lists) == 0 {
				return harness.ErrUsage
			}
			return harness.Report(stdout, *out, harness.Result{
				Title: "Which unit an answer begins with", Command: "fit sentences", Args: args, Body: reportUnits(lists),
			})
		}
	})
}

// unitList are the units that an answer could begin with.
type unitList struct {
	harness.List
	source, kind string
	chosen       bool // the one that the weights of today choose is right
}

// told says that there are right units and others, so that weights can be told apart.
func (l *unitList) told() bool {
	return slices.Contains(l.Right, true) && slices.Contains(l.Right, false)
}

// unitsOf asks an artifact the questions of its source that it answers.
func unitsOf(ctx context.Context, source, path string, all []question) (lists []unitList, err error) {
	store := artifact.NewStore(artifact.StoreOptions{Index: []string{path}})
	defer store.Close()
	open := func(ctx context.Context) (*artifact.Set, error) { return store.Open(ctx, true, func() {}) }
	for _, q := range all {
		if q.source != source || !q.answerable() {
			continue
		}
		l := unitList{source: source, kind: q.kind}
		asker := ask.Asker{Open: open, Sessions: answer.NewSessions(time.Now),
			Observe: func(asked *answer.Question, passages []answer.Passage) {
				for i, c := range answer.Candidates(asked, passages) {
					text, _ := answer.Write(c.Answer, passages, "en")
					r := result{question: q}
					l.X, l.Right = append(l.X, c.Features), append(l.Right, text != "" && r.meets(marker.ReplaceAllString(text, "")))
					l.chosen = l.chosen || c.Best && l.Right[i]
				}
			}}
		if _, err := asker.Ask(ctx, wire.AskRequest{Query: q.text}); err != nil {
			return nil, fmt.Errorf("%s: %w", q.id, err)
		}
		lists = append(lists, l)
	}
	if len(lists) == 0 {
		return nil, harness.Wrong("no question is of source %q", source)
	}
	return lists, nil
}

// unitDecay is what FitListwise takes for decay.
const unitDecay = 0.02

// learnUnits returns the weights of the features, but for one that is left out; -1 leaves none.
func learnUnits(lists []unitList, without int) []float64 {
	var told []harness.List
	for i := range lists {
		if lists[i].told() {
			told = append(told, masked(lists[i].List, without))
		}
	}
	return harness.FitListwise(told, len(answer.SentenceNames()), unitDecay)
}

// masked is a list with a feature that is always 0.
func masked(l harness.List, without int) harness.List {
	if without < 0 {
		return l
	}
	own := harness.List{Right: l.Right}
	for _, x := range l.X {
		x = slices.Clone(x)
		x[without] = 0
		own.X = append(own.X, x)
	}
	return own
}

// leftOut is what weights choose in sources from which they were not learnt.
type leftOut struct {
	right  map[string]int // by source and by kind
	all    int
	loss   float64 // of the lists that tell weights apart
	losses int
}

// acrossSources chooses in each source by the weights of the others.
func acrossSources(lists []unitList, without int) (o leftOut) {
	o.right = map[string]int{}
	for _, source := range unitSources(lists) {
		own := func(l unitList) bool { return l.source == source }
		w := learnUnits(slices.DeleteFunc(slices.Clone(lists), own), without)
		for _, l := range lists {
			if !own(l) {
				continue
			}
			if l.told() {
				o.loss += harness.ListLoss([]harness.List{masked(l.List, without)}, w)
				o.losses++
			}
			if i := harness.BestOf(masked(l.List, without), w); i >= 0 && l.Right[i] {
				o.right[source]++
				o.right[l.kind]++
				o.all++
			}
		}
	}
	return o
}

func unitSources(lists []unitList) (names []string) {
	for i := range lists {
		if !slices.Contains(names, lists[i].source) {
			names = append(names, lists[i].source)
		}
	}
	return names
}

// reportUnits prints weights, what each gains, and what they choose.
func reportUnits(lists []unitList) string {
	var b strings.Builder
	weights, all := learnUnits(lists, -1), acrossSources(lists, -1)
	fmt.Fprintf(&b, "%d questions, %d with a right unit. Each source by the weights of the others, without one feature: loss, and how many begin right.\n\n",
		len(lists), len(slices.DeleteFunc(slices.Clone(lists), func(l unitList) bool { return !slices.Contains(l.Right, true) })))
	b.WriteString("| feature | weight | loss without it | right without it |\n|---|---|---|---|\n")
	fmt.Fprintf(&b, "| (all) | | %.4f | %d |\n", all.loss/float64(all.losses), all.all)
	for i, name := range answer.SentenceNames() {
		if weights[i] == 0 {
			continue
		}
		o := acrossSources(lists, i)
		fmt.Fprintf(&b, "| %s | %.2f | %+.4f | %+d |\n", name, weights[i], o.loss/float64(o.losses)-all.loss/float64(all.losses), o.all-all.all)
	}
	b.WriteString("\n| | questions | right by the weights of others | by those of the code |\n|---|---|---|---|\n")
	row := func(name string, in func(*unitList) bool, right int) {
		n, today := 0, 0
		for i := range lists {
			if in(&lists[i]) {
				if n++; lists[i].chosen {
					today++
				}
			}
		}
		fmt.Fprintf(&b, "| %s | %d | %.3f | %.3f |\n", name, n, float64(right)/float64(n), float64(today)/float64(n))
	}
	for _, s := range unitSources(lists) {
		row(s, func(l *unitList) bool { return l.source == s }, all.right[s])
	}
	for _, k := range kinds {
		if slices.ContainsFunc(lists, func(l unitList) bool { return l.kind == k }) {
			row(k, func(l *unitList) bool { return l.kind == k }, all.right[k])
		}
	}
	row("**all**", func(*unitList) bool { return true }, all.all)
	return b.String()
}
