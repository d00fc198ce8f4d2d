package format

import (
	"io/fs"
	"os"
)

// Stamp tells one state of a file from another without a look at its bytes: by the file's identity (device and inode, on
// Windows the file index), its size, the time of its last modification, and, where the system tells it, that of the last
// change of the file or of its attributes, which no program can set back.
type Stamp struct {
	info    fs.FileInfo
	changed int64 // nanoseconds; 0 where the system does not tell it
}

// StampOf returns the stamp of the file at path, of the one that a link leads to.
func StampOf(path string) (Stamp, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Stamp{}, err
	}
	return *newStamp(info), nil
}

func newStamp(info fs.FileInfo) *Stamp { return &Stamp{info, changeTime(info)} }

// Change says what became of the file since s was taken, if now is the stamp of what is at its path. The zero Stamp is
// that of no file.
func (s Stamp) Change(now Stamp) Change {
	switch {
	case s.info == nil && now.info == nil:
		return Same
	case s.info == nil || now.info == nil || !os.SameFile(s.info, now.info):
		return Replaced
	case s.info.Size() != now.info.Size() || !s.info.ModTime().Equal(now.info.ModTime()):
		return Written
	case s.changed != now.changed:
		return Touched
	}
	return Same
}

// Change is what became of a file since it was opened.
type Change uint8

// The changes that a file can have; File.Changed never says Touched.
const (
	Same     Change = iota
	Replaced        // another file was renamed over it, or it is gone: the mapping is as it was
	Written         // changed in place: the mapping cannot be trusted
	Touched         // changed in place, or only its rights or links were
)
