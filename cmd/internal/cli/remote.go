package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"time"

	"kdd/mcpserver"
	"kdd/mcpserver/remote"
	"kdd/runtime"
	"kdd/runtime/wire"
)

// remoteConfig is the configuration that is looked for in the working folder.
const remoteConfig = ".mcp.json"

// maxRemoteConfig is how much of it is read: more than its parser takes, so that the parser refuses what is longer.
const maxRemoteConfig = 2 << 20

const remoteHelp = "Servers come from .mcp.json in the working folder, or from --config. The file is " +
	"{\"mcpServers\": {NAME: {…}}}, or a list of {\"name\", \"transport\", …}; ${VAR} and ${VAR:-default} are filled " +
	"in. What came with a folder is used after you have agreed to it once, or with --trust. Exit code 3 means that " +
	"some servers are failing, 4 that all are."

// remoteCommands are the commands that ask other MCP servers.
func remoteCommands() []*Command {
	return []*Command{
		remoteList("list", "list the configured MCP servers and how they answer", (*remote.Fleet).Servers),
		remoteList("tools", "list the tools of all servers", (*remote.Fleet).Tools),
		remoteList("resources", "list the resources of all servers", (*remote.Fleet).Resources),
		remoteList("prompts", "list the prompts of all servers", (*remote.Fleet).Prompts),
		remoteList("capabilities", "list everything that the servers have", (*remote.Fleet).Capabilities),
		{
			Name: "remote call", Group: GroupRemote, Summary: "call a tool of a server", Usage: "mcp__SERVER__TOOL [ARGS]...",
			Help: "Arguments are a JSON object, @FILE with one (@- is standard input), or KEY=VALUE; they may be repeated, " +
				"with --args or without. Exit code 1 means that the tool reported an error.\n" + remoteHelp,
			Examples: []string{`remote call mcp__files__read_text_file path=README.md`,
				`remote call mcp__db__query --args '{"sql": "select 1"}'`},
			MinArgs: 1, MaxArgs: -1,
			Flags: func() []Flag {
				return append([]Flag{{Name: "args", Aliases: []string{"arg", "a"}, Type: List, Value: "ARGS",
					Help: "a JSON object, @FILE or KEY=VALUE"}}, remoteFlags()...)
			},
			Run: runRemoteCall,
		},
		{
			Name: "remote read", Group: GroupRemote, Summary: "read a resource of a server", Usage: "mcp__SERVER__URI",
			Help:     remoteHelp,
			Examples: []string{"remote read mcp__docs__file:///guide.md"}, MinArgs: 1, MaxArgs: 1,
			Flags: remoteFlags,
			Run: func(c *Call) error {
				return withFleet(c, func(f *remote.Fleet) error { return c.printRemote(some(f.Read(c.Context, c.Args[0]))) })
			},
		},
		{
			Name: "remote prompt", Group: GroupRemote, Summary: "get the messages of a server's prompt",
			Usage: "mcp__SERVER__NAME [KEY=VALUE]...", Help: remoteHelp,
			Examples: []string{"remote prompt mcp__review__code_review language=go"}, MinArgs: 1, MaxArgs: -1,
			Flags: remoteFlags,
			Run: func(c *Call) error {
				args, err := remote.PromptArgs(c.Args[1:])
				if err != nil {
					return err
				}
				return withFleet(c, func(f *remote.Fleet) error {
					return c.printRemote(some(f.Prompt(c.Context, c.Args[0], args)))
				})
			},
		},
		{
			Name: "remote serve", Group: GroupRemote, Summary: "serve all of it and the index to an agent, as one MCP server",
			Help: "Speaks the Model Context Protocol on standard input and output, as mcp does, with the tools, resources " +
				"and prompts of all servers beside those of the index: tools and prompts as mcp__SERVER__NAME, resources as " +
				"mcp://SERVER/URI. The tool remote_servers says which servers are failing.\n" + remoteHelp,
			Examples: []string{"remote serve -i docs.kddx --config servers.json"},
			Flags:    func() []Flag { return append(mcpFlags(), remoteSourceFlags()...) },
			Run:      runRemoteServe,
		},
	}
}

