package remote

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"
)

// helperVariable names, in a child's environment, the script that it plays. See helper.
const helperVariable = "KDD_TEST_SERVER"

// startsVariable names a file to which a child adds a byte when it begins.
const startsVariable = "KDD_TEST_STARTS"

func TestMain(m *testing.M) {
	if mode := os.Getenv(helperVariable); mode != "" {
		os.Exit(helper(mode))
	}
	os.Exit(m.Run())
}

// helperServer is an entry that runs this test's binary as a scripted server.
func helperServer(t *testing.T, name, mode string) Server {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Server{Name: name, Transport: Stdio, Command: self, Env: map[string]string{helperVariable: mode}}
}

// helper is a server that behaves badly in one way. It returns the exit code.
func helper(mode string) int {
	if path := os.Getenv(startsVariable); path != "" {
		f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return 9
		}
		f.WriteString("*")
		f.Close()
	}
	out := bufio.NewWriter(os.Stdout)
	say := func(line string) {
		out.WriteString(line + "\n")
		out.Flush()
	}
	switch mode {
	case "sleep":
		signal.Ignore(syscall.SIGTERM)
		time.Sleep(time.Minute)
		return 0
	case "crash":
		fmt.Fprintln(os.Stderr, "warming up\n\x1b[31mno licence found\x1b[0m for hunter2secret")
		return 3
	case "greets":
		say("Welcome to my server!")
		say("[1, 2]")
		say(`{"not": "rpc"}`)
	case "rubbish":
		for {
			say("chatter chatter")
		}
	case "flood":
		os.Stderr.Write(bytes.Repeat([]byte("noise on standard error\n"), 1<<17))
		fmt.Fprintln(os.Stderr, "last words")
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			break
		}
		var request struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				Name      string         `json:"name"`
				URI       string         `json:"uri"`
				Cursor    string         `json:"cursor"`
				Arguments map[string]any `json:"arguments"`
			} `json:"params"`
		}
		if json.Unmarshal([]byte(line), &request) != nil || request.ID == nil {
			continue
		}
		reply := func(result string) { say(`{"jsonrpc":"2.0","id":` + string(request.ID) + `,"result":` + result + `}`) }
		refuse := func(code int, message string) {
			text, _ := json.Marshal(message)
			say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, request.ID, code, text))
		}
		switch request.Method {
		case "server/discover":
			switch mode {
			case "dies-of-discover":
				return 1
			case "silent":
				fmt.Fprintln(os.Stderr, os.Getpid())
				continue
			}
			refuse(-32601, "method not found")
		case "initialize":
			if mode == "silent" {
				fmt.Fprintln(os.Stderr, os.Getpid())
				continue
			}
			capabilities := `{"tools":{},"resources":{},"prompts":{}}`
			if mode == "tools-only" {
				capabilities = `{"tools":{}}`
			}
			reply(`{"protocolVersion":"2025-06-18","capabilities":` + capabilities + `,"serverInfo":{"name":"scripted","version":"1"},"instructions":"be kind"}`)
		case "tools/list":
			reply(helperTools(mode, request.Params.Cursor))
		case "resources/list":
			switch mode {
			case "no-resources":
				refuse(-32601, "method not found")
			case "half":
				refuse(-32603, "the database is gone")
			default:
				reply(`{"resources":[{"uri":"file:///a/../b.md","name":"dots"},{"uri":"note://x__y","name":"note"}]}`)
			}
		case "resources/templates/list":
			reply(`{"resourceTemplates":[{"uriTemplate":"note://{id}","name":"notes"}]}`)
		case "prompts/list":
			reply(`{"prompts":[{"name":"greet__twice","arguments":[{"name":"who","required":true},null]}]}`)
		case "resources/read":
			if request.Params.URI == "note://missing" {
				refuse(-32002, "no such note")
				continue
			}
			text, _ := json.Marshal("content of " + request.Params.URI)
			reply(fmt.Sprintf(`{"contents":[{"uri":"x","text":%s},{"uri":"y","mimeType":"image/png","blob":"AAECAw=="},null]}`, text))
		case "prompts/get":
			if request.Params.Name == "missing" {
				refuse(-32602, "no such prompt")
				continue
			}
			text, _ := json.Marshal(fmt.Sprint("hello ", request.Params.Arguments["who"]))
			reply(fmt.Sprintf(`{"messages":[{"role":"user","content":{"type":"text","text":%s}}]}`, text))
		case "tools/call":
			switch request.Params.Name {
			case "dies":
				fmt.Fprintln(os.Stderr, "out of cheese")
				return 7
			case "hangs":
				continue
			case "leaves":
				reply(`{"content":[{"type":"text","text":"bye"}]}`)
				return 0
			case "closes":
				os.Stdout.Close()
				continue
			case "fails":
				reply(`{"isError":true,"content":[{"type":"text","text":"the cat is out"}]}`)
			case "refuses":
				refuse(-32602, "bad \x1b[1marguments")
			case "empty":
				reply(`{}`)
			case "garbled":
				reply(`{"content":5,"very":"long"}`)
			case "strange":
				reply(`{"content":[{"type":"hologram","text":"x"}]}`)
			case "env":
				data, _ := json.Marshal(strings.Join(os.Environ(), "\n"))
				reply(fmt.Sprintf(`{"content":[{"type":"text","text":%s}],"structuredContent":{"all":[%s]}}`, data, data))
			case "orphan":
				signal.Ignore(syscall.SIGTERM)
				child := exec.Command(os.Args[0])
				child.Env = []string{helperVariable + "=sleep"}
				child.Stdout, child.Stderr = os.Stdout, os.Stderr // it holds our pipes open
				if err := child.Start(); err != nil {
					refuse(-32603, err.Error())
					continue
				}
				reply(fmt.Sprintf(`{"content":[{"type":"text","text":"%d"}]}`, child.Process.Pid))
				io.Copy(io.Discard, in)
				time.Sleep(time.Minute) // does not end with its input
			default:
				data, _ := json.Marshal(fmt.Sprintf("%s(%v)", request.Params.Name, request.Params.Arguments))
				reply(fmt.Sprintf(`{"content":[{"type":"text","text":%s}]}`, data))
			}
		default:
			refuse(-32601, "method not found")
		}
	}
	return 0
}

