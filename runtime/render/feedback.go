package render

import (
	"fmt"
	"strings"

	"kdd/runtime/wire"
)

func feedbackText(v *wire.FeedbackStats) string {
	var b strings.Builder
	if v.Records == 0 {
		b.WriteString("no feedback yet\n")
	} else {
		fmt.Fprintf(&b, "%s from %s to %s: %d positive (%.0f %%), %d negative\n", wire.Plural(v.Records, "record", "records"), v.First, v.Last, v.Positive, 100*v.PositiveShare, v.Negative)
		fmt.Fprintf(&b, "%s in %s, %d with a comment, %d with the places that were cited\n", wire.Plural(v.Queries, "query", "queries"), wire.Plural(v.Sessions, "session", "sessions"), v.Comments, v.Cited)
		var means []string
		if v.Positive > 0 {
			means = append(means, fmt.Sprintf("%.2f of positive", v.PositiveConfidence))
		}
		if v.Negative > 0 {
			means = append(means, fmt.Sprintf("%.2f of negative", v.NegativeConfidence))
		}
		fmt.Fprintf(&b, "mean confidence: %s\n", strings.Join(means, ", "))
	}
	if v.Broken > 0 {
		fmt.Fprintf(&b, "%s\n", wire.Plural(v.Broken, "line is no record", "lines are no records"))
	}
	if len(v.Worst) > 0 {
		b.WriteString("\nworst answered (negative/positive):\n")
		for _, q := range v.Worst {
			fmt.Fprintf(&b, "  %d/%d  %s\n", q.Negative, q.Positive, wire.Clean(wire.Shorten(q.Query, 200)))
		}
	}
	return b.String()
}
