package cli

import (
	"io"
	"os"
	"strings"

	"github.com/rivo/uniseg"
	"golang.org/x/term"

	"kdd/runtime/answer/ask"
)

// draft shows on a terminal what a language model writes as it comes. It is removed when the checked answer is printed.
type draft struct {
	out           io.Writer
	columns, rows int // of the terminal

	text strings.Builder // that is shown
}

// drafted returns a draft for the answer of a command. It is nil if it cannot be shown: the output is no terminal, has
// no control sequences, or is for programs.
func (c *Call) drafted() *draft {
	file, ok := c.Stdout.(*os.File)
	if !ok || !Terminal(c.Stdout) || !c.Color(c.Stdout) || c.Text("format") != "text" {
		return nil
	}
	columns, rows, err := term.GetSize(int(file.Fd()))
	if err != nil || columns < 1 {
		return nil
	}
	return &draft{out: c.Stdout, columns: columns, rows: rows}
}

// Control sequences of terminals (ECMA-48).
const (
	faint    = "\x1b[2m"
	normal   = "\x1b[0m"
	clearEnd = "\x1b[J" // from the cursor to the end of the screen
)

// tell shows one step.
func (d *draft) tell(step ask.Step) {
	switch {
	case step.Void != "":
		d.clear()
	case step.Words != "":
		words := strings.ReplaceAll(step.Words, "\t", "    ")
		d.text.WriteString(words)
		io.WriteString(d.out, faint+words+normal)
	}
}

// clear removes what is shown. A draft that is taller than the terminal has scrolled out of reach: it stays, and the
// answer begins below it.
func (d *draft) clear() {
	if d.text.Len() == 0 {
		return
	}
	if up := d.height() - 1; up >= d.rows {
		io.WriteString(d.out, "\n\n")
	} else {
		io.WriteString(d.out, "\r"+strings.Repeat("\x1b[A", up)+clearEnd)
	}
	d.text.Reset()
}

// height returns how many rows of the terminal the draft takes.
func (d *draft) height() int {
	rows := 0
	for line := range strings.SplitSeq(d.text.String(), "\n") {
		rows += max(1, (uniseg.StringWidth(line)+d.columns-1)/d.columns)
	}
	return rows
}
