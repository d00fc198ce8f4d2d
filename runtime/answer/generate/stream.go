package generate

import "strings"

// Stream passes on the text that a model writes while it writes: without the quotes, and before anything is checked. It
// is for one request at a time.
type Stream struct {
	Words func(text string) // further text; never empty
	Void  func()            // all text so far is void: the model is asked again

	pending string // text that is held back: it may be the beginning of a mark
	begun   bool   // text has been passed on
	inside  bool   // the text is inside a mark of evidence
	silent  bool   // the model says that there is no answer
}

const citeOpens, citeCloses = "<cite", "</cite>"

// maxHeld bounds the spaces and marks that are held back, in bytes, since each piece looks at them again.
const maxHeld = 256

// reset begins another text.
func (d *Stream) reset() {
	if d == nil {
		return
	}
	if d.begun {
		d.Void()
	}
	*d = Stream{Words: d.Words, Void: d.Void}
}

// write takes the next piece of the model's text. It holds back the end of the text if it may be the beginning of a
// quote, the space before it, and a beginning that may become NoAnswer. Cost: a pass over the piece and the few bytes
// that are held back.
func (d *Stream) write(piece string) {
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

// end passes on the text that was held back, since no more text follows.
func (d *Stream) end() {
	if d != nil && !d.inside && !d.silent {
		d.tell(strings.TrimRight(d.pending, " \t\r\n"), "", true)
	}
}

// tell passes text on and returns what has to wait. Text that may become NoAnswer waits, unless it is the last.
func (d *Stream) tell(text, all string, last bool) string {
	if !d.begun {
		start := strings.TrimLeft(text, " \t\r\n*_\"")
		if d.silent = strings.HasPrefix(start, NoAnswer); d.silent || !last && len(text) <= maxHeld &&
			strings.HasPrefix(NoAnswer, strings.TrimRight(start, " ")) {
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

// held returns how many bytes at the end of a text have to wait for the text behind them: spaces, which may stand
// before a quote, and what may be the beginning of its mark.
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
