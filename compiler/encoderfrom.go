package compiler

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"

	"kdd/compiler/diag"
	"kdd/format"
	"kdd/format/index"
)

// errEncoderFrom is the error of an artifact whose query encoder cannot be taken.
var errEncoderFrom = errors.New("no query encoder to take")

// encoderFromError is an errEncoderFrom with the text of its reason.
type encoderFromError struct{ error }

// Unwrap returns the reason.
func (e encoderFromError) Unwrap() error { return e.error }

// Is reports whether target is errEncoderFrom.
func (e encoderFromError) Is(target error) bool { return target == errEncoderFrom }

// takeEncoder returns the table of the query encoder that the artifact at path has, and the root hash, in hex, of the
// artifact that learned it: a rebuild that learns nothing changes none of its bytes. The table has to be of the build's
// model and vocabulary.
func (e *embedder) takeEncoder(path string, vocab []byte, dim int) (table []byte, from string, err error) {
	defer func() {
		if err != nil {
			err = encoderFromError{err}
		}
	}()
	x, err := index.Open(path)
	if err != nil {
		return nil, "", fmt.Errorf("--encoder-from %s: %w", path, err)
	}
	defer x.File.Close()
	wrong := func(got string, args ...any) error {
		return diag.Cure("name an artifact that this model has made, or build without --encoder-from",
			"--encoder-from %s: %s", path, fmt.Sprintf(got, args...))
	}
	m := x.Meta
	if m.Encoder != index.EncoderDistilled || m.Model == nil {
		return nil, "", wrong("its query encoder is %q, want %q", m.Encoder, index.EncoderDistilled)
	}
	if m.Model.SHA256 != e.model.SHA256 || m.Model.Dim != dim || m.Model.Pooling != e.model.Pooling ||
		m.Model.Query != e.model.Prefixes.Query || querySum(m.Model) != e.querySum() {
		return nil, "", wrong("it is of the model %s (%.12s, %d dimensions), this build's is %s (%.12s, %d dimensions)",
			m.Model.Name, m.Model.SHA256, m.Model.Dim, e.model.Name, e.model.SHA256, dim)
	}
	err = format.Guard(func() error {
		if b := x.File.Block(index.TagVocab); b == nil || !bytes.Equal(b.All(), vocab) {
			return wrong("its vocabulary is not that of the model")
		}
		b := x.File.Block(index.TagTable)
		if b == nil || !b.Intact() {
			return wrong("its query encoder is missing or damaged")
		}
		table = bytes.Clone(b.All())
		return nil
	})
	if err != nil {
		return nil, "", err
	}
	e.known = m.EncoderKnown
	root := x.File.RootHash()
	return table, cmp.Or(m.EncoderFrom, hex.EncodeToString(root[:])), nil
}
