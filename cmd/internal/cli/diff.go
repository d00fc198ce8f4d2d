package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kdd/runtime"
	"kdd/runtime/compare"
	"kdd/runtime/wire"
)

func diffCommand() *Command {
	return &Command{
		Name: "diff", Group: GroupCheck, Usage: "OLD NEW", MinArgs: 2, MaxArgs: 2,
		Summary: "say what a newer artifact has beside an older one",
		Help: "Lists documents and sections that were added, removed, moved or reworded; links newly broken and mended; " +
			"findings new and gone; options, model and kdd that differ; and what the same questions find: those of --golden, " +
			"or those that the artifact carries. md is for a pull request. --fail-on takes " + strings.Join(compare.Rules(), ", ") +
			": exit 3 if one is broken.",
		Examples: []string{"diff old.kddx new.kddx", "diff old.kddx new.kddx --format md --fail-on broken-links,lost-questions"},
		Flags: func() []Flag {
			return append([]Flag{
				{Name: "golden", Type: List, Value: "FILE", Help: "questions and judgements, or their folder, as \"eval\" takes them"},
				{Name: "fail-on", Type: List, Value: "RULE,...", Help: "rules that must hold"},
				{Name: "limit", Aliases: []string{"k"}, Value: "N", Default: "10", Help: "how many of each kind to list; 0 = all"},
				{Name: "format", Enum: []string{"text", "md", "json"}, Default: "text", Help: "what to print"},
			}, signatureFlags()...)
		},
		Run: runDiff,
	}
}

func runDiff(c *Call) error {
	limit, err := c.Count("limit", 0)
	if err != nil {
		return err
	}
	q := runtime.DiffRequest{Old: c.Args[0], New: c.Args[1]}
	for _, names := range c.List("fail-on") {
		for name := range strings.SplitSeq(names, ",") {
			if !slices.Contains(compare.Rules(), name) {
				return badValue("--fail-on", name, compare.Rules())
			}
			q.FailOn = append(q.FailOn, name)
		}
	}
	if files := c.List("golden"); len(files) > 0 {
		parsed, err := ParseQuestions(c.Context, files, "")
		if err != nil {
			return err
		}
		q.Questions = parsed.Set
	}
	report, err := runtime.Diff(c.Context, c.serviceConfig(), q)
	if err != nil {
		return err
	}
	var out string
	switch c.Text("format") {
	case "json":
		out = string(wire.Encode(report)) + "\n"
	case "md":
		out = diffMarkdown("Documentation index", report, limit)
	default:
		out = diffText(report, limit)
	}
	if _, err := fmt.Fprint(c.Stdout, out); err != nil {
		return err
	}
	if len(report.Failed) > 0 {
		return Silent{ErrFindings}
	}
	return nil
}

// diffPart is a list of a report, for the forms that people read.
type diffPart struct {
	mark, name string   // "+", "documents added"
	lines      []string // one for each
}

// diffParts returns the lists of a report that are not empty.
func diffParts(r *wire.DiffReport) []diffPart {
	var list []diffPart
	add := func(mark, name string, lines []string) {
		if len(lines) > 0 {
			list = append(list, diffPart{mark, name, lines})
		}
	}
	for _, of := range []struct {
		name string
		list *wire.DiffList
	}{{"documents", &r.Documents}, {"sections", &r.Sections}} {
		var moved []string
		for _, m := range of.list.Moved {
			moved = append(moved, m.From+" -> "+m.To)
		}
		add("+", of.name+" added", of.list.Added)
		add("-", of.name+" removed", of.list.Removed)
		add(">", of.name+" moved", moved)
		add("~", of.name+" changed", of.list.Changed)
	}
	add("!", "links newly broken", findingLines(r.Links.New))
	add("*", "links mended", findingLines(r.Links.Gone))
	other := func(list, links []wire.DiffFinding) []string {
		return findingLines(slices.DeleteFunc(slices.Clone(list), func(f wire.DiffFinding) bool { return slices.Contains(links, f) }))
	}
	add("!", "other findings, new", other(r.Findings.New, r.Links.New))
	add("*", "other findings, gone", other(r.Findings.Gone, r.Links.Gone))
	var options []string
	for _, o := range r.Options {
		options = append(options, fmt.Sprintf("%s: %s, now %s", o.Name, cmp.Or(wire.Shorten(o.From, 80), "none"), cmp.Or(wire.Shorten(o.To, 80), "none")))
	}
	add("=", "options that differ", options)
	if q := r.Questions; q != nil {
		add("!", "questions lost", changeLines(q.LostBy))
		add("*", "questions won", changeLines(q.WonBy))
		add("~", "questions whose first result is another", firstLines(q.First))
	}
	return list
}

func findingLines(list []wire.DiffFinding) (lines []string) {
	for _, f := range list {
		place := f.Path
		if f.Line > 0 {
			place = fmt.Sprintf("%s:%d", f.Path, f.Line)
		}
		lines = append(lines, fmt.Sprintf("%s: %s (%s)", place, f.Message, f.Rule))
	}
	return lines
}

