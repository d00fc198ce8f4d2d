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

// errFrameTooLong means that a line was longer than maxFrameBytes; it was passed over whole.
var errFrameTooLong = errors.New("line too long")

// frameReader reads lines: one JSON-RPC message each.
type frameReader struct {
	in    *bufio.Reader
	most  int
	begun bool
}

func newFrameReader(in io.Reader, most int) *frameReader {
	return &frameReader{in: bufio.NewReaderSize(in, 64<<10), most: most}
}

// next returns the next line that is not blank, without its line end; the last needs none. The error is
// errFrameTooLong, after which reading goes on, or the reader's.
func (f *frameReader) next() ([]byte, error) {
	for {
		line, err := f.line()
		if !f.begun {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
			f.begun = true
		}
		if line = bytes.TrimSpace(line); len(line) > 0 && (err == nil || err == io.EOF) {
			return line, nil // an end of input comes again
		}
		if err != nil {
			return nil, err
		}
	}
}

// line reads to the next line feed. It never holds more than most bytes and the reader's buffer.
func (f *frameReader) line() ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := f.in.ReadSlice('\n')
		if tooLong = tooLong || len(line)+len(part) > f.most+1; tooLong {
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

// refusal is an answer to a line that is not passed on.
type refusal struct {
	id      json.RawMessage // nil: not known
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

// Message is what a transport that frames messages itself has received.
type Message struct {
	request *jsonrpc.Request // nil for batches, responses and notifications that need no answer
}

// ParseMessage returns a message, or the JSON-RPC error for one that no other decoder should see: nested too deep, no UTF-8, no
// JSON, or an object that the lines of stdio would not take either. Of batches, which the oldest versions know, only the size is
// looked at.
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

// maxBatch bounds the messages of a batch, which is one request to all that bounds requests, and whose calls run at once.
const maxBatch = 32

// checkBatch refuses a batch, which is valid JSON, of too many messages.
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

// sdkRefusals are how the SDK's texts begin that it answers to requests over HTTP in place of JSON-RPC, by the code that they
// have over stdio.
var sdkRefusals = []struct {
	begins string
	code   int64
}{
	{"JSON RPC not handled", jsonrpc.CodeMethodNotFound}, {"invalid request", jsonrpc.CodeInvalidRequest}, {"invalid params", jsonrpc.CodeInvalidParams},
}

// Refusal returns the JSON-RPC error for a call that the SDK refused with a text, nil if the text is about something else or
// the message is no call.
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

// checkFrame refuses what is nested too deep, no UTF-8 or no JSON.
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

// parseFrame returns the request or notification in a line, or how to refuse it. Both are nil for what needs no answer:
// responses (the server asks nothing) and notifications with unusable parameters.
func parseFrame(line []byte) (*jsonrpc.Request, *refusal) {
	if refused := checkFrame(line); refused != nil {
		return nil, refused
	}
	switch line[0] {
	case '{':
	case '[':
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "batches are not part of MCP since 2025-06-18: send one message a line")
	default:
		return nil, refuse(nil, jsonrpc.CodeInvalidRequest, "message is no object")
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
		return nil, refuse(id, jsonrpc.CodeInvalidRequest, "method is no string")
	}
	if params, ok := fields["params"]; ok && params[0] != '{' && string(params) != "null" {
		if !hasID {
			return nil, nil
		}
		return nil, refuse(id, jsonrpc.CodeInvalidParams, "params is no object")
	}
	if refused := checkName(id, method, fields["params"]); refused != nil {
		if !hasID {
			return nil, nil
		}
		return nil, refused
	}
	// The SDK's own decoder makes a buffer of 32 KB for each value that it reads.
	request := &jsonrpc.Request{Params: fields["params"]}
	if err := json.Unmarshal(method, &request.Method); err != nil {
		return nil, refuse(id, jsonrpc.CodeInvalidRequest, "method is no string")
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

// nameOf is the parameter that says what a method is about: the SDK answers one that is no string with "invalid params".
var nameOf = map[string]string{"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

// checkName refuses a request whose name is no string. One that is missing is answered with the names that there are.
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

// deeper reports whether lists and objects in line are nested deeper than most. It needs no valid JSON.
func deeper(line []byte, most int) bool {
	depth, inString := 0, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			if depth++; depth > most {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// validJSON returns what is wrong with line as JSON, with the byte where it stands.
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
	if n, err := strconv.ParseInt(string(id), 10, 64); err == nil { // as a float 2^53+1 would be 2^53
		return n >= -1<<53 && n <= 1<<53
	}
	f, err := strconv.ParseFloat(string(id), 64)
	return err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53
}
