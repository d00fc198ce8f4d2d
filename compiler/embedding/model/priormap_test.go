package model

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/modeltest"
	"kdd/format/encoder"
)

func TestPriorCount(t *testing.T) {
	for _, tt := range []struct {
		name                  string
		layers, hidden, inner int
		pieces, want          int
	}{
		{"MiniLM-L6", 6, 384, 1536, 30522, 30522},
		{"MiniLM-L12", 12, 384, 1536, 30522, 30522},
		{"multilingual-e5-small", 12, 384, 1536, 250002, 31396},
		{"bge-base", 12, 768, 3072, 30522, 8192},
		{"multilingual-e5-large", 24, 1024, 4096, 250002, 8192},
		{"tiny", 1, 16, 32, 100, 100},
	} {
		c := &encoder.Config{Layers: tt.layers, Hidden: tt.hidden, Intermediate: tt.inner}
		if got := priorCount(c, tt.pieces); got != tt.want {
			t.Errorf("%s: priorCount = %d, want %d", tt.name, got, tt.want)
		}
	}
}

func TestCommonPieces(t *testing.T) {
	words, err := encoder.NewVocab([]string{"[UNK]", "[CLS]", "[SEP]", "a", "b"}, false)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := commonPieces(words, 3), []int32{0, 1, 2}; !slices.Equal(got, want) {
		t.Errorf("commonPieces = %v, want %v", got, want)
	}
	unigram, err := encoder.ParseTokenizer(testTokenizer(t, "unigram.json"))
	if err != nil {
		t.Fatal(err)
	}
	got := commonPieces(unigram, 50)
	least := math.Inf(1)
	for _, id := range got {
		s, _ := unigram.Score(id)
		least = min(least, s)
	}
	above := 0
	for id := range int32(unigram.Size()) {
		if s, _ := unigram.Score(id); s > least {
			above++
		}
	}
	if !slices.IsSorted(got) || len(got) != 50 || above >= 50 {
		t.Errorf("commonPieces = %v with scores from %g on, above which there are %d", got, least, above)
	}
}

// What is linear in the word embeddings is found again, for rows that the map did not see; and the rows that are known
// stay.
func TestExtend(t *testing.T) {
	const n, dim = 400, 8
	rng := rand.New(rand.NewPCG(3, 3))
	words, want := make([]float32, n*dim), make([]float32, n*dim)
	for i := range words {
		words[i] = float32(rng.NormFloat64()) * 3
	}
	turn := make([]float64, dim*dim)
	for i := range turn {
		turn[i] = rng.NormFloat64()
	}
	for r := range n {
		row := slices.Clone(words[r*dim : (r+1)*dim])
		standardise(row)
		for k := range dim {
			want[r*dim+k] = float32(k)
			for i, v := range row {
				want[r*dim+k] += float32(turn[k*dim+i]) * v
			}
		}
	}
	var ids []int32
	var known []float32
	for r := 0; r < n; r += 2 {
		ids = append(ids, int32(r))
		known = append(known, want[r*dim:(r+1)*dim]...)
	}
	if err := extend(t.Context(), words, known, ids, dim); err != nil {
		t.Fatal(err)
	}
	for r := range n {
		got, want := words[r*dim:(r+1)*dim], want[r*dim:(r+1)*dim]
		if r%2 == 0 && !slices.Equal(got, want) {
			t.Errorf("row %d = %v, want %v as it is known", r, got, want)
		}
		if c := cosine(got, want); !(c > .99) {
			t.Errorf("row %d has cosine %.4f with the linear one, want .99", r, c)
		}
	}
	// Constant embeddings tell nothing: the mean is the answer.
	flat := make([]float32, 4*2)
	if err := extend(t.Context(), flat, []float32{1, 2, 3, 4}, []int32{0, 1}, 2); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(flat, []float32{1, 2, 3, 4, 2, 3, 2, 3}) {
		t.Errorf("rows of constant embeddings = %v, want the known ones and their mean", flat)
	}
}

