package trust

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"kdd/format/sign"
)

// seen keeps, by the name that is signed, the newest commit whose artifact was accepted, so that an older one which was
// signed once cannot be put in its place. It is a file for each name.
type seen struct {
	dir string
	log *slog.Logger

	once sync.Once // warns
}

// record is one such file.
type record struct {
	Name string `json:"name"`
	Root string `json:"root"`
	Date string `json:"date"`
}

// accept compares an artifact with what was accepted under its name, and notes it if it is newer, or if an older one is
// allowed. An artifact without a date is not compared, once one with a date was there it is refused.
func (s *seen) accept(a *sign.Accepted, allowOlder bool) error {
	dir, err := s.folder()
	if err != nil {
		return s.unkept(err)
	}
	hash := sha256.Sum256([]byte(a.Name))
	path := filepath.Join(dir, fmt.Sprintf("%x.json", hash[:16]))
	old, err := readRecord(path)
	if err != nil {
		return &sign.Refusal{Reason: fmt.Sprintf("what was accepted as %q before is not readable: %v", a.Name, err), Hint: "remove " + path}
	}
	date := a.Time()
	if newest, err := time.Parse(time.RFC3339, old.Date); err == nil {
		switch {
		case date.Equal(newest):
			return nil
		case date.Before(newest) && !allowOlder:
			was := "of " + a.Date
			if date.IsZero() {
				was = "without a date"
			}
			return &sign.Refusal{Reason: fmt.Sprintf("%q is %s, and one of %s was accepted before", a.Name, was, old.Date),
				Hint: "get the newer one again, or take the older one with --allow-older"}
		}
	}
	if date.IsZero() {
		return nil
	}
	b, err := json.Marshal(record{a.Name, fmt.Sprintf("%x", a.Root), a.Date})
	if err == nil {
		err = write(path, b)
	}
	return s.unkept(err)
}

// unkept warns once that older artifacts are not noticed.
func (s *seen) unkept(err error) error {
	if err != nil {
		s.once.Do(func() {
			s.log.Warn("what was accepted cannot be kept: an older artifact put in the place of this one will not be noticed", "err", err)
		})
	}
	return nil
}

func (s *seen) folder() (string, error) {
	if s.dir != "" {
		return s.dir, nil
	}
	base, err := os.UserConfigDir()
	return filepath.Join(base, "kdd", "accepted"), err
}

// readRecord reads one of the files. One that cannot be read cannot be written either, which is told then.
func readRecord(path string) (r record, err error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return r, nil
	}
	err = json.Unmarshal(b, &r)
	return r, err
}

// write replaces a file as a whole.
func write(path string, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".accepted-*")
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
