// Command kddq asks compiled documentation: search, read, list, related, stats, and the same over MCP.
//
// It holds no compiler, needs no cgo, no network and no writable disk. "kddq help" lists the commands.
package main

import (
	"io"
	"os"

	"kdd/cmd/internal/cli"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Run(cli.Standalone(), args, stdin, stdout, stderr)
}
