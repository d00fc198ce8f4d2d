package main

import (
	"cmp"
	"fmt"
	"strings"

	"kdd/cmd/internal/cli"
	"kdd/compiler"
	"kdd/runtime/wire"
)

func checkCommand() *cli.Command {
	return &cli.Command{
		Name: "check", Group: cli.GroupCheck, Usage: "[DIR...]", MaxArgs: -1,
		Summary: "say whether an artifact is what its sources would compile to",
		Help: "Compares the bytes of each document below the folders, and the options, with what the artifact says of them, " +
			"without a model and without compiling. Exit 0 if a build would change nothing, 3 and a list if it would. Options " +
			"are those of the artifact, unless a flag or kdd.yaml names others. What the folder is called does not count.",
		Examples:  []string{"check docs -i docs.kddx", "check docs -i docs.kddx --format json"},
		Flags:     checkFlags,
		ConfigDir: sourceConfig,
		Run:       runCheck,
	}
}

// checkFlags are the flags of build that shape an artifact.
func checkFlags() []cli.Flag {
	flags := []cli.Flag{{Name: "index", Aliases: []string{"i"}, Value: "FILE", Help: "the artifact"}}
	shaping := map[string]bool{"title": true, "language": true, "base-url": true, "site-url": true, "dialect": true, "no-vectors": true,
		"encoder": true, "stored-vectors": true, "dimensions": true, "drafts": true,
		"follow-links": true, "include": true, "exclude": true, "golden": true,
		"max-file-size": true}
	for _, f := range buildFlags() {
		if shaping[f.Name] {
			flags = append(flags, f)
		}
	}
	return append(flags, cli.Flag{Name: "format", Enum: []string{"text", "json"}, Default: "text", Help: "what to print"})
}

func runCheck(c *cli.Call) error {
	path := c.Text("index")
	if path == "" {
		return wire.NewError(wire.CodeInvalidInput, "check wants the artifact", "name it: check docs -i docs.kddx")
	}
	o, err := sourceOptions(c)
	if err == nil {
		err = shape(c, &o)
	}
	if err != nil {
		return err
	}
	report, err := compiler.Check(c.Context, o, path, func(flag string) bool {
		if flag == compiler.GraphOption {
			return c.Config().Graph != nil
		}
		return c.Given(flag)
	})
	if err != nil {
		return cli.Named(path, buildError(err))
	}
	if c.Text("format") == "json" {
		_, err = c.Stdout.Write(append(wire.Encode(report), '\n'))
	} else {
		_, err = fmt.Fprint(c.Stdout, checkText(report))
	}
	if err == nil && !report.Current {
		err = cli.Silent{Err: cli.ErrFindings}
	}
	return err
}

// checkText says what would change, a line each.
func checkText(r *compiler.CheckReport) string {
	var b strings.Builder
	if r.Current {
		fmt.Fprintf(&b, "%s: up to date, %s\n", wire.Clean(r.Path), wire.Plural(r.Documents, "document", "documents"))
		return b.String()
	}
	fmt.Fprintf(&b, "%s: out of date: a build would change it\n", wire.Clean(r.Path))
	for _, c := range r.Changes {
		line := c.Name
		switch c.What {
		case compiler.Renamed:
			line = c.From + " -> " + c.Name
		case compiler.OptionChanged, compiler.OtherProgram:
			if c.From != "" || c.To != "" {
				line = fmt.Sprintf("%s: %s, now %s", c.Name, cmp.Or(wire.Shorten(c.From, 80), "none"), cmp.Or(wire.Shorten(c.To, 80), "none"))
			}
		}
		fmt.Fprintf(&b, "%-8s %s\n", c.What, wire.Clean(line))
	}
	return b.String()
}
