package main

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/term"

	"kdd/cmd/internal/cli"
	"kdd/compiler/diag"
	"kdd/compiler/publish/signing"
	"kdd/format/index"
	"kdd/format/sign"
	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

// passwordVariable has the password of a key where nobody is there to type it.
const passwordVariable = "KDD_KEY_PASSWORD"

func keygenCommand() *cli.Command {
	return &cli.Command{
		Name: "keygen", Group: cli.GroupPublish, Summary: "make a pair of keys that sign artifacts",
		Help: "Writes NAME.key, which signs and is to be kept secret, and NAME.pub, which checks and is to be given away. They " +
			"are keys of minisign; signify reads the public one too. The password is asked for, or taken from " + passwordVariable + ".",
		Examples: []string{"keygen -o docs", "keygen -o ci --no-password"},
		Flags: func() []cli.Flag {
			return []cli.Flag{
				{Name: "output", Aliases: []string{"o"}, Value: "NAME", Default: "kdd", Help: "the files without their endings"},
				{Name: "no-password", Type: cli.Switch, Help: "keep the private key as it is: for a CI that keeps it as a secret"},
			}
		},
		Run: runKeygen,
	}
}

func runKeygen(c *cli.Call) error {
	base, password := c.Text("output"), ""
	if !c.Switch("no-password") {
		var err error
		if password, err = newPassword(c, base+".key"); err != nil {
			return err
		}
	}
	key, err := signing.Generate(base, password)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.Stdout, "%s.key signs: keep it secret\n%s.pub checks, %s: give it to those who ask\n",
		wire.Clean(base), wire.Clean(base), key.ID)
	return err
}

// newPassword asks twice.
func newPassword(c *cli.Call, path string) (string, error) {
	first, err := password(c)(path)
	if err != nil || os.Getenv(passwordVariable) != "" {
		return first, err
	}
	if first == "" {
		return "", diag.Cure("type one, or make the key with --no-password", "the password is empty")
	}
	second, err := password(c)(path + ", again")
	if err == nil && first != second {
		err = diag.Cure("try again", "the two passwords differ")
	}
	return first, err
}

// password returns how the password of a key is asked for.
func password(c *cli.Call) signing.Password {
	return func(path string) (string, error) {
		if text := os.Getenv(passwordVariable); text != "" {
			return text, nil
		}
		in, ok := c.Stdin.(*os.File)
		if !ok || !term.IsTerminal(int(in.Fd())) {
			return "", diag.Cure("set "+passwordVariable, "%s: it wants a password, and nobody is there to type it", path)
		}
		fmt.Fprintf(c.Stderr, "password of %s: ", wire.Clean(path))
		text, err := term.ReadPassword(int(in.Fd()))
		fmt.Fprintln(c.Stderr)
		return string(text), err
	}
}

func signCommand() *cli.Command {
	return &cli.Command{
		Name: "sign", Group: cli.GroupPublish, Usage: "FILE", MinArgs: 1, MaxArgs: 1, Summary: "sign an artifact",
		Help: "Checks every byte of FILE and puts a signature into it, beside those that it has; its root hash stays. What is " +
			"signed is a text of root hash, length, name, and the commit that \"build --source-commit\" recorded, so that an " +
			"older or another artifact cannot take its place. \"kddq verify\" checks it, and \"kddq --key\" asks for it. " +
			"docs/TRUST.md says more.",
		Examples: []string{
			"sign docs.kddx --key docs.key --name you/docs", "sign docs.kddx --key ~/.ssh/id_ed25519 --detached",
			"sign docs.kddx --add docs.kddx.root.minisig",
		},
		Flags: func() []cli.Flag {
			return []cli.Flag{
				{Name: "key", Value: "FILE", Help: "a private key of minisign or OpenSSH, or a public one of OpenSSH that an agent signs for"},
				{Name: "name", Help: "what its readers know it by (default: the name it was signed under before, or its title)"},
				{Name: "detached", Type: cli.Switch, Help: "write FILE.root and FILE.root.minisig or .sig, and leave FILE as it is"},
				{Name: "add", Value: "FILE", Help: "put in a signature that minisign, signify or ssh-keygen made of \"verify --print-root\""},
			}
		},
		Run: runSign,
	}
}

func runSign(c *cli.Call) error {
	path := c.Args[0]
	if (c.Text("key") == "") == (c.Text("add") == "") {
		return wire.NewError(wire.CodeInvalidInput, "sign wants --key or --add", `name the private key: --key docs.key ("kdd keygen" makes one)`)
	}
	statement, err := statementOf(c, path)
	if err != nil {
		return err
	}
	s, by, err := signature(c, statement)
	if err != nil {
		return err
	}
	where := path
	if c.Switch("detached") {
		where, err = signing.Detach(path, s)
	} else {
		err = signing.Embed(path, s, by)
	}
	if err != nil {
		return cli.Named(path, err)
	}
	who := ""
	if by != nil {
		who = " by " + wire.Clean(by.ID)
	}
	_, err = fmt.Fprintf(c.Stdout, "%s: signed as %s%s\n", wire.Clean(where), wire.Clean(statement.Name), who)
	return err
}

// whole verifies the artifact at path, which is to be signed or attested.
func whole(c *cli.Call, path, what string) error {
	problems, err := artifact.Verify(c.Context, path)
	if err != nil || len(problems) == 0 {
		return cli.Named(path, err)
	}
	p := problems[0]
	return diag.Cure(`"kdd verify" lists all; build it again`, "%s: it is broken, and a broken artifact is not %s: %s at byte %d: %s",
		path, what, p.Block, p.Offset, p.Text)
}

// statementOf verifies the artifact at path and returns what is signed of it.
func statementOf(c *cli.Call, path string) (*sign.Statement, error) {
	if err := whole(c, path, "signed"); err != nil {
		return nil, err
	}
	x, err := index.Open(path)
	if err != nil {
		return nil, cli.Named(path, err)
	}
	s, err := cli.StatementOf(x, path, c.Text("name"))
	return s, errors.Join(err, x.File.Close())
}

// signature makes the signature, or reads the one that is given. by is the key, if it is known.
func signature(c *cli.Call, statement *sign.Statement) (s sign.Signature, by *sign.Key, err error) {
	if given := c.Text("add"); given != "" {
		s, err = signing.Given(given, statement)
		return s, nil, err
	}
	key, err := signing.Load(c.Text("key"), password(c))
	if err != nil {
		return s, nil, err
	}
	defer key.Close()
	if s, err = key.Sign(statement); err != nil {
		return s, nil, err
	}
	if !key.Public().Made(&s) {
		return s, nil, diag.Cure("name another key", "%s: what it signed does not check", c.Text("key"))
	}
	return s, key.Public(), nil
}
