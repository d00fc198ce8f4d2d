package cli

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"kdd/runtime"
	"kdd/runtime/answer/ask"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// operationCommand makes the command of one operation: a flag per parameter, its argument, its help.
func operationCommand(op *runtime.Operation) *Command {
	c := &Command{
		Name:    op.Name,
		Group:   GroupAsk,
		Summary: op.Summary,
		Help:    op.Help,
		Flags: func() []Flag {
			list := append(operationFlags(op), commonFlags()...)
			findFlag(list, "format").Enum = slices.DeleteFunc(op.Formats(),
				func(f string) bool { return !slices.Contains(render.Formats, f) })
			return list
		},
		ConfigDir: WorkingDir,
		Run:       func(call *Call) error { return runOperation(call, op) },
	}
	if p := op.Arg(); p != nil {
		c.Usage = strings.ToUpper(p.Name)
		c.MaxArgs = 1
		if joins(p) {
			c.MaxArgs = -1
			c.Usage += "..."
		}
		if p.Name == "file" {
			c.Usage = "FILE[#ANCHOR]"
		}
		if p.Name == "query" {
			c.Usage += "|-" // standard input
		}
		switch p.Name {
		case "file", "entity", "node", "hints", "name":
			c.Document = true
		}
		if p.Required {
			c.MinArgs = 1
		} else {
			c.Usage = "[" + c.Usage + "]"
		}
	}
	for _, example := range op.Examples {
		c.Examples = append(c.Examples, exampleLine(op, example))
	}
	return c
}

// joins says that several words are one value, as in an unquoted query. File names are not: two of them are a mistake.
func joins(p *runtime.Param) bool { return p.Name != "file" }

// operationFlags returns the flags of the parameters.
func operationFlags(op *runtime.Operation) []Flag {
	var flags []Flag
	for i := range op.Params {
		p := &op.Params[i]
		if p.Arg {
			continue
		}
		f := Flag{Name: dashed(p.Name), Enum: p.Enum, Help: strings.Replace(p.Help, "on the command line ", "", 1)}
		for _, a := range p.Aliases {
			f.Aliases = append(f.Aliases, dashed(a))
		}
		switch p.Type {
		case runtime.BoolParam:
			f.Type = Switch
		case runtime.StringsParam:
			f.Type = List
			if p.Split {
				f.Value = "VALUE,..."
			}
		case runtime.WhereParam:
			f.Type, f.Value = List, "FIELD=VALUE"
		case runtime.IntParam, runtime.NumberParam:
			f.Value = "N"
		}
		if p.Default != nil {
			f.Default = fmt.Sprint(p.Default)
		}
		switch p.Name {
		case "limit":
			if !op.Whole {
				f.Setting = "show.limit"
			}
		case "mode":
			f.Setting = "show.mode"
		case "since":
			f.Value = "DATE"
		case "path_glob":
			f.Value = "GLOB"
		}
		flags = append(flags, f)
	}
	if op.Name == "ask" {
		flags = append(flags, modelFlags()...)
	}
	return flags
}

// dashed is the command line's spelling of a wire name.
func dashed(name string) string { return strings.ReplaceAll(name, "_", "-") }

// runOperation asks the Service and prints the answer.
func runOperation(c *Call, op *runtime.Operation) error {
	config, ctx := c.serviceConfig(), c.Context
	if op.Name == "ask" {
		var err error
		if config, err = c.answering(); err != nil {
			return err
		}
		if d := c.drafted(); d != nil {
			defer d.clear() // an error may leave it
			ctx = ask.WithDrafts(ctx, d.tell)
		}
	}
	answer, err := c.answer(ctx, config, op)
	if err == nil {
		err = c.print(answer)
	}
	if err != nil {
		return err
	}
	switch told := answer.(type) { // what was printed tells why
	case *wire.AnswerResponse:
		if !told.Answered() {
			return Silent{ErrRefused}
		}
	case *wire.DoctorResponse:
		if !told.OK {
			return Silent{ErrFindings}
		}
	}
	return nil
}

// answer asks the Service and returns the answer.
func (c *Call) answer(ctx context.Context, config runtime.Config, op *runtime.Operation) (any, error) {
	args, err := operationArgs(c, op)
	if err != nil {
		return nil, err
	}
	c.collectLater()
	service := runtime.New(config)
	defer service.Close()
	return op.Run(ctx, service, args)
}

