package main

import (
	"fmt"
	"os"
	"strings"

	"kdd/cmd/internal/cli"
	"kdd/compiler/publish/oci"
	source "kdd/runtime/source/oci"
	"kdd/runtime/wire"
)

func pushCommand() *cli.Command {
	return &cli.Command{
		Name: "push", Group: cli.GroupPublish, Usage: "oci://HOST/NAME:TAG FILE", MinArgs: 2, MaxArgs: 2,
		Summary: "upload an artifact to an OCI registry",
		Help: "Checks every byte of FILE and pushes it as an OCI artifact with one layer, annotated with its root hash, its model, " +
			"and the commit that \"build --source-commit\" recorded. The same file gives the same digest, and what the registry " +
			"has is not sent again. A login is docker's: docker login HOST.",
		Examples: []string{"push oci://ghcr.io/you/docs:main docs.kddx", "push oci://ghcr.io/you/docs:1.4.0 docs.kddx --tag latest"},
		Flags:    pushFlags, Run: runPush,
	}
}

func pushFlags() []cli.Flag {
	return append([]cli.Flag{
		{Name: "tag", Type: cli.List, Value: "TAG", Help: "one more tag of the same artifact"},
		{Name: "source", Value: "URL",
			Help: "where the sources are, for the registry's page (default: what GitHub's or GitLab's CI says)"},
	}, registryFlags()...)
}

func pullCommand() *cli.Command {
	return &cli.Command{
		Name: "pull", Group: cli.GroupPublish, Usage: "oci://HOST/NAME[:TAG|@DIGEST]...", MinArgs: 1, MaxArgs: -1,
		Summary: "download an artifact from an OCI registry",
		Help: "Fetches the .kddx from the first of the references that answers: further ones are mirrors. The file is replaced " +
			"once the new one has the manifest's digest and opens; if it has that digest already, nothing is downloaded. A " +
			"download that stops goes on at the next try. Without a tag it is \"latest\". A login is docker's: docker login HOST.",
		Examples: []string{"pull oci://ghcr.io/you/docs:main", "pull oci://ghcr.io/you/docs:main oci://mirror.example.com/docs:main -o docs.kddx"},
		Flags:    pullFlags, Run: runPull,
	}
}

func pullFlags() []cli.Flag {
	return append([]cli.Flag{
		{Name: "output", Aliases: []string{"o"}, Value: "FILE", Help: "the file to write (default: the name of the file that was pushed)"},
	}, registryFlags()...)
}

// registryFlags are those of both.
func registryFlags() []cli.Flag {
	return []cli.Flag{
		{Name: "plain-http", Type: cli.Switch,
			Help: "speak http; without it, only with a loopback or private address that speaks no https"},
		{Name: "format", Enum: []string{"text", "json"}, Default: "text", Help: "of the report"},
		progressFlag(),
		{Name: "quiet", Aliases: []string{"q"}, Type: cli.Switch, Help: "no report, no notes"},
	}
}

func runPush(c *cli.Call) error {
	bar := newProgress(c, c.Switch("quiet"))
	o := oci.PushOptions{Options: source.Options{PlainHTTP: c.Switch("plain-http")}, Tags: c.List("tag"), Source: c.Text("source")}
	if !c.Given("source") {
		o.Source = sourceOfCI(os.Getenv)
	}
	if bar != nil {
		o.Progress = bar.set
	}
	report, err := oci.Push(c.Context, c.Args[0], c.Args[1], o)
	bar.clear()
	if err != nil || c.Switch("quiet") {
		return cli.Named(c.Args[1], err)
	}
	if c.Text("format") == "json" {
		_, err = c.Stdout.Write(append(wire.Encode(report), '\n'))
		return err
	}
	sent := cli.Size(report.UploadedBytes) + " uploaded"
	if report.UploadedBytes == 0 {
		sent = "the registry had it"
	}
	_, err = fmt.Fprintf(c.Stdout, "%s: %s as %s, %s\n%s\n", wire.Clean(report.Path), cli.Size(report.FileBytes),
		strings.Join(report.Tags, ", "), sent, report.Reference)
	return err
}

// sourceOfCI returns the address of the repository that a CI builds; "" outside of one.
func sourceOfCI(getenv func(string) string) string {
	if server, name := getenv("GITHUB_SERVER_URL"), getenv("GITHUB_REPOSITORY"); server != "" && name != "" {
		return server + "/" + name
	}
	return getenv("CI_PROJECT_URL")
}

func runPull(c *cli.Call) error {
	quiet := c.Switch("quiet")
	bar := newProgress(c, quiet)
	o := oci.PullOptions{Options: source.Options{PlainHTTP: c.Switch("plain-http")}, Output: c.Text("output")}
	if bar != nil {
		o.Progress = bar.set
	}
	if !quiet {
		o.Notice = func(text string) { c.Notef("%s", wire.Clean(text)) }
	}
	report, err := oci.Pull(c.Context, c.Args, o)
	bar.clear()
	if err != nil || quiet {
		return err
	}
	if c.Text("format") == "json" {
		_, err = c.Stdout.Write(append(wire.Encode(report), '\n'))
		return err
	}
	came := cli.Size(report.DownloadedBytes) + " downloaded"
	switch {
	case report.Unchanged:
		came = "unchanged"
	case report.ReusedBytes > 0:
		came += ", " + cli.Size(report.ReusedBytes) + " taken from the file that was there"
	case report.ResumedBytes > 0:
		came += ", " + cli.Size(report.ResumedBytes) + " were there"
	}
	_, err = fmt.Fprintf(c.Stdout, "%s: %s, %s\n%s\n", wire.Clean(report.Path), cli.Size(report.FileBytes), came, report.Reference)
	return err
}
