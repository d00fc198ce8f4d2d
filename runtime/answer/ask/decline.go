package ask

import (
	"fmt"
	"strings"

	"kdd/runtime/answer"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// The bounds of what is said in place of an answer.
const (
	maxUnknown = 3   // names that no document has
	maxClosest = 3   // sections
	maxName    = 40  // bytes of a name
	maxPlace   = 120 // bytes of the title and heading of a section
)

// decline writes what is said in place of an answer, and why: if the evidence is near, the closest sections, else that
// the documents do not answer the question.
func decline(resp *wire.AnswerResponse, f *retrieved, judged answer.Judgement, reason string) {
	resp.RefusalReason, resp.Citations = reason, []wire.Citation{}
	closest := resp.Retrieval.Sections
	if resp.Outcome = wire.OutcomeClosest; !judged.Near || len(closest) == 0 {
		resp.Outcome, closest = wire.OutcomeRefused, nil
	}
	words := answer.RefusalIn(f.language)
	var b strings.Builder
	switch {
	case reason == wire.RefusedNoHits:
		b.WriteString(words.NoHits)
	case reason == wire.RefusedUnsupported:
		b.WriteString(words.Unsupported)
	case resp.Outcome == wire.OutcomeClosest:
		b.WriteString(words.MiddlingEvidence)
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
	if len(closest) > 0 {
		b.WriteString(" " + words.Closest + "\n")
		for i := range closest[:min(len(closest), maxClosest)] {
			n := &closest[i]
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
