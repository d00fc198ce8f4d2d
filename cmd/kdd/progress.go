package main

import (
	"io"

	"github.com/schollz/progressbar/v3"

	"kdd/cmd/internal/cli"
)

// progress shows a build as a bar, one phase at a time. It exists on terminals only.
type progress struct {
	out io.Writer
	bar *progressbar.ProgressBar
	// step is the name of the phase that set began.
	step string
}

// newProgress returns nil where no bar is to be shown.
func newProgress(c *cli.Call) *progress {
	if c.Text("progress") == "never" || !cli.Terminal(c.Stderr) {
		return nil
	}
	return &progress{out: c.Stderr}
}

// Phase begins a phase of total steps.
func (p *progress) Phase(name string, total int) {
	p.clear()
	if total == 0 {
		total = -1 // a spinner
	}
	p.bar = progressbar.NewOptions(total,
		progressbar.OptionSetWriter(p.out),
		progressbar.OptionSetDescription(name),
		progressbar.OptionSetWidth(30),
		progressbar.OptionShowCount(),
		progressbar.OptionThrottle(65e6), // nanoseconds: fifteen times a second
		progressbar.OptionSetRenderBlankState(true),
		progressbar.OptionClearOnFinish(),
	)
}

// Step adds n done steps.
func (p *progress) Step(n int) {
	if p.bar != nil {
		p.bar.Add(n) // an error here is the terminal's: the build goes on
	}
}

// set shows how far a step is; it begins a phase where the step is another one.
func (p *progress) set(step string, done, total int64) {
	if p.bar == nil || p.step != step {
		p.Phase(step, int(max(total, 0)))
		p.step = step
	}
	p.bar.Set64(done)
}

// clear takes the bar off the screen.
func (p *progress) clear() {
	if p.bar != nil {
		p.bar.Finish()
		p.bar.Clear()
		p.bar = nil
	}
}
