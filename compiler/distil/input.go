package distil

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// ErrInput marks an Input that contradicts itself: a caller's bug, or vectors that are no numbers.
var ErrInput = errors.New("bad input of the query encoder")

// Input is what a query encoder is learned from. Train reads it only.
type Input struct {
	Pieces int // size of the vocabulary
	Dim    int // length of a vector
	// Chunks are the wordpieces of each chunk's embedded text, without the special tokens and the model's own prefix,
	// as far as the document encoder read them.
	Chunks [][]int32
	// Bodies are the plain bodies of the chunks: sentences are cut from them. nil for no sentences.
	Bodies []string
	// Vectors are those of the chunks, [len(Chunks), Dim] row-major, as the artifact holds them: int8 row × scale.
	Vectors []float32
	// Encode returns a text's wordpieces without special tokens. It is called from several goroutines.
	Encode func(text string) []int32
	// Teacher returns the document encoder's vectors of sentences, [len(sentences), Dim] row-major. It is called once,
	// if there are sentences, with those that Sentences gives for Bodies, so a caller may have made the vectors before.
	// Like chunks, sentences are embedded with special tokens, and with the model's prefix for documents if it has one.
	// For equal bytes it must give equal vectors, whether it takes them from a cache or not.
	Teacher func(ctx context.Context, sentences []Sentence) ([]float32, error)
	// Prior is where rows start from, and where those of wordpieces that no text holds stay. nil: from zeros.
	Prior *Prior
	// Shares is the share of documents that hold a wordpiece in general text, [Pieces], each 0 to 1. nil: unknown.
	Shares []float32
	// Options are the recipe's constants; nil for Defaults.
	Options *Options
	// Workers is the number of goroutines; 0 for GOMAXPROCS. The result does not depend on it.
	Workers int
}

// Prior has a vector for each wordpiece t, encoder([CLS] t [SEP]) less the mean over the vocabulary.
type Prior struct {
	Rows int // wordpieces from Rows on have none
	// Row writes row i to dst [Dim]. It is called from several goroutines.
	Row func(dst []float32, i int)
}

// Report says what Train did.
type Report struct {
	Chunks    int `json:"chunks"`
	Sentences int `json:"sentences"`
	Seen      int `json:"seen_pieces"`   // wordpieces that the texts hold
	Unseen    int `json:"unseen_pieces"` // others that have a row
	Pairs     int `json:"pairs"`
	Entries   int `json:"entries"` // of the matrix
	Bytes     int `json:"bytes"`   // of the table
	// Fit is the mean cosine between the table's vector of a sentence and the document encoder's, over some of the
	// sentences that were learned from; 0 if there are none.
	Fit float64 `json:"fit"`
	// Known is the share of the wordpieces of general text, by Input.Shares, that the texts hold; 0 without Shares.
	Known float64 `json:"known"`

	held []int32
}

// Holds reports whether some text that was learned from has a wordpiece.
func (r *Report) Holds(id int32) bool {
	_, ok := slices.BinarySearch(r.held, id)
	return ok
}

func inputError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrInput, fmt.Sprintf(format, args...))
}

// check reports an input that contradicts itself.
//
// Cost: O(wordpieces + vectors).
func (in *Input) check() error {
	n := len(in.Chunks)
	switch {
	case in.Pieces < 1 || in.Dim < 1:
		return inputError("%d wordpieces and dimension %d, want at least 1", in.Pieces, in.Dim)
	case len(in.Vectors) != n*in.Dim:
		return inputError("%d numbers for the vectors of %d chunks, want %d", len(in.Vectors), n, n*in.Dim)
	case in.Bodies != nil && len(in.Bodies) != n:
		return inputError("%d bodies of %d chunks", len(in.Bodies), n)
	case in.Bodies != nil && (in.Encode == nil || in.Teacher == nil):
		return inputError("bodies without a tokenizer and a teacher")
	case in.Shares != nil && len(in.Shares) != in.Pieces:
		return inputError("shares of %d wordpieces, want %d", len(in.Shares), in.Pieces)
	case in.Prior != nil && (in.Prior.Rows > in.Pieces || in.Prior.Row == nil):
		return inputError("a prior of %d rows for %d wordpieces", in.Prior.Rows, in.Pieces)
	}
	for i, ids := range in.Chunks {
		if err := in.checkText(ids); err != nil {
			return inputError("chunk %d: %v", i, err)
		}
	}
	for t, s := range in.Shares {
		if !(s >= 0 && s <= 1) {
			return inputError("the share of wordpiece %d is %g, want 0 to 1", t, s)
		}
	}
	if k := notNumber(in.Vectors); k >= 0 {
		return inputError("chunk %d: number %d of its vector is %g", k/in.Dim, k%in.Dim, in.Vectors[k])
	}
	return nil
}

func (in *Input) checkText(ids []int32) error {
	for k, id := range ids {
		if id < 0 || int(id) >= in.Pieces {
			return fmt.Errorf("wordpiece %d is %d, want 0 to %d", k, id, in.Pieces-1)
		}
	}
	return nil
}

// notNumber returns the place of the first NaN or infinity, or -1.
func notNumber(values []float32) int {
	for i, v := range values {
		if v-v != 0 {
			return i
		}
	}
	return -1
}
