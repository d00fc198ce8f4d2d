package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"kdd/runtime"
)

// Command is one command of a tool.
type Command struct {
	Name     string
	Group    string   // heading in the list of commands: one of the Group constants
	Summary  string   // one line
	Usage    string   // arguments: "QUERY..."
	Help     string   // more lines; ""
	Words    []string // what an argument may be, for completion; nil = anything
	Examples []string // without the program's name; TOOL stands for it in the rest
	MinArgs  int
	MaxArgs  int           // -1 = any number
	Document bool          // arguments name documents of the artifact: completion knows their paths
	Flags    func() []Flag // nil = none
	// ConfigDir says where kdd.yaml is looked for; nil = it is not read.
	ConfigDir func(args []string) string
	Run       func(*Call) error
}

// The headings of the list of commands.
const (
	GroupCompile = "Compile"
	GroupPublish = "Publish"
	GroupAsk     = "Ask"
	GroupCheck   = "Check"
	GroupServe   = "Serve"
	GroupRemote  = "Ask other MCP servers"
	GroupMore    = "More"
)

// flags returns the command's flags, --help aside.
func (c *Command) flags() []Flag {
	if c.Flags == nil {
		return nil
	}
	return c.Flags()
}

// WorkingDir is the ConfigDir of commands that query.
func WorkingDir([]string) string { return "" }

// Call is one run of a command.
type Call struct {
	Context context.Context // ends with Ctrl-C
	Tool    *Tool
	Command *Command
	Argv    []string // the command line, without the program
	Args    []string
	Stdin   io.Reader
	Stdout  io.Writer
	Stderr  io.Writer
	*Options
}

// Service returns a Service over the artifacts that the options name. The caller closes it.
func (c *Call) Service() *runtime.Service { return runtime.New(c.serviceConfig()) }

// Notef prints a line of advice on stderr, behind the tool's name.
func (c *Call) Notef(format string, args ...any) {
	fmt.Fprintf(c.Stderr, "%s: %s\n", c.Tool.Name, fmt.Sprintf(format, args...))
}

// Report prints an error that does not end the command as one that does is printed.
func (c *Call) Report(err error, asJSON bool) { report(c.Stderr, c.Tool.Name, err, asJSON) }

// Asks says whether somebody is there to answer Ask.
func (c *Call) Asks() bool { return Terminal(c.Stdin) && Terminal(c.Stderr) }

// Ask prints a question and reads yes or no; an empty line is yes, the end of the input is no.
func (c *Call) Ask(question string) (yes bool, err error) {
	fmt.Fprint(c.Stderr, question)
	line, err := interruptible(c.Context, func() (string, error) { return bufio.NewReader(c.Stdin).ReadString('\n') })
	if err != nil {
		fmt.Fprintln(c.Stderr)
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return false, err
	}
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "" || answer == "y" || answer == "yes", nil
}

// readUpTo reads at most so many bytes of a file, which may be a pipe.
func readUpTo(ctx context.Context, path string, most int64) ([]byte, error) {
	return interruptible(ctx, func() ([]byte, error) {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		return io.ReadAll(io.LimitReader(f, most))
	})
}

// interruptible returns what read returns, or the cause of ctx as soon as ctx ends: a read of a terminal or of a pipe
// that nobody writes to cannot be interrupted. It is left behind then, and what it returns later is dropped.
func interruptible[T any](ctx context.Context, read func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := read()
		done <- result{value, err}
	}()
	select {
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	case r := <-done:
		return r.value, r.err
	}
}
