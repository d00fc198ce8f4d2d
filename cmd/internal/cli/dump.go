package cli

import (
	"bufio"
	"errors"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/wire"
)

func dumpCommand() *Command {
	return &Command{
		Name: "dump", Group: GroupCheck, Usage: "FILE", MinArgs: 1, MaxArgs: 1,
		Summary: "print an artifact's structure with comments",
		Help: "Prints the header, the directory and the first rows of each block, every value with its meaning, so that a " +
			"file can be read beside FORMAT.md. A broken file is printed as far as it goes.",
		Examples: []string{"dump docs.kddx", "dump docs.kddx --block DOCS --rows 100"},
		Flags:    dumpFlags, Run: runDump,
	}
}

func dumpFlags() []Flag {
	return []Flag{
		{Name: "block", Value: "TAG", Help: "only this block"},
		{Name: "rows", Value: "N", Default: "8", Help: "rows of each block at most; 0 = all"},
		{Name: "hex", Type: Switch, Help: "all bytes of what is printed, not only those of short fields"},
	}
}

func runDump(c *Call) error {
	rows, err := c.Count("rows", 0)
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(c.Stdout, 64<<10)
	err = index.Dump(out, c.Args[0], format.DumpOptions{Block: c.Text("block"), Rows: rows, Hex: c.Switch("hex")})
	if flushed := out.Flush(); err == nil {
		err = flushed
	}
	if err != nil && c.Given("block") && codeOf(err) == wire.CodeInternal && !brokenPipe(err) &&
		!errors.As(err, new(*wire.Error)) {
		return usageError("--block: %s", err) // the only error of its own that a dump has
	}
	return Named(c.Args[0], err)
}
