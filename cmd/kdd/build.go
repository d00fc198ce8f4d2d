package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kdd/cmd/internal/cli"
	"kdd/compiler"
	"kdd/compiler/diag"
	"kdd/compiler/source"
	"kdd/runtime/wire"
)

func buildCommand() *cli.Command {
	return &cli.Command{
		Name:    "build",
		Group:   cli.GroupCompile,
		Summary: "compile folders of markdown into one .kddx file",
		Usage:   "[DIR...]",
		Help: "Compiles .md, .markdown, .mdx and .feature files below folders (default: the working one), but no " +
			"drafts and not what .gitignore and .kddignore say. kdd.yaml sets most flags (docs/CONFIGURATION.md).",
		Examples:  []string{"build docs", "build docs handbook -o team.kddx --strict"},
		MaxArgs:   -1,
		Flags:     buildFlags,
		ConfigDir: sourceConfig,
		Run:       runBuild,
	}
}

// sourceConfig looks for kdd.yaml in the first source.
func sourceConfig(args []string) string {
	if len(args) == 0 {
		return ""
	}
	if info, err := os.Stat(args[0]); err == nil && !info.IsDir() {
		return filepath.Dir(args[0])
	}
	return args[0]
}

func buildFlags() []cli.Flag {
	color := cli.Flag{Name: "color", Enum: []string{"auto", "always", "never"}, Default: "auto", Setting: "show.color",
		Help: "auto: on a terminal, without NO_COLOR"}
	return slices.Concat([]cli.Flag{
		{Name: "output", Aliases: []string{"o"}, Value: "FILE",
			Help: "the file to write (default: the first folder's name with .kddx)"},
		{Name: "strict", Type: cli.Switch, Setting: "strict", Help: "any warning: write nothing, exit 3"},
		{Name: "list", Type: cli.Switch, Help: "show what would be compiled and what skipped; write nothing"},
	}, sourceFlags(), []cli.Flag{
		{Name: "title", Value: "TEXT", Setting: "title", Help: "title of the index"},
		{Name: "language", Value: "CODE", Setting: "language",
			Help: "language (ISO 639-1) of documents that neither say nor show theirs"},
		{Name: "base-url", Value: "URL", Setting: "base_url", Help: "where the documents are published: answers link there"},
		{Name: "dialect", Type: cli.List, Value: "[DIR=]NAME", Setting: "dialect",
			Help: "the site's generator: hugo, mkdocs …, plain (default: found)"},
		{Name: "site-url", Value: "URL", Setting: "site_url",
			Help: "links that begin with this count as links from the folder's top"},
		{Name: "source-commit", Type: cli.Optional, Value: "COMMIT", Bare: "auto",
			Help: "record the commit of the sources (the last that touched them)"},
		{Name: "words-first", Type: cli.Switch,
			Help: "no file yet: write one for search by words before embedding"},
		{Name: "no-vectors", Type: cli.Switch, Setting: "no_vectors",
			Help: "no embeddings: search by words only, no model needed"},
	}, modelFlags(), []cli.Flag{
		{Name: "encoder-from", Value: "FILE", Help: "the table of that .kddx, of the same model: fewer bytes change"},
		{Name: "stored-vectors", Enum: []string{"int8", "float32"}, Default: "int8", Setting: "stored_vectors",
			Help: "of the file; float32 keeps both"},
		{Name: "vectors", Type: cli.List, Value: "FILE",
			Help: "vectors made by \"embed\"; what they lack is embedded here"},
		{Name: "vectors-only", Type: cli.Switch,
			Help: "embed nothing: a text that --vectors lacks is an error"},
		{Name: "mixed-engines", Type: cli.Switch, Help: "take vectors of several engines: their last bits differ"},
		{Name: "like", Value: "FILE", Help: "options of that .kddx, but for flags that are given"},
		{Name: "reproduce", Value: "FILE", Help: "compare that .kddx with what the folders give; write nothing"},
		{Name: "golden", Type: cli.List, Value: "FILE",
			Help: "questions and judgements, or their folder, which \"eval\" asks"},
		{Name: "format", Enum: []string{"text", "github", "json"}, Default: "text", Help: "of findings and report"},
		color,
		progressFlag("json"),
		{Name: "verbose", Type: cli.Switch, Help: "every finding, notes too, not three of each rule"},
		{Name: "quiet", Aliases: []string{"q"}, Type: cli.Switch, Help: "no report, no notes; warnings and errors only"},
	})
}

