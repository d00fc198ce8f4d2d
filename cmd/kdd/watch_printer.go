package main

import (
	"fmt"
	"io"
	"slices"

	"kdd/cmd/internal/cli"
	"kdd/compiler"
	"kdd/compiler/diag"
	"kdd/runtime/wire"
)

// watchPrinter says how the builds of a watch went: findings that the build before had not, and a line for each build.
type watchPrinter struct {
	c     *cli.Call
	out   io.Writer // of the lines; findings and errors go to standard error
	json  bool
	quiet bool
	first chan struct{} // closed once there is an artifact; nil = nobody waits

	color    bool
	sources  []string // of the build that runs
	golden   *compiler.Golden
	progress *progress
	known    map[finding]int // of the build before
	some     bool            // there was a build that succeeded
}

// finding is what a diagnostic says, wherever it has moved in its file.
type finding struct{ path, rule, text string }

// built hears of each build.
func (p *watchPrinter) built(r *compiler.Report, err error) error {
	p.progress.clear()
	if r != nil {
		if told := p.findings(r); told != nil {
			return told
		}
	}
	if err != nil {
		if r == nil {
			err = buildError(err)
		} else {
			err = fmt.Errorf("%w in a strict build (%s): nothing was written", cli.ErrFindings, diag.Count(r.Diags))
		}
		p.c.Report(err, p.json)
		return nil
	}
	p.some = true
	p.there()
	if r.Unchanged {
		return nil
	}
	return p.line(r, fmt.Sprintf("%s: %s, %s, %s in %.2f s", wire.Clean(r.Path), count(r.Counts.Documents, "document"),
		count(r.Counts.Sections, "section"), count(r.Counts.Chunks, "chunk"), r.Seconds["total"]))
}

// words hears of the artifact that answers by words until vectors are there.
func (p *watchPrinter) words(r *compiler.Report) {
	p.there()
	p.line(r, fmt.Sprintf("%s: %s, by words until the vectors are made", wire.Clean(r.Path), count(r.Counts.Documents, "document")))
}

// there lets the server begin.
func (p *watchPrinter) there() {
	if p.first != nil {
		close(p.first)
		p.first = nil
	}
}

func (p *watchPrinter) line(r *compiler.Report, text string) error {
	switch {
	case p.quiet:
		return nil
	case p.json:
		_, err := p.out.Write(append(wire.Encode(r), '\n'))
		return err
	}
	_, err := fmt.Fprintln(p.out, text)
	return err
}

// findings prints warnings and errors that the build before had not.
func (p *watchPrinter) findings(r *compiler.Report) error {
	known, now := p.known, map[finding]int{}
	p.known = now
	var shown []diag.Diagnostic
	for _, d := range r.Diags {
		f := finding{d.Path, d.Rule, d.Text}
		if now[f]++; now[f] > known[f] && d.Severity > diag.Note {
			shown = append(shown, d)
		}
	}
	if p.json {
		return nil // the report has all
	}
	printer := diag.Printer{Color: p.color, Name: goldenNames(p.golden, sourceNames(p.sources))}
	return printer.Text(p.c.Stderr, slices.Clip(shown))
}

// notice prints what the user should know.
func (p *watchPrinter) notice(text string) {
	if !p.quiet {
		p.c.Notef("%s", wire.Clean(text))
	}
}