// remoteList is a command that prints what all servers have of one kind.
func remoteList[T any](name, summary string, ask func(*remote.Fleet, context.Context) (*T, error)) *Command {
	return &Command{
		Name: "remote " + name, Group: GroupRemote, Summary: summary, Help: remoteHelp,
		Examples: []string{"remote " + name, "remote " + name + " --server github --refresh --format json"},
		Flags:    remoteFlags,
		Run: func(c *Call) error {
			return withFleet(c, func(f *remote.Fleet) error { return c.printRemote(some(ask(f, c.Context))) })
		},
	}
}

// some returns the answer of a method as any: nil if there is none.
func some[T any](answer *T, err error) (any, error) {
	if answer == nil {
		return nil, err
	}
	return answer, err
}

// remoteSourceFlags are the flags that choose the servers and how to reach them.
func remoteSourceFlags() []Flag {
	return []Flag{
		{Name: "config", Aliases: []string{"c"}, Value: "FILE",
			Help: "the configuration to use and trust; else .mcp.json in this folder"},
		{Name: "trust", Type: Switch, Help: "use the .mcp.json that is there, this time, without asking"},
		{Name: "server", Aliases: []string{"s"}, Type: List, Value: "NAME", Help: "only this server"},
		{Name: "timeout", Value: "SECONDS", Default: "30", Help: "how long a server may take to begin, and then for a call"},
		{Name: "refresh", Type: Switch, Help: "ask the servers for what they have, not the cache of the last hour"},
	}
}

// remoteFlags are the flags of the commands that print.
func remoteFlags() []Flag {
	return append(remoteSourceFlags(),
		textOrJSON("what to print"),
		Flag{Name: "max-bytes", Value: "N", Default: "16384", Help: "limit of the text form; 0 = none"},
		colorFlag())
}

// withFleet runs f with the servers that the options name, and ends them.
func withFleet(c *Call, f func(*remote.Fleet) error) error {
	fleet, err := c.fleet(true)
	if err != nil {
		return err
	}
	defer fleet.Close()
	return f(fleet)
}

// fleet returns the servers that the options name. ask allows a question on the terminal.
func (c *Call) fleet(ask bool) (*remote.Fleet, error) {
	seconds, err := c.Count("timeout", 1)
	if err != nil {
		return nil, err
	}
	config, err := c.remoteConfig(ask)
	if err != nil {
		return nil, err
	}
	cacheDir := ""
	if dir, err := os.UserCacheDir(); err == nil {
		cacheDir = filepath.Join(dir, "kdd", "remote")
	}
	return remote.NewFleet(config, remote.Options{Getenv: os.Getenv,
		Timeout: time.Duration(min(seconds, 24*3600)) * time.Second, CacheDir: cacheDir,
		Refresh: c.Switch("refresh"), Version: Version, Only: c.List("server")})
}

// remoteConfig reads the configuration, and asks for consent where it came with the folder.
func (c *Call) remoteConfig(ask bool) (*remote.Config, error) {
	path, trusted := c.Text("config"), true
	if path == "" {
		path, trusted = remoteConfig, c.Switch("trust")
	}
	data, err := readUpTo(c.Context, path, maxRemoteConfig)
	if errors.Is(err, os.ErrNotExist) && !c.Given("config") {
		return nil, wire.NewError(wire.CodeNotFound, "no "+remoteConfig+" in the working folder",
			"write one, or name a file with --config FILE").Because(err)
	}
	if err != nil {
		return nil, err
	}
	config, err := remote.ParseConfig(data)
	if err != nil {
		e := *wire.AsError(err)
		e.Message = path + ": " + e.Message
		return nil, &e
	}
	if trusted {
		return config, nil
	}
	absolute, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	trust := remote.Trust{Dir: trustDir(os.Getenv)}
	given, err := trust.Given(absolute, data)
	if err != nil || given {
		return config, err
	}
	if !ask || !Terminal(c.Stdin) || !Terminal(c.Stderr) {
		return nil, wire.NewError(wire.CodeUnauthorized,
			remoteConfig+" starts programs or talks to hosts, and nobody has agreed to that yet",
			`look at it; then run "`+c.Tool.Name+` remote list" on a terminal and agree, or use --trust, or --config `+
				remoteConfig)
	}
	agreed, err := consent(c.Context, c.Stdin, c.Stderr, absolute, config)
	if err != nil {
		return nil, err
	}
	if !agreed {
		return nil, wire.NewError(wire.CodeUnauthorized, remoteConfig+" is not used: you did not agree", "")
	}
	if err := trust.Give(absolute, data); err != nil {
		c.Notef("this will be asked again: %s", err)
	}
	return config, nil
}

