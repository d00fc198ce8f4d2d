package query

import (
	"fmt"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/runtime/wire"
)

// maxMeant bounds the globs that may have been meant: all of them together take no more than one.
const maxMeant = 5

// noPath says that no document has a path like glob, and which glob was meant or which folders there are; "" if one
// has, or if Filter refuses the glob. Cost: each document of which none matches is looked at once for the glob and once
// for each of the few that may have been meant.
func noPath(xs []*index.Index, glob string) string {
	if glob == "" || !usable(glob) || anyPath(xs, glob) {
		return ""
	}
	warning := "no document has a path like " + quote(glob)
	documents := 0
	for _, x := range xs {
		documents += x.Docs()
	}
	plain := strings.Trim(strings.TrimPrefix(glob, "./"), "/")
	_, below, _ := strings.Cut(plain, "/") // the folder that was compiled is no part of the paths
	for _, meant := range []string{plain, plain + "/**", below, below + "/**", "**/" + plain} {
		if strings.Trim(meant, "/*") != "" && meant != glob && len(meant) <= maxGlob &&
			affordable(meant, maxMeant*documents) && anyPath(xs, meant) {
			return warning + fmt.Sprintf("; did you mean %s?", quote(meant))
		}
	}
	var folders []string
	for _, x := range xs {
		for d := range index.DocID(x.Docs()) {
			folder, _, ok := strings.Cut(x.DocPath(d), "/")
			if ok {
				folders = append(folders, folder+"/")
			}
		}
	}
	if len(folders) == 0 {
		return warning
	}
	slices.Sort(folders)
	return warning + among("folders", slices.Compact(folders), "", maxNamed)
}

// noDate says that no document is dated on or after since, and what the newest date is; "" if one is, or if Filter
// refuses the date.
func noDate(xs []*index.Index, since string) string {
	if since == "" || !isDate(since) {
		return ""
	}
	newest := ""
	for _, x := range xs {
		for d := range index.DocID(x.Docs()) {
			date := x.DocDate(d)
			if notBefore(date, since) {
				return ""
			}
			if notBefore(date, "0000") {
				newest = max(newest, date)
			}
		}
	}
	if newest == "" {
		return "no document is dated on or after " + since + ": none has a date"
	}
	return "no document is dated on or after " + since + "; the newest is of " + clip(newest)
}

// UnknownEdges says which of the types no edge of the artifacts has, and which there are instead, the most frequent
// first. It is what Unknown is for documents. Cost: each edge once, none if no type is asked for.
func UnknownEdges(xs []*index.Index, types []string) []string {
	if len(types) == 0 {
		return nil
	}
	edges := map[string]int{}
	for _, x := range xs {
		for e := range uint32(x.Edges()) {
			kind, _ := x.EdgeType(e)
			edges[kind.Name]++
		}
	}
	var warnings []string
	for _, name := range types {
		if edges[name] == 0 && len(warnings) < maxWarnings {
			warnings = append(warnings, "no edge has type "+quote(name)+among("edge types", wire.ByCount(edges), name, maxKinds))
		}
	}
	return warnings
}
