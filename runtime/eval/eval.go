package eval

import (
	"cmp"
	"context"
	"fmt"
	goruntime "runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// The names of the systems in a report.
const (
	SystemKDD  = "kdd"
	systemBM25 = "BM25"
	systemGrep = "keyword grep"
)

// MaxWorst bounds the questions that a report lists.
const MaxWorst = 1_000_000

// Evaluate is the operation Eval; runtime.Service says what it does.
func Evaluate(ctx context.Context, open artifact.Opener, q wire.EvalRequest) (resp *wire.EvalReport, err error) {
	start := time.Now()
	q.Mode = cmp.Or(q.Mode, search.ModeHybrid)
	if q.Group != "" && q.Group != groupPrefix && q.Group != groupNone {
		return nil, wire.BadChoice("group", q.Group, "prefix or none; without it the groups are the questions' own")
	}
	gates := make([]Gate, len(q.Gate))
	for i, text := range q.Gate {
		if gates[i], err = parseGate(text); err != nil {
			return nil, err
		}
	}
	if len(q.Sides) == 0 {
		q.Sides = []wire.EvalSide{{Name: SystemKDD}}
	}
	for i := range q.Sides {
		side := &q.Sides[i]
		side.Mode = cmp.Or(side.Mode, q.Mode)
		if err := cmp.Or(search.CheckMode(side.Mode), search.CheckDiversity(side.Diversity)); err != nil {
			return nil, err
		}
	}
	set, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer set.Done(ctx, &err)
	e, err := newEvaluation(set, &q)
	if err != nil {
		return nil, err
	}
	if err := e.ask(ctx); err != nil {
		return nil, err
	}
	if resp, err = e.report(gates); err != nil {
		return nil, err
	}
	resp.TimeMS = wire.Milliseconds(time.Since(start))
	return resp, nil
}

// How questions are grouped.
const (
	groupPrefix = "prefix"
	groupNone   = "none"
)

// evaluation is one run of Eval.
type evaluation struct {
	set       *artifact.Set
	q         *wire.EvalRequest
	name      string // of the questions
	questions []index.Question
	texts     map[string]*index.Question // by id
	groups    *Groups
	systems   []*system // what is measured, then what it is compared with
	warnings  []string
	missing   []wire.EvalMissing
}

// system is one ranking that is measured.
type system struct {
	name     string
	older    bool // the measured system is compared with it, question by question
	whole    bool // it ranks documents and knows no sections
	artifact *artifact.Artifact
	rank     ranker
	run      Run
	result   *Measurement
	mode     string // of search, as done
}

// ranker returns the places that answer a question, best first, at least until enough says yes.
type ranker func(ctx context.Context, question string, enough func([]index.Place) bool) (places []index.Place, warnings []string, err error)

// newEvaluation prepares what a request asks for.
func newEvaluation(set *artifact.Set, q *wire.EvalRequest) (*evaluation, error) {
	e := &evaluation{set: set, q: q}
	for i := len(q.Sides) - 1; i >= 0; i-- { // the newest is measured and compared with the one before it
		side := &q.Sides[i]
		a, err := sideOf(set, side)
		if err != nil {
			return nil, err
		}
		sem, err := a.Encoder()
		if err != nil {
			return nil, err
		}
		done := side.Mode
		if sem == nil && done == search.ModeHybrid {
			done = search.ModeLexical
		}
		e.systems = append(e.systems, &system{name: side.Name, older: i < len(q.Sides)-1, artifact: a, mode: done, rank: searcher(a, side.Mode, side.Diversity)})
	}
	main := e.systems[0].artifact
	if err := e.takeQuestions(main); err != nil {
		return nil, err
	}
	if q.Baseline != nil {
		run := e.baselineRun(main)
		e.systems = append(e.systems, &system{name: cmp.Or(q.Older, "baseline"), older: true, whole: wholeDocuments(run), run: run})
		e.compareIDs()
	}
	bm25, grep := NewBM25(main.Index), NewGrep(main.Index)
	e.systems = append(e.systems, &system{name: systemBM25, artifact: main, rank: baseline(bm25.Rank)}, &system{name: systemGrep, whole: true, artifact: main, rank: baseline(grep.Rank)})
	switch q.Group {
	case groupNone:
		e.groups = &Groups{}
	case groupPrefix:
		e.groups = groupBy(e.questions, func(q *index.Question) string { return Prefix(q.ID) })
	default:
		e.groups = groupBy(e.questions, func(q *index.Question) string { return q.Group })
	}
	return e, nil
}

// sideOf returns the artifact of a side.
func sideOf(set *artifact.Set, side *wire.EvalSide) (*artifact.Artifact, error) {
	if side.Index == "" && set.Several() {
		return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("index: %d artifacts, but one is measured", len(set.Artifacts)), "name one with -i, or compare two").With("field", "index")
	}
	for _, a := range set.Artifacts {
		if side.Index == "" || a.Name == side.Index {
			return a, nil
		}
	}
	return nil, wire.NewError(wire.CodeInvalidInput, "index: none is called "+wire.Quote(side.Index), "").With("field", "index")
}

