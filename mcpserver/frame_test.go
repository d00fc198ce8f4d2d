package mcpserver

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

func readFrames(in io.Reader, maxBytes int) []string {
	var got []string
	for reader := newFrameReader(in, maxBytes); ; {
		data, err := reader.next()
		switch {
		case errors.Is(err, errFrameTooLong):
			got = append(got, "too long")
		case err != nil:
			return append(got, err.Error())
		default:
			got = append(got, string(data))
		}
	}
}

func TestFrameReader(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	tests := []struct {
		name, in string
		most     int
		want     []string
	}{
		{"empty", "", 8, []string{"EOF"}},
		{"one", "{}\n", 8, []string{"{}", "EOF"}},
		{"without line end", "{}", 8, []string{"{}", "EOF"}},
		{"CRLF and blank lines", "\r\n \n{}\r\n\n[]\r\n", 8, []string{"{}", "[]", "EOF"}},
		{"byte order mark", "\ufeff{}\n\ufeff{}", 8, []string{"{}", "\ufeff{}", "EOF"}},
		{"most", "12345678\n12345678", 8, []string{"12345678", "12345678", "EOF"}},
		{"one over", "1234567890\n{}\n", 8, []string{"too long", "{}", "EOF"}},
		{"over at the end", "1234567890", 8, []string{"too long", "EOF"}},
		{"over the buffer", long + "\n{}", 8, []string{"too long", "{}", "EOF"}},
		{"beyond the buffer", long + "\n{}", 1 << 20, []string{long, "{}", "EOF"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for name, in := range map[string]io.Reader{"whole": strings.NewReader(test.in), "halves": iotest.HalfReader(strings.NewReader(test.in)), "bytes": iotest.OneByteReader(strings.NewReader(test.in))} {
				if got := readFrames(in, test.most); !slices.Equal(got, test.want) {
					t.Errorf("%s: frames of %.40q = %.60q, want %.60q", name, test.in, got, test.want)
				}
			}
		})
	}
	broken := iotest.TimeoutReader(iotest.OneByteReader(strings.NewReader("{}\n{}\n")))
	if got := readFrames(broken, 8); len(got) != 1 || got[0] != iotest.ErrTimeout.Error() {
		t.Errorf("frames of a broken reader = %q, want its error", got)
	}
}

