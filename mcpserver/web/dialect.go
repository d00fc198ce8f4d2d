package web

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"kdd/runtime"
	"kdd/runtime/answer"
	"kdd/runtime/wire"
)

// dialectTools are the tool names that chat widgets know (ADR-0003), with the tools that answer them.
var dialectTools = map[string]string{
	"generate_rag_answer":   askTool,
	"search_knowledge_base": "kdd_search",
	"list_documents":        "kdd_list",
	"get_document_chunk":    "kdd_read_section",
}

const askTool = "kdd_ask"

// dialectArguments are names that those widgets give to arguments, with ours. Aliases of the operations are taken
// besides.
var dialectArguments = map[string]string{"message": "query", "n_results": "limit", "chunk_id": "file", "document_id": "file", "document": "file"}

// toolCall is a request of the dialect.
type toolCall struct {
	name      string // as asked
	tool      string // that answers it
	operation *runtime.Operation
	args      map[string]any
	session   string
	sources   bool
}

// call answers POST /api/v1/mcp/tools/call.
func (s *Server) call(w http.ResponseWriter, r *http.Request) {
	fields, err := jsonBody(r)
	if err != nil {
		writeStatus(w, r, bodyStatus(err), err)
		return
	}
	if fields["rating"] != nil && fields["tool_name"] == nil && fields["name"] == nil {
		s.feedback(w, r) // a widget whose endpoint ends in a slash sends feedback here
		return
	}
	c, err := s.toolCall(fields)
	if c != nil {
		recordOf(r).tool, recordOf(r).query = c.tool, textOf(c.args["query"])
		s.metrics.call(c.tool)
	}
	if c == nil {
		writeError(w, r, err)
		return
	}
	if accepts(r, "text/event-stream") {
		s.stream(w, r, c, err)
		return
	}
	var reply *wire.CallReply
	hit := false
	if err == nil {
		reply, hit, err = s.reply(r.Context(), c)
	}
	if err != nil {
		err = s.said(err)
		if status := StatusOf(err); status == http.StatusServiceUnavailable || status == http.StatusGatewayTimeout {
			w.Header().Set("Retry-After", "5")
			writeError(w, r, err)
			return
		}
		writeJSON(w, r, http.StatusOK, s.failed(c, err))
		return
	}
	w.Header().Set("X-Cache", map[bool]string{true: "hit", false: "miss"}[hit])
	writeJSON(w, r, http.StatusOK, s.addressed(r, c, reply))
}

// jsonBody reads a request's body as a JSON object; the body can be read again.
func jsonBody(r *http.Request) (map[string]json.RawMessage, error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("Content-Type: got %q, want application/json", wire.Clean(wire.Shorten(r.Header.Get("Content-Type"), 100))), "").With("field", "Content-Type")
	}
	var body bytes.Buffer
	if _, err := body.ReadFrom(r.Body); err != nil {
		return nil, wire.NewError(wire.CodeInvalidInput, "body: "+wire.Clean(err.Error()), "")
	}
	r.Body = readAgain{bytes.NewReader(body.Bytes())}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body.Bytes(), &fields); err != nil || fields == nil {
		return nil, wire.NewError(wire.CodeInvalidInput, "body: it is not a JSON object", `for example {"tool_name":"generate_rag_answer","arguments":{"query":"how do I log in"}}`)
	}
	return fields, nil
}

type readAgain struct{ *bytes.Reader }

// Close does nothing: the bytes are in memory, and the server closes the body that they came from.
func (readAgain) Close() error { return nil }

// bodyStatus returns the status of an error of jsonBody: 415 for a wrong Content-Type, else that of the error's code.
func bodyStatus(err error) int {
	if wire.AsError(err).Details["field"] == "Content-Type" {
		return http.StatusUnsupportedMediaType
	}
	return StatusOf(err)
}