func changeLines(list []wire.EvalChange) (lines []string) {
	for _, q := range list {
		lines = append(lines, fmt.Sprintf("%s %q: nDCG@10 %.3f, now %.3f", q.ID, q.Text, q.From, q.To))
	}
	return lines
}

func firstLines(list []wire.EvalFirst) (lines []string) {
	for _, q := range list {
		lines = append(lines, fmt.Sprintf("%s %q: %s, now %s", q.ID, q.Text, cmp.Or(q.From, "nothing"), cmp.Or(q.To, "nothing")))
	}
	return lines
}

// diffSummary is the counts of a report.
func diffSummary(r *wire.DiffReport) string {
	if r.Same {
		return "the same artifact: " + r.New.Index
	}
	counts := func(l *wire.DiffList) string {
		return fmt.Sprintf("%d added, %d removed, %d moved, %d changed", len(l.Added), len(l.Removed), len(l.Moved), len(l.Changed))
	}
	c := &r.Chunks
	return fmt.Sprintf("documents: %s\nsections: %s\nchunks: %d added, %d removed, %d moved, %d changed; %d of %d texts are new", counts(&r.Documents),
		counts(&r.Sections), c.Added, c.Removed, c.Moved, c.Reworded, c.NewTexts, c.New)
}

// questionsLine says what the questions say.
func questionsLine(q *wire.EvalDifference) string {
	return fmt.Sprintf("questions: %d asked, %d won, %d lost; nDCG@10 %+.3f (95 %%: %+.3f to %+.3f)", q.Questions, q.Won, q.Lost, q.Mean, q.Low, q.High)
}

func diffText(r *wire.DiffReport, limit int) string {
	return fmt.Sprintf("%s (%s) -> %s (%s)\n", wire.Clean(r.Old.Path), r.Old.Index, wire.Clean(r.New.Path), r.New.Index) + diffBody(r, limit)
}

// diffBody is the counts and lists of a report.
func diffBody(r *wire.DiffReport, limit int) string {
	var b strings.Builder
	fmt.Fprintln(&b, diffSummary(r))
	if r.Questions != nil {
		fmt.Fprintln(&b, questionsLine(r.Questions))
	}
	for _, p := range diffParts(r) {
		fmt.Fprintf(&b, "\n%s (%d)\n", p.name, len(p.lines))
		for i, line := range p.lines {
			if limit > 0 && i == limit {
				fmt.Fprintf(&b, "  … %d more: --limit 0\n", len(p.lines)-i)
				break
			}
			fmt.Fprintf(&b, "%s %s\n", p.mark, wire.Clean(line))
		}
	}
	if len(r.Failed) > 0 {
		fmt.Fprintf(&b, "\nfailed: %s\n", strings.Join(r.Failed, ", "))
	}
	return b.String()
}

// diffMarkdown is a comment for a pull request: counts, then each list folded away.
func diffMarkdown(title string, r *wire.DiffReport, limit int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s: %s → %s\n\n", title, r.Old.Index, r.New.Index)
	if len(r.Failed) > 0 {
		fmt.Fprintf(&b, "**Failed: %s**\n\n", strings.Join(r.Failed, ", "))
	}
	if r.Same {
		return b.String() + "Nothing has changed.\n"
	}
	b.WriteString("| | added | removed | moved | changed |\n|---|---:|---:|---:|---:|\n")
	for _, row := range []struct {
		name string
		list *wire.DiffList
	}{{"documents", &r.Documents}, {"sections", &r.Sections}} {
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d |\n", row.name, len(row.list.Added), len(row.list.Removed), len(row.list.Moved), len(row.list.Changed))
	}
	c := &r.Chunks
	fmt.Fprintf(&b, "| chunks | %d | %d | %d | %d |\n\nLinks newly broken: %d, mended: %d.\n", c.Added, c.Removed, c.Moved, c.Reworded,
		len(r.Links.New), len(r.Links.Gone))
	if r.Questions != nil {
		line := questionsLine(r.Questions)
		fmt.Fprintf(&b, "%s%s.\n", strings.ToUpper(line[:1]), line[1:])
	}
	for _, p := range diffParts(r) {
		fmt.Fprintf(&b, "\n<details><summary>%s (%d)</summary>\n\n", p.name, len(p.lines))
		for i, line := range p.lines {
			if limit > 0 && i == limit {
				fmt.Fprintf(&b, "- … %d more\n", len(p.lines)-i)
				break
			}
			fmt.Fprintf(&b, "- %s\n", codeSpan(wire.Clean(line)))
		}
		b.WriteString("\n</details>\n")
	}
	return b.String()
}

// codeSpan quotes text of documents, so that nothing in it is markdown.
func codeSpan(text string) string {
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + text + " " + fence
	}
	return fence + text + fence
}
