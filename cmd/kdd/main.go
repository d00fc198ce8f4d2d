// Command kdd compiles folders of markdown into one .kddx file and asks it.
//
//	kdd build docs
//	kdd search "how does authentication work"
//
// "kdd help" lists the commands. Those that ask are the same as kddq's.
package main

import (
	"io"
	"os"

	"kdd/cmd/internal/cli"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Run(cli.Tool{
		Name:     "kdd",
		Summary:  "compile markdown into one file that answers questions, and ask it",
		Commands: ownCommands(),
		Other:    "kddq",
		Checks:   checkModels,
		Extend:   extendServers,
	}, args, stdin, stdout, stderr)
}

// ownCommands are those that kddq lacks.
func ownCommands() []*cli.Command {
	commands := append([]*cli.Command{buildCommand(), watchCommand(), embedCommand(), exportCommand()}, modelCommands()...)
	return append(commands, siteCommand(), checkCommand(), keygenCommand(), signCommand(), attestCommand(), pushCommand(), pullCommand(), bundleCommand(), mergeCommand())
}
