package main

import (
	"cmp"
	"fmt"
	"os"

	"kdd/cmd/internal/cli"
	"kdd/cmd/internal/replace"
	"kdd/compiler/diag"
	"kdd/compiler/publish/attest"
	"kdd/compiler/publish/signing"
	"kdd/runtime/wire"
)

func attestCommand() *cli.Command {
	return &cli.Command{
		Name: "attest", Group: cli.GroupPublish, Usage: "FILE", MinArgs: 1, MaxArgs: 1,
		Summary: "say what made an artifact, signed, for supply-chain tools",
		Help: "Writes an in-toto statement with SLSA provenance (commit, hash of the sources, kdd, model, engine) as a Sigstore " +
			"bundle beside FILE, signed by a key of \"kdd keygen\". Sign the artifact before: its bytes are what is attested. " +
			"cosign checks the bundle with the public key that --print-key writes; docs/TRUST.md says how.",
		Examples: []string{"attest docs.kddx --key docs.key", "attest --print-key --key docs.key docs.kddx"},
		Flags: func() []cli.Flag {
			return []cli.Flag{
				{Name: "key", Value: "FILE", Help: "a private key of minisign"},
				{Name: "output", Aliases: []string{"o"}, Value: "FILE", Help: "the bundle (default: FILE.sigstore.json)"},
				{Name: "builder", Value: "URI", Help: "what builds (default: the workflow that GitHub's or GitLab's CI names)"},
				{Name: "source", Value: "URL", Help: "where the sources are (default: what GitHub's or GitLab's CI says)"},
				{Name: "print-key", Type: cli.Switch, Help: "write the public key as PEM, and nothing else"},
			}
		},
		Run: runAttest,
	}
}

func runAttest(c *cli.Call) error {
	path := c.Args[0]
	if c.Text("key") == "" {
		return wire.NewError(wire.CodeInvalidInput, "attest wants --key", `name a private key: --key docs.key ("kdd keygen" makes one)`)
	}
	key, err := signing.Load(c.Text("key"), password(c))
	if err != nil {
		return err
	}
	defer key.Close()
	private := key.Ed25519()
	if private == nil {
		return diag.Cure(`make one with "kdd keygen"`, "%s: attestations are signed by keys of minisign only", c.Text("key"))
	}
	if c.Switch("print-key") {
		pem, err := attest.PublicKey(key.Public().Ed25519())
		if err == nil {
			_, err = c.Stdout.Write(pem)
		}
		return err
	}
	if err := whole(c, path, "attested"); err != nil {
		return err
	}
	o := attest.Options{Builder: c.Text("builder"), Source: c.Text("source"), Version: cli.Version}
	if o.Source == "" {
		o.Source = sourceOfCI(os.Getenv)
	}
	builder, run := builderOfCI(os.Getenv)
	o.Builder, o.Invocation = cmp.Or(o.Builder, builder), run
	if o.Program, err = os.Executable(); err != nil {
		return err
	}
	statement, err := attest.Of(path, o)
	if err != nil {
		return cli.Named(path, err)
	}
	b, err := attest.Bundle(statement, private)
	if err != nil {
		return err
	}
	out := cmp.Or(c.Text("output"), path+".sigstore.json")
	if err := replace.File(out, b, nil, 0o644, nil); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.Stdout, "%s: attests %s by %s\n", wire.Clean(out), wire.Clean(path), wire.Clean(key.ID()))
	return err
}

// builderOfCI returns the URIs of the workflow that a CI runs, and of this run; what builds elsewhere is not known.
func builderOfCI(getenv func(string) string) (builder, run string) {
	switch server, workflow := getenv("GITHUB_SERVER_URL"), getenv("GITHUB_WORKFLOW_REF"); {
	case server != "" && workflow != "":
		if id := getenv("GITHUB_RUN_ID"); id != "" {
			run = fmt.Sprintf("%s/%s/actions/runs/%s", server, getenv("GITHUB_REPOSITORY"), id)
		}
		return server + "/" + workflow, run
	case getenv("CI_JOB_URL") != "":
		return getenv("CI_PROJECT_URL") + "/-/blob/" + getenv("CI_COMMIT_SHA") + "/" + cmp.Or(getenv("CI_CONFIG_PATH"), ".gitlab-ci.yml"),
			getenv("CI_JOB_URL")
	}
	return "urn:kdd:builder:unknown", ""
}
