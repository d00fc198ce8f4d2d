package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"kdd/cmd/internal/cli"
	"kdd/cmd/internal/site"
	"kdd/compiler/diag"
	"kdd/compiler/publish/parts"
	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

func siteCommand() *cli.Command {
	return &cli.Command{
		Name: "site", Group: cli.GroupPublish, Usage: "FILE", MinArgs: 1, MaxArgs: 1,
		Summary: "write a web site of the documents, or their search for another site",
		Help: "Writes a page for each document, lists of folders, kinds and tags, a search by words and meaning that needs no " +
			"server, and the markdown beside each page. Any static host serves it, and it opens from the folder too. With " +
			"--widget only the search is written, to go into pages of another generator; with --parts only the artifact, as " +
			"small files that never change, for hosts without ranges. docs/SITE.md and docs/PUBLISH.md say more.",
		Examples: []string{"site docs.kddx -o public", "site docs.kddx -o public --base-url https://docs.example.com",
			"site docs.kddx -o static/kdd --widget", "site docs.kddx -o public --parts --prune --dry-run"},
		Flags: siteFlags, Run: runSite,
	}
}

func siteFlags() []cli.Flag {
	return []cli.Flag{
		{
			Name:    "output",
			Aliases: []string{"o"},
			Value:   "DIR",
			Help:    "the folder to write to; it is made if it is not there",
		},
		{Name: "title", Help: "the name of the site; without it that of the artifact"},
		{
			Name:  "base-url",
			Value: "URL",
			Help:  "the address where the site will be, for canonical links and sitemap.xml",
		},
		{Name: "language", Help: "of pages whose document has none (ISO 639-1: en, es, ...)"},
		{
			Name:  "data",
			Value: "ADDRESS",
			Help: "where the search finds the artifact, as from the folder kdd/ of the site: a .kddx or the " +
				"manifest of parts; it is not written then",
		},
		{
			Name:    "inline-below",
			Value:   "MB",
			Default: "8",
			Help: "write an artifact of up to so many megabytes as a script too, so that the " +
				"search works in pages that are opened from a folder",
		},
		{Name: "widget", Type: cli.Switch, Help: "write the search only: the component, the reader and the artifact"},
		{Name: "parts", Type: cli.Switch, Help: "write the artifact only, as parts of 256 KiB and their manifest"},
		{
			Name: "prune",
			Type: cli.Switch,
			Help: "remove what a former run wrote and this one does not; with --parts, parts that no " +
				"manifest in the folder names any more",
		},
		{Name: "dry-run", Type: cli.Switch, Help: "write and remove nothing, but say what would be"},
		{Name: "format", Enum: []string{"text", "json"}, Default: "text", Help: "of the report"},
		{Name: "quiet", Aliases: []string{"q"}, Type: cli.Switch, Help: "no report"},
	}
}

func runSite(c *cli.Call) error {
	dir := c.Text("output")
	switch {
	case c.Switch("parts") && c.Switch("widget"):
		return cli.Usage("--parts and --widget exclude each other")
	case dir == "":
		return cli.Usage("-o is missing: want the folder to write to")
	case dir == "-":
		return cli.Usage("-o -: want a folder, files cannot go to standard output")
	}
	if c.Switch("parts") {
		for _, name := range []string{"title", "base-url", "language", "data", "inline-below"} {
			if c.OnCommandLine(name) {
				return cli.Usage("--parts and --%s exclude each other", name)
			}
		}
		return report(c, func() (*parts.Report, error) {
			return writeParts(
				c,
				c.Args[0],
				parts.Options{Dir: dir, Prune: c.Switch("prune"), DryRun: c.Switch("dry-run")},
			)
		}, partsReport)
	}
	o := site.Options{
		Dir: dir, Name: filepath.Base(c.Args[0]), Title: c.Text("title"), Lang: c.Text("language"), Source: c.Text("data"),
		Widget: c.Switch("widget"), Clean: c.Switch("prune"), DryRun: c.Switch("dry-run"),
	}
	if base := c.Text("base-url"); base != "" {
		u, err := url.Parse(base)
		if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.RawQuery != "" ||
			u.Fragment != "" {
			return cli.Usage(
				"--base-url %s: want an address such as https://docs.example.com/handbook",
				wire.Clean(base),
			)
		}
		o.Base = strings.TrimSuffix(base, "/") + "/"
	}
	below, err := strconv.ParseUint(c.Text("inline-below"), 10, 16)
	if err != nil {
		return cli.Usage("--inline-below %s: want megabytes, 0 to 65535", wire.Clean(c.Text("inline-below")))
	}
	o.Inline = int64(below) * 1e6
	return report(c, func() (*site.Report, error) { return writeSite(c, c.Args[0], o) }, siteReport)
}

