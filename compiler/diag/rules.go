package diag

import (
	"fmt"
	"slices"
)

// Rule is the number of a rule; its code is "KDD" and three digits.
type Rule uint16

// RuleInfo is one row of the table of rules.
type RuleInfo struct {
	Rule     Rule
	Name     string   // stable, lower-case words joined by "-"
	Severity Severity // unless a diagnostic says otherwise
	About    string   // one line: what the rule finds
	Cure     string   // one line: the hint a diagnostic gets; "" if its text says it
}

// Code returns the row's code, "KDD009".
func (i RuleInfo) Code() string { return i.Rule.Code() }

// Code returns the rule's code, "KDD009".
func (r Rule) Code() string { return fmt.Sprintf("KDD%03d", uint16(r)) }

// Info returns the rule's row. It panics if there is none: a constant without a row is a bug here.
func (r Rule) Info() RuleInfo {
	i, ok := slices.BinarySearchFunc(table, r, func(row RuleInfo, r Rule) int { return int(row.Rule) - int(r) })
	if !ok {
		panic("diag: no rule " + r.Code())
	}
	return table[i]
}

// String returns the rule's name.
func (r Rule) String() string { return r.Info().Name }

// Rules returns the whole table in the order of codes. The caller owns the slice.
func Rules() []RuleInfo { return slices.Clone(table) }

// table holds every rule, sorted by number.
var table = slices.SortedFunc(
	slices.Values(slices.Concat(sourceRules, markdownRules, graphRules, indexRules)),
	func(a, b RuleInfo) int { return int(a.Rule) - int(b.Rule) },
)
