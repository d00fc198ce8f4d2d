package cli

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	urfave "github.com/urfave/cli/v3"
	"golang.org/x/term"

	"kdd/runtime/wire"
)

// The width of help and its columns.
const (
	helpWidth    = 100 // of a terminal that is wider, and where there is none
	helpNarrow   = 60  // of a terminal that is narrower
	helpLines    = 52  // of the help of a command: a screen
	flagColumn   = 32  // where the texts of flags begin
	commandWidth = 12  // of the column of commands, unless a name is longer
)

// Where the library's commands keep the tool and the command of the table.
const (
	toolKey    = "tool"
	commandKey = "command"
)

// commandList prints names and summaries in two columns.
const commandList = `{{$width := width .Commands}}{{range .Commands}}  {{printf "%-*s" $width .Name}} ` +
	`{{wrap .Summary (offset "   " $width)}}
{{end}}`

// toolHelp is the list of commands.
const toolHelp = `{{.Name}}: {{.Usage}}

usage: {{.Name}} COMMAND [FLAGS] [ARGUMENTS]
{{range groups .}}
{{.Name}}
` + commandList + `{{end}}
Flags may stand before or behind arguments; what follows "--" is no flag.
"{{.Name}} help COMMAND" explains one command.
`

// familyHelp is the list of the commands whose names begin with the same word.
const familyHelp = `usage: {{.FullName}} COMMAND [FLAGS] [ARGUMENTS]

{{with family .}}` + commandList + `
"{{.Tool}} help {{(index .Commands 0).Name}}" explains one of them.
{{end}}`

// commandHelp is all about one command.
const commandHelp = `{{wrap (printf "%s: %s" .FullName .Usage) 0}}

usage: {{.FullName}}{{if flags .}} [FLAGS]{{end}}{{with .ArgsUsage}} {{.}}{{end}}
{{with .Description}}
{{wrap . 0}}
{{end}}{{with flags .}}
Flags
{{range .}}{{left .}}{{wrap (right .) flagColumn}}
{{end}}{{end}}{{with examples .}}
Examples
{{range .}}  {{.}}
{{end}}{{end}}`

// The library prints help through these variables.
func init() {
	urfave.RootCommandHelpTemplate, urfave.SubcommandHelpTemplate = toolHelp, familyHelp
	urfave.CommandHelpTemplate = commandHelp
	urfave.HelpPrinter = printHelp
	urfave.VersionFlag = &urfave.BoolFlag{Name: "version", Aliases: []string{"v", "V"}, Local: true}
	urfave.VersionPrinter = func(cmd *urfave.Command) { io.WriteString(cmd.Root().Writer, versionLine(cmd.Name)) }
}

// commandGroup is a part of a list of commands.
type commandGroup struct {
	Tool     string
	Name     string
	Commands []*Command
}

// printHelp fills a template with one of the library's commands.
func printHelp(w io.Writer, template string, data any) {
	urfave.HelpPrinterCustom(w, template, data, map[string]any{
		"wrapAt":     func() int { return widthOf(w) },
		"flagColumn": func() int { return flagColumn },
		"width": func(commands []*Command) int {
			width := commandWidth
			for _, c := range commands {
				width = max(width, len(c.Name))
			}
			return width
		},
		"groups":   groups,
		"family":   family,
		"flags":    func(cmd *urfave.Command) []Flag { return cmd.Metadata[commandKey].(*Command).flags() },
		"examples": examples,
		"left":     (Flag).left,
		"right":    (Flag).right,
	})
}

// widthOf returns the width of help: that of the terminal, within bounds.
func widthOf(w io.Writer) int {
	if keeps, ok := w.(*keepError); ok {
		w = keeps.w
	}
	if columns := columnsOf(w); columns > 0 {
		return min(helpWidth, max(helpNarrow, columns))
	}
	return helpWidth
}

