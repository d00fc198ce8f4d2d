package ask

import (
	"fmt"
	"strings"

	"kdd/runtime/answer"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// The bounds of a refusal.
const (
	maxUnknown = 3   // names that no document has
	maxNearest = 3   // sections
	maxName    = 40  // bytes of a name
	maxPlace   = 120 // bytes of the title and heading of a section
)

// refuse writes the refusal that conclude decided on: that there is no answer, why, and the nearest sections.
func refuse(resp *wire.AnswerResponse, f *retrieved, reason string) {
	resp.Grounded, resp.RefusalReason, resp.Citations = false, reason, []wire.Citation{}
	words := answer.RefusalIn(f.language)
	var b strings.Builder
	switch reason {
	case wire.RefusedNoHits:
		b.WriteString(words.NoHits)
	case wire.RefusedUnsupported:
		b.WriteString(words.Unsupported)
	default:
		b.WriteString(words.LowEvidence)
	}
	if n := len(f.unknown); n > 0 && reason != wire.RefusedUnsupported {
		quoted := make([]string, 0, maxUnknown)
		for _, w := range f.unknown[:min(n, maxUnknown)] {
			quoted = append(quoted, words.Quote(wire.Clean(wire.Shorten(w, maxName))))
		}
		fmt.Fprintf(&b, " "+words.Unknown, strings.Join(quoted, ", "))
	}
	if near := resp.Retrieval.Sections; len(near) > 0 {
		b.WriteString(" " + words.Nearest + "\n")
		for i := range near[:min(len(near), maxNearest)] {
			n := &near[i]
			name := n.Title
			if n.Section != "" && n.Section != n.Title {
				name += " › " + n.Section
			}
			fmt.Fprintf(&b, "\n- %s (%s)", wire.Clean(wire.Shorten(name, maxPlace)),
				wire.Clean(render.Address(n.Index, n.Path, n.Anchor)))
		}
	}
	resp.Answer = b.String()
}
