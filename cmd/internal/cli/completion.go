package cli

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"time"

	urfave "github.com/urfave/cli/v3"

	"kdd/runtime"
)

// The scripts ask the program what completes a line. The scripts of the library are not used: the one for bash passes
// the typed line to eval, substitutions included, and needs the package bash-completion; none of them completes files.
var (
	//go:embed completion/bash.sh
	bashCompletion string
	//go:embed completion/fish.fish
	fishCompletion string
	//go:embed completion/powershell.ps1
	powershellCompletion string
)

func completionCommand() *Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &Command{
		Name: "completion", Group: GroupMore, Usage: strings.Join(shells, "|"), Words: shells, MinArgs: 1, MaxArgs: 1,
		Summary: "print a completion script for a shell",
		Help: "Prints a script that completes commands, flags and the values of flags.\n" +
			"bash: write it where the first example does (make the folder first), for the package bash-completion, or source " +
			"it in ~/.bashrc.\n" +
			"zsh: source it in ~/.zshrc, after compinit. fish: the second example. PowerShell: put it into $PROFILE.",
		Examples: []string{"completion bash > ~/.local/share/bash-completion/completions/TOOL",
			"completion fish > ~/.config/fish/completions/TOOL.fish"},
		Run: func(c *Call) error {
			script, known := map[string]string{
				"bash":       bashCompletion,
				"zsh":        "#compdef TOOL\nautoload -U +X bashcompinit && bashcompinit\n" + bashCompletion,
				"fish":       fishCompletion,
				"powershell": powershellCompletion,
			}[c.Args[0]]
			if !known {
				return badValue("completion", c.Args[0], shells)
			}
			_, err := io.WriteString(c.Stdout, strings.ReplaceAll(script, "TOOL", c.Tool.Name))
			return err
		},
	}
}

// The functions below print the words that can complete a line: a word, a tab, and its meaning. The library has parsed
// the words before the cursor. The scripts choose the words that match the one at the cursor.

// completeCommands completes the name of a command.
func completeCommands(_ context.Context, cmd *urfave.Command) {
	if last, dash := lastFlag(cmd); dash && cmd == cmd.Root() {
		completeFlag(cmd, commonFlags(), last)
	} else if !cmd.Args().Present() {
		commandsOf(cmd)
	}
}

// commandsOf prints the commands below cmd.
func commandsOf(cmd *urfave.Command) {
	for _, c := range cmd.Commands {
		candidate(cmd, c.Name, c.Usage)
	}
}

// completeHelp completes the name of a command behind "help".
func completeHelp(_ context.Context, cmd *urfave.Command) {
	at := cmd.Root()
	for _, word := range cmd.Args().Slice() {
		if at = at.Command(word); at == nil {
			return
		}
	}
	commandsOf(at)
}

// TypedVariable is the environment variable by which the scripts pass the word at the cursor.
const TypedVariable = "KDD_TYPED"

// completionTime bounds the look into an artifact: who presses a key does not wait longer.
const completionTime = time.Second

// completeArguments completes a flag or its value; else, where arguments name documents, their paths and, behind "#",
// anchors.
func completeArguments(ctx context.Context, cmd *urfave.Command, o, before *Options) {
	c := cmd.Metadata[commandKey].(*Command)
	_, dash := lastFlag(cmd)
	if dash || !c.Document || c.MaxArgs >= 0 && cmd.Args().Len() >= c.MaxArgs || o.prepend(before) != nil {
		completeFlags(ctx, cmd)
		return
	}
	service := runtime.New(o.serviceConfig())
	defer service.Close()
	ctx, cancel := context.WithTimeout(ctx, completionTime)
	defer cancel()
	request := runtime.CompleteRequest{Kind: runtime.CompleteFolder, Typed: o.getenv(TypedVariable)}
	found, err := service.Complete(ctx, request)
	if err != nil {
		return // no artifact: nothing to complete
	}
	for _, path := range found.Values {
		candidate(cmd, path, "")
	}
}

// completeFlags completes a flag of a command, its value, or an argument that is one of a few words.
func completeFlags(_ context.Context, cmd *urfave.Command) {
	c := cmd.Metadata[commandKey].(*Command)
	if last, dash := lastFlag(cmd); dash {
		completeFlag(cmd, c.flags(), last)
		return
	}
	if !cmd.Args().Present() {
		for _, word := range c.Words {
			candidate(cmd, word, "")
		}
	}
}

// lastFlag returns the last word, and whether it begins with a dash. The parser leaves a flag there if it is unknown,
// such as half a name, or lacks its value.
func lastFlag(cmd *urfave.Command) (string, bool) {
	args := cmd.Args().Slice()
	if len(args) == 0 {
		return "", false
	}
	last := args[len(args)-1]
	return last, strings.HasPrefix(last, "-")
}

// completeFlag prints the values of the flag that a word is, or all flags.
func completeFlag(cmd *urfave.Command, flags []Flag, word string) {
	f := findFlag(flags, strings.TrimLeft(word, "-"))
	half := strings.HasPrefix(word, "--") && len(word) == len("--k") // -k is a flag, --k the beginning of one
	if f != nil && !half && f.Type != Switch && f.Type != Optional {
		for _, value := range f.Enum {
			candidate(cmd, value, "")
		}
		return
	}
	for i := range flags {
		candidate(cmd, flags[i].spelling(), flags[i].Help)
		if s := flags[i].short(); s != "" {
			candidate(cmd, "-"+s, flags[i].Help)
		}
	}
	candidate(cmd, "--help", "show help")
}

// candidate prints a word and what it means.
func candidate(cmd *urfave.Command, word, meaning string) {
	fmt.Fprintf(cmd.Root().Writer, "%s\t%s\n", word, meaning)
}
