package sign

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"kdd/format"
)

// Statement is what a signature says of an artifact.
type Statement struct {
	Format uint32   // version of the file format
	Root   [32]byte // the root hash, under which every byte of the artifact is
	Length uint64   // of the file without trailers
	Name   string   // that its signer gives the artifact, so that another signed one cannot take its place
	Commit string   // of its sources, with "-dirty" behind it if documents differ from it; "" = not known
	Date   string   // of that commit, RFC 3339; "" = not known
}

// The bounds of a statement.
const (
	maxStatement = 2048 // bytes
	maxName      = 200
)

// Of returns the statement about a file, under a name. Commit and date are those of its PROV trailer.
func Of(f *format.File, name string) (*Statement, error) {
	p := f.Provenance()
	s := &Statement{Format: f.Version(), Root: f.RootHash(), Length: f.Length(), Name: name,
		Commit: commitOf(&p), Date: p.Date}
	return s, s.check()
}

// commitOf returns the commit as a statement has it.
func commitOf(p *format.Provenance) string {
	if p.Dirty {
		return p.Commit + "-dirty"
	}
	return p.Commit
}

// check says what cannot stand in a statement.
func (s *Statement) check() error {
	for _, line := range []struct{ what, text string }{{"name", s.Name}, {"commit", s.Commit}} {
		bad := func(r rune) bool { return !unicode.IsPrint(r) }
		if len(line.text) > maxName || !utf8.ValidString(line.text) || strings.ContainsFunc(line.text, bad) ||
			strings.TrimSpace(line.text) != line.text {
			return fmt.Errorf("the %s %.50q of a statement: want at most %d bytes of printable text on one line", line.what, line.text, maxName)
		}
	}
	if s.Name == "" {
		return fmt.Errorf("a statement without a name")
	}
	if s.Date != "" {
		if _, err := time.Parse(time.RFC3339, s.Date); err != nil {
			return fmt.Errorf("the date %.50q of a statement: want RFC 3339, as 2026-11-24T13:00:00Z", s.Date)
		}
	}
	return nil
}

// Time returns the date of the commit, the zero time if it is not known.
func (s *Statement) Time() time.Time {
	t, _ := time.Parse(time.RFC3339, s.Date)
	return t
}

// Text returns the bytes that are signed: a line for each field that is known.
//
//	kddx 0
//	root 5f0c…
//	length 197120
//	name docs
//	commit 1f4e…
//	date 2026-11-24T13:00:00Z
func (s *Statement) Text() []byte {
	text := fmt.Sprintf("kddx %d\nroot %x\nlength %d\nname %s\n", s.Format, s.Root, s.Length, s.Name)
	if s.Commit != "" {
		text += "commit " + s.Commit + "\n"
	}
	if s.Date != "" {
		text += "date " + s.Date + "\n"
	}
	return []byte(text)
}

// Parse reads the text of a statement. It takes no other text than Text gives.
func Parse(text []byte) (*Statement, error) {
	malformed := func(what string) error {
		return fmt.Errorf(`malformed statement: %s; want what "kddq verify --print-root" prints`, what)
	}
	if len(text) > maxStatement {
		return nil, malformed(fmt.Sprintf("%d bytes", len(text)))
	}
	s := &Statement{}
	for line := range strings.SplitSeq(string(text), "\n") {
		field, value, _ := strings.Cut(line, " ")
		var err error
		switch field {
		case "kddx":
			var n uint64
			n, err = strconv.ParseUint(value, 10, 32)
			s.Format = uint32(n)
		case "root":
			if len(value) != hex.EncodedLen(len(s.Root)) {
				return nil, malformed("a root hash of another length")
			}
			_, err = hex.Decode(s.Root[:], []byte(value))
		case "length":
			s.Length, err = strconv.ParseUint(value, 10, 64)
		case "name":
			s.Name = value
		case "commit":
			s.Commit = value
		case "date":
			s.Date = value
		}
		if err != nil {
			return nil, malformed(err.Error())
		}
	}
	if err := s.check(); err != nil {
		return nil, malformed(err.Error())
	}
	if string(s.Text()) != string(text) {
		return nil, malformed("lines are missing, unknown, there twice, or in another order")
	}
	return s, nil
}

// differs says what of a file is not what the statement says; "" if it is of this file.
func (s *Statement) differs(f *format.File) string {
	root, p := f.RootHash(), f.Provenance()
	switch {
	case s.Root != root:
		return fmt.Sprintf("it is of the artifact %x…, this one is %x…", s.Root[:8], root[:8])
	case s.Format != f.Version() || s.Length != f.Length():
		return fmt.Sprintf("it is of format %d and %d bytes, the file of format %d and %d",
			s.Format, s.Length, f.Version(), f.Length())
	case s.Commit != commitOf(&p) || s.Date != p.Date:
		return fmt.Sprintf("it is of the commit %q of %q, the file says %q of %q", s.Commit, s.Date, commitOf(&p), p.Date)
	}
	return ""
}
