package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"kdd/cmd/internal/cli"
	"kdd/cmd/internal/gitmerge"
	"kdd/runtime"
	"kdd/runtime/wire"
)

func mergeCommand() *cli.Command {
	return &cli.Command{
		Name: "merge", Group: cli.GroupCompile, Usage: "BASE OURS THEIRS PATH", MinArgs: 4, MaxArgs: 4,
		Summary: "merge an artifact for \"git merge\": compile the merged sources",
		Help: "git runs it for a .kddx file that both sides changed, once \"install git\" has said so. It takes neither side: it " +
			"compiles the sources as git merges them, with the artifact's own options, and writes the result over OURS. Where they are in " +
			"conflict, or nothing says which they are, the artifact stays in conflict: exit 1, and what to do.",
		Examples: []string{"merge %O %A %B %P"},
		Run:      runMerge,
	}
}

func runMerge(c *cli.Call) error {
	ours, _ := runtime.Provenance(c.Args[1]) // what cannot be read is said below
	err := gitmerge.Merge(c.Context, gitmerge.Request{Base: c.Args[0], Ours: c.Args[1], Theirs: c.Args[2], Path: c.Args[3],
		Build: func(_ context.Context, sources []string, output, like string) error {
			var told bytes.Buffer
			args := append([]string{"build", "--quiet", "--output", output, "--like", like, "--"}, sources...)
			if run(args, strings.NewReader(""), io.Discard, &told) != cli.ExitOK {
				return errors.New("the build: " + lastLine(told.String()))
			}
			return nil
		}})
	if err == nil && ours != nil && (ours.Commit != "" || len(ours.Signatures) > 0) {
		c.Notef("%s is rebuilt of the merged sources: it is not signed, and names no commit", wire.Clean(c.Args[3]))
	}
	return err
}

// lastLine is the error of a command, behind its warnings.
func lastLine(told string) string {
	lines := strings.Split(strings.TrimSpace(told), "\n")
	return strings.TrimPrefix(lines[len(lines)-1], "kdd: ")
}
