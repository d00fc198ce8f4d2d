package diag

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Group is diagnostics of one rule and severity.
type Group struct {
	Prefix string       // the folder that all of them lie below, with "/" behind it; "" = none
	All    []Diagnostic // in their order; never empty
}

// examples is how many diagnostics of a group are printed.
const examples = 3

// Groups returns diagnostics by rule and severity: errors first, then the rule that has the most. Those of a rule which
// lie below one top folder are a group of their own where they are at least half as many again as examples are.
//
// Cost: linear but for sorting the groups.
func Groups(ds []Diagnostic) []Group {
	type key struct {
		severity Severity
		rule     string
		top      string
	}
	count := map[key]int{}
	of := func(d *Diagnostic) key {
		top, _, found := strings.Cut(d.Path, "/")
		if !found {
			top = ""
		}
		return key{d.Severity, d.Rule, top}
	}
	for i := range ds {
		count[of(&ds[i])]++
	}
	at := map[key]int{}
	var groups []Group
	for i := range ds {
		k := of(&ds[i])
		if count[k] <= examples+examples/2 {
			k.top = ""
		}
		g, known := at[k]
		if !known {
			g = len(groups)
			at[k] = g
			groups = append(groups, Group{Prefix: folderOf(ds[i].Path)})
		}
		groups[g].Prefix = commonFolder(groups[g].Prefix, ds[i].Path)
		groups[g].All = append(groups[g].All, ds[i])
	}
	slices.SortStableFunc(groups, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.All[0].Severity, a.All[0].Severity), cmp.Compare(len(b.All), len(a.All)),
			cmp.Compare(a.All[0].Code, b.All[0].Code), cmp.Compare(a.Prefix, b.Prefix))
	})
	return groups
}

// folderOf returns the folder of a path with a "/" behind it, "" if it has none.
func folderOf(path string) string { return path[:strings.LastIndexByte(path, '/')+1] }

// commonFolder returns the folder that both a folder and a path lie below.
func commonFolder(folder, path string) string {
	for folder != "" && !strings.HasPrefix(path, folder) {
		folder = folderOf(folder[:len(folder)-1])
	}
	return folder
}

// Grouped writes diagnostics as Text does, but three of each group, and how many more it has:
//
//	docs/a.md:12:3: warning: link to missing anchor "#setup" [KDD204]
//	…
//	docs/guide/: 41 more of broken-anchor [KDD204]
//
// It returns how many diagnostics it has left out.
func (p Printer) Grouped(w io.Writer, ds []Diagnostic) (left int, err error) {
	out := bufio.NewWriter(w)
	for _, g := range Groups(ds) {
		shown := g.All[:min(len(g.All), examples)]
		if len(g.All) == examples+1 {
			shown = g.All // one more line says more than that there is one more
		}
		if err := p.Text(out, shown); err != nil {
			return left, err
		}
		more := len(g.All) - len(shown)
		if more == 0 {
			continue
		}
		left += more
		first := &g.All[0]
		where := ""
		if g.Prefix != "" {
			where = p.paint(ansiBold, Escape(p.name(g.Prefix))+":") + " "
		}
		fmt.Fprintf(out, "%s%d more of %s%s\n", where, more, first.Rule, p.paint(ansiDim, " ["+first.Code+"]"))
	}
	return left, out.Flush()
}
