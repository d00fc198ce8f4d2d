package eval

import (
	"fmt"
	"maps"
	"slices"

	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/render"
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
	var strange, anchors missingNames
	judged, missing := 0, 0
	for i := range e.questions {
		q := &e.questions[i]
		e.texts[q.ID] = q
		q.Relevant, q.Exclude = slices.Clone(q.Relevant), slices.Clone(q.Exclude)
		for k, path := range q.Exclude {
			if d, ok := docOf(main, path); ok {
				q.Exclude[k] = main.DocPath(d)
			}
		}
		for k := range q.Relevant {
			r := &q.Relevant[k]
			judged++
			d, ok := docOf(main, r.Path)
			if !ok {
				strange.add(r.Path)
				missing++
				continue
			}
			r.Path = main.DocPath(d)
			if r.Anchor != "" && !hasAnchor(main, d, r.Anchor) {
				anchors.add(render.Address("", r.Path, r.Anchor))
			}
		}
	}
	if judged > 0 && judged == missing {
		return wire.NewError(wire.CodeInvalidInput, e.name+": "+strange.text("judged document", "judged documents", "not in the index")+": there is no other",
			"is it the right index? Paths are those of the documents, as \"list\" prints them").With("field", "questions")
	}
	e.warn(strange.text("judged document", "judged documents", "not in the index"))
	e.warn(anchors.text("judged section", "judged sections", "not in the index"))
	for _, s := range e.systems[1:] {
		if s.artifact != main {
			e.compareDocuments(s)
		}
	}
	return nil
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

// baselineRun returns the run of the request, with paths as the artifact has them.
func (e *evaluation) baselineRun(main *artifact.Artifact) Run {
	run := make(Run, len(e.q.Baseline))
	for id, places := range e.q.Baseline {
		places = slices.Clone(places)
		for i := range places {
			if d, ok := docOf(main, places[i].Path); ok {
				places[i].Path = main.DocPath(d)
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

// docOf finds the document of a judged path, which may lack its extension.
func docOf(a *artifact.Artifact, path string) (index.DocID, bool) {
	for _, extension := range index.JudgedExtensions {
		if d, ok := a.FindDoc(path + extension); ok {
			return d, true
		}
	}
	return 0, false
}

// hasAnchor says whether a document has a section of that anchor with text of its own.
func hasAnchor(a *artifact.Artifact, d index.DocID, anchor string) bool {
	from, to := a.DocSections(d)
	for s := from; s < to; s++ {
		if first, last := a.SectionChunks(s); first < last && a.SectionAnchor(s) == anchor {
			return true
		}
	}
	return false
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
