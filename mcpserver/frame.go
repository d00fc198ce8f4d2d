package mcpserver

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"kdd/runtime/wire"
)

const (
	maxFrameBytes = 4 << 20 // of one line
	maxFrameDepth = 64      // of nested lists and objects
)

// errFrameTooLong means that a line was longer than the limit. The whole line was skipped.
var errFrameTooLong = errors.New("line too long")

// frameReader reads lines: one JSON-RPC message each.
type frameReader struct {
	in       *bufio.Reader
	maxBytes int
	begun    bool
}

func newFrameReader(in io.Reader, maxBytes int) *frameReader {
	return &frameReader{in: bufio.NewReaderSize(in, 64<<10), maxBytes: maxBytes}
}

// next returns the next line that is not blank, without its line end; the last line needs none. The error is
// errFrameTooLong, after which reading can go on, or that of the reader.
func (f *frameReader) next() ([]byte, error) {
	for {
		line, err := f.line()
		if !f.begun {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
			f.begun = true
		}
		if line = bytes.TrimSpace(line); len(line) > 0 && (err == nil || err == io.EOF) {
			return line, nil // the end of the input is reported by the next call
		}
		if err != nil {
			return nil, err
		}
	}
}

// line reads to the next line feed. It never holds more than maxBytes and the reader's buffer.
func (f *frameReader) line() ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := f.in.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > f.maxBytes+1; tooLong {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case tooLong && (err == nil || err == io.EOF):
			return nil, errFrameTooLong
		}
		return line, err
	}
}

// refusal is the answer to a line that the SDK does not get.
type refusal struct {
	id      json.RawMessage // nil: unknown
	code    int64
	message string
}

// bytes returns the refusal as a JSON-RPC response, without a line feed.
func (r *refusal) bytes() []byte {
	id := r.id
	if id == nil {
		id = json.RawMessage("null")
	}
	data, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   jsonrpc.Error   `json:"error"`
	}{"2.0", id, jsonrpc.Error{Code: r.code, Message: r.message}})
	if err != nil {
		panic("mcpserver: refusal: " + err.Error()) // the id was checked to be JSON
	}
	return data
}

func refuse(id json.RawMessage, code int64, format string, args ...any) *refusal {
	return &refusal{id: id, code: code, message: fmt.Sprintf(format, args...)}
}

// Message is a message of a transport with framing of its own, such as HTTP.
type Message struct {
	request *jsonrpc.Request // nil for batches, responses and notifications that need no answer
}

// ParseMessage checks a message before the SDK decodes it. It returns the JSON-RPC error for one that is nested too
// deep, is not UTF-8 or JSON, or would be refused over stdio too. Of a batch, which only the oldest versions know, it
// checks the size.
func ParseMessage(data []byte) (m *Message, refusal []byte) {
	data = bytes.TrimSpace(data)
	if len(data) == 0 {
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "the message is empty").bytes()
	}
	if data[0] == '[' {
		refused := checkFrame(data)
		if refused == nil {
			refused = checkBatch(data)
		}
		if refused != nil {
			return nil, refused.bytes()
		}
		return &Message{}, nil
	}
	request, refused := parseFrame(data)
	if refused != nil {
		return nil, refused.bytes()
	}
	return &Message{request}, nil
}

// maxBatch bounds the messages of a batch: their calls run at once, and all limits count a batch as one request.
const maxBatch = 32

// checkBatch refuses a batch of too many messages.
func checkBatch(data []byte) *refusal {
	var messages []json.RawMessage
	if err := json.Unmarshal(data, &messages); err != nil {
		return refuse(nil, jsonrpc.CodeParseError, "message is not JSON: %v", err)
	}
	if len(messages) > maxBatch {
		return refuse(nil, jsonrpc.CodeInvalidRequest, "a batch of %d messages, want at most %d", len(messages), maxBatch)
	}
	return nil
}

// sdkRefusals are the beginnings of plain texts with which the SDK refuses a call over HTTP, with the JSON-RPC code
// that the same refusal has over stdio. The SDK has no other mark for them; TestBadMessagesAreRefused of package web
// shows a change.
var sdkRefusals = []struct {
	begins string
	code   int64
}{
	{"JSON RPC not handled", jsonrpc.CodeMethodNotFound}, {"invalid request", jsonrpc.CodeInvalidRequest}, {"invalid params", jsonrpc.CodeInvalidParams},
}

// Refusal returns the JSON-RPC error for a call that the SDK refused with a plain text. It returns nil if the text is
// about something else or the message is not a call.
func (m *Message) Refusal(text string) []byte {
	if m.request == nil || !m.request.IsCall() {
		return nil
	}
	for _, known := range sdkRefusals {
		if !strings.HasPrefix(text, known.begins) {
			continue
		}
		if known.code == jsonrpc.CodeMethodNotFound {
			text = fmt.Sprintf("method not found: %q", m.request.Method)
		}
		data, err := jsonrpc.EncodeMessage(&jsonrpc.Response{ID: m.request.ID, Error: tidyError(&jsonrpc.Error{Code: known.code, Message: text})})
		if err != nil {
			return nil
		}
		return data
	}
	return nil
}

