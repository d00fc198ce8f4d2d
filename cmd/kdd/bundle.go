package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"kdd/cmd/internal/cli"
	"kdd/cmd/internal/install"
	"kdd/compiler/publish/bundle"
	"kdd/format"
	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

func bundleCommand() *cli.Command {
	return &cli.Command{
		Name: "bundle", Group: cli.GroupPublish, Usage: "FILE...", MinArgs: 1, MaxArgs: -1,
		Summary: "pack artifacts, kddq and what to do with them for a site without a network",
		Help: "Writes one archive: the artifacts, each checked byte by byte, their signature files (.minisig, .sig, " +
			".sigstore.json, .asc) where they lie beside them, kddq for each platform, scripts that check the kit and register " +
			"it with agents' hosts, SHA256SUMS and a README. The same files give the same bytes.\n" +
			"kddq is taken from the folder of the running kdd, for this machine, and from the folder that --kddq names, where " +
			"release builds lie (kddq-VERSION-OS-ARCH, as \"make dist\" names them). Nothing is downloaded.",
		Examples: []string{"bundle docs.kddx -o kit.tar.gz",
			"bundle docs.kddx api.kddx -o kit.zip --platform linux/amd64,windows/amd64 --kddq dist"},
		Flags: bundleFlags, Run: runBundle,
	}
}

func bundleFlags() []cli.Flag {
	return []cli.Flag{
		{Name: "output", Aliases: []string{"o"}, Value: "KIT", Help: "the archive to write: .tar.gz, .tgz or .zip"},
		{Name: "platform", Type: cli.List, Value: "OS/ARCH,...",
			Help: "that kddq is packed for, or all (default: this machine's)"},
		{Name: "kddq", Value: "DIR", Help: "the folder of kddq's release builds"},
		{Name: "quiet", Aliases: []string{"q"}, Type: cli.Switch, Help: "no report"},
	}
}

func runBundle(c *cli.Call) error {
	o := bundle.Options{Artifacts: c.Args, Output: c.Text("output"), Programs: c.Text("kddq"), Version: cli.Version,
		Verify:        func(path string) ([]format.Problem, error) { return artifact.Verify(c.Context, path) },
		Registrations: registrations}
	if o.Output == "" {
		return cli.Usage("-o is missing: want the kit to write, such as kit.tar.gz")
	}
	var err error
	if o.Platforms, err = bundle.ParsePlatforms(c.List("platform")); err != nil {
		return cli.Usage("%v", err)
	}
	if program, err := os.Executable(); err == nil {
		o.Beside = filepath.Dir(program)
	}
	report, err := bundle.Write(c.Context, o)
	if err != nil {
		return err
	}
	if !report.Licences {
		c.Notef(`the kit has no licences: LICENSE and THIRD-PARTY-NOTICES.txt do not lie beside kddq ("make dist" puts them there)`)
	}
	if c.Switch("quiet") {
		return nil
	}
	signed := ""
	if report.Signatures > 0 {
		signed = ", " + count(report.Signatures, "signature")
	}
	platforms := make([]string, len(report.Platforms))
	for i, p := range report.Platforms {
		platforms[i] = p.String()
	}
	_, err = fmt.Fprintf(c.Stdout, "%s: %s, kddq for %s%s, %s\nsha256: %s\n", wire.Clean(o.Output),
		wire.Clean(strings.Join(report.Artifacts, ", ")), strings.Join(platforms, ", "), signed, cli.Size(report.Bytes), report.SHA256)
	return err
}

// registrations returns what each host's file has to have to start the server of a kit, by the name of the host.
func registrations(command string, artifacts []string) (map[string][]byte, error) {
	entry := install.Entry{Command: command, Args: []string{"mcp"}}
	for _, a := range artifacts {
		entry.Args = append(entry.Args, "-i", a)
	}
	texts := map[string][]byte{}
	for _, h := range install.Hosts() {
		text, err := h.Snippet("kdd", entry)
		if err != nil {
			return nil, err
		}
		texts[h.Name+h.Extension()] = text
	}
	return texts, nil
}
