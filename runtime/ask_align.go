package runtime

import (
	"context"
	"math"
	"slices"

	"kdd/format"
	"kdd/format/encoder"
	"kdd/runtime/answer"
	"kdd/runtime/query"
	"kdd/runtime/vector"
)

// The bounds of a comparison with the transformer, in wordpieces.
const (
	mostAsked    = 64  // of a question
	mostCompared = 200 // of a chunk and the headings above it
)

// align compares a question with the best chunk by the transformer, where the artifact has it. It sets two values of e:
//
//   - Aligned: how well each word of the question matches a word of the chunk, by the vectors that both words have in their texts
//     (late interaction: Khattab & Zaharia 2020, ColBERT, with the words weighted).
//   - Without: how much nearer the question gets to the documents when one of its words is left out. A question that asks for
//     something that the documents lack gets nearer without the word for it. It is 0 for models that do not pool by the mean.
//
// Words that mean nothing by themselves count for neither.
//
// Cost: a pass of the transformer over the chunk, about 45 ms, one over a long question, and a pass over the vectors for each
// wordpiece of such words.
func (a *artifact) align(ctx context.Context, q *query.Query, asked *answer.Question, best *ranked, own *scored, e *answer.Evidence) error {
	sem, err := a.sem()
	if err != nil || sem == nil || sem.exact == nil || own.vector == nil {
		return err
	}
	mine := own.pieces
	if mine.vectors == nil { // search reads a long question further than is compared
		mine.ids = sem.ids(a.reading(q), mostAsked)
	}
	weights := pieceWeights(sem, mine.ids, a.asRead(q, asked.Words))
	total := 0.0
	for _, w := range weights {
		total += w
	}
	if total == 0 {
		return nil
	}
	if mine.vectors == nil {
		if mine.vectors, err = sem.exact.Tokens(nil, mine.ids); err != nil {
			return encoderError(format.TagExact, err)
		}
	}
	chunk := a.Chunk(best.Chunk)
	text := a.headings(best.Doc, best.Section) + "\n" + string(a.AppendText(nil, a.Text.Reader(), best.Doc, chunk.Start, min(chunk.End, chunk.Start+mostPassage)))
	theirs, err := sem.exact.Tokens(nil, sem.vocab.EncodeWithSpecials(nil, text, min(mostCompared, sem.most)))
	if err != nil {
		return encoderError(format.TagExact, err)
	}
	dim := sem.view.Dim
	for i, w := range weights {
		if w == 0 {
			continue
		}
		met := -1.0
		for at := dim; at < len(theirs)-dim; at += dim { // without what the encoder puts around a text
			met = max(met, dot(mine.vectors[i*dim:(i+1)*dim], theirs[at:at+dim]))
		}
		e.Aligned += w / total * met
	}
	if sem.exact.Pooling() != encoder.PoolMean {
		return nil
	}
	return a.leaveOut(ctx, sem, mine.vectors, weights, own, e)
}

// leaveOut sets Without from the vectors of a question's wordpieces. If the model's vector of a text is the mean of its pieces'
// vectors, leaving a piece out of the sum gives the vector of the question without it. A model that takes the first vector alone
// would have to read the question again for each piece, so there Without stays 0.
func (a *artifact) leaveOut(ctx context.Context, sem *semantic, pieces []float32, weights []float64, own *scored, e *answer.Evidence) error {
	dim := sem.view.Dim
	sum, rest, unit := make([]float32, dim), make([]float32, dim), make([]float32, dim)
	for at := 0; at < len(pieces); at += dim {
		for k, x := range pieces[at : at+dim] {
			sum[k] += x
		}
	}
	cosines := make([]float32, a.Chunks())
	candidates := a.candidates(own)
	nearest := func(v []float32) (float64, error) {
		length := math.Sqrt(dot(v, v))
		if length == 0 {
			return 0, nil
		}
		for k, x := range v {
			unit[k] = float32(float64(x) / length)
		}
		err := sem.view.Cosines(ctx, vector.NewQuery(unit), candidates, nil, cosines)
		return float64(slices.Max(cosines)), err
	}
	all, err := nearest(sum)
	if err != nil {
		return err
	}
	most := math.Inf(-1)
	for i, w := range weights {
		if w == 0 {
			continue
		}
		for k, x := range pieces[i*dim : (i+1)*dim] {
			rest[k] = sum[k] - x
		}
		one, err := nearest(rest)
		if err != nil {
			return err
		}
		most = max(most, one-all)
	}
	e.Without = most / max(leastLacking, 1-all)
	return nil
}

// leastLacking bounds what a question is taken to lack of the nearest chunk, so that its share says something.
const leastLacking = 0.05

// asRead returns the words of a question as they stand in the text that its vector is made of.
func (a *artifact) asRead(q *query.Query, words []answer.Word) []answer.Word {
	if q.Into == "" || a.reading(q) != q.Translated {
		return words
	}
	words = slices.Clone(words)
	for i := range words {
		for _, w := range q.Words {
			if w.Text == words[i].Text && w.Means != "" {
				words[i].Text = w.Means
			}
		}
	}
	return words
}

// pieceWeights returns the weight of the word that each wordpiece of a question is of, shared by the word's pieces.
func pieceWeights(sem *semantic, ids []int32, words []answer.Word) []float64 {
	weights := make([]float64, len(ids))
	for _, w := range words {
		pieces := sem.vocab.Encode(nil, w.Text)
		for i := 1; len(pieces) > 0 && i+len(pieces) < len(ids); i++ {
			if slices.Equal(ids[i:i+len(pieces)], pieces) {
				for k := range pieces {
					weights[i+k] = max(weights[i+k], w.Weight/float64(len(pieces)))
				}
			}
		}
	}
	return weights
}

func dot(a, b []float32) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x) * float64(b[i])
	}
	return sum
}
