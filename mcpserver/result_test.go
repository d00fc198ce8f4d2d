package mcpserver

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime"
	"kdd/runtime/wire"
	"kdd/runtime/wire/schema"
)

// What is written in one pass is what the SDK writes in four.
func TestPlainResultsAreTheSDKs(t *testing.T) {
	text := func(s string) []mcp.Content { return []mcp.Content{&mcp.TextContent{Text: s}} }
	raw := json.RawMessage(`{"schema_version":"x.v1","text":"<a> & \"content\":[] \\u003c"}`)
	for _, test := range []struct {
		name   string
		result mcp.CallToolResult
		plain  bool
	}{
		{"text", mcp.CallToolResult{Content: text("a")}, true},
		{"no text", mcp.CallToolResult{Content: text("")}, true},
		{"marks and quotes", mcp.CallToolResult{Content: text("<a> & \"content\":[]\\u003c\n\té")}, true},
		{"structured", mcp.CallToolResult{Content: text("a"), StructuredContent: raw}, true},
		{"failure", mcp.CallToolResult{Content: text("a"), IsError: true}, true},
		{"meta", mcp.CallToolResult{Content: text("a"), StructuredContent: raw, Meta: mcp.Meta{"k": `"content":[]`, "l": []string{}}}, true},
		{"state", mcp.CallToolResult{Content: text("a"), RequestState: `"content":[]`}, true},
		{"nothing", mcp.CallToolResult{}, false},
		{"two texts", mcp.CallToolResult{Content: append(text("a"), text("b")...)}, false},
		{"image", mcp.CallToolResult{Content: []mcp.Content{&mcp.ImageContent{Data: []byte{1}}}}, false},
		{"text with annotations", mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "a", Annotations: &mcp.Annotations{}}}}, false},
		{"text with meta", mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "a", Meta: mcp.Meta{}}}}, false},
		{"structured that is no JSON yet", mcp.CallToolResult{Content: text("a"), StructuredContent: map[string]any{"a": 1}}, false},
		{"a question back", mcp.CallToolResult{Content: text("a"), InputRequests: mcp.InputRequestMap{}}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			made := plain(&test.result, "2025-11-25")
			if _, ok := made.(*plainResult); ok != test.plain {
				t.Fatalf("plain = %T, want plain %t", made, test.plain)
			}
			want, err := json.Marshal(&test.result)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			e := json.NewEncoder(&got)
			e.SetEscapeHTML(false)
			if err := e.Encode(made); err != nil {
				t.Fatal(err)
			}
			if want := string(PlainHTML(want)); strings.TrimSpace(string(PlainHTML(got.Bytes()))) != want {
				t.Errorf("MarshalJSON =\n%s\nwant\n%s", got.String(), want)
			}
		})
	}
	invisible := &mcp.CallToolResult{Content: text("a\u2028b\u202ec\x1b")} // escaped differently, the same text
	var got, want any
	mine, err1 := json.Marshal(plain(invisible, ""))
	theirs, err2 := json.Marshal(invisible)
	if err1 != nil || err2 != nil || json.Unmarshal(mine, &got) != nil || json.Unmarshal(theirs, &want) != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("MarshalJSON = %s, %v, want %s, %v", mine, err1, theirs, err2)
	}
}

// The SDK's server does not know the tools, so it would not compare headers that a schema asks for.
func TestNoArgumentIsAHeader(t *testing.T) {
	operations := runtime.Tools()
	for i := range operations {
		if input := schema.Input(operations[i].Tool); len(input) == 0 || bytes.Contains(input, []byte("x-mcp-header")) {
			t.Errorf("%s: input schema with x-mcp-header, or none: %s", operations[i].Tool, input)
		}
	}
}