// FirstHits is how many sections are asked for first. If they are of too few documents, four times as many are asked
// for, and so on.
const FirstHits = 1000

// searcher returns the ranking that a search of one artifact shows.
func searcher(a *artifact.Artifact, mode, diversity string) ranker {
	return func(ctx context.Context, question string, enough func([]index.Place) bool) ([]index.Place, []string, error) {
		one := &artifact.Set{Artifacts: []*artifact.Artifact{a}}
		for want := FirstHits; ; want *= 4 {
			r, more, err := search.Retrieve(ctx, one, &wire.SearchRequest{Query: question, Mode: mode, Diversity: diversity}, want)
			if err != nil {
				return nil, nil, err
			}
			places := make([]index.Place, min(want, len(r.Hits)))
			for i := range places {
				h := &r.Hits[i]
				places[i] = index.Place{Path: a.DocPath(h.Doc), Anchor: a.SectionAnchor(h.Section)}
			}
			r.Release()
			if !more || enough(places) {
				return places, r.Warnings, nil
			}
		}
	}
}

// baseline makes a ranker of a ranking that always returns all places.
func baseline(rank func(context.Context, string) ([]index.Place, error)) ranker {
	return func(ctx context.Context, question string, _ func([]index.Place) bool) ([]index.Place, []string, error) {
		places, err := rank(ctx, question)
		return places, nil, err
	}
}

// ask puts every question to every system that has not answered yet, on all processors.
func (e *evaluation) ask(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(goruntime.GOMAXPROCS(0))
	var mu sync.Mutex
	var done, total int
	var heard warningCounts
	var asking []*system
	for _, s := range e.systems {
		if s.run == nil {
			s.run = Run{}
			asking = append(asking, s)
		}
	}
	total = len(asking) * len(e.questions)
	for _, s := range asking {
		for i := range e.questions {
			q := &e.questions[i]
			group.Go(func() error {
				return format.Guard(func() error {
					if ctx.Err() != nil {
						return context.Cause(ctx)
					}
					places, warnings, err := s.rank(ctx, q.Text, enough(q))
					if err != nil {
						return err
					}
					mu.Lock()
					defer mu.Unlock()
					s.run[q.ID] = places
					for _, w := range warnings {
						heard.add(w, q.ID)
					}
					if done++; e.q.Progress != nil {
						e.q.Progress(done, total)
					}
					return nil
				})
			})
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	e.repeat(&heard)
	for _, s := range e.systems {
		s.result = Score(e.questions, s.run)
	}
	return nil
}

// warningCounts counts the questions that warnings were about. Warnings that differ only in what they quote are one.
type warningCounts struct {
	questions map[string]int     // by the warning without its quotes
	texts     map[string]string  // the warning as all questions had it, else the part that its texts share
	seen      map[[2]string]bool // warning and question
}

func (c *warningCounts) add(warning, question string) {
	if c.seen == nil {
		c.questions, c.texts, c.seen = map[string]int{}, map[string]string{}, map[[2]string]bool{}
	}
	alike := unquoted(warning)
	if key := [2]string{alike, question}; !c.seen[key] {
		c.seen[key] = true
		c.questions[alike]++
	}
	if text, ok := c.texts[alike]; !ok {
		c.texts[alike] = warning
	} else if text != warning {
		c.texts[alike] = strings.TrimSuffix(alike, `: "…"`)
	}
}

// enough returns a function that says whether places are of all the documents that metrics look at.
func enough(q *index.Question) func([]index.Place) bool {
	excluded := map[string]bool{}
	for _, path := range q.Exclude {
		excluded[path] = true
	}
	return func(places []index.Place) bool {
		docs := map[string]bool{}
		for _, p := range places {
			if !excluded[p.Path] {
				docs[p.Path] = true
			}
		}
		return len(docs) >= DeepCutoff
	}
}

// maxRepeated bounds the warnings of searches that a report repeats.
const maxRepeated = 5

// repeat adds the warnings of searches to the report, the most frequent first.
func (e *evaluation) repeat(heard *warningCounts) {
	list := wire.ByCount(heard.questions)
	for _, alike := range list[:min(maxRepeated, len(list))] {
		text := heard.texts[alike]
		if n := heard.questions[alike]; n < len(e.questions) {
			text += fmt.Sprintf(" (%d of %d questions)", n, len(e.questions))
		}
		e.warn(text)
	}
}

// unquoted replaces the quotes in a warning: words of the question, and the words that they were read as.
func unquoted(warning string) string {
	parts := strings.Split(warning, `"`)
	for i := 1; i < len(parts); i += 2 {
		parts[i] = "…"
	}
	return strings.Join(parts, `"`)
}
