package web

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/runtime"
	"kdd/runtime/wire"
)

// post sends a message to /mcp as a client of 2025-06-18 does, and returns status and the message that comes back.
func post(t *testing.T, base, message string, header ...string) (int, string) {
	t.Helper()
	header = append([]string{"Content-Type", "application/json", "Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", "2025-06-18"}, header...)
	status, _, body := send(t, "POST", base+"/mcp", message, header...)
	for line := range strings.Lines(body) {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			return status, strings.TrimSpace(data)
		}
	}
	return status, body
}

func callMessage(id int, tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, arguments)
}

// The SDK's own client, in every version of the protocol.
func TestMCPOverHTTP(t *testing.T) {
	base, _ := started(t, Options{})
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
			session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: base + "/mcp", DisableStandaloneSSE: true}, &mcp.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			defer session.Close()
			listed, err := session.ListTools(t.Context(), nil)
			if err != nil || len(listed.Tools) != len(runtime.Listed()) {
				t.Fatalf("ListTools = %v, %v", listed, err)
			}
			result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "kdd_search", Arguments: map[string]any{"query": "token expiry", "limit": 1}})
			if err != nil || result.IsError || result.StructuredContent == nil {
				t.Errorf("CallTool = %v, %v", result, err)
			}
			read, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "kdd://doc/security/auth.md#refresh"})
			if err != nil || !strings.Contains(read.Contents[0].Text, "## ") {
				t.Errorf("ReadResource = %v, %v", read, err)
			}
			prompt, err := session.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "impact-review", Arguments: map[string]string{"entity": "RF-AUTH-001"}})
			if err != nil || len(prompt.Messages) != 2 {
				t.Errorf("GetPrompt = %v, %v", prompt, err)
			}
		})
	}
}

