package index

import "strings"

// ForeignRule is the rule of findings about wiki links that lead to another artifact: [[NAME::TARGET]], where no
// document has the domain NAME. Such a finding is how the link is stored: its text begins with the link.
const ForeignRule = "foreign-link"

// foreignEnd follows the link in the text of the finding.
const foreignEnd = "]]: no document has this domain, another artifact may have this name"

// ForeignText returns the text of the finding about [[written]].
func ForeignText(written string) string { return "[[" + written + foreignEnd }

// Foreign returns the name of the artifact that the link of a finding leads to, and what is called so in it. ok is
// false for findings of other rules, and for links that are too long to be stored whole.
func (f *Finding) Foreign() (name, target string, ok bool) {
	if f.Rule != ForeignRule {
		return "", "", false
	}
	inner, begins := strings.CutPrefix(f.Text, "[[")
	inner, ends := strings.CutSuffix(inner, foreignEnd)
	name, target, two := strings.Cut(inner, "::")
	name, target = strings.TrimSpace(name), strings.TrimSpace(target)
	return name, target, begins && ends && two && name != "" && target != "" && !strings.HasSuffix(target, "…")
}