// sourceFlags say which documents are read.
func sourceFlags() []cli.Flag {
	return []cli.Flag{
		{Name: "drafts", Type: cli.Switch, Setting: "drafts",
			Help: "compile documents with draft: true or published: false too"},
		{Name: "follow-links", Type: cli.Switch, Help: "follow links in the file system that leave a folder"},
		{Name: "keep-going", Type: cli.Switch, Help: "leave out what cannot be read, instead of failing"},
		{Name: "max-file-size", Value: "MIB", Default: "64", Setting: "max_file_size", Help: "largest document that is read"},
		{Name: "include", Type: cli.List, Value: "GLOB", Setting: "include", Help: "only files that match"},
		{Name: "exclude", Type: cli.List, Value: "GLOB", Setting: "exclude", Help: "no files that match"},
	}
}

// modelFlags say how texts are embedded.
func modelFlags() []cli.Flag {
	return slices.Concat([]cli.Flag{
		{Name: "model", Value: "NAME|DIR", Help: "document encoder (default all-MiniLM-L6-v2; \"kdd model list\")"},
		{Name: "encoder", Enum: []string{"distilled", "exact", "none"}, Default: "distilled", Setting: "encoder",
			Help: "of queries: a table, the model (23 MB) or none"},
		{Name: "dimensions", Value: "N", Default: "0", Setting: "dimensions",
			Help: "keep the first N of a vector: for models trained for that; 0 = all"},
		engineFlag(),
		deviceFlag(),
		libraryFlag(),
		{Name: "fresh", Type: cli.Switch, Help: "embed all texts anew: take no vector from the old file or the cache"},
		{Name: "cache", Value: "DIR", Help: "folder of vectors made before (default: the user's cache); - = none"},
	}, remoteFlags())
}

// sourceOptions translates the flags that build, embed and check have.
func sourceOptions(c *cli.Call) (compiler.Options, error) {
	o := compiler.Options{
		Sources:     c.Args,
		Drafts:      c.Switch("drafts"),
		FollowLinks: c.Switch("follow-links"),
		Include:     c.List("include"),
		Exclude:     c.List("exclude"),
		Version:     cli.Version,
		Encoder:     c.Text("encoder"),
	}
	size, err := strconv.Atoi(c.Text("max-file-size"))
	if err != nil || size < 1 || size > cli.MaxFileMiB {
		return o, cli.Usage("--max-file-size takes 1 to %d, got %q", cli.MaxFileMiB, wire.Clean(c.Text("max-file-size")))
	}
	o.MaxFileBytes = int64(size) << 20
	if len(o.Sources) == 0 {
		o.Sources = []string{"."}
	}
	if o.Dimensions, err = dimensions(c); err != nil {
		return o, err
	}
	if config := c.Config(); config.Graph != nil {
		o.Config = &compiler.Config{Rules: config.Graph, Path: config.Path}
	}
	return o, nil
}

// compileOptions translates the flags that build and embed have both.
func compileOptions(c *cli.Call) (compiler.Options, error) {
	o, err := sourceOptions(c)
	if err != nil {
		return o, err
	}
	o.Output = c.Text("output")
	o.Model, o.Engine, o.Device, o.Library = c.Text("model"), c.Text("engine"), c.Text("device"), c.Text("onnxruntime")
	o.CacheDir, o.RemotePrefix = c.Text("cache"), c.Text("embed-prefix")
	o.Fresh, o.KeepGoing = c.Switch("fresh"), c.Switch("keep-going")
	o.Remote, err = remoteOptions(c)
	return o, err
}

// dimensions reads how many dimensions are kept.
func dimensions(c *cli.Call) (int, error) {
	n, err := strconv.Atoi(c.Text("dimensions"))
	if err != nil || n < 0 || n > cli.MaxDimensions {
		return 0, cli.Usage("--dimensions takes 1 to %d, or 0 for all, got %q", cli.MaxDimensions,
			wire.Clean(c.Text("dimensions")))
	}
	return n, nil
}

// shape adds what the flags of build and check say of the artifact.
func shape(c *cli.Call, o *compiler.Options) (err error) {
	o.Dialects = c.List("dialect")
	o.SiteURL, o.BaseURL = c.Text("site-url"), c.Text("base-url")
	o.Title, o.Language = c.Text("title"), c.Text("language")
	o.NoVectors, o.Floats = c.Switch("no-vectors"), c.Text("stored-vectors") == "float32"
	o.Golden, err = golden(c.Context, c.List("golden"))
	return err
}