// toolCall reads a call. If it returns no call, the request is wrong. If it returns a call and an error, the tool is
// unknown.
func (s *Server) toolCall(fields map[string]json.RawMessage) (*toolCall, error) {
	c := &toolCall{name: stringOf(fields["tool_name"]), args: map[string]any{}, sources: true}
	if c.name == "" {
		c.name = stringOf(fields["name"])
	}
	if c.name == "" {
		return nil, wire.NewError(wire.CodeInvalidInput, "tool_name: got nothing, want the name of a tool", "there are "+strings.Join(s.toolNames(), ", ")).With("field", "tool_name")
	}
	raw := fields["arguments"]
	if text := stringOf(raw); strings.HasPrefix(strings.TrimSpace(text), "{") { // an object as a string of JSON
		raw = json.RawMessage(text)
	}
	var given map[string]any
	if len(raw) > 0 {
		if wire.Decode(raw, &given) != nil {
			return nil, wire.NewError(wire.CodeInvalidInput, "arguments: want an object", `for example {"query":"how do I log in"}`).With("field", "arguments")
		}
	}
	if c.tool = c.name; dialectTools[c.name] != "" {
		c.tool = dialectTools[c.name]
	}
	if !slices.Contains(s.toolNames(), c.name) {
		name := wire.Clean(wire.Shorten(c.name, 60))
		c.name, c.tool = name, "unknown"
		e := wire.NewError(wire.CodeNotFound, fmt.Sprintf("no tool %q", name), "there are "+strings.Join(s.toolNames(), ", "))
		if near := wire.Nearest(name, s.toolNames()); near != "" {
			e.Hint = fmt.Sprintf("did you mean %q?", near)
			e.With("suggestions", []string{near})
		}
		return c, e
	}
	if c.session = stringOf(fields["session_id"]); c.session == "" {
		c.session, _ = given["session_id"].(string)
	}
	if flag, ok := given["include_sources"].(bool); ok {
		c.sources = flag
	} else if textOf(given["include_sources"]) == "false" {
		c.sources = false
	}
	delete(given, "session_id")
	if given == nil {
		given = map[string]any{}
	}
	if own := ownSession(c.session); own != "" {
		given["session_id"] = own
	}
	for _, o := range s.operations() {
		if o.Tool == c.tool {
			c.operation = &o
		}
	}
	c.args = keep(c.operation, given)
	return c, nil
}

// keep returns the arguments that an operation knows, under its own names. The dialect ignores others. If an argument
// comes under several names, as in a citation that is sent back whole, the operation's own name wins over that of the
// dialect, and that over an alias.
func keep(o *runtime.Operation, args map[string]any) map[string]any {
	known := map[string]any{}
	take := func(ours, name string) {
		if p := o.Param(ours); p != nil && p.Name == ours && known[ours] == nil && args[name] != nil {
			known[ours] = args[name]
		}
	}
	for i := range o.Params {
		take(o.Params[i].Name, o.Params[i].Name)
	}
	for _, name := range slices.Sorted(maps.Keys(dialectArguments)) {
		take(dialectArguments[name], name)
	}
	for i := range o.Params {
		for _, alias := range o.Params[i].Aliases {
			take(o.Params[i].Name, alias)
		}
	}
	return known
}

// toolNames returns the names that tools/call takes here.
func (s *Server) toolNames() []string {
	names := slices.Sorted(maps.Keys(dialectTools))
	for _, o := range s.operations() {
		if o.Tool != "" {
			names = append(names, o.Tool)
		}
	}
	return names
}

// reply answers a call, or takes the answer from the cache. The reply is the same for all clients; callers must not
// change it.
func (s *Server) reply(ctx context.Context, c *toolCall) (reply *wire.CallReply, hit bool, err error) {
	request, err := c.operation.Decode(c.args)
	if err != nil {
		return nil, false, err
	}
	kept := s.keeps(c.operation, c.args)
	if kept {
		id, err := s.options.Service.Ready(ctx)
		if err != nil {
			return nil, false, err
		}
		if found, ok := s.cache.get(cacheKey(id, c.tool, request)).(*wire.CallReply); ok {
			return found, true, nil
		}
	}
	type told struct {
		*wire.CallReply
		passing bool
	}
	answer, err := within(ctx, func(ctx context.Context) (t told, err error) {
		if c.tool == askTool {
			t.CallReply, t.passing, err = s.answerer.answer(ctx, request.(*wire.AskRequest))
		} else {
			t.CallReply, err = s.operated(ctx, c, request)
		}
		return t, err
	})
	if err != nil {
		return nil, false, err
	}
	reply = answer.CallReply
	reply.Tool, reply.Success = c.name, true
	reply.Result = plainMarkdown(wire.CleanLines(reply.Result))
	if strings.TrimSpace(reply.Result) == "" {
		reply.Result = "Nothing was found."
	}
	reply.Content = []wire.CallText{{Type: "text", Text: reply.Result}}
	if kept && !answer.passing && reply.IndexID != "" {
		s.cache.put(cacheKey(reply.IndexID, c.tool, request), reply, 3*len(reply.Result)+400*len(reply.Sources)+4096)
	}
	return reply, false, nil
}

