package main

import (
	"fmt"
	"io"
	"os"
	"slices"

	"kdd/cmd/internal/cli"
	"kdd/compiler"
	"kdd/runtime/wire"
)

func embedCommand() *cli.Command {
	return &cli.Command{
		Name:    "embed",
		Group:   cli.GroupCompile,
		Summary: "make the vectors of one share of the documents, for a build on several machines",
		Usage:   "[DIR...]",
		Help: "Cuts the documents as \"build\" does and embeds every text whose hash falls to shard I of N. " +
			"\"build --vectors 'part-*.kddv'\" then makes of all parts the file that one machine makes. A run can be repeated, " +
			"and runs need not be in order. With --resume a run that was stopped goes on where it was.",
		Examples:  []string{"embed docs --shard 3/16 -o part-3.kddv", "embed docs --shard auto/16 --resume -o parts"},
		MaxArgs:   -1,
		Flags:     embedFlags,
		ConfigDir: sourceConfig,
		Run:       runEmbed,
	}
}

func embedFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{
		{Name: "output", Aliases: []string{"o"}, Value: "FILE|DIR", Help: "the part to write, or its folder (default: part-I.kddv)"},
		{Name: "shard", Value: "I/N", Default: "0/1",
			Help: "which share, I from 0 to N-1; auto or auto/N: from the variables of a job array or a CI matrix"},
		{Name: "resume", Type: cli.Switch, Help: "keep what is made in FILE.partial, and go on with what is there"},
	}, sourceFlags(), modelFlags(), []cli.Flag{
		{Name: "vectors", Type: cli.List, Value: "FILE", Help: "files or patterns of vectors made before, by \"embed\""},
		{Name: "format", Enum: []string{"text", "json"}, Default: "text", Help: "of the report"},
		progressFlag("json"),
		{Name: "quiet", Aliases: []string{"q"}, Type: cli.Switch, Help: "no report, no notes"},
	})
}

func runEmbed(c *cli.Call) error {
	defer c.CollectWithin(buildGCPercent, buildGarbageBytes)()
	shard, shards, err := parseShard(c.Text("shard"), os.Getenv)
	if err != nil {
		return err
	}
	options, err := compileOptions(c)
	if err != nil {
		return err
	}
	options.Parts = c.List("vectors")
	progress := newProgress(c, c.Switch("quiet"))
	options.Progress = progress.listener()
	if !c.Switch("quiet") {
		options.Notice = func(text string) { c.Notef("%s", wire.Clean(text)) }
	}
	report, err := compiler.Embed(c.Context, options, compiler.Part{Shard: shard, Shards: shards, Resume: c.Switch("resume")})
	progress.clear()
	if err != nil {
		return buildError(err)
	}
	switch {
	case c.Text("format") == "json":
		_, err = c.Stdout.Write(append(wire.Encode(report), '\n'))
	case !c.Switch("quiet"):
		err = writeEmbedded(c.Stdout, report)
	}
	return err
}

// writeEmbedded prints what a part has and where it came from.
func writeEmbedded(w io.Writer, r *compiler.EmbedReport) error {
	_, err := fmt.Fprintf(w, "%s: shard %d of %d, %s of %d (%d embedded, %d resumed, %d reused), %s in %.2f s\nmodel: %s, %s\n",
		wire.Clean(r.Path), r.Shard, r.Shards, count(r.Texts, "text"), r.AllTexts, r.Embedded, r.Resumed, r.Reused, cli.Size(r.FileBytes),
		r.Seconds["total"], wire.Clean(r.Model), wire.Clean(r.Engine))
	return err
}