func TestDirectTakesOnlyPlainCalls(t *testing.T) {
	d := NewDirect(runtime.New(runtime.Config{Index: []string{"none.kddx"}}), Info{Name: "kddq", Version: "1"})
	const modern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{}}}`
	call := func(params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kdd_search"` + params + `}}`
	}
	for _, test := range []struct {
		name, message string
		want          bool
		version       string
	}{
		{"a call", call(`,"arguments":{"query":"a"}`), true, ""},
		{"without arguments", call(``), true, ""},
		{"arguments that are wrong", call(`,"arguments":[1]`), true, ""},
		{"stateless", call(`,"arguments":{},` + modern), true, "2026-07-28"},
		{"stateless with more in _meta", call(`,` + strings.Replace(modern, `{`, `{"com.example/trace":1,`, 1)), true, "2026-07-28"},
		{"no client", call(`,` + strings.Replace(modern, `"io.modelcontextprotocol/clientInfo":{"name":"a","version":"1"},`, "", 1)), true, "2026-07-28"},
		{"a client that is none", call(`,` + strings.Replace(modern, `{"name":"a","version":"1"}`, "null", 1)), false, ""},
		{"a client of another type", call(`,` + strings.Replace(modern, `{"name":"a","version":"1"}`, "7", 1)), false, ""},
		{"no capabilities", call(`,` + strings.Replace(modern, `{"elicitation":{}}`, "null", 1)), false, ""},
		{"capabilities of another type", call(`,` + strings.Replace(modern, `{"elicitation":{}}`, "[]", 1)), false, ""},
		{"a version of another type", call(`,` + strings.Replace(modern, `"2026-07-28"`, "2026", 1)), false, ""},
		{"a level of the log", call(`,` + strings.Replace(modern, `{`, `{"io.modelcontextprotocol/logLevel":"info",`, 1)), false, ""},
		{"progress is wished for", call(`,"_meta":{"progressToken":1}`), false, ""},
		{"progress is wished for, stateless", call(`,` + strings.Replace(modern, `{`, `{"progressToken":1,`, 1)), false, ""},
		{"an answer to a question", call(`,"inputResponses":{}`), false, ""},
		{"_meta of another type", call(`,"_meta":1`), false, ""},
		{"another tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kdd_serch"}}`, false, ""},
		{"a name of another type", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":1}}`, false, ""},
		{"another method", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"name":"kdd_search"}}`, false, ""},
		{"a notification", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"kdd_search"}}`, false, ""},
		{"no parameters", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, false, ""},
		{"a batch", "[" + call(``) + "]", false, ""},
		{"garbage", `{"jsonrpc"`, false, ""},
	} {
		if again := parsed(d, test.message); (again != nil) != test.want { // what is said of the client is kept from one call to the next
			t.Errorf("Parse of %s = %+v, want a call %t", test.name, again, test.want)
		}
		if c := parsed(d, test.message); (c != nil) != test.want || c != nil && c.Version != test.version {
			t.Errorf("Parse of %s = %+v, want a call %t of version %q", test.name, c, test.want, test.version)
		}
	}
}

func FuzzDirectParse(f *testing.F) {
	d := NewDirect(runtime.New(runtime.Config{Index: []string{"none.kddx"}}), Info{Name: "kddq", Version: "1"})
	for _, seed := range []string{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kdd_search","arguments":{"query":"a"},"_meta":{}}}`,
		`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"kdd_stats","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`,
		`{"jsonrpc":"2.0","id":1e3,"method":"tools/call","params":null}`, `[`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := parsed(d, string(data))
		if c == nil {
			return
		}
		failed := d.Failed(c, wire.NewError(wire.CodeTimeout, string(data), ""))
		var response struct {
			ID     json.RawMessage
			Result struct{ IsError bool }
		}
		if err := json.Unmarshal(failed, &response); err != nil || !response.Result.IsError || !validID(response.ID) {
			t.Errorf("Failed(%s) = %s, %v", data, failed, err)
		}
	})
}

// parsed is the call of a message that d answers.
func parsed(d *Direct, message string) *Call {
	m, refusal := ParseMessage([]byte(message))
	if refusal != nil {
		return nil
	}
	return d.Parse(m)
}
