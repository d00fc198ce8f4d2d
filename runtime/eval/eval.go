package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"strings"
	"sync"
	"time"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// What the systems of a report are called.
const (
	SystemKDD  = "kdd"
	systemBM25 = "BM25"
	systemGrep = "keyword grep"
)

// MaxWorst bounds the questions that a report lists.
const MaxWorst = 1_000_000

// Evaluate is the operation of that name; Service of package runtime says what it does.
func Evaluate(ctx context.Context, open artifact.Opener, q wire.EvalRequest) (resp *wire.EvalReport, err error) {
	start := time.Now()
	q.Mode = cmp.Or(q.Mode, search.ModeHybrid)
	if q.Group != "" && q.Group != groupPrefix && q.Group != groupNone {
		return nil, wire.BadChoice("group", q.Group, "prefix or none; without it the groups are the questions' own")
	}
	gates := make([]Gate, len(q.Gate))
	for i, text := range q.Gate {
		var err error
		if gates[i], err = parseGate(text); err != nil {
			return nil, err
		}
	}
	if len(q.Sides) == 0 {
		q.Sides = []wire.EvalSide{{Name: SystemKDD}}
	}
	for i := range q.Sides {
		side := &q.Sides[i]
		if side.Mode = cmp.Or(side.Mode, q.Mode); !search.KnownMode(side.Mode) {
			return nil, search.BadMode(side.Mode)
		}
		if !search.KnownDiversity(side.Diversity) {
			return nil, search.BadDiversity(side.Diversity)
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
	resp, err = e.report(gates)
	if err != nil {
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
}

// system is one ranking that is measured.
type system struct {
	name     string
	older    bool // compared with, question by question
	whole    bool // it names documents and knows no sections
	artifact *artifact.Artifact
	rank     func(ctx context.Context, question string, enough func([]index.Place) bool) (places []index.Place, warnings []string, err error)
	run      Run
	result   *Measurement
	mode     string // what was really done
}

// newEvaluation prepares what a request asks for.
func newEvaluation(set *artifact.Set, q *wire.EvalRequest) (*evaluation, error) {
	e := &evaluation{set: set, q: q}
	for i := len(q.Sides) - 1; i >= 0; i-- { // the newest is measured, the one before it is compared with
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
	if err := e.take(main); err != nil {
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

// FirstHits is how many sections are asked for first; four times as many where these name too few documents.
const FirstHits = 1000

// searcher returns the ranking that a search of one artifact shows.
func searcher(a *artifact.Artifact, mode, diversity string) func(context.Context, string, func([]index.Place) bool) ([]index.Place, []string, error) {
	return func(ctx context.Context, question string, enough func([]index.Place) bool) ([]index.Place, []string, error) {
		one := &artifact.Set{Artifacts: []*artifact.Artifact{a}}
		for want := FirstHits; ; want *= 4 {
			r, more, err := search.Retrieve(ctx, one, &wire.SearchRequest{Query: question, Mode: mode, Diversity: diversity}, want, false)
			if err != nil {
				return nil, nil, err
			}
			places := make([]index.Place, min(want, len(r.Hits)))
			for i := range places {
				h := &r.Hits[i]
				places[i] = index.Place{Path: a.DocPath(h.Doc), Anchor: a.SectionAnchor(h.Section)}
			}
			if !more || enough(places) {
				return places, r.Warnings, nil
			}
		}
	}
}

// baseline makes a system's ranking of one that needs no more.
func baseline(rank func(context.Context, string) ([]index.Place, error)) func(context.Context, string, func([]index.Place) bool) ([]index.Place, []string, error) {
	return func(ctx context.Context, question string, _ func([]index.Place) bool) ([]index.Place, []string, error) {
		places, err := rank(ctx, question)
		return places, nil, err
	}
}

// ask puts every question to every system that has not answered yet, on all processors.
func (e *evaluation) ask(ctx context.Context) error {
	type job struct {
		s *system
		q *index.Question
	}
	var jobs []job
	for _, s := range e.systems {
		if s.run == nil {
			s.run = Run{}
			for i := range e.questions {
				jobs = append(jobs, job{s, &e.questions[i]})
			}
		}
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var mu sync.Mutex
	var group sync.WaitGroup
	var failed error
	next, done := 0, 0
	said, heard := map[string]int{}, map[[2]string]bool{} // questions of each warning, whatever it quotes
	texts := map[string]string{}                          // of each: the text of all, or what their texts share
	work := func() error {
		for {
			mu.Lock()
			if next == len(jobs) || failed != nil {
				mu.Unlock()
				return nil
			}
			j := jobs[next]
			next++
			mu.Unlock()
			places, warnings, err := j.s.rank(ctx, j.q.Text, enough(j.q))
			if err != nil {
				return err
			}
			mu.Lock()
			j.s.run[j.q.ID] = places
			for _, w := range warnings {
				alike := unquoted(w)
				if key := [2]string{alike, j.q.ID}; !heard[key] {
					heard[key] = true
					said[alike]++
				}
				if text, ok := texts[alike]; !ok {
					texts[alike] = w
				} else if text != w {
					texts[alike] = strings.TrimSuffix(alike, `: "…"`)
				}
			}
			done++
			if e.q.Progress != nil {
				e.q.Progress(done, len(jobs))
			}
			mu.Unlock()
		}
	}
	for range min(goruntime.GOMAXPROCS(0), max(1, len(jobs))) {
		group.Go(func() {
			err := format.Guard(work)
			mu.Lock()
			defer mu.Unlock()
			if err != nil && (failed == nil || errors.Is(failed, context.Canceled)) {
				failed = err
				cancel(err)
			}
		})
	}
	group.Wait()
	if failed != nil {
		return failed
	}
	e.say(said, texts)
	for _, s := range e.systems {
		s.result = Score(e.questions, s.run)
	}
	return nil
}

// enough says when an answer names all the documents that count.
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

// maxSaid bounds the warnings of searches that a report repeats.
const maxSaid = 5

// say repeats what searches warned of, the most frequent first.
func (e *evaluation) say(said map[string]int, texts map[string]string) {
	list := wire.ByCount(said)
	for _, alike := range list[:min(maxSaid, len(list))] {
		text := texts[alike]
		if said[alike] < len(e.questions) {
			text += fmt.Sprintf(" (%d of %d questions)", said[alike], len(e.questions))
		}
		e.warn(text)
	}
}

// unquoted leaves out what a warning quotes: the question's own words, and what they are read as.
func unquoted(warning string) string {
	parts := strings.Split(warning, `"`)
	for i := 1; i < len(parts); i += 2 {
		parts[i] = "…"
	}
	return strings.Join(parts, `"`)
}
