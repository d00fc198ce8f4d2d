package main

import (
	"fmt"
	"os"
	"path/filepath"

	"kdd/cmd/internal/cli"
	"kdd/compiler/diag"
	"kdd/compiler/publish/parts"
	"kdd/format"
	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

func siteCommand() *cli.Command {
	return &cli.Command{
		Name: "site", Group: cli.GroupPublish, Usage: "FILE", MinArgs: 1, MaxArgs: 1,
		Summary: "write an artifact as files for a web host",
		Help: "With --parts the artifact becomes small files that never change, each named by its hash, and a manifest " +
			"NAME.kddx.json, which is written last. Any static host can serve them, without ranges and behind proxies that " +
			"compress. Parts that are there already stay. docs/PUBLISH.md says what a host needs.",
		Examples: []string{"site docs.kddx -o public --parts", "site docs.kddx -o public --parts --prune --dry-run"},
		Flags:    siteFlags, Run: runSite,
	}
}

func siteFlags() []cli.Flag {
	return []cli.Flag{
		{Name: "output", Aliases: []string{"o"}, Value: "DIR", Help: "the folder to write to; it is made if it is not there"},
		{Name: "parts", Type: cli.Switch, Help: "write parts of 256 KiB and their manifest"},
		{Name: "prune", Type: cli.Switch, Help: "remove parts that no manifest in the folder names any more"},
		{Name: "dry-run", Type: cli.Switch, Help: "write and remove nothing, but say what would be"},
		{Name: "format", Enum: []string{"text", "json"}, Default: "text", Help: "of the report"},
		{Name: "quiet", Aliases: []string{"q"}, Type: cli.Switch, Help: "no report"},
	}
}

func runSite(c *cli.Call) error {
	o := parts.Options{Dir: c.Text("output"), Prune: c.Switch("prune"), DryRun: c.Switch("dry-run")}
	switch {
	case !c.Switch("parts"):
		return cli.Usage("--parts is missing: site writes nothing else so far")
	case o.Dir == "":
		return cli.Usage("-o is missing: want the folder to write to")
	case o.Dir == "-":
		return cli.Usage("-o -: want a folder, files cannot go to standard output")
	}
	report, err := writeSite(c, c.Args[0], o)
	if err != nil {
		return err
	}
	switch {
	case c.Text("format") == "json":
		_, err = c.Stdout.Write(append(wire.Encode(report), '\n'))
	case !c.Switch("quiet"):
		_, err = fmt.Fprintln(c.Stdout, siteReport(report))
	}
	return err
}

// writeSite verifies an artifact and writes its parts.
func writeSite(c *cli.Call, path string, o parts.Options) (*parts.Report, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, artifact.FileError(path, err)
	}
	defer f.Close()
	problems, err := artifact.Verify(c.Context, path)
	if err != nil {
		return nil, artifact.FileError(path, err)
	}
	if len(problems) > 0 {
		return nil, wire.NewError(wire.CodeIndexCorrupt, path+": corrupt index: "+problems[0].String(),
			`"kdd verify" lists all; build it again, or download it again`)
	}
	x, err := format.Open(path)
	if err != nil {
		return nil, artifact.FileError(path, err)
	}
	defer x.Close()
	o.Name, o.File, o.Bytes, o.Root = filepath.Base(path), f, x.Bytes(), x.RootHash()
	o.Ready = func() error { // what was read is what was verified
		opened, err := f.Stat()
		if now, gone := os.Stat(path); err != nil || gone != nil || !os.SameFile(opened, now) || x.Changed() != format.Same {
			return diag.Cure("run it again", "%s: it was replaced meanwhile", path)
		}
		return nil
	}
	report, err := parts.Write(c.Context, o)
	if err != nil && c.Context.Err() == nil {
		err = wire.From(wire.CodeIO, "", err)
	}
	return report, err
}

// siteReport says what was written.
func siteReport(r *parts.Report) string {
	written, removed := "new", "removed"
	if r.DryRun {
		written, removed = "would be new", "would be removed"
	}
	text := fmt.Sprintf("%s: %s of %s, %d %s (%s)", wire.Clean(r.Manifest), count(r.Parts, "part"), cli.Size(r.Bytes), r.Written, written,
		cli.Size(r.WrittenBytes))
	if r.Removed > 0 {
		text += fmt.Sprintf(", %d %s", r.Removed, removed)
	}
	return text
}
