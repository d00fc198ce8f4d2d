//go:build !cgo

package engine

import (
	"errors"
	"strings"
	"testing"
)

// Without cgo no library is asked for that could not be loaded, and one that the user names is an error.
func TestWithoutCgo(t *testing.T) {
	t.Setenv(LibraryVariable, "")
	for _, named := range []string{"", "/nosuch"} {
		_, _, err := Open(Source{}, Options{Library: named})
		if !errors.Is(err, ErrNoLibrary) || !strings.HasPrefix(err.Error(), "this kdd was built without cgo and cannot load ONNX Runtime; ") {
			t.Errorf("Open with library %q: %v", named, err)
		}
	}
}
