package query

import (
	"errors"
)

func verifyCommand() *Command {
	return &Command{
		Name:    "verify",
		Group:   GroupCheck,
		Summary: "check every byte of an artifact",
		Usage:   "FILE...",
		Help: "Reads the whole file: hashes of all blocks, order, ranges, padding, counts. Says \"ok\" and the index id, or names " +
			"every block that is broken and where, and exits with 3.",
		Examples: []string{"verify docs.kddx"},
		MinArgs:  1,
		MaxArgs:  -1,
		Flags:    verifyFlags,
		Run:      runVerify,
	}
}

func verifyFlags() []Flag {
	return []Flag{{Name: "format", Enum: []string{"text", "json"}, Default: "text", Help: "what to print"}}
}

func runVerify(c *Call) error {
	return errors.New("not wired yet")
}
