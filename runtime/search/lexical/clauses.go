package lexical

import (
	"context"
	"errors"

	"kdd/format/index"
	"kdd/runtime/search/query"
)

// Sections is a set of sections.
type Sections struct {
	words []uint64
	n     int
}

func newSections(n int) *Sections { return &Sections{make([]uint64, (n+63)/64), n} }

// Has says whether a section is in the set. A nil set has all.
func (s *Sections) Has(section index.SectionID) bool {
	return s == nil || s.words[section/64]&(1<<(section%64)) != 0
}

func (s *Sections) add(section index.SectionID) { s.words[section/64] |= 1 << (section % 64) }

func (s *Sections) addRange(from, to index.SectionID) {
	for ; from < to; from++ {
		s.add(from)
	}
}

func (s *Sections) invert() {
	for i := range s.words {
		s.words[i] = ^s.words[i]
	}
	if n := s.n % 64; n > 0 {
		s.words[len(s.words)-1] &= 1<<n - 1
	}
}

// Holding returns the sections that fulfil a clause; nil if all do.
//
// Errors: ErrSteps. Cost: the postings of its words, the positions of its phrases in the rows that have all of their
// words, and a bit for each section and clause; a word or phrase that occurs twice is looked up once.
func Holding(ctx context.Context, x *index.Index, rows *Rows, c *query.Clause) (*Sections, error) {
	if c == nil {
		return nil, nil
	}
	e := evaluation{records: records{x: x}, x: x, rows: rows, leaves: map[string]*Sections{}, left: leastSteps + stepsPerChunk*x.Chunks()}
	return e.clause(ctx, c)
}

// ErrSteps says that a clause takes more steps than allowed.
var ErrSteps = errors.New("too many steps")

// The steps that the clauses of a query may take: postings and positions that are looked at. A phrase of two words that
// are in every chunk stays below.
const (
	leastSteps    = 1 << 20
	stepsPerChunk = 32
)

type evaluation struct {
	records
	x     *index.Index
	rows  *Rows
	words []places // of the phrase at hand

	leaves map[string]*Sections // that are known, by clause
	left   int                  // steps
}

func (e *evaluation) clause(ctx context.Context, c *query.Clause) (*Sections, error) {
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	if e.left < 0 {
		return nil, ErrSteps
	}
	key := ""
	if c.Op == query.Words || c.Op == query.Phrase {
		key = c.String()
		if known := e.leaves[key]; known != nil {
			return known, nil
		}
	}
	set := newSections(e.x.Sections())
	switch c.Op {
	case query.All, query.Any, query.Not:
		if c.Op != query.Any {
			set.invert()
		}
		for _, kid := range c.Kids {
			other, err := e.clause(ctx, kid)
			if err != nil {
				return nil, err
			}
			for i, w := range other.words {
				switch c.Op {
				case query.All:
					set.words[i] &= w
				case query.Any:
					set.words[i] |= w
				default:
					set.words[i] &^= w
				}
			}
		}
	case query.Documents:
		for it := c.Docs.Iterator(); it.HasNext(); {
			if d := it.Next(); int(d) < e.x.Docs() {
				set.addRange(e.x.DocSections(index.DocID(d)))
			}
		}
	case query.Words:
		for i := range c.Words {
			for _, field := range c.Fields {
				e.terms(set, c.Words[i].Terms, field)
				e.terms(set, c.Words[i].Near, field)
			}
		}
	case query.Phrase:
		for _, field := range c.Fields {
			e.phrase(c.Words, field, func(row uint32) { e.row(set, field, row) })
		}
	}
	if e.left < 0 {
		return nil, ErrSteps
	}
	if key != "" {
		e.leaves[key] = set
	}
	return set, nil
}

// row adds the sections that a row of a field stands for.
func (e *evaluation) row(set *Sections, field index.FieldID, row uint32) {
	switch field {
	case index.BodyField:
		set.add(index.SectionID(e.rows.Section[row]))
	case index.PathField:
		set.add(index.SectionID(row))
	case index.TitleField:
		set.addRange(e.x.DocSections(index.DocID(row)))
	}
}

func (e *evaluation) terms(set *Sections, terms []index.TermID, field index.FieldID) {
	var rows, freqs [128]uint32
	for _, t := range terms {
		p := &e.record(t).Fields[field]
		for i := 0; i < p.Blocks() && e.left >= 0; i++ {
			n := p.Decode(i, rows[:], freqs[:])
			e.left -= n
			for _, row := range rows[:n] {
				e.row(set, field, row)
			}
		}
	}
}

// phrase calls each for every row of a field in which the words have the same distances as in the query.
func (e *evaluation) phrase(words []query.Word, field index.FieldID, each func(row uint32)) {
	if len(words) == 0 {
		return
	}
	for len(e.words) < len(words) {
		e.words = append(e.words, places{})
	}
	at := e.words[:len(words)]
	for i := range words {
		at[i].cursors = at[i].cursors[:0]
		at[i].add(&e.records, words[i].Terms, field)
		at[i].add(&e.records, words[i].Near, field)
		if len(at[i].cursors) == 0 {
			return
		}
	}
	defer func() {
		for i := range at {
			e.left -= at[i].steps()
		}
	}()
	var starts []uint32 // where the phrase may begin in the row at hand
	for row := at[0].seek(0); row != noRow && e.left >= 0; {
		e.left -= len(at)
		behind := row
		for i := 1; i < len(at) && behind == row; i++ {
			behind = at[i].seek(row)
		}
		if behind != row {
			if behind == noRow {
				return
			}
			row = at[0].seek(behind)
			continue
		}
		starts = append(starts[:0], at[0].positions(row)...)
		for i := 1; i < len(at) && len(starts) > 0; i++ {
			all := at[i].positions(row)
			e.left -= len(starts) + len(all)
			starts = follow(starts, all, words[i].Pos-words[0].Pos)
		}
		if len(starts) > 0 {
			each(row)
		}
		row = at[0].seek(row + 1)
	}
}

// follow keeps the starts for which at has the position start + by. Both lists ascend.
func follow(starts, at []uint32, by uint32) []uint32 {
	kept := starts[:0]
	for _, s := range starts {
		for len(at) > 0 && at[0] < s+by {
			at = at[1:]
		}
		if len(at) > 0 && at[0] == s+by {
			kept = append(kept, s)
		}
	}
	return kept
}
