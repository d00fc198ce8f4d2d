package sign

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"kdd/format"
)

// ErrUntrusted is the kind of a Refusal, for errors.Is.
var ErrUntrusted = errors.New("the artifact is not signed by a key that is trusted")

// Refusal says why a file's signatures are not enough.
type Refusal struct {
	Reason string
	Hint   string
}

// Error returns the reason and the cure.
func (r *Refusal) Error() string { return r.Reason + "; " + r.Hint }

// Cure returns the cure.
func (r *Refusal) Cure() string { return r.Hint }

// Unwrap returns ErrUntrusted.
func (r *Refusal) Unwrap() error { return ErrUntrusted }

// Accepted is a signature that counts.
type Accepted struct {
	*Statement
	Key  *Key
	Kind Kind
}

// Check returns the first of the signatures that one of the keys made of this very file. If there is none, the error is
// a Refusal. Cost: a comparison for each signature and key, 50 µs each.
func Check(f *format.File, list []Signature, keys []*Key, now time.Time) (*Accepted, error) {
	if len(list) == 0 {
		return nil, &Refusal{"it is not signed", `sign it with "kdd sign", or ask its publisher for a signed one`}
	}
	refusal := &Refusal{"none of its signatures is by a key that is trusted", ""}
	for i := range list {
		s, err := Parse([]byte(list[i].Statement))
		if err != nil {
			refusal.Reason = err.Error()
			continue
		}
		for _, k := range keys {
			if !k.Verify(&list[i], now) {
				continue
			}
			wrong := s.differs(f)
			if wrong == "" {
				return &Accepted{s, k, list[i].Kind}, nil
			}
			refusal.Reason = fmt.Sprintf("the signature by %s is not of this file: %s", k.ID, wrong)
		}
	}
	ids := make([]string, len(keys))
	for i, k := range keys {
		ids[i] = k.ID
	}
	refusal.Hint = "ask its publisher for one signed by " + strings.Join(ids, " or ")
	return nil, refusal
}
