package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

func completionCommand() *Command {
	shells := []string{"bash", "zsh", "fish", "powershell"}
	return &Command{
		Name:    "completion",
		Group:   GroupMore,
		Summary: "print a completion script for a shell",
		Usage:   strings.Join(shells, "|"),
		Help: "Prints a script that completes commands, flags and, but in PowerShell, the values of flags.\n" +
			"bash: write it where the first example does (make the folder first), for the package bash-completion, or source it in ~/.bashrc.\n" +
			"zsh: source it in ~/.zshrc, after compinit. fish: the second example. PowerShell: put it into $PROFILE.",
		Examples: []string{"completion bash > ~/.local/share/bash-completion/completions/TOOL", "completion fish > ~/.config/fish/completions/TOOL.fish"},
		MinArgs:  1,
		MaxArgs:  1,
		Run: func(c *Call) error {
			var script string
			switch c.Args[0] {
			case "bash":
				script = bashCompletion(c.Tool)
			case "zsh":
				script = zshCompletion(c.Tool)
			case "fish":
				script = fishCompletion(c.Tool)
			case "powershell":
				script = powershellCompletion(c.Tool)
			default:
				return badValue("completion", c.Args[0], shells)
			}
			_, err := io.WriteString(c.Stdout, script)
			return err
		},
	}
}

// commandNames returns the names that complete the first word.
func (t *Tool) commandNames() []string {
	var names []string
	for _, c := range t.commands() {
		first, _, _ := strings.Cut(c.Name, " ")
		if !slices.Contains(names, first) {
			names = append(names, first)
		}
	}
	return append(names, "help")
}

// choices returns the words that a command's argument is one of, nil where it may be any: its usage is "a|b|c".
func (c *Command) choices() []string {
	if words := strings.Split(c.Usage, "|"); len(words) > 1 && c.MaxArgs == 1 && c.Usage == strings.ToLower(c.Usage) {
		return words
	}
	return nil
}

// flagSpellings returns the flags of c with their dashes, --help included.
func (c *Command) flagSpellings() []string {
	var names []string
	for _, f := range c.flags() {
		names = append(names, f.spelling())
		if s := f.short(); s != "" {
			names = append(names, "-"+s)
		}
	}
	return append(names, "--help")
}

// bashCompletion completes commands, flags and values of flags; other words are file names, which the shell itself completes, since
// it knows how to quote them. bash parts "--flag=value" into three words, zsh leaves it as it is.
func bashCompletion(t *Tool) string {
	var b strings.Builder
	names := strings.Join(t.commandNames(), " ")
	fmt.Fprintf(&b, "# bash completion of %[1]s\n_%[1]s() {\n"+
		"  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} flags='' values='' prefix=''\n"+
		"  COMPREPLY=()\n"+
		"  case $word in\n  '=') word='' ;;\n  --*=*) before=${word%%%%=*} prefix=${word%%%%=*}= word=${word#*=} ;;\n"+
		"  *) if [ \"$before\" = '=' ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi ;;\n  esac\n"+
		"  if [ \"$COMP_CWORD\" -eq 1 ]; then\n    COMPREPLY=($(compgen -W '%[2]s' -- \"$word\"))\n    return\n  fi\n"+
		"%[3]s"+
		"  case $command in\n  help)\n    if [ \"$COMP_CWORD\" -eq 2 ]; then values='%[2]s'; fi\n"+
		"    if [ \"$COMP_CWORD\" -eq 3 ]; then\n      case ${COMP_WORDS[2]} in\n%[4]s      esac\n    fi\n    ;;\n", t.Name, names, bashFamilies(t), bashHelp(t))
	for _, c := range t.commands() {
		fmt.Fprintf(&b, "  '%s')\n    flags='%s'\n", c.Name, strings.Join(c.flagSpellings(), " "))
		var cases strings.Builder
		for _, f := range c.flags() {
			if len(f.Enum) > 0 {
				fmt.Fprintf(&cases, "    %s) values='%s' ;;\n", f.spelling(), strings.Join(f.Enum, " "))
			}
		}
		if cases.Len() > 0 {
			fmt.Fprintf(&b, "    case $before in\n%s    esac\n", cases.String())
		}
		if choices := c.choices(); choices != nil {
			fmt.Fprintf(&b, "    if [ \"$COMP_CWORD\" -eq 2 ]; then values='%s'; fi\n", strings.Join(choices, " "))
		}
		b.WriteString("    ;;\n")
	}
	fmt.Fprintf(&b, "  esac\n"+
		"  if [ -n \"$values\" ]; then\n    COMPREPLY=($(compgen -P \"$prefix\" -W \"$values\" -- \"$word\"))\n"+
		"  elif [ \"${word:0:1}\" = - ]; then\n    COMPREPLY=($(compgen -W \"$flags\" -- \"$word\"))\n  fi\n}\n"+
		"complete -o default -F _%[1]s %[1]s\n", t.Name)
	return b.String()
}

// bashHelp completes what follows "help" and the first of two words.
func bashHelp(t *Tool) string {
	var b strings.Builder
	for _, first := range t.families() {
		fmt.Fprintf(&b, "      %s) values='%s' ;;\n", first, strings.Join(t.family(first), " "))
	}
	return b.String()
}

