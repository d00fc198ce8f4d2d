package wire

import (
	"encoding/json"
	"reflect"
	"testing"
)

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

func TestDecode(t *testing.T) {
	for _, test := range []struct {
		text string
		want any // nil = an error
	}{
		{"7", json.Number("7")}, {" 1e400\n", json.Number("1e400")}, {`"a"`, "a"}, {`{"a":[1]}`, map[string]any{"a": []any{json.Number("1")}}},
		{"", nil}, {"{", nil}, {"1 2", nil}, {"1]", nil}, {"{}}", nil}, {"{},", nil}, {"{}x", nil}, {`"a""b"`, nil},
	} {
		var got any
		if err := Decode([]byte(test.text), &got); (err != nil) != (test.want == nil) || err == nil && !reflect.DeepEqual(got, test.want) {
			t.Errorf("Decode(%q) = %v, %v, want %v", test.text, got, err, test.want)
		}
	}
}