// Of a real model, rows that were not evaluated come near to those that are evaluated.
func TestExtendRealModel(t *testing.T) {
	m, err := Find("")
	if err != nil {
		t.Skipf("weights are absent: %v", err)
	}
	tensors, err := m.Tensors()
	if err != nil {
		t.Fatal(err)
	}
	prior, err := m.Prior()
	if err != nil {
		t.Fatal(err)
	}
	words, err := newWeights(tensors).Tensor("embeddings.word_embeddings.weight", m.Info.Vocab, m.Dim)
	if err != nil {
		t.Fatal(err)
	}
	// A tenth of the pieces, in which the map learns from a half.
	var some []float32
	var ids []int32
	var known, want []float32
	row := make([]float32, m.Dim)
	for i := 2000; i < 5000; i++ {
		some = append(some, words[i*m.Dim:(i+1)*m.Dim]...)
		prior.Row(row, i)
		want = append(want, row...)
		if i < 4000 {
			ids = append(ids, int32(i-2000))
			known = append(known, row...)
		}
	}
	if err := extend(t.Context(), some, known, ids, m.Dim); err != nil {
		t.Fatal(err)
	}
	sum := 0.0
	for i := 2000; i < 3000; i++ {
		sum += cosine(some[i*m.Dim:(i+1)*m.Dim], want[i*m.Dim:(i+1)*m.Dim])
	}
	if mean := sum / 1000; !(mean > .5) {
		t.Errorf("mean cosine %.3f of rows that the map did not see, learned from 2,000, want .5", mean)
	} else {
		t.Logf("mean cosine %.3f", mean)
	}
}

// makePrior with a count below the vocabulary gives all rows, the counted ones as they are evaluated.
func TestMakePriorInPart(t *testing.T) {
	m := modeltest.New(modeltest.XLMR, testTokenizer(t, "unigram.json"))
	src := filepath.Join(t.TempDir(), "xlmr")
	if err := m.Write(src); err != nil {
		t.Fatal(err)
	}
	o := goOptions(t)
	got, err := Import(t.Context(), src, o)
	if err != nil {
		t.Fatal(err)
	}
	e, _, err := got.Engine(engine.Options{Kind: engine.Go})
	if err != nil {
		t.Fatal(err)
	}
	vocab, err := got.Vocab()
	if err != nil {
		t.Fatal(err)
	}
	tensors, err := got.Tensors()
	if err != nil {
		t.Fatal(err)
	}
	words := func() ([]float32, error) {
		return newWeights(tensors).Tensor("embeddings.word_embeddings.weight", m.Vocab, m.Hidden)
	}
	part, err := makePrior(t.Context(), e, vocab, 600, textCounts{}, words, nil)
	if err != nil {
		t.Fatal(err)
	}
	none, err := makePrior(t.Context(), e, vocab, 600, textCounts{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if part.Rows != vocab.Size() || none.Rows != vocab.Size() {
		t.Fatalf("%d and %d rows, want %d", part.Rows, none.Rows, vocab.Size())
	}
	zero := 0
	for _, s := range none.Scale {
		if s == 0 {
			zero++
		}
	}
	if zero != vocab.Size()-600 {
		t.Errorf("%d rows are zero without word embeddings, want %d", zero, vocab.Size()-600)
	}
	for i, s := range part.Scale {
		if !(s > 0) {
			t.Errorf("row %d is zero", i)
		}
	}
	// Rows that are evaluated differ from each other by what the encoder says.
	common := commonPieces(vocab, 600)
	a, b, x, y := make([]float32, m.Hidden), make([]float32, m.Hidden), make([]float32, m.Hidden), make([]float32, m.Hidden)
	first, last := vocab.Specials()
	part.Row(a, int(common[10]))
	part.Row(b, int(common[500]))
	for i, id := range []int32{common[10], common[500]} {
		if err := e.Embed([][]float32{x, y}[i], []int32{first, id, last}); err != nil {
			t.Fatal(err)
		}
	}
	for k := range a {
		if d := float64(a[k]-b[k]) - float64(x[k]-y[k]); math.Abs(d) > .02 {
			t.Errorf("dimension %d of two rows differs by %g, want %g", k, a[k]-b[k], x[k]-y[k])
		}
	}
	if _, err := os.Stat(filepath.Join(got.Path, PriorFile)); err != nil {
		t.Error(err)
	}
}
