package shape

import "testing"

func TestJSONKind(t *testing.T) {
	for _, test := range []struct {
		value any
		want  string
	}{
		{map[string]any{}, "an object"}, {[]int{1}, "a list"}, {"", "a string"}, {true, "true or false"}, {false, "true or false"},
		{nil, "null"}, {0, "a number"}, {-1.5, "a number"},
	} {
		if got := JSONKind(Encode(test.value)[0]); got != test.want {
			t.Errorf("JSONKind of %s = %q, want %q", Encode(test.value), got, test.want)
		}
	}
}
