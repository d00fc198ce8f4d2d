package web

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kdd/runtime/feedback"
	"kdd/runtime/wire"
)

const callPath = "/api/v1/mcp/tools/call"

func callBody(tool, arguments string) string {
	return fmt.Sprintf(`{"tool_name":%q,"arguments":%s,"session_id":"web","unknown":[1]}`, tool, arguments)
}

// tell sends a call and returns status, headers and reply.
func tell(t *testing.T, address, body string, header ...string) (int, http.Header, map[string]any) {
	t.Helper()
	status, h, text := send(t, "POST", address, body, append([]string{"Content-Type", "application/json"}, header...)...)
	var reply map[string]any
	if err := json.Unmarshal([]byte(text), &reply); err != nil {
		t.Fatalf("%d %s: %v", status, text, err)
	}
	return status, h, reply
}

func openLog(t *testing.T) (*feedback.Log, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "feedback.jsonl")
	log, err := feedback.Open(path, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	return log, path
}

// Both readers of ADR-0003 find what they read: the widget success, result and sources, the other content.
func TestToolsCall(t *testing.T) {
	log, _ := openLog(t)
	base, _ := started(t, Options{Feedback: log})
	for _, test := range []struct{ tool, arguments, version, says string }{
		{"generate_rag_answer", `{"query":"how long is an access token valid","include_sources":true}`, "answer.v1", "minutes"},
		{"kdd_ask", `{"question":"how long is an access token valid"}`, "answer.v1", "minutes"},
		{"search_knowledge_base", `{"query":"token expiry","top_k":2}`, "search_response.v1", "Refresh tokens"},
		{"list_documents", `{"kind":"runbook"}`, "list_response.v1", "runbooks/"},
		{"get_document_chunk", `{"chunk_id":"security/auth.md#refresh~1"}`, "read.v1", "refresh token"},
		{"get_document_chunk", `{"title":"Other","score":1,"chunk_id":"security/auth.md#refresh~1","url":"https://example.org","id":"7"}`, "read.v1", "refresh token"},
		{"search_knowledge_base", `{"message":"x","question":"x","query":"token expiry","limit":null,"top_k":2}`, "search_response.v1", "Refresh tokens"},
		{"kdd_related", `{"entity":"RF-AUTH-001"}`, "related_response.v1", "RF-AUTH"},
		{"kdd_stats", `{}`, "stats.v1", "documents"},
		{"kdd_search", `"{\"query\":\"token expiry\"}"`, "search_response.v1", "Refresh tokens"},
	} {
		for _, path := range []string{callPath, callPath + "/", "/api/v2/mcp/tools/call", "/api/v2/mcp/tools/call/"} {
			status, _, reply := tell(t, base+path, callBody(test.tool, test.arguments))
			content, _ := reply["content"].([]any)
			if status != 200 || reply["success"] != true || reply["isError"] != false || reply["schema_version"] != test.version || len(content) != 1 || reply["error"] != nil {
				t.Fatalf("%s %s = %d %v", test.tool, path, status, reply)
			}
			result, _ := reply["result"].(string)
			if !strings.Contains(result, test.says) || content[0].(map[string]any)["text"] != result || reply["session_id"] != "web" || !strings.HasSuffix(reply["feedback_url"].(string), "/feedback") {
				t.Errorf("%s = %v, want a result with %q", test.tool, reply, test.says)
			}
			sources, ok := reply["sources"].([]any)
			if !ok || test.version == "answer.v1" && len(sources) == 0 {
				t.Errorf("%s: sources %v", test.tool, reply["sources"])
			}
			for _, source := range sources {
				if s := source.(map[string]any); s["title"] == "" || s["url"] == "" || s["relevance"] == nil {
					t.Errorf("%s: source %v", test.tool, s)
				}
			}
		}
	}
	// A refusal is success, with text and without sources; sources that are not wanted do not come.
	_, _, reply := tell(t, base+callPath, callBody("generate_rag_answer", `{"query":"zzyzx qwfpgj"}`))
	if reply["success"] != true || reply["grounded"] != false || reply["outcome"] != "refused" || reply["refusal_reason"] != "no_hits" || reply["result"] == "" || len(reply["sources"].([]any)) != 0 {
		t.Errorf("refusal = %v", reply)
	}
	// So is a list of the closest passages.
	_, _, reply = tell(t, base+callPath, callBody("generate_rag_answer", `{"query":"how do I approve a deploy without a reviewer"}`))
	if reply["success"] != true || reply["grounded"] != false || reply["outcome"] != "closest" || reply["refusal_reason"] != "low_evidence" ||
		!strings.Contains(reply["result"].(string), "The closest passages:\n\n- ") || len(reply["sources"].([]any)) != 0 {
		t.Errorf("closest = %v", reply)
	}
	_, _, reply = tell(t, base+callPath, callBody("generate_rag_answer", `{"query":"access token","include_sources":false}`))
	if len(reply["sources"].([]any)) != 0 {
		t.Errorf("without sources = %v", reply)
	}
}

