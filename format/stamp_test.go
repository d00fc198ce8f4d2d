//go:build linux || darwin || freebsd || netbsd || openbsd

package format

import (
	"bytes"
	"crypto/rand"
	"errors"
	"os"
	"testing"
)

// A file that is written over with as many bytes, and then given its old time, is not what was mapped; one that has
// other rights or links is.
func TestChangedBehindItsTime(t *testing.T) {
	data := demo(t)
	other := bytes.Clone(data)
	other[len(other)-1] ^= 1
	for _, tt := range []struct {
		name string
		do   func(path string) error
		want Change
	}{
		{"other bytes", func(path string) error { return os.WriteFile(path, other, 0o644) }, Written},
		{"the same bytes", func(path string) error { return os.WriteFile(path, data, 0o644) }, Same},
		{"rights", func(path string) error { return os.Chmod(path, 0o600) }, Same},
		{"a link", func(path string) error { return os.Link(path, path+rand.Text()) }, Same},
	} {
		for name, open := range map[string]func(string) (*File, error){"checksums": Open, "hashes": OpenHashed} {
			t.Run(tt.name+", "+name, func(t *testing.T) {
				path := saved(t, data)
				before, err := os.Stat(path)
				if err != nil {
					t.Fatal(err)
				}
				f, err := open(path)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
				for i := range f.blocks {
					f.blocks[i].All()
				}
				opened := f.stamp.Load()
				for range 1000 { // the clock of a file system may tick every few milliseconds only
					if err := errors.Join(tt.do(path), os.Chtimes(path, before.ModTime(), before.ModTime())); err != nil {
						t.Fatal(err)
					}
					if now, err := StampOf(path); err != nil || opened.Change(now) != Same {
						break
					}
				}
				if now, err := StampOf(path); err != nil || opened.Change(now) != Touched {
					t.Fatalf("the stamp does not tell: %v", err)
				}
				if got := f.Changed(); got != tt.want {
					t.Errorf("Changed = %d, want %d", got, tt.want)
				}
				if now, err := StampOf(path); tt.want == Same && (err != nil || f.stamp.Load().Change(now) != Same) {
					t.Errorf("what was looked at once is looked at again, %v", err)
				}
			})
		}
	}
}