// columnsOf returns the width of a terminal, or 0 of anything else.
func columnsOf(w io.Writer) int {
	if file, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(file.Fd())); err == nil {
			return columns
		}
	}
	return 0
}

// groups returns the commands of the tool under their headings.
func groups(root *urfave.Command) []commandGroup {
	var all []commandGroup
	for _, name := range []string{GroupCompile, GroupPublish, GroupAsk, GroupCheck, GroupServe, GroupRemote, GroupMore} {
		of := slices.DeleteFunc(toolOf(root).commands(), func(c *Command) bool { return c.Group != name })
		if len(of) > 0 {
			all = append(all, commandGroup{Name: name, Commands: of})
		}
	}
	return all
}

// family returns the commands that begin with the name of cmd.
func family(cmd *urfave.Command) commandGroup {
	t := toolOf(cmd)
	return commandGroup{Tool: t.Name, Commands: slices.DeleteFunc(t.commands(),
		func(c *Command) bool { return !strings.HasPrefix(c.Name, cmd.Name+" ") })}
}

// examples returns the examples of a command with the name of the tool.
func examples(cmd *urfave.Command) []string {
	tool := toolOf(cmd).Name
	var lines []string
	for _, e := range cmd.Metadata[commandKey].(*Command).Examples {
		lines = append(lines, tool+" "+strings.ReplaceAll(e, "TOOL", tool))
	}
	return lines
}

// toolOf returns the tool that a command belongs to.
func toolOf(cmd *urfave.Command) *Tool { return cmd.Root().Metadata[toolKey].(*Tool) }

// helpCommand is "help", with a command of one or two words; the library's own takes one. It skips flags: "help search
// -h" is the help of search.
func (t *Tool) helpCommand() *urfave.Command {
	help := &urfave.Command{Name: "help", SkipFlagParsing: true, ShellComplete: completeHelp}
	help.Action = func(ctx context.Context, cmd *urfave.Command) error {
		at := cmd.Root()
		for _, word := range words(cmd) {
			if word == "help" && at == cmd.Root() {
				break
			}
			if strings.HasPrefix(word, "-") {
				continue
			}
			below := at.Command(word)
			switch {
			case below == nil && at == cmd.Root():
				return t.unknownCommand(word)
			case below == nil && len(at.Commands) > 0:
				return t.advise(badValue(at.Name, word, t.secondWords(at.Name)), at.Name)
			case below == nil: // more words than the name has
				return urfave.ShowCommandHelp(ctx, at.Lineage()[1], at.Name)
			}
			at = below
		}
		if at == cmd.Root() {
			return urfave.ShowRootCommandHelp(at)
		}
		return urfave.ShowCommandHelp(ctx, at.Lineage()[1], at.Name)
	}
	return help
}

// left returns the first column of a flag in the help: its spellings and the name of its value. A long one has its own
// line.
func (f Flag) left() string {
	left := "      "
	if s := f.short(); s != "" {
		left = "  -" + s + ", "
	}
	left += f.spelling()
	if p := f.placeholder(); p != "" && f.Type == Optional {
		left += "[=" + p + "]"
	} else if p != "" {
		left += " " + p
	}
	if len(left) >= flagColumn-1 {
		left += "\n" + strings.Repeat(" ", flagColumn)
	}
	return fmt.Sprintf("%-*s", flagColumn, left)
}

// right returns the second column of a flag in the help: what it does, and its default.
func (f Flag) right() string {
	text := f.Help
	if len(f.Enum) > 0 && f.Value == "" && !strings.Contains(text, f.Enum[0]) && f.Type == List {
		text += ": " + wire.Alternatives(f.Enum)
	}
	var notes []string
	if f.Default != "" && f.Default != "0" {
		notes = append(notes, "default "+f.Default)
	}
	if f.Env != "" {
		notes = append(notes, "or "+f.Env)
	}
	if len(notes) > 0 {
		text += " (" + strings.Join(notes, "; ") + ")"
	}
	return text
}