func TestToolsCallThatFail(t *testing.T) {
	base, _ := started(t, Options{})
	for _, test := range []struct {
		name, body string
		status     int
		code, says string
	}{
		{"no tool", `{"arguments":{}}`, 400, "invalid_input", "tool_name: got nothing"},
		{"no JSON", `{"tool_name":`, 400, "invalid_input", "body: "},
		{"a list", `[]`, 400, "invalid_input", "body: "},
		{"null", `null`, 400, "invalid_input", "body: "},
		{"arguments that are none", callBody("kdd_search", `[1]`), 400, "invalid_input", "arguments: want an object"},
		{"arguments and more in a string", callBody("kdd_search", `"{\"query\":\"x\"} {}"`), 400, "invalid_input", "arguments: want an object"},
		{"too long", callBody("kdd_search", `{"query":"`+strings.Repeat("x", smallBody)+`"}`), 413, "too_large", "longer than"},
		{"an unknown tool", callBody("kdd_serch", `{}`), 200, "not_found", `did you mean "kdd_search"?`},
		{"a missing argument", callBody("generate_rag_answer", `{}`), 200, "invalid_input", "query: got nothing"},
		{"a bad argument", callBody("kdd_search", `{"query":"x","limit":1000}`), 200, "invalid_input", "limit: got"},
		{"a place that is none", callBody("get_document_chunk", `{"file":"../../etc/passwd"}`), 200, "not_found", ""},
	} {
		status, _, reply := tell(t, base+callPath, test.body)
		message, _ := reply["message"].(string)
		hint, _ := reply["hint"].(string)
		if status != test.status || reply["code"] != test.code || !strings.Contains(message+hint, test.says) {
			t.Errorf("%s = %d %v, want %d %s with %s", test.name, status, reply, test.status, test.code, test.says)
		}
		if text, _ := reply["error"].(string); status == 200 && (reply["success"] != false || reply["isError"] != true || text == "" || reply["schema_version"] != "error.v1") {
			t.Errorf("%s = %v, want success false with error", test.name, reply)
		}
		if detail, _ := reply["detail"].(string); status != 200 && detail == "" {
			t.Errorf("%s = %v, want detail", test.name, reply)
		}
	}
	for _, kind := range []string{"text/plain", "", "application/x-www-form-urlencoded"} {
		if status, _, _ := send(t, "POST", base+callPath, callBody("kdd_stats", `{}`), "Content-Type", kind); status != 415 {
			t.Errorf("Content-Type %q = %d, want 415", kind, status)
		}
	}
	if status, _, _ := send(t, "GET", base+callPath, ""); status != 405 {
		t.Errorf("GET = %d, want 405", status)
	}
}

// event is one of a stream; a comment has no name.
type event struct{ name, data string }

