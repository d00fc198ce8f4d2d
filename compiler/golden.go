package compiler

import (
	"errors"
	"fmt"
	"path/filepath"

	"kdd/compiler/diag"
	"kdd/compiler/graph"
	"kdd/format"
	"kdd/format/index"
	"kdd/format/place"
)

// Golden is a question set that the artifact is to carry, as its files were read.
type Golden struct {
	Set   *index.QuestionSet // its name is that of a file, without folders
	Marks []GoldenMark       // every place that is named
}

// GoldenMark is a place that a line names.
type GoldenMark struct {
	File     string
	Line     int
	Question string
	Place    index.Place
}

// findings says which lines of the question set name what is not compiled, with what is nearest to it: a document, or
// a section with text of its own. What names a place is what "read" opens in the artifact.
func (g *Golden) findings(l *loaded, linked *graph.Graph) []diag.Diagnostic {
	if g == nil {
		return nil
	}
	var list []diag.Diagnostic
	names := newPlaces(l, linked)
	for _, m := range g.Marks {
		d, _, err := place.Find(names, m.Place.Path, m.Place.Anchor)
		text := ""
		switch {
		case err == nil:
			continue
		case errors.Is(err, place.ErrDocument):
			text = fmt.Sprintf("no document %q", m.Place.Path)
		case errors.Is(err, place.ErrSeveral):
			text = fmt.Sprintf("%q is the name of several places", m.Place.Path)
		default:
			text = fmt.Sprintf("no section %q with text in %s", "#"+m.Place.Anchor, names.DocPath(d))
		}
		if path, anchor, ok := place.Nearest(names, m.Place.Path, m.Place.Anchor); ok {
			if anchor != "" {
				path += "#" + anchor
			}
			text += "; the nearest is " + path
		}
		list = append(list, diag.At(diag.GoldenTarget, filepath.Base(m.File), m.Line, 0, "question %q: %s", m.Question, text))
	}
	return list
}

// blocks encodes the question set; none where there is none.
func (g *Golden) blocks() ([]format.RawBlock, error) {
	if g == nil || len(g.Set.Questions) == 0 {
		return nil, nil
	}
	b, err := index.GoldenBlock(g.Set)
	return []format.RawBlock{b}, err
}
