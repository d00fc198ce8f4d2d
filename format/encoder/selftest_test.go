package encoder

import (
	"errors"
	"testing"
)

// FuzzParseSelfTest: whatever the block holds, the test is read or refused, and decides without a panic.
func FuzzParseSelfTest(f *testing.F) {
	for _, seed := range []string{`{"text":"parcel late","vector":[0.6,0.8]}`, `{"text":"","vector":[]}`, `{}`, `{"vector":[1e38,-1e38]}`, `{"vector":[1e39]}`, `{"text":"`, `[]`, `null`} {
		f.Add([]byte(seed), float32(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, got float32) {
		test, err := ParseSelfTest(data)
		if err == nil {
			err = test.Check(func(dst []float32, text string) error {
				if len(dst) != len(test.Vector) || text != test.Text {
					t.Errorf("asks for a vector of %d of %q, want %d, %q", len(dst), text, len(test.Vector), test.Text)
				}
				for i := range dst {
					dst[i] = got
				}
				return nil
			})
		}
		if err != nil && !errors.Is(err, ErrCorrupt) {
			t.Errorf("%q: %v, want ErrCorrupt", data, err)
		}
	})
}
