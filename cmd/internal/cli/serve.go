package cli

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	goruntime "runtime"
	"strconv"
	"strings"

	"kdd/mcpserver"
	"kdd/mcpserver/web"
	"kdd/runtime"
	"kdd/runtime/feedback"
	"kdd/runtime/wire"
)

const (
	tokenVariable = "KDD_TOKEN"
	minTokenBytes = 16
	maxTokenBytes = 4096
)

// leastTurns is the least number of searches that a server runs at once, on any number of processors: one may wait for
// pages of the file.
const leastTurns = 2

// turns is how many searches a server runs at once.
func turns() int { return max(leastTurns, goruntime.GOMAXPROCS(0)) }

func serveCommand() *Command {
	return &Command{
		Name: "serve", Group: GroupServe,
		Summary: "serve the index over HTTP: MCP at /mcp, tools and operations as JSON, a page at /",
		Help: "Answers MCP (streamable HTTP, without sessions) at /mcp and GET /api/v1/OPERATION, with a page to search " +
			"with at /, /openapi.json, /metrics, /healthz and /readyz. Beyond 127.0.0.1 it demands a token (" + tokenVariable +
			" or --token-file), or --public: anyone may ask, from the pages of --allow-origin, --rate times a minute. An " +
			"index that is replaced is picked up. docs/SERVING.md says more.",
		Examples: []string{
			"serve -i docs.kddx", "serve -i docs.kddx --host 0.0.0.0 --token-file token.txt --allow-host docs.example.com",
			"serve -i docs.kddx --public --allow-host api.example.com --allow-origin https://docs.example.com",
		},
		Flags: serveFlags, Run: runServe,
	}
}

func serveFlags() []Flag {
	return append(mcpFlags(),
		Flag{Name: "host", Value: "ADDRESS", Default: "127.0.0.1", Help: "where to listen"},
		Flag{Name: "port", Value: "N", Default: "8765", Help: "the port; 0 = any that is free"},
		Flag{Name: "token-file", Value: "FILE",
			Help: "a file with the token that clients have to send; else " + tokenVariable},
		Flag{Name: "allow-host", Type: List, Value: "NAME",
			Help: "another name of this server, besides addresses and localhost"},
		Flag{Name: "allow-origin", Type: List, Value: "ORIGIN",
			Help: "a web site whose pages may ask, such as https://docs.example.com"},
		Flag{Name: "timeout", Value: "DURATION", Default: web.DefaultTimeout.String(), Help: "for the work of one request"},
		Flag{Name: "max-calls", Value: "N", Default: strconv.Itoa(web.DefaultCalls),
			Help: "requests worked on at once; more are told to try again"},
		Flag{Name: "public", Type: Switch,
			Help: "serve anyone without a token: ask, search, list, read and feedback only; needs --allow-origin and " +
				"--allow-host"},
		Flag{Name: "rate", Value: "N",
			Help: fmt.Sprintf("requests a minute of a client; 0 = any (%d with --public, else 0)", web.DefaultPublicRate)},
		Flag{Name: "client-header", Value: "NAME", Help: "header in which a proxy in front names the client, as X-Real-IP"},
		Flag{Name: "cache", Value: "MIB", Default: strconv.Itoa(web.DefaultCacheBytes >> 20),
			Help: "memory for answers that were given; 0 = none"},
		Flag{Name: "feedback", Value: "FILE", Help: "take feedback and append it to this file, as lines of JSON"},
		Flag{Name: "feedback-max", Value: "MIB", Default: strconv.Itoa(feedback.DefaultFileBytes >> 20),
			Help: "size at which that file becomes FILE.1"},
		Flag{Name: "access-log", Enum: []string{web.LogOff, web.LogRequests, web.LogQueries}, Default: web.LogRequests,
			Help: "a line of JSON on standard error per request: none, without what was asked, or with it"},
		textOrJSON("of errors, and of the line that says where it listens"),
	)
}

