package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kdd/cmd/internal/cli"
	"kdd/compiler"
	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

func watchCommand() *cli.Command {
	return &cli.Command{
		Name:    "watch",
		Group:   cli.GroupCompile,
		Summary: "build, and again whenever a document changes",
		Usage:   "[DIR...]",
		Help: "Builds as \"build\" does, then waits for changes of what it reads, kdd.yaml among them, until Ctrl-C. Servers " +
			"that have the file open answer from the new one. A build that fails says why and leaves the file as it was. " +
			"From the second build on the query encoder stays the one of the first, so the file's bytes are not those of " +
			"\"build\".",
		Examples:  []string{"watch docs -o docs.kddx", "watch docs --no-vectors", "watch docs --poll 2s"},
		MaxArgs:   -1,
		Flags:     watchFlags,
		ConfigDir: sourceConfig,
		Run:       runWatch,
	}
}

// watchFlags are build's, without those for one build.
func watchFlags() []cli.Flag {
	once := []string{"list", "source-commit", "vectors", "vectors-only", "mixed-engines", "reproduce", "format", "words-first"}
	flags := slices.DeleteFunc(buildFlags(), func(f cli.Flag) bool { return slices.Contains(once, f.Name) })
	return append(flags,
		cli.Flag{Name: "poll", Value: "DURATION",
			Help: "look for changes so often, where the system does not tell of them: network drives, some containers"},
		cli.Flag{Name: "format", Enum: []string{"text", "json"}, Default: "text", Help: "of what is said of each build"},
	)
}

func runWatch(c *cli.Call) error {
	defer c.CollectWithin(buildGCPercent, buildGarbageBytes)()
	poll, err := pollEvery(c)
	if err != nil {
		return err
	}
	said := &watchPrinter{c: c, out: c.Stdout, json: c.Text("format") == "json", quiet: c.Switch("quiet")}
	err = compiler.Watch(c.Context, compiler.WatchOptions{
		Next: nextBuild(c, c.Argv, said), Built: said.built, Poll: poll, Notice: said.notice,
	})
	said.progress.clear()
	if c.Context.Err() == nil {
		return buildError(err)
	} else if said.some {
		return nil // to end it is no failure
	}
	return err
}

// pollEvery is --poll.
func pollEvery(c *cli.Call) (time.Duration, error) {
	if c.Text("poll") == "" {
		return 0, nil
	}
	return c.Duration("poll", "2s or 500ms")
}

// nextBuild returns what makes the options of the next build of a command line of watch.
func nextBuild(c *cli.Call, argv []string, said *watchPrinter) func() (compiler.Options, error) {
	return func() (compiler.Options, error) {
		call, err := c.Resolve(argv)
		if err != nil {
			return compiler.Options{}, err
		}
		o, err := compileOptions(call)
		if err == nil {
			err = shape(call, &o)
		}
		if err != nil {
			return o, err
		}
		o.Strict, o.EncoderFrom = call.Switch("strict"), call.Text("encoder-from")
		if file := call.Text("like"); file != "" {
			err = cli.Named(file, o.Like(file, func(flag string) bool { return flag != compiler.GraphOption && call.OnCommandLine(flag) }))
		}
		o.Notice, o.WordsFirst = said.notice, said.words
		said.sources, said.golden, said.color = o.Sources, o.Golden, call.Color(c.Stderr)
		said.progress = newProgress(call, said.quiet)
		o.Progress = said.progress.listener()
		return o, err
	}
}

// extendServers gives serve and mcp the flags that keep their artifact up to date.
func extendServers(c *cli.Command) {
	if c.Name != "serve" && c.Name != "mcp" {
		return
	}
	flags, run := c.Flags, c.Run
	c.Flags = func() []cli.Flag {
		return append(flags(),
			cli.Flag{Name: "watch", Type: cli.List, Value: "DIR",
				Help: "build the artifact of this folder, and again when a document changes: the file of -i, else DIR.kddx"},
			cli.Flag{Name: "no-vectors", Type: cli.Switch, Help: "with --watch: search by words only, no model needed"})
	}
	c.Run = func(call *cli.Call) error {
		if len(call.List("watch")) == 0 {
			if call.Switch("no-vectors") {
				return cli.Usage("--no-vectors is for --watch DIR: an artifact is served as it was built")
			}
			return run(call)
		}
		return serveWatched(call, run)
	}
}

// serveWatched serves an artifact and builds it anew whenever its sources change. Where there is none yet, serving begins
// when there is.
func serveWatched(c *cli.Call, run func(*cli.Call) error) error {
	file, err := watchedFile(c)
	if err != nil {
		return err
	}
	argv := []string{"watch", "--output=" + file}
	if c.Switch("no-vectors") {
		argv = append(argv, "--no-vectors")
	}
	argv = append(append(argv, "--progress=never", "--"), c.List("watch")...)
	ctx, stop := context.WithCancelCause(c.Context)
	defer stop(nil)
	first := make(chan struct{})
	said := &watchPrinter{c: c, out: c.Stderr, json: c.Command.Name == "serve" && c.Text("format") == "json", first: first}
	ended := make(chan error, 1)
	go func() {
		err := compiler.Watch(ctx, compiler.WatchOptions{Next: nextBuild(c, argv, said), Built: said.built, Notice: said.notice})
		if ctx.Err() == nil {
			stop(buildError(err)) // the server ends with it
		}
		ended <- err
	}()
	defer func() {
		stop(nil)
		<-ended
	}()
	if !artifact.Exists(file) {
		select {
		case <-first:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	served := *c
	served.Context = ctx
	served.Put("index", file)
	err = run(&served)
	if ctx.Err() != nil && c.Context.Err() == nil {
		err = context.Cause(ctx) // building has ended, not the server
	}
	return err
}

// watchedFile is the artifact that --watch builds and the server answers from.
func watchedFile(c *cli.Call) (string, error) {
	given := c.List("index")
	switch {
	case len(given) > 1:
		return "", cli.Usage("--watch builds one artifact, -i names %d", len(given))
	case len(given) == 1 && artifact.IsURL(given[0]):
		return "", cli.Usage("--watch builds a file, -i names the URL %s", wire.Clean(given[0]))
	case len(given) == 1:
		return given[0], nil
	}
	dir, err := filepath.Abs(c.List("watch")[0])
	if err != nil {
		return "", err
	}
	base := filepath.Base(dir)
	if info, err := os.Stat(dir); err == nil && !info.IsDir() {
		base = strings.TrimSuffix(base, filepath.Ext(base))
	}
	return base + ".kddx", nil
}