// operationArgs collects what was given. Defaults are left to the operation.
func operationArgs(c *Call, op *runtime.Operation) (map[string]any, error) {
	args := map[string]any{}
	for i := range op.Params {
		p := &op.Params[i]
		if p.Arg {
			switch {
			case len(c.Args) == 0:
			case p.Type == runtime.StringsParam:
				args[p.Name] = c.Args
			case p.Name == "query" && len(c.Args) == 1 && c.Args[0] == "-":
				query, err := c.readQuery()
				if err != nil {
					return nil, err
				}
				args[p.Name] = query
			default:
				args[p.Name] = strings.Join(c.Args, " ")
			}
			continue
		}
		flag := dashed(p.Name)
		if !c.Given(flag) {
			if p.Name == "max_bytes" && forPrograms(c.Text("format")) {
				args[p.Name] = runtime.NoLimit
			}
			continue
		}
		switch p.Type {
		case runtime.StringsParam:
			args[p.Name] = c.List(flag)
		case runtime.WhereParam:
			where, err := whereValues(c.List(flag))
			if err != nil {
				return nil, err
			}
			args[p.Name] = where
		default:
			args[p.Name] = c.Text(flag)
			if p.Name == "max_bytes" && c.Text(flag) == "0" {
				args[p.Name] = runtime.NoLimit
			}
		}
	}
	return args, nil
}

// maxQueryBytes is how much of standard input is read for a query: one byte more than an operation takes, which says
// so.
const maxQueryBytes = 64<<10 + 1

// readQuery reads a query from standard input.
func (c *Call) readQuery() (string, error) {
	if Terminal(c.Stdin) {
		c.Notef("type the query; a line with Ctrl-D alone ends it")
	}
	text, err := interruptible(c.Context, func() ([]byte, error) { return io.ReadAll(io.LimitReader(c.Stdin, maxQueryBytes)) })
	if err == nil && strings.TrimSpace(string(text)) == "" {
		return "", usageError("%s - reads the query from standard input, which is empty", c.Command.Name)
	}
	return string(text), err
}

// forPrograms says that a format is read by programs and has no place for a cursor. Its reader could not tell a part
// from the whole, so only the number of results is limited, not the bytes.
func forPrograms(format string) bool {
	switch format {
	case "paths", "csv", "jsonl", "sarif", "github":
		return true
	}
	return false
}

// whereValues reads FIELD=VALUE pairs; a field given twice has alternatives.
func whereValues(pairs []string) (map[string][]string, error) {
	where := map[string][]string{}
	for _, pair := range pairs {
		field, value, found := strings.Cut(pair, "=")
		if field = strings.TrimSpace(field); !found || field == "" {
			return nil, usageError("--where takes FIELD=VALUE, got %q", wire.Clean(pair))
		}
		where[field] = append(where[field], value)
	}
	return where, nil
}

// print writes an answer to stdout in the format asked for, in one piece.
//
// kdd.yaml sets one format for all commands. An answer that does not have this format is printed as text.
func (c *Call) print(answer any) error {
	format := c.Text("format")
	if c.Given("format") && !c.OnCommandLine("format") && !slices.Contains(render.FormatsOf(answer), format) {
		format = "text"
	}
	return c.printAs(answer, format)
}

// printAs is print in a format of the command's own choice.
func (c *Call) printAs(answer any, format string) error {
	color := c.Color(c.Stdout)
	terminal := Terminal(c.Stdout)
	style := render.Style{Color: color, Links: color && terminal, Terminal: terminal, Width: columnsOf(c.Stdout)}
	if err := render.Write(c.Stdout, format, answer, style); err != nil {
		return err
	}
	if format != "text" && format != "md" && format != "json" {
		c.tellAside(answer)
	}
	if part, ok := answer.(*wire.ReadResponse); ok && part.NextOffset > 0 && (format == "text" || format == "md") {
		c.Notef("this is bytes %d to %d of %d; go on with --offset %d, or use --max-bytes 0 for all",
			part.Offset, part.NextOffset, part.TotalBytes, part.NextOffset)
	}
	return nil
}

// tellAside prints to stderr what the format cannot hold: warnings, and that a question was not answered.
func (c *Call) tellAside(answer any) {
	if told, ok := answer.(interface{ AllWarnings() []string }); ok {
		for _, warning := range told.AllWarnings() {
			c.Notef("warning: %s", wire.Clean(warning))
		}
	}
	if told, ok := answer.(*wire.AnswerResponse); ok && !told.Answered() {
		c.Notef("%s: %s", told.Outcome, told.RefusalReason)
	}
}

// exampleLine writes an example of the operation as a command line.
func exampleLine(op *runtime.Operation, example map[string]any) string {
	words := []string{op.Name}
	var flags []string
	for i := range op.Params {
		p := &op.Params[i]
		value, ok := example[p.Name]
		if !ok {
			continue
		}
		list, ok := value.([]string)
		if !ok {
			list = []string{fmt.Sprint(value)}
		}
		for _, v := range list {
			if p.Arg {
				words = append(words, ShellQuote(v))
			} else {
				flags = append(flags, "--"+dashed(p.Name), ShellQuote(v))
			}
		}
	}
	return strings.Join(append(words, flags...), " ")
}

// ShellQuote quotes a word for an example where a shell would take it apart.
func ShellQuote(word string) string {
	if word == "" || strings.ContainsAny(word, " *?#&|<>;()[]{}~$`\"'\\") {
		return `"` + word + `"`
	}
	return word
}
