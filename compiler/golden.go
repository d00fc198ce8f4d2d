package compiler

import (
	"fmt"
	"path/filepath"

	"kdd/compiler/diag"
	"kdd/format"
	"kdd/format/index"
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

// findings says which lines of the question set name what is not compiled: a document, or a section with text of its
// own.
func (g *Golden) findings(l *loaded) []diag.Diagnostic {
	if g == nil {
		return nil
	}
	var list []diag.Diagnostic
	anchors := map[string]map[string]bool{} // by path: those of sections with text
	for i := range l.units {
		u := &l.units[i]
		own := map[string]bool{}
		for k := range u.chunks {
			own[u.doc.Sections[u.chunks[k].Section].Anchor] = true
		}
		anchors[u.doc.Path] = own
	}
	for _, m := range g.Marks {
		var own map[string]bool
		for _, extension := range index.JudgedExtensions {
			if own == nil {
				own = anchors[m.Place.Path+extension]
			}
		}
		text := ""
		switch {
		case own == nil:
			text = fmt.Sprintf("no document %q", m.Place.Path)
		case m.Place.Anchor != "" && !own[m.Place.Anchor]:
			text = fmt.Sprintf("no section %q with text in %s", "#"+m.Place.Anchor, m.Place.Path)
		default:
			continue
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