func TestParseFrame(t *testing.T) {
	nested := func(n int) string {
		return `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `}}`
	}
	tests := []struct{ name, in, want string }{
		{"request", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "request ping"},
		{"notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "request notifications/initialized"},
		{"string id", `{"jsonrpc":"2.0","id":"a","method":"ping","params":null}`, "request ping"},
		{"largest id", `{"jsonrpc":"2.0","id":9007199254740992,"method":"ping"}`, "request ping"},
		{"result", `{"jsonrpc":"2.0","id":1,"result":{}}`, "nothing"},
		{"error", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}`, "nothing"},
		{"notification with a list", `{"jsonrpc":"2.0","method":"m","params":[]}`, "nothing"},
		{"garbage", `hello`, `null -32700 message is not JSON: invalid character 'h' looking for beginning of value at byte 1`},
		{"half", `{"jsonrpc":"2.0","id":1`, `null -32700 message is not JSON: unexpected end of JSON input at byte 23`},
		{"two on a line", `{} {}`, `null -32700 message is not JSON: invalid character '{' after top-level value at byte 4`},
		{"not UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\"}", `null -32700 message is not UTF-8`},
		{"depth allowed", nested(maxFrameDepth - 2), "request m"},
		{"too deep", nested(maxFrameDepth - 1), `null -32600 message nested deeper than 64 levels`},
		{"far too deep", strings.Repeat("[", 1<<20), `null -32600 message nested deeper than 64 levels`},
		{"many beside each other", `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":[[]` + strings.Repeat(",[{}]", maxFrameDepth) + `]}}`, "request m"},
		{"brackets in a string", `{"jsonrpc":"2.0","id":1,"method":"m","params":{"a":"\"` + strings.Repeat("[", 100) + `"}}`, "request m"},
		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, `null -32600 batches are not part of MCP since 2025-06-18: send one message a line`},
		{"string", `"ping"`, `null -32600 message is not an object`},
		{"number", `7`, `null -32600 message is not an object`},
		{"no version", `{"id":1,"method":"ping"}`, `1 -32600 jsonrpc is not "2.0"`},
		{"old version", `{"jsonrpc":"1.0","id":"a","method":"ping"}`, `"a" -32600 jsonrpc is not "2.0"`},
		{"no method", `{"jsonrpc":"2.0","id":1}`, `1 -32600 message has no method`},
		{"empty object", `{}`, `null -32600 jsonrpc is not "2.0"`},
		{"method of another type", `{"jsonrpc":"2.0","id":1,"method":5}`, `1 -32600 method is not a string`},
		{"null method", `{"jsonrpc":"2.0","id":1,"method":null}`, `1 -32600 method is not a string`},
		{"null id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, `null -32600 id is neither a string nor a whole number that JSON can hold exactly`},
		{"fraction id", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, `null -32600 id is neither`},
		{"huge id", `{"jsonrpc":"2.0","id":9007199254740994,"method":"ping"}`, `null -32600 id is neither`},
		{"an id that a float rounds to the largest", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, `null -32600 id is neither`},
		{"an id that a float rounds to the smallest", `{"jsonrpc":"2.0","id":-9007199254740993,"method":"ping"}`, `null -32600 id is neither`},
		{"an id with an exponent", `{"jsonrpc":"2.0","id":1e3,"method":"ping"}`, "request ping"},
		{"an id with a large exponent", `{"jsonrpc":"2.0","id":1e17,"method":"ping"}`, `null -32600 id is neither`},
		{"object id", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, `null -32600 id is neither`},
		{"list of params", `{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}`, `1 -32602 params is not an object`},
		{"text for params", `{"jsonrpc":"2.0","id":1,"method":"ping","params":"a"}`, `1 -32602 params is not an object`},
		{"number for a tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5,"arguments":{}}}`, `1 -32602 tools/call: name: got a number, want a string`},
		{"list for a prompt", `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":[]}}`, `1 -32602 prompts/get: name: got a list, want a string`},
		{"object for a URI", `{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":{}}}`, `1 -32602 resources/read: uri: got an object, want a string`},
		{"boolean for a tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":true}}`, `1 -32602 tools/call: name: got true or false, want a string`},
		{"null for a tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":null}}`, "request tools/call"},
		{"no name of a tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`, "request tools/call"},
		{"a list for a tool, in a notification", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":[]}}`, "nothing"},
		{"a list for a name of another method", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"name":[]}}`, "request ping"},
		{"id twice", `{"jsonrpc":"2.0","id":1,"method":"ping","id":2}`, "request ping"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := outcome(t, []byte(test.in)); !strings.HasPrefix(got, test.want) {
				t.Errorf("parseFrame(%.80s) = %s, want %s", test.in, got, test.want)
			}
		})
	}
}

// outcome describes what becomes of a line.
func outcome(t *testing.T, line []byte) string {
	request, refused := parseFrame(line)
	switch {
	case request != nil && refused != nil:
		t.Fatalf("parseFrame(%s) = both a request and a refusal", line)
	case request != nil:
		return "request " + request.Method
	case refused == nil:
		return "nothing"
	}
	var answer struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   jsonrpc.Error   `json:"error"`
	}
	if err := json.Unmarshal(refused.bytes(), &answer); err != nil || answer.Version != "2.0" || answer.ID == nil {
		t.Fatalf("refusal of %s = %s, %v", line, refused.bytes(), err)
	}
	return string(answer.ID) + " " + strconv.FormatInt(answer.Error.Code, 10) + " " + answer.Error.Message
}

func FuzzParseFrame(f *testing.F) {
	for _, seed := range []string{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","method":"m","params":[]}`, `[`, `{"id":1.5}`,
		`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"kdd_search","arguments":{}}}`, `{"jsonrpc":"2.0","id":1,"result":{}}`, "\xff", `{"Jsonrpc":"2.0","ID":1,"METHOD":"x"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for reader := newFrameReader(strings.NewReader(string(data)), 64); ; {
			line, err := reader.next()
			if errors.Is(err, errFrameTooLong) {
				continue
			}
			if err != nil {
				break
			}
			if len(line) == 0 || len(line) > 65 {
				t.Fatalf("frame of %d bytes, want 1 to 65", len(line))
			}
			outcome(t, line)
		}
		if line := strings.TrimSpace(string(data)); line != "" {
			outcome(t, []byte(line))
		}
	})
}

func TestPlainHTML(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"none", `{"a":"b"}`, `{"a":"b"}`},
		{"all three", `"\u003ca\u003e\u0026"`, `"<a>&"`},
		{"escaped backslash", `"\\u003c"`, `"\\u003c"`},
		{"backslash before an escape", `"\\\u003c"`, `"\\<"`},
		{"others stay", `"\u003d\u001b\n\u202e"`, `"\u003d\u001b\n\u202e"`},
		{"cut", `\u003`, `\u003`},
		{"cut at a backslash", `"\u003c\`, `"<\`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := string(PlainHTML([]byte(test.in))); got != test.want {
				t.Errorf("PlainHTML(%s) = %s, want %s", test.in, got, test.want)
			}
		})
	}
}

// A message of a transport that frames messages itself is refused as a line is; a batch may have as many as are
// bounded.
func TestParseMessage(t *testing.T) {
	const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`
	batch := func(n int) string { return "[" + strings.TrimSuffix(strings.Repeat(ping+",", n), ",") + "]" }
	for _, tt := range []struct{ name, in, want string }{
		{"call", " " + ping + "\n", ""},
		{"nothing", " \n", "-32600,\"message\":\"the message is empty\""},
		{"garbage", "hello", "-32700"},
		{"empty batch", "[]", ""},
		{"batch", batch(maxBatch), ""},
		{"batch of too many", batch(maxBatch + 1), "a batch of 33 messages, want at most 32"},
		{"half a batch", batch(2)[:20], "-32700"},
		{"batch that is too deep", strings.Repeat("[", 100) + strings.Repeat("]", 100), "nested deeper than 64 levels"},
	} {
		m, refusal := ParseMessage([]byte(tt.in))
		if (m == nil) == (tt.want == "") || (refusal == nil) != (tt.want == "") || !strings.Contains(string(refusal), tt.want) {
			t.Errorf("ParseMessage of %s = %v, %s, want %q", tt.name, m, refusal, tt.want)
		}
	}
}