// report prints what was written.
func report[R any](c *cli.Call, write func() (*R, error), text func(*R) string) error {
	r, err := write()
	if err != nil {
		if c.Context.Err() == nil {
			err = wire.From(wire.CodeIO, "", err)
		}
		return err
	}
	switch {
	case c.Text("format") == "json":
		_, err = c.Stdout.Write(append(wire.Encode(r), '\n'))
	case !c.Switch("quiet"):
		_, err = fmt.Fprintln(c.Stdout, text(r))
	}
	return err
}

// verified opens an artifact that nothing is wrong with. ready says whether it is still that file.
func verified(c *cli.Call, path string) (x *index.Index, f *os.File, ready func() error, err error) {
	if f, err = os.Open(path); err != nil {
		return nil, nil, nil, artifact.FileError(path, err)
	}
	defer func() {
		if err != nil {
			f.Close()
		}
	}()
	problems, err := artifact.Verify(c.Context, path)
	if err != nil {
		return nil, nil, nil, artifact.FileError(path, err)
	}
	if len(problems) > 0 {
		return nil, nil, nil, wire.NewError(wire.CodeIndexCorrupt, path+": corrupt index: "+problems[0].String(),
			`"kdd verify" lists all; build it again, or download it again`)
	}
	if x, err = index.Open(path); err != nil {
		return nil, nil, nil, artifact.FileError(path, err)
	}
	return x, f, func() error {
		opened, err := f.Stat()
		if now, gone := os.Stat(path); err != nil || gone != nil || !os.SameFile(opened, now) ||
			x.File.Changed() != format.Same {
			return diag.Cure("run it again", "%s: it was replaced meanwhile", path)
		}
		return nil
	}, nil
}

// writeParts verifies an artifact and writes its parts.
func writeParts(c *cli.Call, path string, o parts.Options) (*parts.Report, error) {
	x, f, ready, err := verified(c, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	defer x.File.Close()
	o.Name, o.File, o.Bytes, o.Root, o.Ready = filepath.Base(path), f, x.File.Bytes(), x.File.RootHash(), ready
	return parts.Write(c.Context, o)
}

// writeSite verifies an artifact and writes a site of it.
func writeSite(c *cli.Call, path string, o site.Options) (*site.Report, error) {
	x, f, ready, err := verified(c, path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	defer x.File.Close()
	o.Index, o.File = x, f
	o.Size = x.File.Bytes()
	var r *site.Report
	err = format.Guard(func() (err error) {
		r, err = site.Write(c.Context, o)
		return err
	})
	if err == nil {
		err = ready()
	}
	return r, err
}

// partsReport says what was written.
func partsReport(r *parts.Report) string {
	written, removed := "new", "removed"
	if r.DryRun {
		written, removed = "would be new", "would be removed"
	}
	text := fmt.Sprintf(
		"%s: %s of %s, %d %s (%s)",
		wire.Clean(r.Manifest),
		count(r.Parts, "part"),
		cli.Size(r.Bytes),
		r.Written,
		written,
		cli.Size(r.WrittenBytes),
	)
	if r.Removed > 0 {
		text += fmt.Sprintf(", %d %s", r.Removed, removed)
	}
	return text
}

// siteReport says what was written, and how to show it.
func siteReport(r *site.Report) string {
	written, removed := "new or changed", "removed"
	if r.DryRun {
		written, removed = "would be new or changed", "would be removed"
	}
	text := wire.Clean(r.Dir) + ": "
	if r.Pages > 0 {
		text += count(r.Pages, "page") + ", "
	}
	text += fmt.Sprintf("%s of %s, %d %s", count(r.Files, "file"), cli.Size(r.Bytes), r.Written, written)
	if r.Removed > 0 {
		text += fmt.Sprintf(", %d %s", r.Removed, removed)
	}
	for _, w := range r.Warnings {
		text += "\nwarning: " + wire.Clean(w)
	}
	if r.Data != "" {
		folder := wire.Clean(filepath.Base(filepath.Clean(r.Dir)))
		text += fmt.Sprintf("\n\nIn pages beside that folder:\n  <script src=%q defer></script>\n  <kdd-search src=%q pages=\"clean\"></kdd-search>",
			folder+"/start.js", folder+"/"+wire.Clean(r.Data))
	}
	return text
}
