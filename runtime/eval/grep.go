package eval

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/format/text"
)

// Grep ranks documents like someone who searches for each word of the question with a tool such as ripgrep, ignoring
// case. It is safe for concurrent use.
type Grep struct {
	paths []string
	texts [][]byte // in lower case
}

// NewGrep reads the text of all documents out of x. Cost: a copy of that text is kept.
func NewGrep(x *index.Index) *Grep {
	g := &Grep{}
	reader := x.Text.Reader()
	for d := range index.DocID(x.Docs()) {
		from, to := x.DocText(d)
		g.paths = append(g.paths, x.DocPath(d))
		g.texts = append(g.texts, bytes.ToLower(x.AppendText(nil, reader, d, 0, to-from)))
	}
	return g
}

// words returns the distinct words of a question in lower case, without the punctuation around them. It leaves out stop
// words unless there are no others.
func (g *Grep) words(raw string) [][]byte {
	var words, all [][]byte
	for word := range strings.FieldsSeq(strings.ToLower(raw)) {
		word = strings.Trim(word, `.,;:!?()"'`)
		if word == "" || slices.ContainsFunc(all, func(w []byte) bool { return string(w) == word }) {
			continue
		}
		all = append(all, []byte(word))
		if !text.IsStop("en", word) {
			words = append(words, []byte(word))
		}
	}
	if len(words) == 0 {
		return all
	}
	return words
}

// Rank returns the documents that contain a word of the question: first by the number of distinct words, then by the
// number of lines with a word, then by path. Cost: each document is searched for each word.
func (g *Grep) Rank(ctx context.Context, text string) ([]Place, error) {
	words := g.words(text)
	type found struct {
		path         string
		words, lines int
	}
	var hits []found
	var lines []int // the places at which lines with a word begin
	for i, path := range g.paths {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		hit := found{path: path}
		lines = lines[:0]
		for _, w := range words {
			before := len(lines)
			lines = appendLines(lines, g.texts[i], w)
			if len(lines) > before {
				hit.words++
			}
		}
		if hit.words == 0 {
			continue
		}
		slices.Sort(lines)
		hit.lines = len(slices.Compact(lines))
		hits = append(hits, hit)
	}
	slices.SortStableFunc(hits, func(a, b found) int {
		return cmp.Or(cmp.Compare(b.words, a.words), cmp.Compare(b.lines, a.lines), strings.Compare(a.path, b.path))
	})
	places := make([]Place, len(hits))
	for i, h := range hits {
		places[i].Path = h.path
	}
	return places, nil
}

// appendLines adds the places at which the lines of text that contain word begin.
func appendLines(dst []int, text, word []byte) []int {
	for at := 0; at < len(text); {
		i := bytes.Index(text[at:], word)
		if i < 0 {
			break
		}
		i += at
		dst = append(dst, bytes.LastIndexByte(text[:i], '\n')+1)
		end := bytes.IndexByte(text[i:], '\n')
		if end < 0 {
			break
		}
		at = i + end + 1
	}
	return dst
}
