package cli

import (
	"context"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	urfave "github.com/urfave/cli/v3"

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
	// Checks are what the tool has to say to doctor beside what both have; nil = nothing
	Checks func(context.Context) []wire.Check
	// Extend changes the shared commands; nil = they stay
	Extend func(*Command)

	take func(*Call) error // takes the call in place of the command; nil = the command runs
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

// catchSignals ends the context at the first Ctrl-C, SIGTERM or, unless nohup or the like has it ignored, SIGHUP of a
// terminal that closes; a second one ends the process. A write to a closed pipe comes back as an error instead of a
// signal.
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

// run lets the library find the command, parse its flags and run it.
func (t *Tool) run(ctx context.Context, argv []string, stdin io.Reader, stdout, stderr io.Writer) error {
	out := &keepError{w: stdout}
	root := t.tree(argv, stdin, out, stderr)
	err := root.Run(ctx, append([]string{t.Name}, t.prepare(argv)...))
	if err == nil {
		err = out.err
	}
	return err
}

// keepError keeps the first error of a writer. The library drops the errors of what it prints itself.
type keepError struct {
	w   io.Writer
	err error
}

// Write writes to the writer below.
func (k *keepError) Write(p []byte) (int, error) {
	n, err := k.w.Write(p)
	if k.err == nil {
		k.err = err
	}
	return n, err
}

// tree returns the commands as the library runs them. A name of two words becomes a command inside a command.
func (t *Tool) tree(argv []string, stdin io.Reader, stdout *keepError, stderr io.Writer) *urfave.Command {
	before, flags := newOptions(commonFlags(), func() (string, bool) { return "", false })
	for i := range before.flags { // a command may take less: its own flag checks the value
		before.flags[i].Enum, before.flags[i].Env, before.flags[i].Setting = nil, "", ""
	}
	first := 1
	root := &urfave.Command{
		Name: t.Name, Usage: t.Summary, Version: Version, Metadata: map[string]any{toolKey: t},
		Flags: flags, StopOnNthArg: &first, HideHelpCommand: true,
		EnableShellCompletion: true, ShellComplete: completeCommands,
		Reader: stdin, Writer: stdout, ErrWriter: stderr,
		ExitErrHandler:  func(context.Context, *urfave.Command, error) {}, // Run turns errors into exit codes
		OnUsageError:    before.onUsageError(t, "", argv),
		CommandNotFound: func(_ context.Context, _ *urfave.Command, name string) { stdout.err = t.unknownCommand(name) },
		Action: func(_ context.Context, cmd *urfave.Command) error {
			switch {
			case cmd.Args().Present():
				return t.unknownCommand(cmd.Args().First())
			case len(argv) > 0:
				return t.advise(usageError("a command is missing"), "")
			}
			printHelp(stderr, toolHelp, cmd)
			return Silent{usageError("a command is missing")}
		},
		Commands: []*urfave.Command{t.helpCommand()},
	}
	families := map[string]*urfave.Command{}
	for _, c := range t.commands() {
		parent, name := root, c.Name
		if family, second, two := strings.Cut(c.Name, " "); two {
			if families[family] == nil {
				families[family] = t.family(family)
				root.Commands = append(root.Commands, families[family])
			}
			parent, name = families[family], second
		}
		leaf := t.leaf(c, before, argv, stdin, stdout.w, stderr)
		leaf.Name = name
		if c.Name == "completion" { // in place of the library's own
			root.ConfigureShellCompletionCommand = func(own *urfave.Command) { *own = *leaf }
			continue
		}
		parent.Commands = append(parent.Commands, leaf)
	}
	return root
}

// family returns the command that holds the commands whose names begin with the same word.
func (t *Tool) family(name string) *urfave.Command {
	first := 1
	second := t.secondWords(name)
	return &urfave.Command{
		Name: name, StopOnNthArg: &first, ShellComplete: completeCommands,
		OnUsageError: func(context.Context, *urfave.Command, error, bool) error {
			return t.advise(usageError("%s needs one of %s", name, wire.Alternatives(second)), name)
		},
		Action: func(_ context.Context, cmd *urfave.Command) error {
			if cmd.Args().Present() {
				return t.advise(badValue(name, cmd.Args().First(), second), name)
			}
			return t.advise(usageError("%s needs one of %s", name, wire.Alternatives(second)), name)
		},
	}
}

// leaf returns one command of the table as the library runs it.
func (t *Tool) leaf(c *Command, before *Options, argv []string,
	stdin io.Reader, stdout, stderr io.Writer) *urfave.Command {
	leaf := &urfave.Command{
		Usage: c.Summary, ArgsUsage: c.Usage, Description: c.Help, Category: c.Group,
		Metadata: map[string]any{toolKey: t, commandKey: c}, ShellComplete: completeFlags,
		// The library takes the first argument beside --help for a command whose help is wanted.
		CommandNotFound: func(_ context.Context, cmd *urfave.Command, _ string) {
			printHelp(cmd.Root().Writer, commandHelp, cmd)
		},
	}
	// Flags that are not asked for are not made: those of all commands take 0.8 ms (bench/runs/2026-11-23-xeon/start).
	if !c.named(argv) {
		return leaf
	}
	options, flags := newOptions(c.flags(), func() (string, bool) {
		if c.ConfigDir == nil {
			return "", false
		}
		return c.ConfigDir(words(leaf)), true
	})
	options.toolChecks = t.Checks
	leaf.Flags = flags
	leaf.ShellComplete = func(ctx context.Context, cmd *urfave.Command) { completeArguments(ctx, cmd, options, before) }
	leaf.OnUsageError = options.onUsageError(t, c.Name, argv)
	leaf.Action = func(ctx context.Context, cmd *urfave.Command) error {
		call := &Call{Context: ctx, Tool: t, Command: c, Argv: argv, Args: words(cmd), Stdin: stdin, Stdout: stdout, Stderr: stderr,
			Options: options}
		return t.advise(call.start(before), c.Name)
	}
	return leaf
}

// start checks what the parser found and runs the command.
func (c *Call) start(before *Options) error {
	if err := c.prepend(before); err != nil {
		return err
	}
	if err := c.Command.checkArgs(c.Tool.Name, c.Args); err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	if _, err := c.config(); err != nil {
		return err
	}
	if c.Tool.take != nil {
		return c.Tool.take(c)
	}
	return c.Command.Run(c)
}

// Resolve returns the call that a command line of the same tool makes, and runs nothing: its flags, and the environment
// and kdd.yaml as they are now.
func (c *Call) Resolve(argv []string) (*Call, error) {
	tool := *c.Tool
	var found *Call
	tool.take = func(other *Call) error {
		found = other
		return nil
	}
	if err := tool.run(c.Context, argv, c.Stdin, c.Stdout, c.Stderr); err != nil {
		return nil, err
	}
	found.Tool = c.Tool
	return found, nil
}

// named says whether the first word of the command's name is among argv.
func (c *Command) named(argv []string) bool {
	first, _, _ := strings.Cut(c.Name, " ")
	return slices.Contains(argv, first)
}

// commands returns all commands in the order of the help.
func (t *Tool) commands() []*Command {
	shared := sharedCommands()
	if t.Extend != nil {
		for _, c := range shared {
			t.Extend(c)
		}
	}
	return slices.Concat(t.Commands, shared)
}

// secondWords returns the second words of the commands whose names begin with the word.
func (t *Tool) secondWords(first string) []string {
	var second []string
	for _, c := range t.commands() {
		if rest, found := strings.CutPrefix(c.Name, first+" "); found {
			second = append(second, rest)
		}
	}
	return second
}
