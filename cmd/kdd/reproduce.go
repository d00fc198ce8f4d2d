package main

import (
	"fmt"
	"strings"

	"kdd/cmd/internal/cli"
	"kdd/compiler"
	"kdd/runtime/wire"
)

// printReproduction says which blocks differ; if any does, the exit code is that of findings.
func printReproduction(c *cli.Call, r *compiler.Reproduction) error {
	var b strings.Builder
	path := wire.Clean(r.Path)
	switch {
	case c.Text("format") == "json":
		b.Write(append(wire.Encode(r), '\n'))
	case r.Same:
		fmt.Fprintf(&b, "%s: reproduced, byte for byte: %s\n", path, r.IndexID)
	default:
		fmt.Fprintf(&b, "%s: %s; the sources give %s here\n", path, r.IndexID, r.Rebuilt)
		if r.MadeBy != r.RebuiltBy {
			fmt.Fprintf(&b, "made by %s; here it is %s\n", wire.Clean(r.MadeBy), wire.Clean(r.RebuiltBy))
		}
		if r.Engine != r.RebuiltEngine {
			fmt.Fprintf(&b, "vectors by %s; here by %s\n", wire.Clean(r.Engine), wire.Clean(r.RebuiltEngine))
		}
		for _, d := range r.Blocks {
			fmt.Fprintf(&b, "%s %s: %d bytes, here %d; %d differ\n", d.Tag, d.Name, d.Bytes, d.Rebuilt, d.Different)
		}
	}
	if _, err := c.Stdout.Write([]byte(b.String())); err != nil {
		return err
	}
	if !r.Same {
		return cli.Silent{Err: cli.ErrFindings}
	}
	return nil
}