func TestStructuredContentIsTheWireJSON(t *testing.T) {
	svc := testService(t)
	base, _ := started(t, Options{Service: svc})
	args := map[string]any{"query": "<access> & token é", "limit": 2}
	_, message := post(t, base, callMessage(1, "kdd_search", string(wire.Encode(args))))
	args["detail"] = "brief" // as agents get it
	answer, err := runtime.OperationNamed("search").Run(t.Context(), svc, args)
	if err != nil {
		t.Fatal(err)
	}
	var got struct {
		Result struct {
			StructuredContent json.RawMessage `json:"structuredContent"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(message), &got); err != nil {
		t.Fatal(err)
	}
	if want := withoutTime(string(wire.Encode(answer))); withoutTime(string(got.Result.StructuredContent)) != want {
		t.Errorf("structured content\n%s\nwant\n%s", got.Result.StructuredContent, want)
	}
}

// An answer is one JSON document, which leaves the connection to the next request, and a stream only where something
// comes before it.
func TestAnswersAreStreamsOnlyWhereTheyHaveTo(t *testing.T) {
	schema := json.RawMessage(`{"type":"object"}`)
	base, _ := started(t, Options{Extend: func(server *mcp.Server) {
		server.AddTool(&mcp.Tool{Name: "slow", InputSchema: schema}, func(ctx context.Context, request *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			err := request.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: request.Params.GetProgressToken(), Progress: 1, Message: "a < b"})
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "done"}}}, err
		})
	}})
	first, _ := started(t, Options{Extend: func(server *mcp.Server) {
		server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
			return func(ctx context.Context, method string, request mcp.Request) (mcp.Result, error) {
				if method == "tools/call" {
					return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "came first"}}}, nil
				}
				return next(ctx, method, request)
			}
		})
	}})
	if _, body := post(t, first, callMessage(1, "kdd_search", `{"query":"a"}`)); !strings.Contains(body, "came first") {
		t.Errorf("what was put before all: %s", body)
	}
	for _, test := range []struct {
		name, body, version, kind string
		says                      []string
	}{
		{"an answer", callMessage(1, "kdd_search", `{"query":"a < b"}`), "2025-06-18", "application/json", []string{`"mode":"lexical"`, `for \"a < b\"`}},
		{"an error", callMessage(1, "kdd_serch", `{}`), "2025-06-18", "application/json", []string{"did you mean"}},
		{"progress", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"slow","_meta":{"progressToken":1}}}`, "2025-06-18", "text/event-stream",
			[]string{`a < b`, `"done"`}},
		{"a batch", "[" + callMessage(1, "kdd_stats", `{}`) + "," + callMessage(2, "kdd_stats", `{}`) + "]", "2025-03-26", "text/event-stream", []string{`"id":1`, `"id":2`}},
	} {
		status, header, body := send(t, "POST", base+"/mcp", test.body, "Content-Type", "application/json",
			"Accept", "application/json, text/event-stream", "Mcp-Protocol-Version", test.version)
		if kind := header.Get("Content-Type"); status != 200 || kind != test.kind {
			t.Errorf("%s = %d, %s, want 200, %s: %.300s", test.name, status, kind, test.kind, body)
		}
		for _, want := range test.says {
			if !strings.Contains(body, want) {
				t.Errorf("%s = %.500s, want %s in it", test.name, body, want)
			}
		}
		if test.kind == "application/json" && (!json.Valid([]byte(body)) || header.Get("Content-Length") != strconv.Itoa(len(body))) {
			t.Errorf("%s is %d bytes of %s, want JSON with its length: %.300s", test.name, len(body), header.Get("Content-Length"), body)
		}
	}
}

func TestBadMessagesAreRefused(t *testing.T) {
	base, _ := started(t, Options{})
	const longest = `{"jsonrpc":"2.0","id":1,"method":"ping","x":"`
	deep := strings.Repeat(`[`, 10_000) + strings.Repeat(`]`, 10_000)
	for _, test := range []struct {
		name, body string
		status     int
		says       string
	}{
		{"nothing", "", 400, `"code":-32600`},
		{"half", `{"jsonrpc":"2.0","id":1,"method":"tools/`, 400, `"code":-32700`},
		{"garbage", strings.Repeat("\x00garbage", 1000), 400, `"code":-32700`},
		{"deep", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"kdd_search","arguments":` + deep + `}}`, 400, "nested deeper"},
		{"too long", `{"jsonrpc":"2.0","id":1,"method":"ping","x":"` + strings.Repeat("x", maxBodyBytes) + `"}`, 413, `"code":"too_large"`},
		{"as long as it may be", longest + strings.Repeat("x", maxBodyBytes-len(longest)-2) + `"}`, 200, `"id":1,"result":{}`},
		{"a method that is none", `{"jsonrpc":"2.0","id":"a<b","method":"tools/none"}`, 200, `{"jsonrpc":"2.0","id":"a<b","error":{"code":-32601,"message":"method not found: \"tools/none\""}}`},
		{"a call without params", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, 200, `"id":1,"error":{"code":-32600,"message":"invalid request: missing required`},
		{"a notification that is none", `{"jsonrpc":"2.0","method":"notifications/none"}`, 400, `"schema_version":"error.v1"`},
		{"an id that would come back as another", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, 400, `"id":null,"error":{"code":-32600`},
		{"a fraction for an id", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, 400, `"id":null,"error":{"code":-32600`},
		{"no id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, 400, `"id":null,"error":{"code":-32600`},
		{"no version", `{"id":1,"method":"ping"}`, 400, `"id":1,"error":{"code":-32600`},
		{"a long argument", callMessage(1, "kdd_search", `{"query":"`+strings.Repeat("x", 1<<20)+`"}`), 200, `too_large`},
		{"a batch that fills the server", "[" + strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"ping"},`, 32) + `{"jsonrpc":"2.0","id":2,"method":"ping"}]`, 400, "a batch of 33 messages, want at most 32"},
		{"a tool that is none", callMessage(1, "kdd_serch", `{}`), 200, `did you mean \"kdd_search\"?`},
	} {
		if status, body := post(t, base, test.body); status != test.status || !strings.Contains(body, test.says) {
			t.Errorf("%s = %d %.300s, want %d with %s", test.name, status, body, test.status, test.says)
		}
	}
	for _, header := range [][]string{{"Content-Type", "text/plain"}, {"Accept", "text/html"}, {"Mcp-Protocol-Version", "1999-01-01"}} {
		if status, body := post(t, base, callMessage(1, "kdd_stats", `{}`), header...); status < 400 || !strings.Contains(body, `"schema_version":"error.v1"`) {
			t.Errorf("with %v = %d %s, want error.v1", header, status, body)
		}
	}
	if status, body := post(t, base, callMessage(1, "kdd_stats", `{}`)); status != 200 || !strings.Contains(body, "stats.v1") {
		t.Errorf("after it all: %d %s, want an answer", status, body)
	}
}

// 200 requests at once: each is answered, or told to try again.
func TestManyRequestsAtOnce(t *testing.T) {
	base, _ := started(t, Options{MaxCalls: 8})
	var wait sync.WaitGroup
	statuses := make([]int, 200)
	for i := range statuses {
		wait.Go(func() {
			if i%2 == 0 {
				statuses[i], _, _ = get(t, base+"/api/v1/search?query=token+expiry")
			} else {
				statuses[i], _ = post(t, base, callMessage(i, "kdd_search", `{"query":"token expiry"}`))
			}
		})
	}
	wait.Wait()
	answered := 0
	for i, status := range statuses {
		if status == 200 {
			answered++
		} else if status != 503 {
			t.Errorf("request %d = %d, want 200 or 503", i, status)
		}
	}
	if answered == 0 {
		t.Error("no request was answered")
	}
}

// A call of MCP that does not look at its context is answered in time too, as a failed call.
func TestTheDeadlineOfACallIsHard(t *testing.T) {
	release := make(chan struct{})
	defer close(release)
	stubborn := func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(context.Context, string, mcp.Request) (mcp.Result, error) {
			<-release
			return nil, nil
		}
	}
	base, _ := started(t, Options{Timeout: 20 * time.Millisecond, Extend: func(s *mcp.Server) { s.AddReceivingMiddleware(stubborn) }})
	status, answer := post(t, base, callMessage(1, "kdd_stats", "{}"))
	if status != 200 || !strings.Contains(answer, `"isError":true`) || !strings.Contains(answer, `\"code\":\"timeout\"`) {
		t.Errorf("it answers %d %s, want a failed call with the code timeout", status, answer)
	}
}
