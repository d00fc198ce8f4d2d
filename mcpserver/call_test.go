package mcpserver

import (
	"strings"
	"testing"

	"kdd/runtime"
	"kdd/runtime/wire"
)

func TestArguments(t *testing.T) {
	o := &runtime.Operation{Tool: "t", Examples: []map[string]any{{"query": "x"}}}
	if _, err := arguments(&runtime.Operation{}, []byte("7")); err == nil || wire.AsError(err).Hint != "" {
		t.Errorf("arguments of an operation without examples: %v, want no hint", err)
	}
	for _, test := range []struct{ raw, want, wrong string }{
		{"", "null", ""},
		{" null ", "null", ""},
		{`{"a": 1e2, "b": [true]}`, `{"a":1e2,"b":[true]}`, ""},
		{`" {\"a\": 1}\n"`, `{"a":1}`, ""}, // a host's string
		{`"text"`, "", "a string"},
		{`"[]"`, "", "a string"},
		{"[1]", "", "a list"},
		{"7", "", "a number"},
		{"false", "", "true or false"},
		{`" {\"a\": "`, "", "a broken object"},
		{`"{}}"`, "", "a broken object"},
		{`"{} {}"`, "", "a broken object"},
	} {
		got, err := arguments(o, []byte(test.raw))
		if test.wrong == "" {
			if text := string(wire.Encode(got)); err != nil || text != test.want {
				t.Errorf("arguments(%s) = %s, %v, want %s", test.raw, text, err, test.want)
			}
			continue
		}
		e := wire.AsError(err)
		if err == nil || e.Message != "arguments: got "+test.wrong+", want an object" || !strings.Contains(e.Hint, `{"query":"x"}`) || e.Details["field"] != "arguments" {
			t.Errorf("arguments(%s) = %v, %v, want that it is %s", test.raw, got, err, test.wrong)
		}
	}
}