func runServe(c *Call) error {
	var bad error // the first number that is none
	count := func(name string, least int) int {
		n, err := c.Count(name, least)
		bad = cmp.Or(bad, err)
		return n
	}
	port, calls, cacheMiB := count("port", 0), count("max-calls", 1), count("cache", 0)
	public, rate := c.Switch("public"), 0
	if public {
		rate = web.DefaultPublicRate
	}
	if c.Text("rate") != "" {
		rate = count("rate", 0)
	}
	if port > 65535 {
		bad = usageError("--port takes a number from 0 to 65535, got %d", port)
	}
	if bad != nil {
		return bad
	}
	timeout, err := c.Duration("timeout", "12s or 500ms")
	if err != nil {
		return err
	}
	token, err := c.token()
	if err != nil {
		return err
	}
	address := net.JoinHostPort(strings.Trim(c.Text("host"), "[]"), strconv.Itoa(port))
	if token == "" && !public {
		if err := demandLoopback(address); err != nil {
			return err
		}
	}
	config, err := c.serving()
	if err != nil {
		return err
	}
	config.Private, config.Turns = public, turns()
	service := runtime.New(config)
	defer service.Close()
	options := web.Options{
		Service: service, Info: mcpserver.Info{Name: c.Tool.Name, Version: Version}, Log: c.Stderr, Token: token,
		AllowHosts: c.List("allow-host"), AllowOrigins: c.List("allow-origin"), Timeout: timeout, MaxCalls: calls,
		Public: public, Rate: rate, ClientHeader: c.Text("client-header"), CacheBytes: min(cacheMiB, 1<<20) << 20,
		AccessLog: c.Text("access-log"),
	}
	if file := c.Text("feedback"); file != "" {
		most, err := c.Count("feedback-max", 1)
		if err != nil {
			return err
		}
		if options.Feedback, err = feedback.Open(file, int64(min(most, 1<<10))<<20); err != nil {
			return err
		}
		defer options.Feedback.Close()
	}
	server, err := web.New(options)
	if err != nil {
		return err
	}
	var listen net.ListenConfig
	listener, err := listen.Listen(c.Context, "tcp", address)
	if err != nil {
		return listenError(address, err)
	}
	c.announce(listener.Addr())
	if _, err := service.Ready(c.Context); err != nil && c.Context.Err() == nil {
		c.warnUnready(err)
	}
	return server.Serve(c.Context, listener)
}

// demandLoopback refuses an address that other machines reach.
func demandLoopback(address string) error {
	tcp, err := net.ResolveTCPAddr("tcp", address)
	if err != nil {
		return usageError("--host takes an address of this machine, got %q", wire.Clean(address))
	}
	if tcp.IP == nil || !tcp.IP.IsLoopback() {
		e := usageError("--host %s can be reached from other machines: a token is needed", wire.Clean(tcp.IP.String()))
		if tcp.IP == nil {
			e = usageError("--host is empty, which other machines can reach: a token is needed")
		}
		return hinted(e, "set "+tokenVariable+" or --token-file, or listen on 127.0.0.1")
	}
	return nil
}

// token returns what clients have to send, "" for nothing. The file comes before the environment. There is no flag for
// it, because others on the machine can see flags.
func (c *Call) token() (string, error) {
	token, from := c.getenv(tokenVariable), tokenVariable
	if file := c.Text("token-file"); file != "" {
		data, err := readUpTo(c.Context, file, maxTokenBytes+1)
		if err != nil {
			return "", err
		}
		if token, from = strings.TrimSpace(string(data)), file; token == "" {
			return "", usageError("%s holds no token", wire.Clean(file))
		}
	}
	if token == "" {
		return "", nil
	}
	if len(token) < minTokenBytes || len(token) > maxTokenBytes {
		return "", hinted(usageError("the token in %s has %d bytes, want %d to %d",
			wire.Clean(from), len(token), minTokenBytes, maxTokenBytes), "make one with: openssl rand -hex 32")
	}
	if strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", usageError("the token in %s has characters that a header cannot carry", wire.Clean(from))
	}
	return token, nil
}

// listenError says in words why an address cannot be listened on.
func listenError(address string, err error) error {
	var op *net.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	return wire.NewError(wire.CodeIO, fmt.Sprintf("cannot listen on %s: %v", wire.Clean(address), err),
		"choose another with --port, or 0 for any").Because(err)
}

// listening is what --format json prints when the server takes requests.
type listening struct {
	SchemaVersion string `json:"schema_version"`
	URL           string `json:"url"`
	MCP           string `json:"mcp,omitempty"` // a public server has none
}

// announce says on standard error where the server listens.
func (c *Call) announce(a net.Addr) {
	url := "http://" + a.String()
	mcp, note := url+"/mcp", "MCP at "+url+"/mcp"
	if c.Switch("public") {
		mcp, note = "", "for anyone, without MCP"
	}
	if c.Text("format") == "json" {
		fmt.Fprintf(c.Stderr, "%s\n", wire.Encode(listening{"listening.v1", url, mcp}))
		return
	}
	c.Notef("listening on %s (%s)", url, note)
}

// warnUnready says on standard error that no index can be read yet. The server starts all the same: the file may come
// later, and /readyz tells a supervisor.
func (c *Call) warnUnready(err error) {
	if c.Text("format") == "json" {
		report(c.Stderr, c.Tool.Name, err, true)
		return
	}
	c.Notef("warning: %s; questions are answered with 503 until it is there", wire.Clean(wireError(err).Error()))
}