// checkFrame refuses a line that is nested too deep, not UTF-8 or not JSON.
func checkFrame(line []byte) *refusal {
	if deeper(line, maxFrameDepth) {
		return refuse(nil, jsonrpc.CodeInvalidRequest, "message nested deeper than %d levels", maxFrameDepth)
	}
	if !utf8.Valid(line) {
		return refuse(nil, jsonrpc.CodeParseError, "message is not UTF-8")
	}
	if err := validJSON(line); err != nil {
		return refuse(nil, jsonrpc.CodeParseError, "message is not JSON: %v", err)
	}
	return nil
}

// parseFrame returns the request or notification in a line, or how to refuse it. Both are nil for a line that needs no
// answer: a response (the server sends no requests) or a notification with unusable parameters.
func parseFrame(line []byte) (*jsonrpc.Request, *refusal) {
	if refused := checkFrame(line); refused != nil {
		return nil, refused
	}
	switch line[0] {
	case '{':
	case '[':
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "batches are not part of MCP since 2025-06-18: send one message a line")
	default:
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "message is not an object")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(line, &fields); err != nil {
		return nil, refuse(nil, jsonrpc.CodeParseError, "message is not JSON: %v", err)
	}
	id, hasID := fields["id"]
	if hasID && !validID(id) {
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "id is neither a string nor a whole number that JSON can hold exactly")
	}
	if string(fields["jsonrpc"]) != `"2.0"` {
		return nil, refuse(id, jsonrpc.CodeInvalidRequest, `jsonrpc is not "2.0"`)
	}
	method, ok := fields["method"]
	if !ok {
		if _, isResult := fields["result"]; isResult && hasID || fields["error"] != nil {
			return nil, nil
		}
		return nil, refuse(id, jsonrpc.CodeInvalidRequest, "message has no method")
	}
	if method[0] != '"' {
		return nil, refuse(id, jsonrpc.CodeInvalidRequest, "method is not a string")
	}
	if params, ok := fields["params"]; ok && params[0] != '{' && string(params) != "null" {
		if !hasID {
			return nil, nil
		}
		return nil, refuse(id, jsonrpc.CodeInvalidParams, "params is not an object")
	}
	if refused := checkName(id, method, fields["params"]); refused != nil {
		if !hasID {
			return nil, nil
		}
		return nil, refused
	}
	request := &jsonrpc.Request{Params: fields["params"]}
	if err := json.Unmarshal(method, &request.Method); err != nil {
		return nil, refuse(id, jsonrpc.CodeInvalidRequest, "method is not a string")
	}
	if hasID {
		var value any
		if err := json.Unmarshal(id, &value); err != nil {
			return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "id is neither a string nor a number")
		}
		var err error
		if request.ID, err = jsonrpc.MakeID(value); err != nil {
			return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "id is neither a string nor a number")
		}
	}
	return request, nil
}

// nameOf is the parameter of a method that names a tool, prompt or resource. To one that is not a string the SDK
// answers "invalid params", which does not say what is wrong.
var nameOf = map[string]string{"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

// checkName refuses a request whose name is not a string. A missing name is answered later, with the names that exist.
func checkName(id, method, params json.RawMessage) *refusal {
	var name string
	if json.Unmarshal(method, &name) != nil || nameOf[name] == "" || len(params) == 0 || params[0] != '{' {
		return nil
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(params, &fields) != nil {
		return nil
	}
	if value := fields[nameOf[name]]; len(value) > 0 && value[0] != '"' && string(value) != "null" {
		return refuse(id, jsonrpc.CodeInvalidParams, "%s: %s: got %s, want a string", name, nameOf[name], wire.JSONKind(value[0]))
	}
	return nil
}

// deeper reports whether lists and objects in line are nested deeper than maxDepth. The line need not be valid JSON.
func deeper(line []byte, maxDepth int) bool {
	depth, inString := 0, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > maxDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// validJSON says what is wrong with line as JSON, and at which byte.
func validJSON(line []byte) error {
	if json.Valid(line) {
		return nil
	}
	var value json.RawMessage
	err := json.Unmarshal(line, &value)
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("%s at byte %d", syntax.Error(), syntax.Offset)
	}
	return errors.New("syntax error")
}

// validID reports whether id can be answered with the same value: a string, or a whole number within ±2^53.
func validID(id json.RawMessage) bool {
	if id[0] == '"' {
		return true
	}
	if n, err := strconv.ParseInt(string(id), 10, 64); err == nil { // a float cannot hold 2^53+1
		return n >= -1<<53 && n <= 1<<53
	}
	f, err := strconv.ParseFloat(string(id), 64)
	return err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53
}
