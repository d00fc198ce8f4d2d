package diag

import (
	"cmp"
	"fmt"
	"slices"
)

// Rule is one row of the table of rules.
type Rule struct {
	Number   uint16
	Name     string   // stable, lower-case words joined by "-"
	Severity Severity // unless a diagnostic says otherwise
	About    string   // one line: what the rule finds
	Cure     string   // one line: the hint a diagnostic gets; "" if its text says it
}

// Code returns the rule's code: "KDD" and the three digits of its number, "KDD009".
func (r Rule) Code() string { return fmt.Sprintf("KDD%03d", r.Number) }

// Rules returns the whole table in the order of codes. The caller owns the slice.
func Rules() []Rule {
	return slices.SortedFunc(slices.Values(table), func(a, b Rule) int { return cmp.Compare(a.Number, b.Number) })
}

// table holds every rule. The variables of the rules fill it while the package is initialised.
var table []Rule

// rule makes a rule and adds it to the table.
func rule(number uint16, name string, severity Severity, about, cure string) Rule {
	r := Rule{number, name, severity, about, cure}
	table = append(table, r)
	return r
}
