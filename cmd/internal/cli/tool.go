package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	"kdd/runtime/wire"
)

// Version is the version of both tools. Release builds set it with -ldflags "-X kdd/cmd/internal/cli.Version=…".
var Version = "0.1.0-dev"

// Tool is a program: the shared commands and its own.
type Tool struct {
	Name      string
	Summary   string
	Commands  []*Command // its own; the shared ones are added
	Elsewhere []string   // commands that the other tool has, for the message
	Other     string     // the other tool's name
}

// Run runs the command that argv names and returns the exit code. It is all of main.
func Run(t Tool, argv []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	catchSignals(cancel)
	err := t.run(ctx, argv, stdin, stdout, stderr)
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	report(stderr, t.Name, err, wantsJSON(argv))
	return ExitCode(err)
}

// catchSignals ends the context at the first Ctrl-C, SIGTERM or, unless nohup or the like has it ignored, SIGHUP of a terminal
// that closes; a second one ends the process. A write to a closed pipe comes back as an error instead of a signal.
func catchSignals(cancel context.CancelCauseFunc) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	signals := make(chan os.Signal, 1)
	caught := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		caught = append(caught, syscall.SIGHUP)
	}
	signal.Notify(signals, caught...)
	go func() {
		cause := errInterrupted
		if <-signals != os.Interrupt {
			cause = errTerminated
		}
		signal.Reset(caught...)
		cancel(cause)
	}()
}

func (t *Tool) run(ctx context.Context, argv []string, stdin io.Reader, stdout, stderr io.Writer) error {
	if len(argv) == 0 {
		t.writeHelp(stderr)
		return Silent{usageError("a command is missing")}
	}
	switch argv[0] {
	case "-h", "--help", "-help":
		return t.help(stdout, argv[1:])
	case "help":
		return t.help(stdout, argv[1:])
	case "-v", "-V", "--version", "-version":
		argv = append([]string{"version"}, argv[1:]...)
	}
	moved, rest, err := leading(commonFlags(), argv)
	if err != nil {
		return t.advise(err, "")
	}
	if len(rest) == 0 {
		return t.advise(usageError("a command is missing"), "")
	}
	command, words := t.find(rest)
	if command == nil {
		if len(rest) > 1 && asksForHelp(rest[1:2]) {
			return t.help(stdout, rest[:1])
		}
		return t.advise(t.unknownCommand(rest), "")
	}
	argv = slices.Concat(moved, rest[words:])
	if asksForHelp(argv) {
		return t.help(stdout, strings.Fields(command.Name))
	}
	call := &Call{Context: ctx, Tool: t, Command: command, Stdin: stdin, Stdout: stdout, Stderr: stderr}
	return t.advise(call.start(argv), command.Name)
}

// start parses argv, resolves the options and runs the command.
func (c *Call) start(argv []string) error {
	flags := c.Command.flags()
	arranged, err := arrange(flags, argv)
	if err != nil {
		return err
	}
	parsed, err := parse(c.Command.Name, flags, arranged)
	if err != nil {
		return usageError("%s", err.Error())
	}
	c.Args = parsed.Args().Slice()
	if err := c.Command.checkArgs(c.Tool.Name, c.Args); err != nil {
		return err
	}
	c.Options = &Options{flags: flags, cli: parsed, getenv: os.Getenv}
	if err := c.checkFolders(); err != nil {
		return err
	}
	if c.Command.ConfigDir != nil {
		config, err := readConfig(c.Command.ConfigDir(c.Args))
		if err != nil {
			return err
		}
		c.Options.config = config
	}
	return c.Command.Run(c)
}

// command returns the command of that name, or nil.
func (t *Tool) command(name string) *Command {
	all := t.commands()
	if at := slices.IndexFunc(all, func(c *Command) bool { return c.Name == name }); at >= 0 {
		return all[at]
	}
	return nil
}

// commands returns all commands in the order of the help.
func (t *Tool) commands() []*Command {
	return slices.Concat(t.Commands, sharedCommands())
}

// find returns the command that the first words name, and how many words its name has.
func (t *Tool) find(words []string) (*Command, int) {
	if len(words) > 1 {
		if c := t.command(words[0] + " " + words[1]); c != nil {
			return c, 2
		}
	}
	return t.command(words[0]), 1
}

// family returns the second words of commands that begin with name.
func (t *Tool) family(name string) []string {
	var second []string
	for _, c := range t.commands() {
		if rest, found := strings.CutPrefix(c.Name, name+" "); found {
			second = append(second, rest)
		}
	}
	return second
}

// families returns the first words of commands whose names have two.
func (t *Tool) families() []string {
	var firsts []string
	for _, c := range t.commands() {
		if first, _, two := strings.Cut(c.Name, " "); two && !slices.Contains(firsts, first) {
			firsts = append(firsts, first)
		}
	}
	return firsts
}

func (t *Tool) unknownCommand(words []string) error {
	name := words[0]
	if second := t.family(name); second != nil {
		if len(words) == 1 || strings.HasPrefix(words[1], "-") {
			return t.advise(usageError("%s needs one of %s", name, wire.Alternatives(second)), name)
		}
		return t.advise(badValue(name, words[1], second), name)
	}
	if slices.Contains(t.Elsewhere, name) {
		e := usageError("%s has no command %q", t.Name, name)
		e.Hint = "it is a command of " + t.Other
		return e
	}
	var names []string
	for _, c := range t.commands() {
		first, _, _ := strings.Cut(c.Name, " ")
		names = append(names, first)
	}
	e := usageError("unknown command %q", wire.Clean(wire.Shorten(name, 40)))
	if near := wire.Nearest(name, append(names, "help")); near != "" {
		e.Hint = "did you mean " + near + "?"
		return e.With("suggestions", []string{near})
	}
	return t.advise(e, "")
}

// advise points a usage error that has no cure of its own at the help.
func (t *Tool) advise(err error, command string) error {
	e, ok := err.(*wire.Error)
	if !ok || e.Code != wire.CodeInvalidInput || e.Hint != "" {
		return err
	}
	e.Hint = "see " + strings.TrimSpace(t.Name+" help "+command)
	return e
}

// asksForHelp says that argv has --help or -h before "--".
func asksForHelp(argv []string) bool {
	for _, arg := range argv {
		switch arg {
		case "--":
			return false
		case "--help", "-h", "-help":
			return true
		}
	}
	return false
}