// helperTools is the answer to tools/list.
func helperTools(mode, cursor string) string {
	tool := func(name string) string {
		return fmt.Sprintf(`{"name":%q,"inputSchema":{"type":"object"}}`, name)
	}
	page := 0
	fmt.Sscan(cursor, &page)
	switch mode {
	case "pages":
		if page < 4 {
			return fmt.Sprintf(`{"tools":[%s],"nextCursor":"%d"}`, tool(fmt.Sprint("tool", page)), page+1)
		}
		return `{"tools":[` + tool("tool4") + `]}`
	case "endless":
		return fmt.Sprintf(`{"tools":[%s],"nextCursor":"%d"}`, tool(fmt.Sprint("tool", page)), page+1)
	case "loop":
		return fmt.Sprintf(`{"tools":[%s],"nextCursor":"1"}`, tool(fmt.Sprint("tool", page)))
	case "huge":
		return `{"tools":[{"name":"big","description":"` + strings.Repeat("x", maxMessageBytes) + `","inputSchema":{"type":"object"}}]}`
	case "evil":
		return `{"tools":[null,` + tool("twice") + `,` + tool("twice") + `,` + tool("") +
			`,{"name":"a\u001b[31mred\u202e","description":"line\u0007 one\nline two\u200b","inputSchema":{"type":"object","properties":{"p\u001b":{"type":"string"}},"required":["p\u001b"]}}` +
			`,{"name":"` + strings.Repeat("long_", 30) + `","inputSchema":{"type":"string"}},{"name":"no-schema"},` + tool("a b") + `,` + tool("a.b") + `]}`
	case "tools-only":
		return `{"tools":[{"name":"sum","inputSchema":{"type":"object","properties":{"n":{"type":"integer"},"s":{"type":"string"}}}}]}`
	}
	return `{"tools":[` + tool("echo") + `,` + tool("a__b") + `,` + tool("__c") + `]}`
}
