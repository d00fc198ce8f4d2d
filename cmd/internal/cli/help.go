package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"kdd/runtime/wire"
)

// help prints the help of the tool, or of the command that args name.
func (t *Tool) help(w io.Writer, args []string) error {
	words := slices.DeleteFunc(slices.Clone(args), func(a string) bool { return strings.HasPrefix(a, "-") })
	if len(words) == 0 || words[0] == "help" {
		return t.writeHelp(w)
	}
	c, _ := t.find(words)
	switch {
	case c != nil:
		return c.writeHelp(w, t.Name)
	case len(words) == 1 && t.family(words[0]) != nil:
		return t.writeFamily(w, words[0])
	}
	return t.advise(t.unknownCommand(words), "")
}

// writeFamily prints the commands whose names begin with the same word.
func (t *Tool) writeFamily(w io.Writer, name string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "usage: %s %s COMMAND [FLAGS] [ARGUMENTS]\n\n", t.Name, name)
	commands := slices.DeleteFunc(t.commands(), func(c *Command) bool { return !strings.HasPrefix(c.Name, name+" ") })
	writeCommands(&b, commands)
	fmt.Fprintf(&b, "\n\"%s help %s\" explains one of them.\n", t.Name, commands[0].Name)
	_, err := io.WriteString(w, b.String())
	return err
}

// writeCommands prints names and summaries in two columns.
func writeCommands(b *strings.Builder, commands []*Command) {
	width := 12
	for _, c := range commands {
		width = max(width, len(c.Name))
	}
	for _, c := range commands {
		indent := strings.Repeat(" ", width+3)
		fmt.Fprintf(b, "  %-*s %s\n", width, c.Name, strings.TrimSpace(wrap(c.Summary, helpWidth-len(indent), indent)))
	}
}

// writeHelp prints the list of commands.
func (t *Tool) writeHelp(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n\nusage: %s COMMAND [FLAGS] [ARGUMENTS]\n", t.Name, t.Summary, t.Name)
	commands := t.commands()
	for _, group := range []string{GroupCompile, GroupAsk, GroupCheck, GroupServe, GroupRemote, GroupMore} {
		of := slices.DeleteFunc(slices.Clone(commands), func(c *Command) bool { return c.Group != group })
		if len(of) > 0 {
			fmt.Fprintf(&b, "\n%s\n", group)
			writeCommands(&b, of)
		}
	}
	fmt.Fprintf(&b, "\nFlags may stand before or behind arguments; what follows \"--\" is no flag.\n")
	fmt.Fprintf(&b, "\"%s help COMMAND\" explains one command.\n", t.Name)
	_, err := io.WriteString(w, b.String())
	return err
}

// helpWidth is where the text of help is wrapped: what a terminal has by default.
const helpWidth = 80

// writeHelp prints all about one command.
func (c *Command) writeHelp(w io.Writer, tool string) error {
	var b strings.Builder
	flags := c.flags()
	b.WriteString(wrap(fmt.Sprintf("%s %s: %s", tool, c.Name, c.Summary), helpWidth, "") + "\n\n")
	usage := []string{tool, c.Name}
	if len(flags) > 0 {
		usage = append(usage, "[FLAGS]")
	}
	if c.Usage != "" {
		usage = append(usage, c.Usage)
	}
	fmt.Fprintf(&b, "usage: %s\n", strings.Join(usage, " "))
	if c.Help != "" {
		b.WriteString("\n" + wrap(c.Help, helpWidth, "") + "\n")
	}
	if len(flags) > 0 {
		b.WriteString("\nFlags\n")
		for i := range flags {
			flags[i].writeHelp(&b)
		}
	}
	if len(c.Examples) > 0 {
		b.WriteString("\nExamples\n")
		for _, e := range c.Examples {
			fmt.Fprintf(&b, "  %s %s\n", tool, strings.ReplaceAll(e, "TOOL", tool))
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeHelp prints one flag: its spellings, then what it does, wrapped in the second column.
func (f *Flag) writeHelp(b *strings.Builder) {
	const column = 30
	left := "      "
	if s := f.short(); s != "" {
		left = "  -" + s + ", "
	}
	left += f.spelling()
	if p := f.placeholder(); p != "" {
		if f.Type == Optional {
			left += "[=" + p + "]"
		} else {
			left += " " + p
		}
	}
	text := f.Help
	if len(f.Enum) > 0 && f.Value == "" && !strings.Contains(text, f.Enum[0]) && f.Type == List {
		text += ": " + wire.Alternatives(f.Enum)
	}
	var notes []string
	if f.Type == List {
		notes = append(notes, "may be repeated")
	}
	if f.Default != "" && f.Default != "0" {
		notes = append(notes, "default "+f.Default)
	}
	if f.Env != "" {
		notes = append(notes, "or "+f.Env)
	}
	if len(notes) > 0 {
		text += " (" + strings.Join(notes, "; ") + ")"
	}
	if len(left) >= column-1 {
		b.WriteString(left + "\n")
		left = ""
	}
	lines := strings.Split(wrap(text, helpWidth-column, ""), "\n")
	for i, line := range lines {
		if i > 0 {
			left = ""
		}
		fmt.Fprintf(b, "%-*s%s\n", column, left, line)
	}
}

// wrap breaks text at spaces so that lines have at most width bytes where words allow it; line feeds stay.
func wrap(text string, width int, indent string) string {
	var b strings.Builder
	for i, paragraph := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		if strings.HasPrefix(paragraph, " ") { // an example or a table stays as it is
			b.WriteString(indent + paragraph)
			continue
		}
		used := 0
		for _, word := range strings.Fields(paragraph) {
			switch {
			case used == 0:
				b.WriteString(indent)
			case used+1+len(word) > width:
				b.WriteString("\n" + indent)
				used = 0
			default:
				b.WriteByte(' ')
				used++
			}
			b.WriteString(word)
			used += len(word)
		}
	}
	return b.String()
}
