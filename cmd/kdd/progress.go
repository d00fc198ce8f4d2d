package main

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"kdd/cmd/internal/cli"
	"kdd/compiler"
	"kdd/runtime/wire"
)

// progress shows how far the work is, one phase at a time: as a bar on a terminal, or as lines of JSON for programs. A
// nil progress shows nothing.
type progress struct {
	out io.Writer
	bar *progressbar.ProgressBar
	// step is the name of the phase that set began.
	step string

	json  bool
	begun time.Time
	told  time.Time // the last line
	line  progressLine
}

// progressLine is a line of --progress json: one when a phase begins, then one a second, and one when it ends.
type progressLine struct {
	Phase   string  `json:"phase"`
	Done    int     `json:"done"`
	Total   int     `json:"total"`   // 0 = unknown
	Seconds float64 `json:"seconds"` // since the start
}

// lineEvery is the least time between two lines of a phase.
const lineEvery = time.Second

// newProgress returns nil where nothing is to be shown. quiet is for bars alone.
func newProgress(c *cli.Call, quiet bool) *progress {
	switch {
	case c.Text("progress") == "json":
		return &progress{out: c.Stderr, json: true, begun: time.Now()}
	case c.Text("progress") == "never" || quiet || !cli.Terminal(c.Stderr):
		return nil
	}
	return &progress{out: c.Stderr}
}

// listener is p for the compiler.
func (p *progress) listener() compiler.Progress {
	if p == nil {
		return unseen{}
	}
	return p
}

// forPrograms says that there are lines of JSON.
func (p *progress) forPrograms() bool { return p != nil && p.json }

// wipe takes the bar off the screen until its next step, so that something else can be printed.
func (p *progress) wipe() {
	if p != nil && p.bar != nil {
		p.bar.Clear()
	}
}

// unseen shows nothing.
type unseen struct{}

// Phase shows nothing.
func (unseen) Phase(string, int) {}

// Step shows nothing.
func (unseen) Step(int) {}

// Phase begins a phase of total steps.
func (p *progress) Phase(name string, total int) {
	p.clear()
	if p.json {
		p.line = progressLine{Phase: name, Total: total}
		p.tell()
		return
	}
	if total == 0 {
		total = -1 // a spinner
	}
	options := []progressbar.Option{
		progressbar.OptionSetWriter(p.out),
		progressbar.OptionSetDescription(name),
		progressbar.OptionSetWidth(30),
		progressbar.OptionShowCount(),
		progressbar.OptionThrottle(65e6), // nanoseconds: fifteen times a second
		progressbar.OptionSetRenderBlankState(true),
		progressbar.OptionClearOnFinish(),
	}
	if name == "embed" || name == "sentences" { // the bar has the time that is left already
		options = append(options, progressbar.OptionShowIts(), progressbar.OptionSetItsString("texts"))
	}
	p.bar = progressbar.NewOptions(total, options...)
}

// Step adds n done steps.
func (p *progress) Step(n int) {
	if p.json {
		p.line.Done += n
		if time.Since(p.told) >= lineEvery {
			p.tell()
		}
	} else if p.bar != nil {
		p.bar.Add(n) // an error here is the terminal's: the build goes on
	}
}

// tell writes a line.
func (p *progress) tell() {
	p.told = time.Now()
	p.line.Seconds = float64(p.told.Sub(p.begun).Milliseconds()) / 1000
	p.out.Write(append(wire.Encode(p.line), '\n'))
}

// set shows how far a step is; it begins a phase where the step is another one.
func (p *progress) set(step string, done, total int64) {
	if p.bar == nil || p.step != step {
		p.Phase(step, int(max(total, 0)))
		p.step = step
	}
	p.bar.Set64(done)
}

// clear ends the phase: it takes the bar off the screen.
func (p *progress) clear() {
	switch {
	case p == nil:
	case p.json:
		if p.line.Done > 0 {
			p.tell()
		}
		p.line = progressLine{}
	case p.bar != nil:
		p.bar.Finish()
		p.bar.Clear()
		p.bar = nil
	}
}
