package cli

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"kdd/format"
	"kdd/format/index"
	"kdd/format/sign"
	"kdd/runtime/artifact"
	"kdd/runtime/trust"
	"kdd/runtime/wire"
)

func verifyCommand() *Command {
	return &Command{
		Name: "verify", Group: GroupCheck, Usage: "FILE...", MinArgs: 1, MaxArgs: -1,
		Summary: "check every byte of an artifact, and who signed it",
		Help: "Reads the whole file: hashes of all blocks, order, ranges, padding, counts. Says \"ok\", or names every " +
			"block that is broken and where, and exits with 3. With --key one of the keys has to have signed it, in the file or " +
			"in FILE.root.minisig or FILE.root.sig beside it. --print-root writes the text that is signed, for minisign, " +
			"signify and ssh-keygen -Y (namespace kddx). docs/TRUST.md says more.",
		Examples: []string{"verify docs.kddx", "verify docs.kddx --key docs.pub", "verify --print-root docs.kddx"},
		Flags: func() []Flag {
			return []Flag{
				{Name: "key", Type: List, Value: "FILE", Help: "public keys of minisign, signify or OpenSSH, allowed signers, or a folder of them"},
				{Name: "signed-as", Type: List, Value: "NAME", Help: "a name that it may be signed under (default: any)"},
				{Name: "name", Help: "of --print-root: the name to sign it under"},
				{Name: "print-root", Type: Switch, Help: "write the text that signatures are of, if the file is whole"},
				textOrJSON("what to print"),
			}
		},
		Run: runVerify,
	}
}

func runVerify(c *Call) error {
	if c.Switch("print-root") {
		return printRoot(c)
	}
	var keys []*sign.Key
	for _, path := range c.List("key") {
		list, err := trust.ReadKeys(path)
		if err != nil {
			return wire.From(wire.CodeInvalidInput, "--key "+path+": ", err)
		}
		keys = append(keys, list...)
	}
	report := wire.VerifyReport{SchemaVersion: "verify_report.v1", OK: true}
	var unread error // the first file that is no artifact; the others are checked all the same
	for _, path := range c.Args {
		file, err := verifyFile(c.Context, path, keys, c.List("signed-as"))
		if err := c.Context.Err(); err != nil {
			return err
		}
		if err != nil {
			unread = cmp.Or(unread, Named(path, err))
			continue
		}
		report.OK = report.OK && file.OK
		report.Files = append(report.Files, *file)
	}
	var out bytes.Buffer
	if unread != nil && len(report.Files) == 0 {
		return unread
	}
	report.OK = report.OK && unread == nil
	if c.Text("format") == "json" {
		out.Write(append(wire.Encode(report), '\n'))
	} else {
		for i := range report.Files {
			writeVerified(&out, &report.Files[i])
		}
	}
	if _, err := c.Stdout.Write(out.Bytes()); err != nil {
		return err
	}
	if unread != nil {
		return unread
	}
	if !report.OK {
		return Silent{ErrFindings}
	}
	return nil
}

// verifyFile checks a file and, with keys, who signed it, under one of the names if there are some.
func verifyFile(ctx context.Context, path string, keys []*sign.Key, names []string) (*wire.VerifyFile, error) {
	problems, err := artifact.Verify(ctx, path)
	if err != nil {
		return nil, err
	}
	file := &wire.VerifyFile{Path: path}
	for _, p := range problems {
		file.Problems = append(file.Problems, wire.VerifyProblem(p))
	}
	if len(keys) > 0 && len(problems) == 0 {
		a, at, err := signedBy(path, keys, names)
		var refusal *sign.Refusal
		switch {
		case errors.As(err, &refusal):
			file.Problems = append(file.Problems, wire.VerifyProblem{Block: sign.Tag.String(), Offset: at, Text: refusal.Error()})
		case err != nil:
			return nil, err
		default:
			file.Signature = &wire.VerifySignature{Name: a.Name, Commit: a.Commit, Date: a.Date, Kind: string(a.Kind), Key: a.Key.ID}
		}
	}
	file.OK = len(file.Problems) == 0
	return file, nil
}

// signedBy returns the signature of the file at path, in it or beside it, that one of the keys has made. at is where
// the file's trailers begin.
func signedBy(path string, keys []*sign.Key, names []string) (a *sign.Accepted, at int64, err error) {
	f, err := format.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	list, err := sign.All(f, path)
	if err != nil {
		return nil, 0, err
	}
	accepted, err := sign.Check(f, list, keys, time.Now())
	if err == nil {
		accepted, err = sign.Named(accepted, names)
	}
	if err != nil {
		return nil, int64(f.Length()), err
	}
	return accepted[0], 0, nil
}

func writeVerified(out io.Writer, file *wire.VerifyFile) {
	name := wire.Clean(file.Path)
	switch s := file.Signature; {
	case file.OK && s == nil:
		fmt.Fprintf(out, "%s: ok\n", name)
	case file.OK:
		fmt.Fprintf(out, "%s: ok, signed as %s by %s", name, wire.Clean(s.Name), wire.Clean(s.Key))
		if s.Commit != "" {
			fmt.Fprintf(out, "; commit %s", wire.Clean(s.Commit))
		}
		if s.Date != "" {
			fmt.Fprintf(out, " of %s", wire.Clean(s.Date))
		}
		fmt.Fprintln(out)
	}
	for _, p := range file.Problems {
		fmt.Fprintf(out, "%s: %s at byte %d: %s\n", name, p.Block, p.Offset, wire.Clean(p.Text))
	}
}

// printRoot writes the statement about a file: that of its first signature, or one under the name that is given.
func printRoot(c *Call) error {
	if len(c.Args) != 1 {
		return usageError("--print-root takes one file, got %d", len(c.Args))
	}
	path := c.Args[0]
	file, err := verifyFile(c.Context, path, nil, nil)
	if err != nil {
		return Named(path, err)
	}
	if !file.OK {
		writeVerified(c.Stderr, file)
		return Silent{ErrFindings}
	}
	x, err := index.Open(path)
	if err != nil {
		return Named(path, err)
	}
	defer x.File.Close()
	s, err := StatementOf(x, path, c.Text("name"))
	if err != nil {
		return err
	}
	_, err = c.Stdout.Write(s.Text())
	return err
}

// StatementOf returns what a signature of an artifact is of. Without a name it is the one that it was signed under
// before, or its title.
func StatementOf(x *index.Index, path, name string) (*sign.Statement, error) {
	if name == "" {
		list, err := sign.All(x.File, path)
		if err != nil {
			return nil, Named(path, err)
		}
		name = x.Meta.Title
		for _, signature := range slices.Backward(list) {
			if s, err := sign.Parse([]byte(signature.Statement)); err == nil && s.Root == x.File.RootHash() {
				name = s.Name
			}
		}
		if name == "" {
			return nil, hinted(usageError("%s has no title to be signed under", path),
				"give it a name with --name, by which its readers know it; or a title in kdd.yaml")
		}
	}
	return sign.Of(x.File, name)
}

// Named puts the file's name before an error of package format, which does not know it.
func Named(path string, err error) error {
	if !errors.Is(err, format.ErrCorrupt) && !errors.Is(err, format.ErrNotKddx) && !errors.Is(err, format.ErrVersion) &&
		!errors.Is(err, format.ErrTooBig) {
		return err
	}
	return wire.From(codeOf(err), path+": ", err).With("path", path)
}