// buildOptions translates the command line, which has already been resolved, for the compiler.
func buildOptions(c *cli.Call) (compiler.Options, error) {
	o, err := compileOptions(c)
	if err == nil {
		err = shape(c, &o)
	}
	if err != nil {
		return o, err
	}
	o.Strict = c.Switch("strict")
	o.Commit, o.EncoderFrom = c.Text("source-commit"), c.Text("encoder-from")
	o.Parts, o.PartsOnly, o.MixedEngines = c.List("vectors"), c.Switch("vectors-only"), c.Switch("mixed-engines")
	if file := cmp.Or(c.Text("like"), c.Text("reproduce")); file != "" {
		err = cli.Named(file, o.Like(file, func(flag string) bool { return flag != compiler.GraphOption && c.OnCommandLine(flag) }))
	}
	return o, err
}

// golden reads the files of a question set.
func golden(ctx context.Context, files []string) (*compiler.Golden, error) {
	if len(files) == 0 {
		return nil, nil
	}
	if len(files) > 2 {
		return nil, cli.Usage("--golden is given %d times, want one file with questions and answers, or questions and "+
			"judgements", len(files))
	}
	parsed, err := cli.ParseQuestions(ctx, files, "")
	if err != nil {
		return nil, err
	}
	g := &compiler.Golden{Set: parsed.Set}
	g.Set.Name = filepath.Base(g.Set.Name)
	for _, m := range parsed.Marks {
		g.Marks = append(g.Marks, compiler.GoldenMark{File: m.File, Line: m.Line, Question: m.Question, Place: m.Place})
	}
	return g, nil
}

// goldenNames makes the names of a question set's files, which lie outside the sources, those of the command line.
func goldenNames(g *compiler.Golden, name func(string) string) func(string) string {
	if g == nil {
		return name
	}
	given := map[string]string{}
	for _, m := range g.Marks {
		given[filepath.Base(m.File)] = m.File
	}
	return func(path string) string {
		if file, ok := given[path]; ok {
			return filepath.ToSlash(file)
		}
		return name(path)
	}
}

// buildGCPercent is how much garbage, in percent of what is in use, a build lets gather. What is in use is many times
// the sources: with Go's default of 100 a tree of 45 MB has a peak of 0.92 GB, with 50 of 0.73, for 5 to 10 % of the
// processor's time. Beyond buildGarbageBytes of garbage it is less: a million chunks have 2.7 GB in use.
const (
	buildGCPercent    = 50
	buildGarbageBytes = 512 << 20
)

func runBuild(c *cli.Call) error {
	defer c.CollectWithin(buildGCPercent, buildGarbageBytes)()
	options, err := buildOptions(c)
	if err != nil {
		return err
	}
	build := compiler.Build
	if c.Switch("list") {
		build = compiler.List
	}
	progress := newProgress(c, c.Switch("quiet"))
	listen(c, &options, progress)
	if file := c.Text("reproduce"); file != "" {
		r, err := compiler.Reproduce(c.Context, options, file)
		progress.clear()
		if err != nil {
			return buildError(err)
		}
		return printReproduction(c, r)
	}
	report, err := build(c.Context, options)
	progress.clear()
	if errors.Is(err, compiler.ErrNoModel) {
		if err = offerWords(c, &options, err); err == nil {
			report, err = build(c.Context, options)
			progress.clear()
		}
	}
	if report == nil || err != nil && !errors.Is(err, compiler.ErrFindings) {
		return buildError(err)
	}
	if err := printBuild(c, options, report); err != nil {
		return err
	}
	if err != nil {
		return strictFailure(c, report)
	}
	return nil
}

// listen has the build tell how it goes, what it takes, and that there is something to search already.
func listen(c *cli.Call, o *compiler.Options, p *progress) {
	o.Progress = p.listener()
	note := func(text string) {
		if !c.Switch("quiet") {
			p.wipe()
			c.Notef("%s", wire.Clean(text))
		}
	}
	o.Notice = note
	if !p.forPrograms() {
		o.Progress = &estimate{next: o.Progress, say: note, sentences: c.Text("encoder") == compiler.EncoderDistilled}
	}
	if c.Switch("words-first") || cli.Terminal(c.Stderr) {
		o.WordsFirst = func(r *compiler.Report) { note(r.Path + " can be searched by words already") }
	}
}