// nextEvent reads an event.
func nextEvent(t *testing.T, lines *bufio.Reader) (e event, ok bool) {
	t.Helper()
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return e, false
		}
		if line = strings.TrimSuffix(line, "\n"); line == "" {
			return e, true
		}
		if name, ok := strings.CutPrefix(line, "event: "); ok {
			e.name = name
		} else if data, ok := strings.CutPrefix(line, "data: "); ok {
			e.data = data
		} else if strings.HasPrefix(line, ": ") {
			e.data = line
		}
	}
}

func open(t *testing.T, ctx context.Context, address, body string) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(ctx, "POST", address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json;q=0.5, text/event-stream")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { response.Body.Close() })
	return response
}

func TestEvents(t *testing.T) {
	base, _ := started(t, Options{})
	body := callBody("generate_rag_answer", `{"query":"how long is an access token valid"}`)
	_, _, plain := tell(t, base+callPath, body)
	response := open(t, t.Context(), base+callPath, body)
	lines := bufio.NewReader(response.Body)
	var names []string
	text, final := "", ""
	for {
		e, ok := nextEvent(t, lines)
		if !ok {
			break
		}
		if e.name == "delta" {
			var d delta
			if err := json.Unmarshal([]byte(e.data), &d); err != nil {
				t.Fatal(err)
			}
			text += d.Text
		}
		if e.name == "final" {
			final = e.data
		}
		if len(names) == 0 || names[len(names)-1] != e.name {
			names = append(names, e.name)
		}
	}
	var reply map[string]any
	if err := json.Unmarshal([]byte(final), &reply); err != nil {
		t.Fatal(err)
	}
	if response.Header.Get("Content-Type") != "text/event-stream; charset=utf-8" || strings.Join(names, " ") != " sources delta final" || text != plain["result"] || reply["result"] != plain["result"] {
		t.Errorf("events %q, text %q, final %s; want those of %v", names, text, final, plain)
	}
	if h := response.Header; h.Get("Cache-Control") != "no-store" || h.Get("X-Accel-Buffering") != "no" || h.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("header %v of events", h)
	}
	response = open(t, t.Context(), base+callPath, callBody("kdd_search", `{}`))
	lines = bufio.NewReader(response.Body)
	nextEvent(t, lines)
	if e, _ := nextEvent(t, lines); e.name != "error" || !strings.Contains(e.data, `"success":false`) {
		t.Errorf("event %v, want error", e)
	}
}

// waiting answers once it is told to; it says when its work began and how it ended.
type waiting struct {
	begun, release chan struct{}
	ended          chan error
}

func (a waiting) answer(ctx context.Context, _ *wire.AskRequest) (*wire.CallReply, bool, error) {
	a.begun <- struct{}{}
	select {
	case <-a.release:
		a.ended <- nil
		return &wire.CallReply{SchemaVersion: "answer.v1", Result: "late"}, false, nil
	case <-ctx.Done():
		a.ended <- ctx.Err()
		return nil, false, ctx.Err()
	}
}

func slowAnswers(t *testing.T, o Options, limits func(*limits)) (string, waiting) {
	t.Helper()
	slow := waiting{make(chan struct{}, 1), make(chan struct{}), make(chan error, 1)}
	base, _ := startedWith(t, o, func(s *Server) {
		s.answerer = slow
		if limits != nil {
			limits(&s.limits)
		}
	})
	return base, slow
}

func TestAStreamHasAHeartbeat(t *testing.T) {
	base, slow := slowAnswers(t, Options{}, func(l *limits) { l.heartbeat = time.Millisecond })
	lines := bufio.NewReader(open(t, t.Context(), base+callPath, callBody("kdd_ask", `{"query":"x"}`)).Body)
	<-slow.begun
	for i := range 3 {
		if e, ok := nextEvent(t, lines); !ok || e.name != "" {
			t.Fatalf("event %d = %v, want a comment", i, e)
		}
	}
	close(slow.release)
	for {
		e, ok := nextEvent(t, lines)
		if !ok {
			t.Fatal("no final event")
		}
		if e.name == "final" {
			break
		}
	}
}

