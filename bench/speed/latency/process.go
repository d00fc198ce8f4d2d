package latency

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"kdd/bench/internal/harness"
)

// processes measures programs that start, answer and end.
func processes(ctx context.Context, s *settings, all *samples, form, path string) error {
	floor := all.series(form, "process that does nothing (floor)")
	for i := range s.n + 1 {
		_, cost, err := harness.Process(ctx, s.kddq, "--version")
		if err != nil {
			return err
		}
		if i > 0 {
			floor.add(cost.Wall, cost.Peak)
		}
	}
	for _, kind := range []string{"process", "process, cold file"} {
		one := all.series(form, kind)
		for i := range s.n + 1 {
			if kind != "process" {
				if err := dropCache(path); errors.Is(err, errors.ErrUnsupported) {
					break
				} else if err != nil {
					return err
				}
			}
			_, cost, err := harness.Process(ctx, s.kddq, "search", s.queries[i%len(s.queries)], "-i", path)
			if err != nil {
				return err
			}
			if i > 0 {
				one.add(cost.Wall, cost.Peak)
			}
		}
	}
	stateless := map[string]any{"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": map[string]any{},
		"io.modelcontextprotocol/clientInfo": map[string]any{"name": "latency", "version": "1"}}
	for _, m := range []struct {
		kind, method string
		params       map[string]any
	}{
		{"mcp initialize", "initialize", map[string]any{"protocolVersion": "2025-11-25", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": "latency", "version": "1"}}},
		{"mcp discover", "server/discover", map[string]any{"_meta": stateless}},
		{"mcp search", "tools/call", map[string]any{"_meta": stateless, "name": "kdd_search", "arguments": map[string]any{"query": s.queries[0]}}},
	} {
		one := all.series(form, m.kind)
		for i := range s.n + 1 {
			took, rss, err := asked(ctx, s.kddq, path, m.method, m.params)
			if err != nil {
				return fmt.Errorf("%s: %w", m.kind, err)
			}
			if i > 0 {
				one.add(took, rss)
			}
		}
	}
	return nil
}

// asked starts a server, sends one request and waits for the answer; the time is to the answer, the memory to the end.
func asked(ctx context.Context, kddq, path, method string, params map[string]any) (time.Duration, int64, error) {
	request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return 0, 0, err
	}
	cmd := exec.CommandContext(ctx, kddq, "mcp", "-i", path)
	in, err := cmd.StdinPipe()
	if err != nil {
		return 0, 0, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return 0, 0, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, 0, err
	}
	_, err = in.Write(append(request, '\n'))
	var line []byte
	if err == nil {
		line, err = bufio.NewReaderSize(out, 1<<16).ReadBytes('\n')
	}
	took := time.Since(start)
	in.Close()
	if wait := cmd.Wait(); err == nil {
		err = wait
	}
	if err != nil {
		return 0, 0, err
	}
	var answer struct {
		Result struct {
			IsError bool `json:"isError"`
		}
		Error json.RawMessage
	}
	if err := json.Unmarshal(line, &answer); err != nil {
		return 0, 0, fmt.Errorf("answer %.200q: %w", line, err)
	}
	if answer.Error != nil || answer.Result.IsError {
		return 0, 0, fmt.Errorf("answer %.300s", line)
	}
	return took, harness.Peak(cmd.ProcessState), nil
}
