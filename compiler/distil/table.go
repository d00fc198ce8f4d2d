package distil

import (
	"cmp"
	"context"
	"slices"

	"kdd/format/encoder"
)

// store makes the table of the rows: each times its column's weight.
func (t *trainer) store(ctx context.Context) error {
	in, c, dim := t.in, t.columns, t.in.Dim
	t.tell("table", 0, 1)
	for k := range c.count() {
		w := float32(c.pairW)
		if k < len(c.seen) {
			w = float32(c.weights[c.seen[k]])
		}
		for j := k * dim; j < (k+1)*dim; j++ {
			t.rows[j] *= w
		}
	}
	border := len(c.seen) * dim
	spec := encoder.TableSpec{
		Dim: dim, Pieces: in.Pieces,
		Rows:  []encoder.TableRows{{Form: t.o.SeenForm, Pieces: c.seen, Values: t.rows[:border]}},
		Pairs: c.pairs, PairValues: t.rows[border:], PairForm: t.o.PairForm,
	}
	if unseen, err := t.unseen(ctx); err != nil {
		return err
	} else if len(unseen.Pieces) > 0 {
		spec.Rows = append(spec.Rows, unseen)
		t.report.Unseen = len(unseen.Pieces)
	}
	var err error
	if t.table, err = encoder.AppendTable(nil, &spec); err != nil {
		return inputError("%v", err)
	}
	t.report.Bytes = len(t.table)
	if t.report.Fit, err = t.fit(); err != nil {
		return err
	}
	t.tell("table", 1, 1)
	return nil
}

// unseen returns the rows of the wordpieces that no text holds: their priors. There are none without a prior, and none
// for an empty corpus, in which there is nothing to find.
func (t *trainer) unseen(ctx context.Context) (encoder.TableRows, error) {
	in, c, dim := t.in, t.columns, t.in.Dim
	rows := encoder.TableRows{Form: t.o.UnseenForm}
	if in.Prior == nil || t.o.UnseenForm == 0 || len(in.Chunks) == 0 {
		return rows, nil
	}
	for id := range int32(in.Prior.Rows) {
		if c.index[id] < 0 && (in.Shares == nil || in.Shares[id] > 0) {
			rows.Pieces = append(rows.Pieces, id)
		}
	}
	if in.Shares != nil {
		slices.SortStableFunc(rows.Pieces, func(a, b int32) int { return cmp.Compare(in.Shares[b], in.Shares[a]) })
	}
	rows.Pieces = rows.Pieces[:min(t.o.UnseenCount, len(rows.Pieces))]
	slices.Sort(rows.Pieces)
	rows.Values = make([]float32, len(rows.Pieces)*dim)
	return rows, share(ctx, in.Workers, len(rows.Pieces), func(i int) {
		id, row := rows.Pieces[i], rows.Values[i*dim:(i+1)*dim]
		in.Prior.Row(row, int(id))
		for k := range row {
			row[k] *= t.o.UnseenScale * float32(c.weights[id])
		}
	})
}

// fitSentences is how many sentences the fit is taken over.
const fitSentences = 500

// fit returns the mean cosine between the table's and the teacher's vectors of some sentences.
func (t *trainer) fit() (float64, error) {
	table, err := encoder.OpenTable(encoder.Memory(t.table))
	if err != nil {
		return 0, err
	}
	n := min(len(t.sentences), fitSentences)
	if n == 0 {
		return 0, nil
	}
	dim, sum := t.in.Dim, 0.0
	v, want := make([]float32, dim), make([]float32, dim)
	for i := range n {
		table.Embed(v, t.texts[len(t.in.Chunks)+i])
		copy(want, t.teacher[i*dim:])
		encoder.Unit(want)
		for k := range v {
			sum += float64(v[k]) * float64(want[k])
		}
	}
	return sum / float64(n), nil
}
