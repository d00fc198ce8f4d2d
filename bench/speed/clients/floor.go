package clients

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"kdd/bench/internal/harness"
)

// message is a request of JSON-RPC in the newest protocol; params may be empty.
func message(id int, method, params string) string {
	if params != "" {
		params += ","
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
		`"io.modelcontextprotocol/clientInfo":{"name":"clients","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`, id, method, params)
}

// can asks kddq what the floor is to answer, and writes it to file: results by method, and of searches by query.
func can(ctx context.Context, s *settings, file string) error {
	queries, err := harness.Questions(s.queries)
	if err != nil {
		return err
	}
	names := []string{"server/discover", "tools/list"}
	var requests strings.Builder
	for i, method := range names {
		requests.WriteString(message(i, method, "") + "\n")
	}
	for _, query := range queries {
		text, err := json.Marshal(query)
		if err != nil {
			return err
		}
		requests.WriteString(message(len(names), "tools/call", `"name":"kdd_search","arguments":{"query":`+string(text)+"}") + "\n")
		names = append(names, query)
	}
	run := exec.CommandContext(ctx, s.kddq, "mcp", "-i", s.index)
	run.Stdin, run.Stderr = strings.NewReader(requests.String()), os.Stderr
	out, err := run.Output()
	if err != nil {
		return fmt.Errorf("%s: %w", s.kddq, err)
	}
	answers := map[string]json.RawMessage{}
	for line := range strings.Lines(string(out)) {
		var answer struct {
			ID     int
			Result json.RawMessage
		}
		if err := json.Unmarshal([]byte(line), &answer); err != nil || answer.Result == nil || answer.ID >= len(names) {
			return fmt.Errorf("%s answered %.200s, %v", s.kddq, line, err)
		}
		answers[names[answer.ID]] = answer.Result
	}
	data, err := json.Marshal(answers)
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o600)
}

// compute does nothing for as long as a search took.
func compute(result json.RawMessage) {
	start := time.Now()
	var said struct {
		StructuredContent struct {
			TimeMS float64 `json:"time_ms"`
		}
	}
	if json.Unmarshal(result, &said) != nil {
		return
	}
	for most := time.Duration(said.StructuredContent.TimeMS * 1e6); time.Since(start) < most; {
	}
}

// serveFloor answers requests with what is in the file of canned answers; busy after it has computed for as long as the
// answer says that its search took.
func serveFloor(kind, canned string, busy bool, stdin io.Reader, stdout, stderr io.Writer) error {
	data, err := os.ReadFile(canned)
	if err != nil {
		return err
	}
	var results map[string]json.RawMessage
	if err := json.Unmarshal(data, &results); err != nil {
		return err
	}
	answer := func(request []byte) []byte {
		var r struct {
			ID     json.RawMessage
			Method string
			Params struct{ Arguments struct{ Query string } }
		}
		if json.Unmarshal(request, &r) != nil || r.ID == nil {
			return nil // a notification
		}
		result, ok := results[r.Method]
		if r.Method == "tools/call" {
			result, ok = results[r.Params.Arguments.Query]
			if busy {
				compute(result)
			}
		}
		if !ok {
			return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"no %s"}}`, r.ID, r.Method)
		}
		return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":%s}`, r.ID, result)
	}
	if kind == "stdio" {
		lines := bufio.NewReader(stdin)
		for {
			line, err := lines.ReadBytes('\n')
			if err == io.EOF {
				return nil
			}
			if err != nil {
				return err
			}
			if message := answer(line); message != nil {
				if _, err := stdout.Write(append(message, '\n')); err != nil {
					return err
				}
			}
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "listening on http://%s\n", listener.Addr())
	return http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		message := answer(body)
		if err != nil || message == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(message)))
		w.Write(message)
	}))
}
