package distil

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"kdd/format/encoder"
)

// Train learns a query encoder and returns the bytes of its table, for encoder.OpenTable.
//
// progress, if not nil, is told of the steps "sentences", "matrix", "solve" and "table", and how far each is. Calls
// come one at a time. The end of ctx stops Train between two steps of the solution at the latest; its cause is the
// error.
//
// Cost: about a second for 6,000 chunks and 10,000 sentences of 384 dimensions on two cores, without Teacher; memory
// 130 MB. Both grow with the wordpieces of the chunks.
func Train(ctx context.Context, in *Input, progress func(step string, done, total int)) ([]byte, *Report, error) {
	o := Defaults()
	if in.Options != nil {
		o = *in.Options
	}
	if err := o.check(); err != nil {
		return nil, nil, err
	}
	if err := in.check(); err != nil {
		return nil, nil, err
	}
	t := trainer{in: in, o: &o, tell: progress}
	if progress == nil {
		t.tell = func(string, int, int) {}
	}
	for _, step := range []func(context.Context) error{t.askTeacher, t.build, t.solve, t.store} {
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		if err := step(ctx); err != nil {
			return nil, nil, err
		}
	}
	return t.table, &t.report, nil
}

// trainer carries what the steps of Train hand on.
type trainer struct {
	in   *Input
	o    *Options
	tell func(step string, done, total int)

	sentences []Sentence
	teacher   []float32 // [sentences, Dim]
	targets   []float32 // [sentences, Dim]
	texts     [][]int32 // chunks, then sentences
	columns   *columns
	x         *sparse
	rows      []float32 // [columns, Dim], the solution
	table     []byte
	report    Report
}

// askTeacher makes the sentences and their targets.
func (t *trainer) askTeacher(ctx context.Context) error {
	in, dim := t.in, t.in.Dim
	t.texts = slices.Clone(in.Chunks)
	t.report.Chunks = len(in.Chunks)
	t.sentences = Sentences(in.Bodies, t.o.SentenceCount)
	n := len(t.sentences)
	t.report.Sentences = n
	if n == 0 {
		return nil
	}
	t.tell("sentences", 0, n)
	var err error
	if t.teacher, err = in.Teacher(ctx, t.sentences); err != nil {
		return fmt.Errorf("vectors of %d sentences: %w", n, err)
	}
	if len(t.teacher) != n*dim {
		return inputError("%d numbers for the vectors of %d sentences, want %d", len(t.teacher), n, n*dim)
	}
	if k := notNumber(t.teacher); k >= 0 {
		return inputError("sentence %d: number %d of its vector is %g", k/dim, k%dim, t.teacher[k])
	}
	ids := make([][]int32, n)
	t.targets = make([]float32, n*dim)
	if err := share(ctx, in.Workers, n, func(i int) {
		ids[i] = in.Encode(t.sentences[i].Text)
		y := t.targets[i*dim : (i+1)*dim]
		chunk := in.Vectors[t.sentences[i].Chunk*dim:][:dim]
		for k := range y {
			y[k] = float32(t.o.TeacherShare*t.teacher[i*dim+k]) + float32((1-t.o.TeacherShare)*chunk[k])
		}
		encoder.Unit(y)
	}); err != nil {
		return err
	}
	for i, s := range ids {
		if err := in.checkText(s); err != nil {
			return inputError("sentence %d: %v", i, err)
		}
	}
	t.texts = append(t.texts, ids...)
	t.tell("sentences", n, n)
	return nil
}

// build makes the columns and the matrix.
func (t *trainer) build(ctx context.Context) (err error) {
	t.tell("matrix", 0, 1)
	t.columns = newColumns(t.in, t.o, t.texts)
	t.x, err = newMatrix(ctx, t.columns, t.texts, t.in.Workers)
	t.report.held = t.columns.seen
	t.report.Seen, t.report.Pairs = len(t.columns.seen), len(t.columns.pairs)
	t.report.Known = t.columns.known(t.in.Shares)
	if err == nil {
		t.report.Entries = len(t.x.values)
		t.tell("matrix", 1, 1)
	}
	return err
}

// solve finds the rows of the columns.
func (t *trainer) solve(ctx context.Context) error {
	in, dim, c := t.in, t.in.Dim, t.columns
	t.rows = make([]float32, c.count()*dim)
	if err := share(ctx, in.Workers, len(c.seen), func(k int) {
		if in.Prior != nil && int(c.seen[k]) < in.Prior.Rows {
			in.Prior.Row(t.rows[k*dim:(k+1)*dim], int(c.seen[k]))
		}
	}); err != nil {
		return err
	}
	if k := notNumber(t.rows); k >= 0 {
		return inputError("prior of wordpiece %d: number %d is %g", c.seen[k/dim], k%dim, t.rows[k])
	}
	p := newProblem(t.x, c.count())
	p.steps, p.dim, p.workers = t.o.Steps, dim, in.Workers
	p.target = func(dst []float32, i, from int) {
		if n := len(in.Chunks); i < n {
			copy(dst, in.Vectors[i*dim+from:])
		} else {
			copy(dst, t.targets[(i-n)*dim+from:])
		}
	}
	var mu sync.Mutex
	slabs := 0
	return p.solve(ctx, t.rows, func(total int) {
		mu.Lock()
		defer mu.Unlock()
		slabs++
		t.tell("solve", slabs, total)
	})
}