// What the SDK says of a call over HTTP becomes the JSON-RPC error that stdio has; what it says of anything else does
// not.
func TestRefusal(t *testing.T) {
	const call, notification = `{"jsonrpc":"2.0","id":"a<b","method":"tools/none"}`, `{"jsonrpc":"2.0","method":"tools/none"}`
	for _, tt := range []struct{ message, text, want string }{
		{call, "JSON RPC not handled: tools/none", `"id":"a<b","error":{"code":-32601,"message":"method not found: \"tools/none\""}`},
		{call, "invalid request: x", `"error":{"code":-32600,"message":"invalid request: x"}`},
		{call, "invalid params: x", `"error":{"code":-32602,"message":"invalid params: x"}`},
		{call, "session not found", ""},
		{notification, "invalid request: x", ""},
		{`[` + call + `]`, "invalid request: x", ""},
	} {
		m, _ := ParseMessage([]byte(tt.message))
		if got := string(m.Refusal(tt.text)); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("Refusal(%q) of %s = %s, want %s", tt.text, tt.message, got, tt.want)
		}
	}
}

func TestCheckFrame(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":[1]}`: "", "": "not a JSON object", `[1]`: "not a JSON object", "7": "not a JSON object", "\xff": "not UTF-8", `{"a":`: "unexpected end of JSON input",
		strings.Repeat(`{"a":`, 65) + "1" + strings.Repeat("}", 65): "nested deeper than 64 levels",
	} {
		if err := CheckFrame([]byte(in)); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("CheckFrame(%.40q) = %v, want %q", in, err, want)
		}
	}
}
