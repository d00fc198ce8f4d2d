package eval

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"kdd/format/index"
	"kdd/format/place"
	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

// takeQuestions takes the questions of the request, else those of the first artifact that has some.
func (e *evaluation) takeQuestions(main *artifact.Artifact) error {
	questions := e.q.Questions
	for i := 0; questions == nil && i < len(e.systems); i++ {
		var err error
		if questions, err = e.systems[i].artifact.Golden(); err != nil {
			return err
		}
	}
	if questions == nil || len(questions.Questions) == 0 {
		return wire.NewError(wire.CodeNotFound, "no questions: the index carries none", `name files with questions and judgements, or put them into the index with "kdd build --golden FILE"`)
	}
	e.name = questions.Name
	e.questions, e.texts = slices.Clone(questions.Questions), make(map[string]*index.Question, len(questions.Questions))
	missing, one := missingPlaces{}, e.only(main)
	documents, none := 0, 0 // judged, and of these not in the index
	for i := range e.questions {
		q := &e.questions[i]
		e.texts[q.ID] = q
		q.Relevant, q.Exclude = slices.Clone(q.Relevant), slices.Clone(q.Exclude)
		for k, path := range q.Exclude {
			if at, why := find(one, index.Place{Path: path}); why == nil {
				q.Exclude[k] = at.Path
			}
		}
		for k := range q.Relevant {
			documents++
			at, why := find(one, q.Relevant[k].Place)
			if why != nil {
				missing.add(main, q.Relevant[k].Place, why, q.ID)
			}
			if errors.Is(why, place.ErrDocument) || errors.Is(why, place.ErrSeveral) {
				none++
			}
			q.Relevant[k].Place = at
		}
	}
	if documents > 0 && documents == none {
		return wire.NewError(wire.CodeInvalidInput, e.name+": "+said(&missing.list[0])+"; nor is any other",
			"is it the right index? Paths are those of the documents, as \"list\" prints them").With("field", "questions")
	}
	e.missing = missing.list
	for _, text := range missing.texts() {
		e.warn(text)
	}
	for _, s := range e.systems[1:] {
		if s.artifact != main {
			e.compareDocuments(s)
		}
	}
	return nil
}

// only is the set with one of its artifacts.
func (e *evaluation) only(a *artifact.Artifact) *artifact.Set {
	return &artifact.Set{Artifacts: []*artifact.Artifact{a}, Where: e.set.Where}
}

// compareDocuments warns of judged documents that only the artifact that is measured has.
func (e *evaluation) compareDocuments(s *system) {
	var gone missingNames
	for i := range e.questions {
		for _, r := range e.questions[i].Relevant {
			_, here := e.systems[0].artifact.FindDoc(r.Path)
			if _, there := s.artifact.FindDoc(r.Path); here && !there {
				gone.add(r.Path)
			}
		}
	}
	e.warn(gone.text("judged document", "judged documents", "not in "+wire.Clean(s.name)))
}

// baselineRun returns the run of the request, with paths and anchors as the artifact has them.
func (e *evaluation) baselineRun(main *artifact.Artifact) Run {
	run, found := make(Run, len(e.q.Baseline)), remembered(e.only(main))
	for id, places := range e.q.Baseline {
		places = slices.Clone(places)
		for i := range places {
			if at, why := found(places[i]); why == nil {
				places[i] = at
			}
		}
		run[id] = places
	}
	return run
}

// wholeDocuments says that a run names no section, as TREC's runs do: measured by section it would score nothing.
func wholeDocuments(run Run) bool {
	for _, places := range run {
		if slices.ContainsFunc(places, func(p index.Place) bool { return p.Anchor != "" }) {
			return false
		}
	}
	return true
}

// missingNames counts things that are missing.
type missingNames struct {
	first string
	seen  map[string]bool
}

func (s *missingNames) add(name string) {
	if s.seen == nil {
		s.first, s.seen = name, map[string]bool{}
	}
	s.seen[name] = true
}

// text says how many things are missing; it is "" if none is.
func (s *missingNames) text(one, many, what string) string {
	switch n := len(s.seen); n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("a %s is %s: %s", one, what, wire.Clean(s.first))
	default:
		return fmt.Sprintf("%d %s are %s, for example %s", n, many, what, wire.Clean(s.first))
	}
}

// compareIDs warns of questions that only the set or only the baseline has.
func (e *evaluation) compareIDs() {
	asked := map[string]bool{}
	var without, unknown missingNames
	for _, q := range e.questions {
		asked[q.ID] = true
		if e.q.Baseline[q.ID] == nil {
			without.add(q.ID)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(e.q.Baseline)) {
		if !asked[id] {
			unknown.add(id)
		}
	}
	e.warn(without.text("question", "questions", "not in the baseline, where it counts as 0"))
	e.warn(unknown.text("query of the baseline", "queries of the baseline", "not in the set"))
}

func (e *evaluation) warn(text string) {
	if text != "" && !slices.Contains(e.warnings, text) {
		e.warnings = append(e.warnings, text)
	}
}