// bashFamilies completes the second words of commands that have two, and makes both words the command.
func bashFamilies(t *Tool) string {
	var b strings.Builder
	for _, first := range t.families() {
		fmt.Fprintf(&b, "  if [ \"$command\" = %s ]; then\n"+
			"    if [ \"$COMP_CWORD\" -eq 2 ]; then\n      COMPREPLY=($(compgen -W '%s' -- \"$word\"))\n      return\n    fi\n"+
			"    command=\"$command ${COMP_WORDS[2]}\"\n  fi\n", first, strings.Join(t.family(first), " "))
	}
	return b.String()
}

// zshCompletion is the bash function under zsh's own adapter.
func zshCompletion(t *Tool) string {
	return fmt.Sprintf("#compdef %s\nautoload -U +X bashcompinit && bashcompinit\n%s", t.Name, bashCompletion(t))
}

// fishCompletion goes by the words that begin the line: __TOOL_begins says that they begin with a command, __TOOL_is that they are
// no more than that.
func fishCompletion(t *Tool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# fish completion of %[1]s\n"+
		"function __%[1]s_is; set -l words (commandline -opc); set -e words[1]; test \"$words\" = \"$argv\"; end\n"+
		"function __%[1]s_begins; set -l words (commandline -opc); set -e words[1]; string match -q -- \"$argv *\" \"$words \"; end\n", t.Name)
	for _, first := range t.families() {
		fmt.Fprintf(&b, "complete -c %[1]s -n __%[1]s_is -f -a %[2]s\n", t.Name, first)
		fmt.Fprintf(&b, "complete -c %[1]s -n '__%[1]s_is help %[2]s' -f -a '%[3]s'\n", t.Name, first, strings.Join(t.family(first), " "))
	}
	for _, c := range t.commands() {
		first, second, _ := strings.Cut(c.Name, " ")
		if second == "" {
			fmt.Fprintf(&b, "complete -c %[1]s -n __%[1]s_is -f -a %[2]s -d %[3]s\n", t.Name, first, singleQuoted(c.Summary))
			continue
		}
		fmt.Fprintf(&b, "complete -c %[1]s -n '__%[1]s_is %[2]s' -f -a %[3]s -d %[4]s\n", t.Name, first, second, singleQuoted(c.Summary))
	}
	fmt.Fprintf(&b, "complete -c %[1]s -n __%[1]s_is -f -a help -d 'explain a command'\n", t.Name)
	fmt.Fprintf(&b, "complete -c %[1]s -n '__%[1]s_is help' -f -a '%[2]s'\n", t.Name, strings.Join(t.commandNames(), " "))
	for _, c := range t.commands() {
		condition := fmt.Sprintf("__%s_begins %s", t.Name, c.Name)
		if choices := c.choices(); choices != nil {
			fmt.Fprintf(&b, "complete -c %s -n '__%s_is %s' -f -a '%s'\n", t.Name, t.Name, c.Name, strings.Join(choices, " "))
		}
		for _, f := range c.flags() {
			fmt.Fprintf(&b, "complete -c %s -n '%s' -l %s", t.Name, condition, f.Name)
			if s := f.short(); s != "" {
				fmt.Fprintf(&b, " -s %s", s)
			}
			switch {
			case f.Type == Switch || f.Type == Optional:
			case len(f.Enum) > 0:
				fmt.Fprintf(&b, " -x -a '%s'", strings.Join(f.Enum, " "))
			default:
				b.WriteString(" -r")
			}
			fmt.Fprintf(&b, " -d %s\n", singleQuoted(f.Help))
		}
	}
	return b.String()
}

func powershellCompletion(t *Tool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# PowerShell completion of %[1]s\nRegister-ArgumentCompleter -Native -CommandName %[1]s -ScriptBlock {\n"+
		"  param($wordToComplete, $commandAst, $cursorPosition)\n"+
		"  $words = @($commandAst.CommandElements | ForEach-Object { $_.ToString() })\n"+
		"  $flags = @{\n", t.Name)
	for _, c := range t.commands() {
		fmt.Fprintf(&b, "    '%s' = @('%s')\n", c.Name, strings.Join(c.flagSpellings(), "', '"))
	}
	fmt.Fprintf(&b, "  }\n  $commands = @('%s')\n"+
		"  if ($words.Count -lt 2 -or ($words.Count -eq 2 -and $wordToComplete -ne '')) { $choices = $commands }\n"+
		"%s"+
		"  else { $choices = $flags[$words[1]] }\n"+
		"  $choices | Where-Object { $_ -like \"$wordToComplete*\" } | ForEach-Object {\n"+
		"    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)\n  }\n}\n",
		strings.Join(t.commandNames(), "', '"), powershellFamilies(t))
	return b.String()
}

// powershellFamilies does for PowerShell what bashFamilies does for bash.
func powershellFamilies(t *Tool) string {
	var b strings.Builder
	for _, first := range t.families() {
		fmt.Fprintf(&b, "  elseif ($words[1] -eq '%[1]s' -and ($words.Count -lt 3 -or ($words.Count -eq 3 -and $wordToComplete -ne ''))) { $choices = @('%[2]s') }\n"+
			"  elseif ($words[1] -eq '%[1]s') { $choices = $flags[\"%[1]s $($words[2])\"] }\n", first, strings.Join(t.family(first), "', '"))
	}
	return b.String()
}

// singleQuoted quotes a text for fish.
func singleQuoted(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}
