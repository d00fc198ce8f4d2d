package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"time"

	"kdd/bench/internal/questions"
)

// meta is what a client of 2026-07-28 sends with each request.
const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"latency","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// message is a request of JSON-RPC; params may be empty.
func message(id int, method, params string) string {
	if params != "" {
		params += ","
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s%s}}`, id, method, params, meta)
}

// searchParams are the parameters of a call of kdd_search.
func searchParams(query string) string {
	text, err := json.Marshal(query)
	if err != nil {
		panic(err) // text is JSON
	}
	return `"name":"kdd_search","arguments":{"query":` + string(text) + `}`
}

// peer is a server with a client that does next to nothing: it writes a request in one piece and reads the answer.
type peer struct {
	process *exec.Cmd
	conn    io.Closer
	out     io.Writer
	in      *bufio.Reader
	http    bool
}

var listening = regexp.MustCompile(`http://([\d.:]+)`)

// dial starts a server and connects to it.
func dial(ctx context.Context, kind string, command []string) (p *peer, err error) {
	p = &peer{process: exec.CommandContext(ctx, command[0], command[1:]...), http: kind == "http"}
	if !p.http {
		out, err1 := p.process.StdinPipe()
		in, err2 := p.process.StdoutPipe()
		p.process.Stderr = os.Stderr
		p.out, p.conn, p.in = out, out, bufio.NewReaderSize(in, 1<<16)
		return p, errors.Join(err1, err2, p.process.Start())
	}
	said, err := p.process.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := p.process.Start(); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(said).ReadString('\n')
	at := listening.FindStringSubmatch(line)
	if err != nil || at == nil {
		return nil, fmt.Errorf("%s says %q, %w", command[0], line, err)
	}
	conn, err := net.Dial("tcp", at[1])
	if err != nil {
		return nil, err
	}
	p.out, p.conn, p.in = conn, conn, bufio.NewReaderSize(conn, 1<<16)
	return p, nil
}

// end ends the server.
func (p *peer) end() {
	p.conn.Close()
	if p.http {
		p.process.Process.Kill() // a server holds nothing that it would have to write
	}
	p.process.Wait()
}

// ask returns the answer to a message, and how long it took from the first byte written to the last one read.
func (p *peer) ask(method, name, message string) (answer []byte, took time.Duration, err error) {
	data := []byte(message + "\n")
	if p.http {
		header := "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nMcp-Protocol-Version: 2026-07-28\r\nMcp-Method: " + method + "\r\n"
		if name != "" {
			header += "Mcp-Name: " + name + "\r\n"
		}
		data = fmt.Appendf(nil, "%sContent-Length: %d\r\n\r\n%s", header, len(message), message)
	}
	start := time.Now()
	if _, err := p.out.Write(data); err != nil {
		return nil, 0, err
	}
	if !p.http {
		answer, err = p.in.ReadBytes('\n')
		return answer, time.Since(start), err
	}
	response, err := http.ReadResponse(p.in, nil)
	if err != nil {
		return nil, 0, err
	}
	answer, err = io.ReadAll(response.Body)
	took = time.Since(start)
	return answer, took, errors.Join(err, response.Body.Close())
}

// direct asks all queries of each command's server, one server after the other, with a client that costs next to nothing.
// Between two calls there is a pause, as a client of another language makes: what stands still is slower to go on.
func (s *settings) direct(ctx context.Context, kind string, commands ...[]string) ([]series, error) {
	var peers []*peer
	var all []series
	for _, command := range commands {
		p, err := dial(ctx, kind, command)
		if err != nil {
			return nil, err
		}
		defer p.end()
		if _, _, err := p.ask("tools/list", "", message(1, "tools/list", "")); err != nil {
			return nil, err
		}
		peers, all = append(peers, p), append(all, newSeries())
	}
	queries, err := questions.Read(s.queries)
	if err != nil {
		return nil, err
	}
	for round := range s.rounds + 1 { // the first is not counted
		for _, query := range queries {
			for i, p := range peers {
				time.Sleep(s.pause)
				answer, took, err := p.ask("tools/call", "kdd_search", message(2, "tools/call", searchParams(query)))
				var got struct {
					Result struct {
						StructuredContent struct {
							TimeMS *float64 `json:"time_ms"`
						}
					}
				}
				if err == nil {
					err = json.Unmarshal(answer, &got)
				}
				if err != nil || got.Result.StructuredContent.TimeMS == nil {
					return nil, fmt.Errorf("%v answered %.300s, %v", commands[i], answer, err)
				}
				if round > 0 {
					all[i].wall["direct"] = append(all[i].wall["direct"], float64(took)/1e6)
					all[i].search["direct"] = append(all[i].search["direct"], *got.Result.StructuredContent.TimeMS)
				}
			}
		}
	}
	return all, nil
}
