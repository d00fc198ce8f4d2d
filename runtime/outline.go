package runtime

import (
	"io"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/compare"
)

// Outline writes what the artifact at path holds as lines of text that compare well: those of compare.WriteOutline. What
// was written before an error stays. The error does not name the path.
func Outline(w io.Writer, path string) error {
	x, err := index.Open(path)
	if err != nil {
		return err
	}
	defer x.File.Close()
	return format.Guard(func() error { return compare.WriteOutline(w, x) })
}
