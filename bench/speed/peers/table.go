package peers

import (
	"fmt"
	"strings"

	"kdd/bench/internal/harness"
)

// result is what one engine did on one corpus: what peers.py prints, and what own measures of kdd.
type result struct {
	Engine   string  `json:"engine"`
	By       string  `json:"by"`
	Absent   string  `json:"absent,omitempty"`
	Failed   string  `json:"failed,omitempty"`
	Version  string  `json:"version,omitempty"`
	Settings string  `json:"settings,omitempty"`
	BuildS   float64 `json:"build_s"`
	BuildCPU float64 `json:"build_cpu_s"`
	Bytes    int64   `json:"bytes"`
	// peak of the process that loads what was built and asks
	MemoryMB float64   `json:"memory_mb"`
	MS       []float64 `json:"ms,omitempty"`
	CPU      []float64 `json:"cpu_ms,omitempty"`
	Recall   *float64  `json:"recall,omitempty"`
	Hits     [][]any   `json:"hits,omitempty"` // first ones of each query: numbers of sections, of a search by kdd path#anchor
}

// about says how the tables of the sizes were measured.
const about = `Sections and queries are of bench/speed/peers/corpus, seed %d; vectors are
%s. All engines have the same ones.

One thread each, but kdd builds with all cores. Milliseconds a query: median and 99th percentile of %d queries of ten to
thirty words, of each the median of %d rounds; %d hits each. CPU is processor time, to compare by where the load average
is above the number of cores. Memory is the peak of a process that opens what another one has built, and asks. Engines
that compare vectors are given the queries' vectors, kdd-vectors too; kdd-hybrid makes them itself in the time that is
measured, as users have it. recall@10 is the share of the exact nearest rows, by float32, that are among the hits.
Building excludes making vectors; kdd's is a whole process from markdown to file, the others' from sections.
`

// aboutSets says how the table of quality was measured.
const aboutSets = `nDCG@10 by document. Every engine has the same sections; those that compare vectors have the vectors of kdd's artifact
and the queries' of the transformer. kdd-hybrid makes the vector of a query itself.
`

// oneLine makes text fit into a cell of a table.
func oneLine(text string) string {
	return strings.NewReplacer("|", "/", "\n", " ").Replace(strings.TrimSpace(text))
}

// rows prints results as a markdown table.
func rows(results []result) string {
	var b strings.Builder
	b.WriteString("| engine | asked by | build s | CPU s | MB | memory MB | median ms | p99 ms | CPU ms | CPU p99 | recall@10 |\n" +
		"|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, r := range results {
		fmt.Fprintf(&b, "| %s | %s | ", r.Engine, r.By)
		switch {
		case r.Absent != "":
			fmt.Fprintf(&b, "absent: %s |||||||||\n", oneLine(r.Absent))
		case r.Failed != "":
			fmt.Fprintf(&b, "failed: %s |||||||||\n", oneLine(r.Failed))
		default:
			share := "–"
			if r.Recall != nil {
				share = fmt.Sprintf("%.3f", *r.Recall)
			}
			fmt.Fprintf(&b, "%.2f | %.2f | %.1f | %.0f | %.2f | %.2f | %.2f | %.2f | %s |\n", r.BuildS, r.BuildCPU, float64(r.Bytes)/1e6, r.MemoryMB,
				harness.Percentile(r.MS, 50), harness.Percentile(r.MS, 99), harness.Percentile(r.CPU, 50), harness.Percentile(r.CPU, 99), share)
		}
	}
	return b.String()
}

// described prints the versions and settings of the engines that answered.
func described(picked []engine, list map[string]result) string {
	var b strings.Builder
	b.WriteString("| engine | version | settings |\n|---|---|---|\n")
	for _, e := range picked {
		if r, ok := list[e.name]; ok {
			fmt.Fprintf(&b, "| %s | %s | %s |\n", e.name, oneLine(r.Version), oneLine(r.Settings))
		}
	}
	return b.String()
}

// quality prints nDCG@10: a row for each engine, a column for each file of questions. Sets that are absent, and engines
// that failed, are named below.
func quality(picked []engine, sets []judgedSet) string {
	var head, line, notes strings.Builder
	for _, set := range sets {
		if set.absent != "" {
			fmt.Fprintf(&notes, "- %s: absent: %s\n", set.name, oneLine(set.absent))
			continue
		}
		fmt.Fprintf(&head, " %s |", set.name)
		line.WriteString("---:|")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "| engine | asked by |%s\n|---|---|%s\n", head.String(), line.String())
	for _, e := range picked {
		fmt.Fprintf(&b, "| %s | %s |", e.name, e.by)
		for _, set := range sets {
			if set.absent != "" {
				continue
			}
			if why := set.why[e.name]; why != "" {
				b.WriteString(" – |")
				fmt.Fprintf(&notes, "- %s on %s: %s\n", e.name, set.name, oneLine(why))
				continue
			}
			fmt.Fprintf(&b, " %.3f |", set.score[e.name])
		}
		b.WriteString("\n")
	}
	if notes.Len() > 0 {
		b.WriteString("\n" + notes.String())
	}
	return b.String()
}
