package ask

import (
	"context"
	"math"
	"slices"

	"kdd/format/encoder"
	"kdd/format/index"
	"kdd/runtime/answer"
	"kdd/runtime/artifact"
	"kdd/runtime/search"
	"kdd/runtime/search/query"
	"kdd/runtime/search/vector"
)

// Align compares a question with the best chunk by the transformer, where the artifact has it. It sets two values of e:
//
//   - Aligned: how well each word of the question matches a word of the chunk, by the vectors that both words have in
//     their texts (late interaction: Khattab & Zaharia 2020, ColBERT, with the words weighted).
//   - Without: how much nearer the question gets to the documents when one of its words is left out. A question that
//     asks for something that the documents lack gets nearer without the word for it. It is 0 for models that do not
//     pool by the mean.
//
// Words that mean nothing by themselves count for neither.
//
// Cost: a pass of the transformer over the chunk, about 45 ms, one over a long question, and a pass over the vectors
// for each wordpiece of such words.
func Align(ctx context.Context, a *artifact.Artifact, q *query.Query, asked *answer.Question, best *search.Result,
	own *search.Scores, e *answer.Evidence) error {
	sem, err := a.Encoder()
	if err != nil || sem == nil || sem.Exact == nil || own.Vector == nil {
		return err
	}
	mine := own.Pieces
	if mine.Vectors == nil { // search reads a long question further than is compared
		mine.IDs = sem.IDs(search.EmbeddedText(a, q), artifact.MaxQueryPieces)
	}
	weights := pieceWeights(sem, mine.IDs, asRead(a, q, asked.Words))
	total := 0.0
	for _, w := range weights {
		total += w
	}
	if total == 0 {
		return nil
	}
	if mine.Vectors == nil {
		if mine.Vectors, err = sem.Exact.Tokens(nil, mine.IDs); err != nil {
			return artifact.EncoderError(index.TagExact, err)
		}
	}
	chunk := a.Chunk(best.Chunk)
	text := headingsOf(a, best.Doc, best.Section) + "\n" +
		string(a.AppendText(nil, a.Text.Reader(), best.Doc, chunk.Start, min(chunk.End, chunk.Start+maxPassage)))
	theirs, err := sem.Exact.Tokens(nil, sem.Vocab.EncodeWithSpecials(nil, text,
		min(artifact.MaxChunkPieces, sem.MaxPieces)))
	if err != nil {
		return artifact.EncoderError(index.TagExact, err)
	}
	dim := sem.View.Dim
	for i, w := range weights {
		if w == 0 {
			continue
		}
		met := -1.0
		for at := dim; at < len(theirs)-dim; at += dim { // without what the encoder puts around a text
			met = max(met, dot(mine.Vectors[i*dim:(i+1)*dim], theirs[at:at+dim]))
		}
		e.Aligned += w / total * met
	}
	if sem.Exact.Pooling() != encoder.PoolMean {
		return nil
	}
	return leaveOut(ctx, a, sem, mine.Vectors, weights, own, e)
}

// leaveOut sets Without from the vectors of a question's wordpieces. If the model's vector of a text is the mean of its
// pieces' vectors, leaving a piece out of the sum gives the vector of the question without it. A model that takes the
// first vector alone would have to read the question again for each piece, so there Without stays 0.
func leaveOut(ctx context.Context, a *artifact.Artifact, sem *artifact.Encoder, pieces []float32, weights []float64,
	own *search.Scores, e *answer.Evidence) error {
	dim := sem.View.Dim
	sum, rest, unit := make([]float32, dim), make([]float32, dim), make([]float32, dim)
	for at := 0; at < len(pieces); at += dim {
		for k, x := range pieces[at : at+dim] {
			sum[k] += x
		}
	}
	cosines := make([]float32, a.Chunks())
	candidates := search.AdmittedRows(a, own)
	nearest := func(v []float32) (float64, error) {
		length := math.Sqrt(dot(v, v))
		if length == 0 {
			return 0, nil
		}
		for k, x := range v {
			unit[k] = float32(float64(x) / length)
		}
		_, err := sem.View.Cosines(ctx, vector.NewQuery(unit), candidates, cosines)
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
	e.Without = most / max(minLacking, 1-all)
	return nil
}

// minLacking is the least amount that a question has to lack of the nearest chunk for its share to mean something.
const minLacking = 0.05

// asRead returns the words of a question as the text has them from which its vector is made.
func asRead(a *artifact.Artifact, q *query.Query, words []answer.Word) []answer.Word {
	if q.Into == "" || search.EmbeddedText(a, q) != q.Translated {
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

// pieceWeights returns a weight for each wordpiece of a question: that of its word, shared by the pieces of the word.
func pieceWeights(sem *artifact.Encoder, ids []int32, words []answer.Word) []float64 {
	weights := make([]float64, len(ids))
	for _, w := range words {
		pieces := sem.Vocab.Encode(nil, w.Text)
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