// consent shows what a configuration does and asks for a yes.
func consent(ctx context.Context, in io.Reader, out io.Writer, path string, config *remote.Config) (bool, error) {
	fmt.Fprintf(out, "%s came with this folder. It\n", wire.Clean(path))
	config.Describe(out)
	fmt.Fprintf(out, "Use it, now and until it changes? [y/N] ")
	line, err := interruptible(ctx, func() (string, error) { return readLine(in) })
	if ctx.Err() != nil {
		fmt.Fprintln(out)
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes", err
}

// readLine reads one line and nothing after it: the rest of the input is for the command.
func readLine(in io.Reader) (string, error) {
	var line []byte
	one := make([]byte, 1)
	for len(line) < 1000 {
		n, err := in.Read(one)
		if n == 1 && one[0] == '\n' {
			break
		}
		line = append(line, one[:n]...)
		if err == io.EOF {
			break
		}
		if err != nil {
			return "", err
		}
	}
	return string(line), nil
}

// trustDir returns the folder where consent is remembered, "" if the user has no folder for state.
func trustDir(getenv func(string) string) string {
	dir := getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(dir) {
		home := getenv("HOME")
		switch {
		case goruntime.GOOS == "windows":
			dir = getenv("LOCALAPPDATA")
		case home == "":
			return ""
		case goruntime.GOOS == "darwin":
			dir = filepath.Join(home, "Library", "Application Support")
		default:
			dir = filepath.Join(home, ".local", "state")
		}
	}
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "kdd", "trusted")
}

// printRemote prints an answer, complete or partial, and returns the outcome for err.
func (c *Call) printRemote(answer any, err error) error {
	if answer == nil {
		return err
	}
	cut := false
	if c.Text("format") == "text" || c.Given("max-bytes") {
		most, bad := c.Count("max-bytes", 0)
		if bad != nil {
			return bad
		}
		cut = remote.Fit(answer, most)
	}
	if bad := c.print(answer); bad != nil {
		return bad
	}
	if cut && c.Text("format") == "text" {
		c.Notef("this is the beginning; use --max-bytes 0 for all")
	}
	if err != nil {
		return Silent{err} // the answer says which servers are failing
	}
	return nil
}

func runRemoteCall(c *Call) error {
	if _, _, err := remote.Split(c.Args[0]); err != nil {
		return err
	}
	return withFleet(c, func(f *remote.Fleet) error {
		words := append(c.Args[1:len(c.Args):len(c.Args)], c.List("args")...)
		args, err := remote.ParseArgs(words, func() (map[string]any, error) { return f.Schema(c.Context, c.Args[0]) },
			func(path string) ([]byte, error) {
				if path == "-" {
					return io.ReadAll(c.Stdin)
				}
				return os.ReadFile(path)
			})
		if err != nil {
			return err
		}
		answer, err := f.Call(c.Context, c.Args[0], args)
		if err != nil {
			return err
		}
		if err := c.printRemote(answer, nil); err != nil {
			return err
		}
		if answer.IsError {
			c.Notef("%s reported an error", wire.Clean(c.Args[0]))
			return Silent{errors.New("the tool reported an error")}
		}
		return nil
	})
}

func runRemoteServe(c *Call) error {
	defer c.CollectAt(agentGCPercent)()
	fleet, err := c.fleet(false)
	if err != nil {
		return err
	}
	defer fleet.Close()
	config, err := c.answering()
	if err != nil {
		return err
	}
	service := runtime.New(config)
	defer service.Close()
	server := mcpserver.NewServer(service, c.Stderr, mcpserver.Info{Name: c.Tool.Name, Version: Version})
	remote.Export(server, fleet, c.Stderr)
	return mcpserver.Serve(c.Context, server, c.Stdin, c.Stdout)
}
