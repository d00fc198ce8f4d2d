package trust

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"kdd/format/sign"
)

// seen keeps, by the name that is signed, the newest commit whose artifact was accepted, so that an older one which was
// signed once cannot be put in its place. A name is a folder, and what was accepted is a file in it whose own name is
// the commit's time in seconds since 1970: nothing is ever written over, so that programs which run at once lose
// nothing.
type seen struct {
	dir string
	log *slog.Logger

	once sync.Once // warns
}

// accept compares an artifact with what was accepted under its name, and notes it if it is newer, or if an older one is
// allowed. An artifact without a date is refused once one with a date was there.
func (s *seen) accept(a *sign.Accepted, allowOlder bool) error {
	dir, err := s.folder(a.Name)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		s.warn(err)
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return &sign.Refusal{Reason: fmt.Sprintf("what was accepted as %q before cannot be read: %v", a.Name, err),
			Hint: "mend or remove " + dir}
	}
	date := a.Time()
	var others []string // files of other times
	for _, e := range entries {
		seconds, err := strconv.ParseInt(e.Name(), 10, 64)
		switch {
		case err != nil:
		case seconds > date.Unix() && !allowOlder:
			was := "of " + date.UTC().Format(time.RFC3339)
			if date.IsZero() {
				was = "without a date"
			}
			newest := time.Unix(seconds, 0).UTC().Format(time.RFC3339)
			return &sign.Refusal{
				Reason: fmt.Sprintf("%q is %s, and one of %s was accepted before", a.Name, was, newest),
				Hint:   "get the newer one again, or take the older one with --allow-older"}
		case seconds != date.Unix():
			others = append(others, filepath.Join(dir, e.Name()))
		case len(entries) == 1:
			return nil
		}
	}
	if date.IsZero() {
		return nil
	}
	path := filepath.Join(dir, strconv.FormatInt(date.Unix(), 10))
	err = os.WriteFile(path, fmt.Appendf(nil, "%sby %s\n", a.Text(), a.Key.ID), 0o600)
	for i := 0; i < len(others) && err == nil; i++ {
		if err = os.Remove(others[i]); errors.Is(err, fs.ErrNotExist) { // another program did
			err = nil
		}
	}
	s.warn(err)
	return nil
}

// warn says once that older artifacts are not noticed.
func (s *seen) warn(err error) {
	if err != nil {
		s.once.Do(func() {
			s.log.Warn("what was accepted cannot be kept: an older artifact put in the place of this one will not be noticed", "err", err)
		})
	}
}

// folder returns the folder of a name.
func (s *seen) folder(name string) (string, error) {
	hash := sha256.Sum256([]byte(name))
	if s.dir != "" {
		return filepath.Join(s.dir, fmt.Sprintf("%x", hash[:16])), nil
	}
	base, err := os.UserConfigDir()
	return filepath.Join(base, "kdd", "accepted", fmt.Sprintf("%x", hash[:16])), err
}