// operated answers a call of an operation with its request.
func (s *Server) operated(ctx context.Context, c *toolCall, request any) (*wire.CallReply, error) {
	v, err := c.operation.Do(ctx, s.options.Service, request)
	if err != nil {
		return nil, err
	}
	var head struct {
		SchemaVersion string   `json:"schema_version"`
		Warnings      []string `json:"warnings"`
	}
	encoded := wire.Encode(v)
	if err := json.Unmarshal(encoded, &head); err != nil {
		return nil, err
	}
	reply := &wire.CallReply{
		SchemaVersion: head.SchemaVersion, IndexID: indexOf(v), Result: resultOf(v),
		Sources: sourcesOf(v), Structured: json.RawMessage(encoded), Warnings: head.Warnings, Grounded: true,
	}
	if len(reply.Sources) > 0 {
		reply.Confidence = reply.Sources[0].Relevance
	}
	return reply, nil
}

// addressed returns a reply for one client: with the session and the address for feedback, and without sources if the
// client does not want them.
func (s *Server) addressed(r *http.Request, c *toolCall, reply *wire.CallReply) *wire.CallReply {
	mine := *reply
	mine.Tool, mine.SessionID = c.name, wire.Clean(wire.Shorten(c.session, 200))
	if s.options.Feedback != nil {
		mine.FeedbackURL = strings.TrimSuffix(strings.TrimSuffix(r.URL.Path, "/"), "/mcp/tools/call") + "/feedback"
		s.remember(textOf(c.args["query"]), reply)
	}
	if !c.sources {
		mine.Sources, mine.Citations = []wire.CallSource{}, nil
	}
	return &mine
}

// failed is the reply to a call whose tool could not answer.
func (s *Server) failed(c *toolCall, err error) *wire.CallReply {
	e := wire.AsError(err)
	text := plainMarkdown(wire.CleanLines(e.Error()))
	return &wire.CallReply{
		SchemaVersion: e.SchemaVersion, Tool: c.name, Result: text, Content: []wire.CallText{{Type: "text", Text: text}}, IsError: true, Sources: []wire.CallSource{},
		SessionID: wire.Clean(wire.Shorten(c.session, 200)), Error: e.Error(), Code: e.Code, Message: e.Message, Hint: e.Hint, Details: e.Details,
	}
}

// ownSession returns the session of one client, "" for none. The default name that widgets send is shared by all of
// them, so it is none.
func ownSession(id string) string {
	if id == answer.SharedSession {
		return ""
	}
	return id
}

// stringOf returns a JSON string or number as text, "" for anything else.
func stringOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	var n json.Number
	if json.Unmarshal(raw, &n) == nil {
		return n.String()
	}
	return ""
}

func textOf(v any) string {
	text, _ := v.(string)
	return text
}

// accepts says whether a client names a media type in Accept. Wildcards do not count: those clients get JSON.
func accepts(r *http.Request, kind string) bool {
	for _, header := range r.Header.Values("Accept") {
		for part := range strings.SplitSeq(header, ",") {
			name, parameters, err := mime.ParseMediaType(part)
			if err != nil || name != kind {
				continue
			}
			if q, err := strconv.ParseFloat(parameters["q"], 64); parameters["q"] == "" || err == nil && q > 0 {
				return true
			}
		}
	}
	return false
}
