package cli

import (
	"fmt"
	"io"
	"strings"

	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/wire"
)

func provenanceCommand() *Command {
	return &Command{
		Name: "provenance", Group: GroupCheck, Usage: "FILE", MinArgs: 1, MaxArgs: 1,
		Summary: "print what an artifact says of its making",
		Help: "The commit and hash of its sources, the kdd, model and engine that made it, and under which names it is signed. " +
			"Nothing of it is checked: \"verify --key\" does that.",
		Examples: []string{"provenance docs.kddx", "provenance docs.kddx --format json"},
		Flags: func() []Flag {
			return []Flag{textOrJSON("what to print")}
		},
		Run: runProvenance,
	}
}

func runProvenance(c *Call) error {
	path := c.Args[0]
	p, err := runtime.Provenance(path)
	if err != nil {
		return Named(path, err)
	}
	if c.Text("format") == "json" {
		_, err = c.Stdout.Write(append(wire.Encode(p), '\n'))
		return err
	}
	return writeProvenance(c.Stdout, p)
}

func writeProvenance(w io.Writer, p *wire.Provenance) error {
	var b strings.Builder
	line := func(what, format string, args ...any) {
		fmt.Fprintf(&b, "%-11s %s\n", what, wire.Clean(fmt.Sprintf(format, args...)))
	}
	line("artifact", "%s%s", p.Path, prefixed(", ", p.Title))
	line("root", "%s", p.Root)
	line("made by", "%s, format %d", p.MadeBy, p.Format)
	line("sources", "%d documents, tree %.16s, options %.16s", p.Documents, p.TreeHash, p.OptionsHash)
	switch {
	case p.Commit == "":
		line("commit", "not recorded (build --source-commit)")
	case p.Dirty:
		line("commit", "%s%s, and documents differ from it", p.Commit, prefixed(" of ", p.Date))
	default:
		line("commit", "%s%s", p.Commit, prefixed(" of ", p.Date))
	}
	if m := p.Model; m != nil {
		line("model", "%s, %d dimensions, %s, sha256 %.16s, by %s", m.Name, m.Dim, m.Precision, m.SHA256, m.Engine)
	}
	line("queries", "%s", map[string]string{index.EncoderNone: "by words only", index.EncoderDistilled: "by words and a distilled encoder",
		index.EncoderExact: "by words and the model itself"}[p.Encoder])
	for _, s := range p.Signatures {
		line("signed", "as %s by %s (not checked: verify --key)", s.Name, s.Kind)
	}
	if len(p.Signatures) == 0 {
		line("signed", "by nobody")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// prefixed returns a text behind a prefix, "" if there is none.
func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
