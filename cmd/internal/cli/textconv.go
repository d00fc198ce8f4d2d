package cli

import (
	"errors"
	"fmt"

	"kdd/cmd/internal/install"
	"kdd/format"
	"kdd/runtime"
	"kdd/runtime/wire"
)

func textconvCommand() *Command {
	return &Command{
		Name: "textconv", Group: GroupCheck, Usage: "FILE", MinArgs: 1, MaxArgs: 1,
		Summary: "print what an artifact holds as text, for \"git diff\" and \"git log -p\"",
		Help: "Options, counts, then each document with its sections and findings, a line each; the line of a section has a hash " +
			"of its text, so what was reworded shows. git runs it once \"install git\" has said so. A file that is no artifact, or " +
			"a broken one, is one line that says it: an error would end git's own command.",
		Examples: []string{"textconv docs.kddx"},
		Run:      runTextconv,
	}
}

func runTextconv(c *Call) error {
	err := runtime.Outline(c.Stdout, c.Args[0])
	if errors.Is(err, format.ErrNotKddx) || errors.Is(err, format.ErrVersion) || errors.Is(err, format.ErrCorrupt) ||
		errors.Is(err, format.ErrTooBig) {
		_, err = fmt.Fprintf(c.Stdout, "not readable: %s\n", wire.Clean(err.Error()))
	}
	return err
}

// runGit sets up the repository of the working folder, or undoes it.
func (c *Call) runGit(do func(install.GitRequest) ([]install.Result, error), flags ...string) error {
	for _, flag := range flags {
		if c.OnCommandLine(flag) {
			return Usage("--%s is for hosts; git's drivers are set for the repository of the working folder", flag)
		}
	}
	results, err := do(install.GitRequest{Context: c.Context, DryRun: c.Switch("dry-run")})
	for i := range results {
		if said := c.said(gitTarget, gitOutcomes[results[i].Action], &results[i]); said != nil {
			return said
		}
	}
	return err
}

// gitOutcomes are the lines that report what was done with a file of git's.
var gitOutcomes = map[install.Action]string{
	install.Added:     "drivers WOULD added to PATH",
	install.Changed:   "drivers WOULD changed in PATH",
	install.Removed:   "drivers WOULD removed from PATH",
	install.Deleted:   "drivers WOULD removed with PATH, which holds nothing else",
	install.Unchanged: "drivers are in PATH already; nothing to change",
	install.Absent:    "no drivers in PATH; nothing to remove",
}
