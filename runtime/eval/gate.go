package eval

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kdd/runtime/wire"
)

// Gate is a least value of a metric.
type Gate struct {
	Text    string // as it was written
	Group   string // "" = all questions
	Section bool   // by section, not by document
	Metric  Metric
	Min     float64
}

// parseGate reads [GROUP.][document.|section.]METRIC=LEAST, such as nDCG@10=.76, section.nDCG@10=.48 or easy.hit@1=0.9.
//
// The error is invalid_input and says what is wrong with which part.
func parseGate(text string) (Gate, error) {
	g := Gate{Text: text}
	bad := func(hint, reason string, args ...any) (Gate, error) {
		return Gate{}, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("gate %s: ", short(text))+fmt.Sprintf(reason, args...), hint).With("field", "gates")
	}
	at := strings.LastIndexByte(text, '=')
	if at < 0 {
		return bad("for example nDCG@10=.76 or section.nDCG@10=.48", "it has no \"=\"")
	}
	least, err := strconv.ParseFloat(text[at+1:], 64)
	if err != nil || !(least >= 0 && least <= 1) {
		return bad("", "got %s, want a number from 0 to 1", short(text[at+1:]))
	}
	g.Min = least
	name := text[:at]
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		g.Group, name = name[:i], name[i+1:]
		i = strings.LastIndexByte(g.Group, '.')
		switch g.Group[i+1:] {
		case "section", "document":
			g.Section = g.Group[i+1:] == "section"
			g.Group = g.Group[:max(i, 0)]
		}
	}
	names := make([]string, len(All))
	for i, m := range All {
		names[i] = m.Name
		if strings.EqualFold(m.Name, name) {
			g.Metric = m
			return g, nil
		}
	}
	hint := "it is one of " + strings.Join(names, ", ")
	if i := slices.Index(names, wire.Nearest(name, names)); i >= 0 {
		hint = "did you mean " + names[i] + "?"
	}
	return bad(hint, "there is no metric %s", short(name))
}

// Level is how reports name what a gate looks at.
func (g *Gate) Level() string {
	if g.Section {
		return "section"
	}
	return "document"
}
