package query

import (
	"fmt"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/bmatcuk/doublestar/v4"

	"kdd/format/index"
	"kdd/format/text"
)

// Op says what a clause asks of a section.
type Op uint8

// The kinds of clauses.
const (
	All       Op = iota // all of its kids hold; none is true
	Any                 // one of its kids holds
	Not                 // its only kid does not hold
	Leaf                // of a query as written only
	Words               // one of its words stands in a field
	Phrase              // its words stand in a field, each as far from the first one as in the query
	Documents           // the section's document is among them
)

// Clause is what a query requires of a section, in the terms of one artifact. A section has the words of its document's
// title, of its heading and those above, and of its own text.
type Clause struct {
	Op     Op
	Kids   []*Clause
	Words  []Word
	Fields []index.FieldID // that the words may stand in
	Docs   *roaring.Bitmap
}

// maxPhrase bounds the words of a phrase; a longer one is cut.
const maxPhrase = 64

var anyField = []index.FieldID{index.BodyField, index.PathField, index.TitleField}

// clauses gives the artifact's terms to what the reading requires: nil if that is nothing.
func (p *parse) clauses(i int) *Clause {
	if p.root == nil || len(p.root.kids) == 0 {
		return nil
	}
	return p.clause(i, p.root)
}

func (p *parse) clause(i int, n *node) *Clause {
	if n.op != Leaf {
		c := &Clause{Op: n.op}
		for _, kid := range n.kids {
			c.Kids = append(c.Kids, p.clause(i, kid))
		}
		return c
	}
	it := n.item
	if it.field.documents() {
		return &Clause{Op: Documents, Docs: p.documents(i, it)}
	}
	c := &Clause{Op: Phrase, Fields: anyField}
	if it.field != nil {
		c.Fields = it.field.text
	}
	if it.mark != exactly {
		c.Op, c.Words = Words, []Word{p.marked(i, it)}
		return c
	}
	for _, t := range p.a.Tokens(nil, it.text) {
		if t.IndexOnly() {
			continue
		}
		if len(c.Words) == maxPhrase {
			p.note(fmt.Sprintf("a phrase has more than %d words, the first ones are looked for", maxPhrase))
			break
		}
		w := p.word(i, t, text.Subject)
		if len(w.Terms) == 0 && it.kind == word {
			if t.Whole {
				continue // its parts, side by side
			}
			if lists, ok := p.corrected[t.Fold]; ok {
				p.correct(i, &w, lists[i])
			}
		}
		c.Words = append(c.Words, w)
	}
	if len(c.Words) == 1 {
		c.Op = Words
	}
	return c
}

// documents returns the documents that a field has a value of.
func (p *parse) documents(i int, it *item) *roaring.Bitmap {
	x := p.xs[i]
	if it.field.filter == nil {
		return p.paths(x, it.text)
	}
	f := it.field.filter(it.text)
	docs, err := Filter(x, &f)
	if err != nil || docs == nil {
		return roaring.New()
	}
	if i == 0 {
		for _, w := range Unknown(p.xs, &f) {
			p.note(w)
		}
	}
	return docs
}

// paths returns the documents whose path matches a glob, or holds a text, case and accents aside. A glob without a
// slash is one of file names.
func (p *parse) paths(x *index.Index, value string) *roaring.Bitmap {
	glob := strings.ContainsAny(value, "*?[{")
	if glob && !(usable(value) && affordable(value, maxPaths*x.Docs())) {
		p.note("path: " + quote(value) + " is no glob that can be used; it is looked for as text")
		glob = false
	}
	want := text.Fold(value)
	return documents(x, func(d index.DocID) bool {
		switch path := x.DocPath(d); {
		case !glob:
			return strings.Contains(text.Fold(path), want)
		case strings.Contains(value, "/"):
			return doublestar.MatchUnvalidated(value, path)
		default:
			return doublestar.MatchUnvalidated(value, path[strings.LastIndexByte(path, '/')+1:])
		}
	})
}

// Narrow takes the documents out of allowed (nil = all) that the query's clauses rule out by themselves, and returns
// the rest; what else a section has to hold is left to the clauses.
func (q *Query) Narrow(allowed *roaring.Bitmap, docs int) *roaring.Bitmap {
	if q.Clauses == nil || q.Clauses.Op != All {
		return allowed
	}
	for _, kid := range q.Clauses.Kids {
		switch {
		case kid.Op == Documents && allowed == nil:
			allowed = kid.Docs.Clone()
		case kid.Op == Documents:
			allowed.And(kid.Docs)
		case kid.Op == Not && kid.Kids[0].Op == Documents:
			if allowed == nil {
				allowed = roaring.New()
				allowed.AddRange(0, uint64(docs))
			}
			allowed.AndNot(kid.Kids[0].Docs)
		}
	}
	return allowed
}

// String shows a clause for tests and errors.
func (c *Clause) String() string {
	if c == nil {
		return "-"
	}
	var list []string
	for _, kid := range c.Kids {
		list = append(list, kid.String())
	}
	for i := range c.Words {
		list = append(list, c.Words[i].Text)
	}
	if c.Docs != nil {
		list = append(list, fmt.Sprintf("%d documents", c.Docs.GetCardinality()))
	}
	names := [...]string{"all", "any", "not", "leaf", "word", "phrase", "in"}
	field := ""
	if len(c.Fields) == 1 {
		field = [...]string{"title:", "heading:"}[c.Fields[0]]
	}
	return field + names[c.Op] + "(" + strings.Join(list, " ") + ")"
}
