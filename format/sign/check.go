package sign

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
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

// Check returns those of the signatures that one of the keys made of this very file. If there is none, the error is a
// Refusal. Cost: a comparison for each signature and key, 50 µs each.
func Check(f *format.File, list []Signature, keys []*Key, now time.Time) (accepted []*Accepted, err error) {
	if len(list) == 0 {
		return nil, &Refusal{"it is not signed", `sign it with "kdd sign", or ask its publisher for a signed one`}
	}
	refusal := &Refusal{"none of its signatures is by a key that is trusted", ""}
	for i := range list {
		s, err := Parse([]byte(list[i].Statement))
		if err != nil {
			refusal.Reason = err.Error()
			if list[i].Statement == "" {
				refusal.Reason = "the text is missing that a signature beside it is of: a file with its name and .root behind it"
			}
			continue
		}
		for _, k := range keys {
			if !k.Verify(&list[i], now) {
				continue
			}
			if wrong := s.differs(f); wrong != "" {
				refusal.Reason = fmt.Sprintf("the signature by %s is not of this file: %s", k.ID, wrong)
				continue
			}
			accepted = append(accepted, &Accepted{s, k, list[i].Kind})
			break
		}
	}
	if len(accepted) > 0 {
		return accepted, nil
	}
	ids := make([]string, len(keys))
	for i, k := range keys {
		ids[i] = k.ID
	}
	refusal.Hint = "ask its publisher for one signed by " + strings.Join(ids, " or ")
	return nil, refusal
}

// Named returns those of the signatures that are under one of the names; all if there are no names. If there is none,
// the error is a Refusal.
func Named(list []*Accepted, names []string) ([]*Accepted, error) {
	if len(names) == 0 {
		return list, nil
	}
	var named []*Accepted
	for _, a := range list {
		if slices.Contains(names, a.Name) {
			named = append(named, a)
		}
	}
	if len(named) == 0 {
		quoted := make([]string, len(names))
		for i, name := range names {
			quoted[i] = strconv.Quote(name)
		}
		return nil, &Refusal{fmt.Sprintf("it is signed as %q, want %s", list[0].Name, strings.Join(quoted, " or ")),
			"get the artifact of that name"}
	}
	return named, nil
}
