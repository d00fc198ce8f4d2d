package generate

import "strings"

// Draft is told what a model writes while it writes: without the evidence, before anything is checked. It is used by one
// request at a time.
type Draft struct {
	Words func(text string) // further text; never empty
	Void  func()            // all text so far is void: the model is asked again

	pending string // that may be the beginning of a mark
	begun   bool   // text has been told
	inside  bool   // a mark of evidence is open
	silent  bool   // the model says that there is no answer
}

const citeOpens, citeCloses = "<cite", "</cite>"

// maxHeld bounds, in bytes, the blanks and marks that are held back: each piece looks at them again.
const maxHeld = 256

// reset begins another text.
func (d *Draft) reset() {
	if d == nil {
		return
	}
	if d.begun {
		d.Void()
	}
	*d = Draft{Words: d.Words, Void: d.Void}
}

// write takes the next piece of what the model writes. What may be the beginning of evidence, the space before it, and a
// beginning that may become NoAnswer are held back. Cost: a pass over the piece and what is held back, which is a few bytes.
func (d *Draft) write(piece string) {
	if d == nil || d.silent {
		return
	}
	d.pending += piece
	for !d.silent {
		if d.inside {
			at := strings.Index(d.pending, citeCloses)
			if at < 0 {
				d.pending = d.pending[max(0, len(d.pending)-len(citeCloses)+1):]
				return
			}
			d.pending, d.inside = d.pending[at+len(citeCloses):], false
		}
		at := strings.Index(d.pending, citeOpens)
		if at < 0 {
			d.pending = d.tell(d.pending[:len(d.pending)-held(d.pending)], d.pending, false)
			return
		}
		d.tell(strings.TrimRight(d.pending[:at], " \t"), "", false)
		d.pending, d.inside = d.pending[at+len(citeOpens):], true
	}
}

// end takes the text to be whole: nothing is held back any more.
func (d *Draft) end() {
	if d != nil && !d.inside && !d.silent {
		d.tell(strings.TrimRight(d.pending, " \t\r\n"), "", true)
	}
}

// tell passes text on and returns what is left of all, which text begins. Unless nothing follows, what may become NoAnswer
// waits.
func (d *Draft) tell(text, all string, last bool) string {
	if !d.begun {
		start := strings.TrimLeft(text, " \t\r\n*_\"")
		if d.silent = strings.HasPrefix(start, NoAnswer); d.silent || !last && len(text) <= maxHeld && strings.HasPrefix(NoAnswer, strings.TrimRight(start, " ")) {
			return all
		}
		if first := strings.TrimLeft(text, " \t\r\n"); first != "" {
			d.begun = true
			d.Words(first)
		}
	} else if text != "" {
		d.Words(text)
	}
	return all[min(len(text), len(all)):]
}

// held is how many bytes at the end of a text wait for what comes behind them: spaces, which may stand before evidence, and
// what may be the beginning of its mark.
func held(text string) int {
	n := 0
	for k := min(len(citeOpens)-1, len(text)); k > 0; k-- {
		if strings.HasPrefix(citeOpens, text[len(text)-k:]) {
			n = k
			break
		}
	}
	rest := text[:len(text)-n]
	return n + min(len(rest)-len(strings.TrimRight(rest, " \t\r\n")), maxHeld)
}
