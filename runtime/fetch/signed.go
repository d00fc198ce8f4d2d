package fetch

import (
	"fmt"
	"strings"
	"time"

	"kdd/format"
	"kdd/format/sign"
	"kdd/runtime/artifact"
	"kdd/runtime/lock"
	"kdd/runtime/wire"
)

// acceptFile is accept for the file at path.
func (o *Options) acceptFile(path string, e *lock.Entry, a *wire.LockArtifact) error {
	f, err := format.Open(path)
	if err == nil {
		defer f.Close()
		err = o.accept(f, path, e, a)
	}
	if err != nil {
		return artifact.FileError(path, err)
	}
	return nil
}

// accept asks the policy, and the keys of an entry, about an artifact. path is where it lies, for signatures beside it;
// "" = elsewhere. Who signed it goes into a.
func (o *Options) accept(f *format.File, path string, e *lock.Entry, a *wire.LockArtifact) error {
	if o.Policy != nil {
		if _, err := o.Policy.Accept(f, path); err != nil {
			return err
		}
	}
	if len(e.Keys) == 0 {
		return nil
	}
	by, err := signedBy(f, path, e)
	if err != nil {
		return err
	}
	a.SignedAs, a.Key = by.Name, by.Key.ID
	return nil
}

// signedBy returns the signature of an artifact that one of the keys of an entry has made.
func signedBy(f *format.File, path string, e *lock.Entry) (*sign.Accepted, error) {
	list, err := sign.All(f, path)
	if err != nil {
		return nil, err
	}
	keys, err := sign.ParseKeys("keys", []byte(strings.Join(e.Keys, "\n")))
	if err != nil {
		return nil, err
	}
	accepted, err := sign.Check(f, list, keys, time.Now())
	if err != nil {
		return nil, err
	}
	var names []string
	if e.SignedAs != "" {
		names = []string{e.SignedAs}
	}
	if accepted, err = sign.Named(accepted, names); err != nil {
		return nil, err
	}
	return accepted[0], nil
}

// dateOf returns the date that the pinned artifact is signed with; the zero time if that is not known, since it is not
// on this machine, not signed by the keys of the entry, or signed without a date.
func (o *Options) dateOf(old string, e *lock.Entry) (time.Time, error) {
	if old == "" || len(e.Keys) == 0 {
		return time.Time{}, nil
	}
	f, err := format.Open(old)
	if err != nil {
		return time.Time{}, artifact.FileError(old, err)
	}
	defer f.Close()
	by, err := signedBy(f, old, e)
	if err != nil {
		return time.Time{}, nil // other keys are asked for now
	}
	return by.Time(), nil
}

// notOlder refuses what is signed with an older date than the pinned artifact: somebody may have put it back.
func (o *Options) notOlder(f *format.File, path string, e *lock.Entry, before time.Time) error {
	if before.IsZero() || o.AllowOlder {
		return nil
	}
	by, err := signedBy(f, path, e)
	if err != nil {
		return err
	}
	now := by.Time()
	if !now.Before(before) {
		return nil
	}
	was := "of " + now.UTC().Format(time.RFC3339)
	if now.IsZero() {
		was = "without a date"
	}
	return &sign.Refusal{Reason: fmt.Sprintf("%q is %s, and the pinned one of %s", by.Name, was, before.UTC().Format(time.RFC3339)),
		Hint: "ask its publisher for the newer one, or take the older one with --allow-older"}
}
