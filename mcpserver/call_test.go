package mcpserver

import (
	"bytes"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime"
	"kdd/runtime/wire"
	"kdd/runtime/wire/schema"
)

// toolCall is a call with these arguments.
func toolCall(arguments []byte) *mcp.CallToolRequest {
	return &mcp.CallToolRequest{Params: &mcp.CallToolParamsRaw{Arguments: arguments}}
}

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

// The SDK's server has schemas of one line, so it would not compare headers that a whole schema asks for.
func TestNoArgumentIsAHeader(t *testing.T) {
	operations := runtime.Tools()
	for i := range operations {
		if input := schema.Input(operations[i].Tool); len(input) == 0 || bytes.Contains(input, []byte("x-mcp-header")) {
			t.Errorf("%s: input schema with x-mcp-header, or none: %s", operations[i].Tool, input)
		}
	}
}
