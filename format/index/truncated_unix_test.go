//go:build unix

package index

import (
	"os"
	"strings"
	"testing"

	"kdd/format"
)

// A file that is cut under its mapping gives a corrupt index, not a crash; what was read stays right.
func TestTruncatedUnderMapping(t *testing.T) {
	data := image(t, generate(4, 200))
	intact := walk(open(t, data))
	for _, size := range []int64{0, 4096, int64(len(data)) / 2, int64(len(data)) / 2 &^ 4095} {
		path := writeFile(t, "a.kddx", data)
		x, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(path, size); err != nil {
			t.Fatal(err)
		}
		broken := 0
		for part, got := range walk(x) {
			if strings.HasPrefix(got, "error: ") {
				broken++
			} else if got != intact[part] {
				t.Errorf("cut to %d bytes: %s = %s, want %s or a corrupt index", size, part, got, intact[part])
			}
		}
		if broken == 0 {
			t.Errorf("cut to %d bytes: all parts could be read", size)
		}
		if x.File.Changed() != format.Written {
			t.Errorf("cut to %d bytes: Changed = %d, want Written", size, x.File.Changed())
		}
		x.File.Close()
	}
}
