package format

import (
	"strings"
	"testing"
)

func TestEncoderAdvice(t *testing.T) {
	for _, tt := range []struct {
		name string
		meta Meta
		want string
	}{
		{"distilled from little text", Meta{Encoder: "distilled", EncoderKnown: 0.41}, "41 % of the words"},
		{"distilled from much text", Meta{Encoder: "distilled", EncoderKnown: 0.5}, ""},
		{"how much is not known", Meta{Encoder: "distilled"}, ""},
		{"exact", Meta{Encoder: "exact", EncoderKnown: 0.1}, ""},
		{"none", Meta{Encoder: "none"}, ""},
	} {
		got := tt.meta.EncoderAdvice()
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: EncoderAdvice() = %q, want %q in it", tt.name, got, tt.want)
		}
	}
}
