package artifact

import (
	"context"
	"errors"
	"fmt"

	"kdd/format"
	"kdd/format/encoder"
	"kdd/format/index"
	"kdd/format/text"
)

// Verify checks everything in the artifact at path. First the file, as index.Verify does. If it is whole, then its
// facets against the documents (only if this version of the analyzer made them) and its query encoder, block by block,
// with the self-test last.
//
// It returns an error only if the file is no artifact of this version, or the cause of ctx when that ends. Cost: one pass
// over the file; the self-test embeds one text.
func Verify(ctx context.Context, path string) ([]format.Problem, error) {
	problems, err := index.VerifyWithin(ctx, path)
	if err != nil || len(problems) > 0 {
		return problems, err
	}
	x, err := index.Open(path)
	if err != nil {
		return nil, err
	}
	defer x.File.Close()
	err = format.Guard(func() error {
		if x.Meta.Analyzer == text.Version {
			problems = x.FacetProblems(text.Fold)
		}
		return VerifyEncoder(x)
	})
	var corrupt *format.CorruptError
	if errors.As(err, &corrupt) {
		return append(problems, format.Problem{Block: corrupt.Block.String(), Offset: max(0, corrupt.Offset), Text: corrupt.Reason}), nil
	}
	return problems, err
}

// VerifyEncoder checks the blocks of the query encoder and runs its self-test.
func VerifyEncoder(x *index.Index) error {
	s, err := openEncoder(x)
	if err != nil || s == nil {
		return err
	}
	if err := s.Vocab.Verify(); err != nil {
		return EncoderError(index.TagVocab, err)
	}
	if err := s.verify(); err != nil {
		return EncoderError(s.Tag, err)
	}
	if err := verifyRows(x, s); err != nil {
		return err
	}
	if err := verifyPieces(x, s); err != nil || s.test == nil {
		return err
	}
	err = s.test.Check(func(dst []float32, text string) error {
		_, err := s.Encode(dst, text)
		return err
	})
	if err != nil {
		return EncoderError(index.TagSelfTest, err)
	}
	return nil
}

// verifyPieces compares the wordpieces by text, if the file has them, with vocabulary and table.
func verifyPieces(x *index.Index, s *Encoder) error {
	if !x.HasPieces() {
		return nil
	}
	if s.table == nil {
		return EncoderError(index.TagPieces, errors.New("wordpieces by text without a distilled query encoder"))
	}
	keys, ok := encoder.PieceKeys(s.Vocab, s.table)
	if !ok {
		return EncoderError(index.TagPieces, errors.New("wordpieces by text of a vocabulary that cannot have them"))
	}
	added, n := encoder.AddedTokens(s.Vocab, s.table)
	return x.VerifyPieces(keys, added, n)
}

// verifyRows checks the numbers of rows in the directory: the wordpieces for vocabulary and table, 1 for the encoder's
// other blocks.
func verifyRows(x *index.Index, s *Encoder) error {
	pieces := uint64(s.Vocab.Size())
	for _, e := range x.File.Entries() {
		want := uint64(1)
		switch e.Tag {
		case index.TagVocab, index.TagTable:
			want = pieces
		case index.TagExact, index.TagSelfTest:
		default:
			continue
		}
		if e.Rows != want {
			return EncoderError(e.Tag, fmt.Errorf("the directory has %d rows, want %d", e.Rows, want))
		}
	}
	return nil
}

// EncoderError is the error for a damaged block of the query encoder.
func EncoderError(tag format.Tag, err error) error {
	return &format.CorruptError{Block: tag, Offset: -1, Reason: err.Error()}
}
