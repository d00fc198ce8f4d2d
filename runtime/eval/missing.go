package eval

import (
	"errors"

	"kdd/format/index"
	"kdd/format/place"
	"kdd/runtime/artifact"
	"kdd/runtime/names"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// find returns a judged place as a set of one artifact calls it: the path and the anchor of what "read" opens for it.
// The error says what is missing; the place is then as it was judged, with the path of the document if that is there.
func find(one *artifact.Set, p index.Place) (index.Place, error) {
	a := one.Artifacts[0]
	d, s, err := place.Find(a.Index, p.Path, p.Anchor)
	switch {
	case errors.Is(err, place.ErrDocument): // an address
		at, other := names.FindPlace(one, p.Path, p.Anchor)
		if other != nil {
			return p, err
		}
		d, s = at.Doc, at.Section
	case errors.Is(err, place.ErrSection), errors.Is(err, place.ErrNoText):
		p.Path = a.DocPath(d)
		return p, err
	case err != nil:
		return p, err
	}
	return index.Place{Path: a.DocPath(d), Anchor: a.SectionAnchor(s)}, nil
}

// remembered is find with a memory: a run names each place many times.
func remembered(one *artifact.Set) func(index.Place) (index.Place, error) {
	type answer struct {
		place index.Place
		why   error
	}
	known := map[index.Place]answer{}
	return func(p index.Place) (index.Place, error) {
		got, ok := known[p]
		if !ok {
			got.place, got.why = find(one, p)
			known[p] = got
		}
		return got.place, got.why
	}
}

// The bounds of what a report says of missing places.
const (
	maxMissing = 1000 // places
	maxAskers  = 10   // questions of one of them
	maxTold    = 5    // places in warnings
)

// missingPlaces are judged places that the artifact has not, each once, in the order of the questions.
type missingPlaces struct {
	list []wire.EvalMissing
	at   map[string]int
	more int // places beyond maxMissing
}

func (m *missingPlaces) add(a *artifact.Artifact, p index.Place, why error, question string) {
	if m.at == nil {
		m.at = map[string]int{}
	}
	name := render.Address("", p.Path, p.Anchor)
	i, known := m.at[name]
	if !known {
		i = len(m.list)
		if m.at[name] = i; i >= maxMissing {
			m.at[name] = -1
			m.more++
			return
		}
		one := wire.EvalMissing{Place: name, Path: p.Path, Anchor: p.Anchor, Reason: reasonOf(why)}
		if path, anchor, ok := place.Nearest(a.Index, p.Path, p.Anchor); ok {
			one.Nearest = render.Address("", path, anchor)
		}
		m.list = append(m.list, one)
	}
	if i >= 0 && len(m.list[i].Questions) < maxAskers {
		m.list[i].Questions = append(m.list[i].Questions, question)
	}
}

// reasonOf says why a place is missing, as reports have it.
func reasonOf(why error) string {
	switch {
	case errors.Is(why, place.ErrDocument):
		return "document"
	case errors.Is(why, place.ErrSeveral):
		return "several"
	case errors.Is(why, place.ErrNoText):
		return "no_text"
	}
	return "section"
}

// missingSaid says of each reason what is wrong with a place.
var missingSaid = map[string]string{
	"document": "a judged document is not in the index",
	"section":  "a judged section is not in the index",
	"several":  "a judged name is that of several places",
	"no_text":  "a judged section has no text of its own",
}

// said says what is wrong with a place, and which is the nearest.
func said(one *wire.EvalMissing) string {
	text := missingSaid[one.Reason] + ": " + wire.Clean(one.Place)
	if one.Nearest != "" {
		text += "; the nearest is " + wire.Clean(one.Nearest)
	}
	return text
}

// texts says what is wrong with the first places, with the nearest to each, and how many more there are.
func (m *missingPlaces) texts() []string {
	var list []string
	for i := range m.list[:min(maxTold, len(m.list))] {
		list = append(list, said(&m.list[i]))
	}
	if more := len(m.list) - len(list) + m.more; more > 0 {
		list = append(list, wire.Plural(more, "more judged place is", "more judged places are")+
			" not in the index: JSON has them as missing")
	}
	return list
}
