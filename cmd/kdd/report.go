package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"kdd/cmd/internal/cli"
	"kdd/compiler"
	"kdd/compiler/diag"
	"kdd/runtime/wire"
)

// writeSummary prints what was compiled: one line, and one for what was left out. hidden is how many findings are not
// printed.
func writeSummary(w io.Writer, r *compiler.Report, hidden int) {
	fmt.Fprintf(w, "%s: %s, %s, %s, %s from %s of markdown in %.2f s\n", wire.Clean(r.Path),
		count(r.Counts.Documents, "document"), count(r.Counts.Sections, "section"), count(r.Counts.Chunks, "chunk"),
		cli.Size(r.FileBytes), cli.Size(r.SourceBytes), r.Seconds["total"])
	writeSites(w, r)
	if r.Counts.Links > 0 {
		fmt.Fprintf(w, "links: %d of %d resolved", r.Counts.Resolved, r.Counts.Links)
		if r.Counts.Outside > 0 {
			fmt.Fprintf(w, ", %d lead outside", r.Counts.Outside)
		}
		fmt.Fprintln(w)
	}
	if r.Given > 0 {
		fmt.Fprintf(w, "vectors: %d of --vectors, %d embedded\n", r.Given, r.Embedded)
	}
	if r.Counts.Questions > 0 {
		fmt.Fprintf(w, "questions: %d for \"kdd eval\"\n", r.Counts.Questions)
	}
	if len(r.Skipped) > 0 {
		fmt.Fprintf(w, "skipped: %s\n", reasons(r.Skipped))
	}
	if found := diag.Count(r.Diags).String(); found != "" {
		if hidden > 0 {
			found += fmt.Sprintf(" (%d not shown: --verbose, or kddq lint)", hidden)
		}
		fmt.Fprintf(w, "findings: %s\n", found)
	}
	fmt.Fprintf(w, "index id: %s\n", r.IndexID)
}

// maxSitesShown is how many sites a summary names.
const maxSitesShown = 3

// writeSites prints whose markdown the documents were read as, unless it is plain.
func writeSites(w io.Writer, r *compiler.Report) {
	if len(r.Sites) == 0 {
		return
	}
	var named []string
	for _, s := range r.Sites[:min(len(r.Sites), maxSitesShown)] {
		where := cmp.Or(s.Config, s.Folder, "as told")
		named = append(named, fmt.Sprintf("%s (%s)", s.Dialect, wire.Clean(where)))
	}
	if more := len(r.Sites) - len(named); more > 0 {
		named = append(named, fmt.Sprintf("%d more", more))
	}
	fmt.Fprintf(w, "dialect: %s\n", strings.Join(named, ", "))
	for _, d := range r.Diags {
		if d.Rule == diag.GeneratorConfig.Name {
			fmt.Fprintf(w, "%s: %s\n", wire.Clean(d.Path), wire.Clean(d.Text))
		}
	}
}

// writeListing prints one line per file, then the counts.
func writeListing(w io.Writer, r *compiler.Report) {
	compiled := 0
	for _, f := range r.Listing {
		mark := f.Status
		switch {
		case f.Reason != "":
			mark += " (" + f.Reason + ")"
		case f.Kind != "":
			mark += " as " + f.Kind
		}
		if f.Status == "compiled" {
			compiled++
		}
		fmt.Fprintf(w, "%s: %s, %s\n", wire.Clean(f.Path), wire.Clean(mark), cli.Size(f.Bytes))
	}
	fmt.Fprintf(w, "%s compiled", count(compiled, "file"))
	if len(r.Skipped) > 0 {
		fmt.Fprintf(w, "; skipped: %s", reasons(r.Skipped))
	}
	fmt.Fprintln(w)
}

// reasons prints counts by reason, in the order of the reasons.
func reasons(skipped map[string]int) string {
	var parts []string
	for _, reason := range slices.Sorted(maps.Keys(skipped)) {
		parts = append(parts, fmt.Sprintf("%d %s", skipped[reason], reason))
	}
	return strings.Join(parts, ", ")
}

// count is "1 chunk", "2 chunks".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