// buildError gives errors of the compiler their place on the wire.
func buildError(err error) error {
	code := ""
	switch {
	case errors.Is(err, compiler.ErrOption):
		code = wire.CodeInvalidInput
	case errors.Is(err, source.ErrMissing), errors.Is(err, source.ErrEmpty):
		code = wire.CodeNotFound
	case errors.Is(err, compiler.ErrOutput), errors.Is(err, source.ErrIncomplete):
		code = wire.CodeIO
	default:
		return modelError(err)
	}
	return wire.From(code, "", err)
}

// strictFailure is the last line of a strict build with findings; JSON says it by having no index_id.
func strictFailure(c *cli.Call, report *compiler.Report) error {
	if c.Text("format") == "json" {
		return cli.Silent{Err: cli.ErrFindings}
	}
	return fmt.Errorf("%w in a strict build (%s): nothing was written", cli.ErrFindings, diag.Count(report.Diags))
}

// printBuild writes the findings to stderr and the report to stdout; for GitHub, whose runner reads both, and as JSON
// everything goes to stdout.
func printBuild(c *cli.Call, options compiler.Options, report *compiler.Report) error {
	format := c.Text("format")
	if format == "json" {
		_, err := c.Stdout.Write(append(wire.Encode(report), '\n'))
		return err
	}
	printer := diag.Printer{Color: c.Color(c.Stderr), Name: goldenNames(options.Golden, sourceNames(options.Sources))}
	left, err := printFindings(c, printer, report.Diags)
	if err != nil {
		return err
	}
	if c.Switch("quiet") && !c.Switch("list") {
		return nil
	}
	var out bytes.Buffer
	if c.Switch("list") {
		writeListing(&out, report)
	} else if report.IndexID != "" {
		writeSummary(&out, report, left)
		if format == "text" {
			file := cli.ShellQuote(wire.Clean(report.Path))
			fmt.Fprintf(&out, "try: kdd ask \"your question\" -i %s, or for an agent: kdd install claude --index %s\n", file, file)
		}
	}
	_, err = c.Stdout.Write(out.Bytes())
	return err
}

// printFindings writes all findings for GitHub or with --verbose, else some warnings and errors of each rule. It returns
// how many it has left out.
func printFindings(c *cli.Call, printer diag.Printer, all []diag.Diagnostic) (left int, err error) {
	github, found := c.Text("format") == "github", all
	if c.Switch("quiet") || !github && !c.Switch("verbose") {
		found = slices.DeleteFunc(slices.Clone(all), func(d diag.Diagnostic) bool { return d.Severity == diag.Note })
	}
	switch {
	case github:
		printer.Name = repositoryNames(printer.Name)
		err = printer.GitHub(c.Stdout, found)
	case c.Switch("verbose"):
		err = printer.Text(c.Stderr, found)
	default:
		left, err = printer.Grouped(c.Stderr, found)
	}
	return left + len(all) - len(found), err
}

// sourceNames returns a function from the path of a document, as the artifact has it, to one from the working folder.
func sourceNames(sources []string) func(string) string {
	if len(sources) == 1 {
		dir := sources[0]
		if info, err := os.Stat(dir); err == nil && !info.IsDir() {
			dir = filepath.Dir(dir)
		}
		return func(path string) string { return filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(path))) }
	}
	return func(path string) string {
		first, rest, _ := strings.Cut(path, "/")
		for _, dir := range sources {
			if filepath.Base(dir) == first {
				return filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(rest)))
			}
		}
		return path
	}
}

// repositoryNames makes the names that GitHub wants, from the top of the repository: the working folder's, else the
// file's own, which may be checked out in a folder below. Without a repository they stay.
func repositoryNames(name func(string) string) func(string) string {
	here, err := os.Getwd()
	if err != nil {
		return name
	}
	tops := map[string]string{} // by folder, so that each is looked for once
	top := func(dir string) string {
		found, known := tops[dir]
		if !known {
			found = source.Repository(dir)
			tops[dir] = found
		}
		return found
	}
	return func(path string) string {
		shown := name(path)
		full := filepath.FromSlash(shown)
		if !filepath.IsAbs(full) {
			full = filepath.Join(here, full)
		}
		for _, dir := range []string{here, filepath.Dir(full)} {
			if top := top(dir); top != "" {
				if below, err := filepath.Rel(top, full); err == nil && filepath.IsLocal(below) {
					return filepath.ToSlash(below)
				}
			}
		}
		return shown
	}
}
