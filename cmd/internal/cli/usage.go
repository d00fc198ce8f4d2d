package cli

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	urfave "github.com/urfave/cli/v3"

	"kdd/runtime/wire"
)

// foreign maps flags of other tools to those of this one.
var foreign = [...][2]string{
	{"json", "--format json"},
	{"md", "--format md"},
	{"csv", "--format csv"},
	{"n", "--limit"},
	{"top", "--limit"},
	{"top-k", "--limit"},
	{"no-color", "--color never"},
	{"no-colour", "--color never"},
	{"colour", "--color"},
	{"out", "--output"},
	{"verbose", "--format json"},
}

// wordMark begins a word that the library would take for a flag. The command line itself cannot hold a NUL.
const wordMark = "\x00"

// prepare rewrites what the parser of the library cannot read: a flag with two values, and arguments that begin with
// "-". A word is an argument if it has a space before any "=", or no letter after the "-". The library would refuse
// "-draft of a page" as a flag, and would end the flags at a word such as "-5".
func (t *Tool) prepare(argv []string) []string {
	var pairs []Flag
	for _, c := range t.commands() {
		if !c.named(argv) {
			continue
		}
		for _, f := range c.flags() {
			if f.Type == Pair {
				pairs = append(pairs, f)
			}
		}
	}
	var out []string
	for i := 0; i < len(argv); i++ {
		arg := argv[i]
		if arg == "--" {
			return append(out, argv[i:]...)
		}
		name, _, assigned := splitFlag(arg)
		begin, _ := utf8.DecodeRuneInString(name)
		switch dashed := strings.HasPrefix(strings.TrimSpace(arg), "-") && arg != "-"; {
		case dashed && (name == "" || !unicode.IsLetter(begin) && !strings.HasPrefix(arg, "--")):
			arg = wordMark + arg
		case findFlag(pairs, name) != nil && !assigned && i+2 < len(argv):
			out = append(out, arg, argv[i+1])
			i += 2
			out = append(out, arg)
			arg = argv[i]
		}
		out = append(out, arg)
	}
	return out
}

// words returns the arguments of a command, without the marks of prepare.
func words(cmd *urfave.Command) []string {
	args := cmd.Args().Slice()
	for i := range args {
		args[i] = strings.TrimPrefix(args[i], wordMark)
	}
	return args
}

// splitFlag takes "--name=value" apart. The name is "" where arg is no flag.
func splitFlag(arg string) (name, value string, assigned bool) {
	if len(arg) < 2 || arg[0] != '-' || arg == "--" {
		return "", "", false
	}
	name, value, assigned = strings.Cut(strings.TrimPrefix(arg[1:], "-"), "=")
	if name == "" || strings.ContainsFunc(name, unicode.IsSpace) {
		return "", "", false
	}
	return name, value, assigned
}

func unknownFlag(flags []Flag, arg, name string) *wire.Error {
	shown, _, _ := strings.Cut(arg, "=")
	e := usageError("unknown flag %s", wire.Clean(shown))
	cure := ""
	for _, pair := range foreign {
		to, _, _ := strings.Cut(strings.TrimPrefix(pair[1], "--"), " ")
		if pair[0] == name && findFlag(flags, to) != nil {
			cure = pair[1]
		}
	}
	if cure == "" {
		var names []string
		for _, f := range flags {
			names = append(names, f.Name)
			names = append(names, f.Aliases...)
		}
		if near := wire.Nearest(name, names); near != "" {
			cure = findFlag(flags, near).spelling()
		}
	}
	if cure != "" {
		return hinted(e, "did you mean "+cure+"?").With("suggestions", []string{cure})
	}
	if !strings.HasPrefix(arg, "--") {
		e.Hint = `a word that begins with "-" goes behind "--"`
	}
	return e
}

// onUsageError gives the errors of the parser the form of other errors, with a cure. The library only gives a text, and
// would print the whole help.
func (o *Options) onUsageError(t *Tool, command string, argv []string) urfave.OnUsageErrorFunc {
	return func(_ context.Context, _ *urfave.Command, err error, _ bool) error {
		return t.advise(o.usageError(command, argv, err), command)
	}
}

func (o *Options) usageError(command string, argv []string, err error) error {
	for _, v := range o.values {
		if v.err != nil {
			return v.err
		}
	}
	if name, found := strings.CutPrefix(err.Error(), "flag provided but not defined: -"); found {
		shown := "--" + name
		if !slices.ContainsFunc(argv, func(arg string) bool { return arg == shown || strings.HasPrefix(arg, shown+"=") }) {
			shown = "-" + name
		}
		e := unknownFlag(o.flags, shown, name)
		if command == "" && e.Details == nil {
			e.Hint = "flags of one command go behind its name"
		}
		return e
	}
	if name, found := strings.CutPrefix(err.Error(), "flag needs an argument: "); found {
		if f := findFlag(o.flags, strings.TrimLeft(name, "-")); f != nil {
			number := "a value"
			if f.Type == Pair {
				number = "two values"
			}
			return usageError("%s needs %s: %s %s", f.spelling(), number, f.spelling(), f.valueName())
		}
	}
	return usageError("%s", err.Error())
}

// unknownCommand suggests the nearest command. The library always suggests one, however far: "graph" for "frobnicate".
func (t *Tool) unknownCommand(name string) error {
	name = strings.TrimPrefix(name, wordMark)
	if slices.Contains(t.Elsewhere, name) {
		return hinted(usageError("%s has no command %q", t.Name, name), "it is a command of "+t.Other)
	}
	names := []string{"help"}
	for _, c := range t.commands() {
		first, _, _ := strings.Cut(c.Name, " ")
		names = append(names, first)
	}
	e := usageError("unknown command %q", wire.Clean(wire.Shorten(name, 40)))
	if near := wire.Nearest(name, names); near != "" {
		return hinted(e, "did you mean "+near+"?").With("suggestions", []string{near})
	}
	return t.advise(e, "")
}

// advise adds a pointer to the help to a usage error without a cure.
func (t *Tool) advise(err error, command string) error {
	e, ok := err.(*wire.Error)
	if !ok || e.Code != wire.CodeInvalidInput || e.Hint != "" {
		return err
	}
	e.Hint = "see " + strings.TrimSpace(t.Name+" help "+command)
	return e
}

// checkArgs reports missing arguments and those that are too many.
func (c *Command) checkArgs(tool string, args []string) error {
	usage := strings.TrimSpace("usage: " + tool + " " + c.Name + " " + c.Usage)
	switch {
	case len(args) < c.MinArgs, c.MinArgs > 0 && strings.TrimSpace(strings.Join(args, "")) == "":
		what := c.Usage
		if c.Words != nil {
			what = "one of " + strings.Join(c.Words, ", ")
		}
		return hinted(usageError("%s needs %s", c.Name, what), usage)
	case c.MaxArgs >= 0 && len(args) > c.MaxArgs:
		return hinted(usageError("%s takes no argument %q", c.Name, args[c.MaxArgs]), usage)
	}
	return nil
}
