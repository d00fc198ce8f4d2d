package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	"kdd/format"
	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

func verifyCommand() *Command {
	return &Command{
		Name: "verify", Group: GroupCheck, Usage: "FILE...", MinArgs: 1, MaxArgs: -1,
		Summary: "check every byte of an artifact",
		Help: "Reads the whole file: hashes of all blocks, order, ranges, padding, counts. Says \"ok\", or names every " +
			"block that is broken and where, and exits with 3.",
		Examples: []string{"verify docs.kddx"},
		Flags:    func() []Flag { return []Flag{textOrJSON("what to print")} },
		Run:      runVerify,
	}
}

func runVerify(c *Call) error {
	report := wire.VerifyReport{SchemaVersion: "verify_report.v1", OK: true}
	var unread error // the first file that is no artifact; the others are checked all the same
	for _, path := range c.Args {
		problems, err := artifact.Verify(path)
		if err := c.Context.Err(); err != nil {
			return err
		}
		if err != nil {
			unread = cmp.Or(unread, Named(path, err))
			continue
		}
		file := wire.VerifyFile{Path: path, OK: len(problems) == 0}
		for _, p := range problems {
			file.Problems = append(file.Problems, wire.VerifyProblem(p))
		}
		report.OK = report.OK && file.OK
		report.Files = append(report.Files, file)
	}
	var out bytes.Buffer
	if unread != nil && len(report.Files) == 0 {
		return unread
	}
	report.OK = report.OK && unread == nil
	if c.Text("format") == "json" {
		out.Write(append(wire.Encode(report), '\n'))
	} else {
		for _, file := range report.Files {
			name := wire.Clean(file.Path)
			if file.OK {
				fmt.Fprintf(&out, "%s: ok\n", name)
			}
			for _, p := range file.Problems {
				fmt.Fprintf(&out, "%s: %s at byte %d: %s\n", name, p.Block, p.Offset, wire.Clean(p.Text))
			}
		}
	}
	if _, err := c.Stdout.Write(out.Bytes()); err != nil {
		return err
	}
	if unread != nil {
		return unread
	}
	if !report.OK {
		return Silent{ErrFindings}
	}
	return nil
}

// Named puts the file's name before an error of package format, which does not know it.
func Named(path string, err error) error {
	if !errors.Is(err, format.ErrCorrupt) && !errors.Is(err, format.ErrNotKddx) && !errors.Is(err, format.ErrVersion) &&
		!errors.Is(err, format.ErrTooBig) {
		return err
	}
	return wire.From(codeOf(err), path+": ", err).With("path", path)
}
