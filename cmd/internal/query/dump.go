package query

import (
	"errors"
)

func dumpCommand() *Command {
	return &Command{
		Name:    "dump",
		Group:   GroupCheck,
		Summary: "print an artifact's structure with comments",
		Usage:   "FILE",
		Help: "Prints the header, the directory and the first rows of each block, every value with its meaning, so that a " +
			"file can be read beside FORMAT.md. A broken file is printed as far as it goes.",
		Examples: []string{"dump docs.kddx", "dump docs.kddx --block DICT --rows 100"},
		MinArgs:  1,
		MaxArgs:  1,
		Flags:    dumpFlags,
		Run:      runDump,
	}
}

func dumpFlags() []Flag {
	return []Flag{
		{Name: "block", Value: "TAG", Help: "only this block, in full detail"},
		{Name: "rows", Value: "N", Default: "8", Help: "rows of each block at most, 0 = all"},
		{Name: "hex", Type: Switch, Help: "the bytes too"},
	}
}

func runDump(c *Call) error {
	return errors.New("not wired yet")
}
