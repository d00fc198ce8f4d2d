package main

import (
	"fmt"
	"os"

	"kdd/cmd/internal/cli"
	"kdd/cmd/internal/export"
	"kdd/runtime/wire"
)

func exportCommand() *cli.Command {
	return &cli.Command{
		Name: "export", Group: cli.GroupCompile, Usage: "FILE", MinArgs: 1, MaxArgs: 1,
		Summary: "write an artifact's chunks and vectors for another engine",
		Help: "Writes one row for each chunk: id, path, anchor, URL, title, headings, text, lines, facets, front matter, " +
			"links, hash and vector, and which model the vectors are of. docs/SCALE.md says when to leave kdd, and how each " +
			"engine takes its file.",
		Examples: []string{"export docs.kddx -o docs.parquet", "export docs.kddx --to opensearch --schema",
			"export docs.kddx --to jsonl -o - --no-vectors | jq -r .path"},
		Flags: exportFlags, Run: runExport,
	}
}

func exportFlags() []cli.Flag {
	return append([]cli.Flag{
		{Name: "to", Enum: export.Targets(), Help: "the format (default: what the extension of -o says)"},
		{Name: "output", Aliases: []string{"o"}, Value: "OUT",
			Help: "the file to write, or with beir the folder; - = standard output"},
		{Name: "no-vectors", Type: cli.Switch, Help: "leave the vectors out"},
		{Name: "schema", Type: cli.Switch,
			Help: "print what the engine needs before the rows instead: mapping, collection, tables; jsonl: the model"},
		{Name: "name", Value: "NAME", Default: export.DefaultName, Help: "of the table, index, collection or document type"},
		{Name: "base-url", Value: "URL", Help: "where the documents are published (default: what the artifact says)"},
		{Name: "quiet", Aliases: []string{"q"}, Type: cli.Switch, Help: "no report"},
	}, cli.TrustFlags()...)
}

func runExport(c *cli.Call) error {
	o := export.Options{Path: c.Args[0], To: c.Text("to"), Output: c.Text("output"), BaseURL: c.Text("base-url"),
		NoVectors: c.Switch("no-vectors")}
	var err error
	if o.Policy, err = c.Policy(); err != nil {
		return err
	}
	if c.Given("name") {
		o.Name = c.Text("name")
	}
	if o.To == "" {
		o.To = export.TargetOf(o.Output)
	}
	switch {
	case o.To == "":
		return cli.Usage("--to is missing: want %s", wire.Alternatives(export.Targets()))
	case c.Switch("schema") && c.Given("output"):
		return cli.Usage("--schema goes to standard output: leave -o out")
	case c.Switch("schema"):
		return export.Schema(o, c.Stdout)
	case o.Output == "":
		return cli.Usage("-o is missing: want the file to write, or - for standard output")
	case o.Output == "-" && o.To == "parquet" && cli.Terminal(c.Stdout):
		return cli.Usage("-o -: a terminal shows no Parquet; name a file, or send it to a program")
	}
	report, err := export.Run(c.Context, o, c.Stdout)
	if err != nil {
		return err
	}
	if report.Without {
		c.Notef("%s has no vectors: exported without them (build without --no-vectors for some)", wire.Clean(o.Path))
	}
	if report.To == "beir" && report.Questions == 0 {
		c.Notef("%s carries no questions: queries.jsonl and qrels/test.tsv are empty (build --golden adds some)", wire.Clean(o.Path))
	}
	if c.Switch("quiet") || o.Output == "-" {
		return nil
	}
	return printExport(c, o, report)
}

// printExport says what was written.
func printExport(c *cli.Call, o export.Options, report *export.Report) error {
	written := ""
	if info, err := os.Stat(o.Output); err == nil && !info.IsDir() {
		written = ", " + cli.Size(info.Size())
	}
	vectors := "no vectors"
	if m := report.Model; m != nil {
		vectors = fmt.Sprintf("vectors of %d dimensions (%s; %s)", m.Dim, wire.Clean(m.Name), report.Vectors)
	}
	_, err := fmt.Fprintf(c.Stdout, "%s: %s, %d chunks of %d documents, %s%s\n", wire.Clean(o.Output), report.To,
		report.Chunks, report.Documents, vectors, written)
	return err
}
