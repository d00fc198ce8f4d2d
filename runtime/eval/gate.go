package eval

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kdd/runtime/wire"
)

// Gate is a minimum value of a metric.
type Gate struct {
	Text    string // as it was written
	Group   string // "" = all questions
	Section bool   // by section, not by document
	Metric  Metric
	Min     float64
}

// parseGate reads [GROUP.][document.|section.]METRIC=MIN, such as nDCG@10=.76, section.nDCG@10=.48 or easy.hit@1=0.9.
//
// The error is invalid_input and says which part is wrong.
func parseGate(text string) (Gate, error) {
	g := Gate{Text: text}
	bad := func(hint, reason string, args ...any) (Gate, error) {
		return Gate{}, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("gate %s: ", short(text))+fmt.Sprintf(reason, args...), hint).With("field", "gates")
	}
	at := strings.LastIndexByte(text, '=')
	if at < 0 {
		return bad("for example nDCG@10=.76 or section.nDCG@10=.48", "it has no \"=\"")
	}
	var err error
	if g.Min, err = strconv.ParseFloat(text[at+1:], 64); err != nil || !(g.Min >= 0 && g.Min <= 1) {
		return bad("", "got %s, want a number from 0 to 1", short(text[at+1:]))
	}
	name := text[:at]
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		g.Group, name = name[:i], name[i+1:]
		i = strings.LastIndexByte(g.Group, '.')
		if level := g.Group[i+1:]; level == "section" || level == "document" {
			g.Section, g.Group = level == "section", g.Group[:max(i, 0)]
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

// Level returns the level that a gate is about, as reports name it.
func (g *Gate) Level() string {
	if g.Section {
		return "section"
	}
	return "document"
}