func TestAClientThatGoesEndsTheWork(t *testing.T) {
	base, slow := slowAnswers(t, Options{}, nil)
	ctx, leave := context.WithCancel(t.Context())
	open(t, ctx, base+callPath, callBody("kdd_ask", `{"query":"x"}`))
	<-slow.begun
	leave()
	if err := <-slow.ended; err == nil {
		t.Error("the work went on to its end")
	}
}

// stubborn does not look at its context.
type stubborn struct{ release chan struct{} }

func (a stubborn) answer(context.Context, *wire.AskRequest) (*wire.CallReply, bool, error) {
	<-a.release
	return &wire.CallReply{}, false, nil
}

// What does not end in time is answered anyway, and holds its slot until it ends.
func TestTheDeadlineIsHard(t *testing.T) {
	release := make(chan struct{})
	base, _ := startedWith(t, Options{Timeout: 20 * time.Millisecond, MaxCalls: 1, Wait: time.Millisecond}, func(s *Server) { s.answerer = stubborn{release} })
	if status, h, reply := tell(t, base+callPath, callBody("kdd_ask", `{"query":"x"}`)); status != 504 || reply["code"] != "timeout" || h.Get("Retry-After") == "" {
		t.Errorf("it answers %d %v, want 504", status, reply)
	}
	if status, h, _ := tell(t, base+callPath, callBody("kdd_ask", `{"query":"x"}`)); status != 503 || h.Get("Retry-After") == "" {
		t.Errorf("the next answers %d, want 503: the slot is taken", status)
	}
	close(release)
	for { // until the slot is free
		if status, _, _ := get(t, base+"/api/v1/stats"); status == 200 {
			break
		}
	}
}

func TestFeedback(t *testing.T) {
	log, path := openLog(t)
	base, _ := started(t, Options{Feedback: log})
	_, _, reply := tell(t, base+callPath, callBody("generate_rag_answer", `{"query":"how long is an access token valid"}`))
	said := func(rating string) string {
		body, err := json.Marshal(map[string]any{"query": "how long is an access token valid", "response": reply["result"], "rating": rating, "confidence": reply["confidence"], "session_id": "web", "comment": "good"})
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	for _, test := range []struct {
		path, body string
		status     int
		says       string
	}{
		{"/api/v1/feedback", said("positive"), 201, "stored"},
		{"/api/v2/feedback/", said("positive"), 200, "duplicate"},
		{callPath + "/", said("negative"), 201, "stored"}, // what the widget makes of an endpoint with a slash
		{"/api/v1/feedback", `{"query":"x","response":"y","rating":"positive","confidence":null}`, 201, "stored"},
		{"/api/v1/feedback", `{"query":"x","rating":"perfect"}`, 400, "rating: got"},
		{"/api/v1/feedback", `{"query":"x","rating":"positive","confidence":"high"}`, 400, "confidence: want"},
		{"/api/v1/feedback", `{"rating":"positive"}`, 400, "query: got nothing"},
		{"/api/v1/feedback", `nothing`, 400, "body: "},
		{"/api/v1/feedback", `{"query":"` + strings.Repeat("x", 5000) + `","rating":"positive"}`, 413, "query: got"},
	} {
		status, _, got := tell(t, base+test.path, test.body)
		if text := string(wire.Encode(got)); status != test.status || !strings.Contains(text, test.says) {
			t.Errorf("%s %.80s = %d %s, want %d %s", test.path, test.body, status, text, test.status, test.says)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	records, broken := feedback.Parse(data)
	if broken != 0 || len(records) != 3 || len(records[0].Places) == 0 || !strings.Contains(records[0].Places[0], ".md#") || records[0].IndexID != reply["index_id"] || records[0].Comment != "good" {
		t.Errorf("records %s, want the places that the answer cited", data)
	}
	base, _ = started(t, Options{})
	if status, _, got := tell(t, base+"/api/v1/feedback", said("positive")); status != 404 {
		t.Errorf("without a file: %d %v, want 404", status, got)
	}
}
