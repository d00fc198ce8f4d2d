package encoder

import (
	"encoding/json"
	"fmt"
	"math"
)

// SelfTest is a text and the vector that the query encoder gave it when the artifact was compiled. With it a reader
// whose arithmetic or tokenizer differs finds out before it answers.
type SelfTest struct {
	Text   string    `json:"text"`
	Vector []float32 `json:"vector"`
}

// selfTestCosine is the cosine that a reader's vector must reach. It is below 1 since CPUs without AVX2 add in another
// order.
const selfTestCosine = 0.9999

// ParseSelfTest reads a self-test block.
func ParseSelfTest(b []byte) (*SelfTest, error) {
	t := new(SelfTest)
	if err := json.Unmarshal(b, t); err != nil {
		return nil, fmt.Errorf("%w: self-test: %v", ErrCorrupt, err)
	}
	return t, nil
}

// Check compares the vector that an encoder gives the text now. The error says how far off it is.
func (t *SelfTest) Check(encode func(dst []float32, text string) error) error {
	got := make([]float32, len(t.Vector))
	if err := encode(got, t.Text); err != nil {
		return err
	}
	var dot, a, b float64
	for i, x := range t.Vector {
		dot += float64(x) * float64(got[i])
		a += float64(x) * float64(x)
		b += float64(got[i]) * float64(got[i])
	}
	if a == 0 && b == 0 {
		return nil // the text has no known piece, now as then
	}
	if cosine := dot / math.Sqrt(a*b); !(cosine >= selfTestCosine) {
		return fmt.Errorf("%w: self-test: the encoder's vector has cosine %.6f with the stored one, want %g",
			ErrCorrupt, cosine, selfTestCosine)
	}
	return nil
}
