package render

import (
	"fmt"
	"strconv"
	"strings"

	"kdd/runtime/wire"
)

// escaped returns text as one line of markdown, with its marks escaped so that it reads as written.
func escaped(s string) string {
	return markdownEscapes.Replace(wire.OneLine(s))
}

var markdownEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "|", `\|`, "#", `\#`, "&", `\&`, "~", `\~`)

// code returns text as a code span, fenced by more backticks than it holds; inside a table "|" needs its escape.
func code(s string) string {
	s = wire.OneLine(s)
	if s == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	s = strings.ReplaceAll(s, "|", `\|`)
	if len(fence) > 1 {
		s = " " + s + " "
	}
	return fence + s + fence
}

// linked returns a markdown link, or the text alone where there is no URL to link to.
func linked(text, url string) string {
	if url == "" || strings.ContainsFunc(url, func(r rune) bool { return r <= ' ' || r >= 0x7f || r == '<' || r == '>' }) {
		return escaped(text)
	}
	return "[" + escaped(text) + "](<" + url + ">)"
}

func searchMarkdown(v *wire.SearchResponse) string {
	var b strings.Builder
	markdownHits(&b, v.Results)
	if len(v.Results) == 0 {
		fmt.Fprintf(&b, "No results for “%s”.\n", escaped(v.Query))
	}
	markdownFacets(&b, v.Facets)
	markdownTail(&b, &v.Envelope, v.Truncated, v.Cursor)
	return b.String()
}

func similarMarkdown(v *wire.SimilarResponse) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Similar to %s, %s\n\n", code(Address(v.Index, v.Path, v.Anchor)), escaped(v.Title))
	markdownHits(&b, v.Results)
	if len(v.Results) == 0 {
		b.WriteString("Nothing.\n")
	}
	markdownTail(&b, &v.Envelope, v.Truncated, v.Cursor)
	return b.String()
}

func markdownHits(b *strings.Builder, hits []wire.Hit) {
	for i := range hits {
		h := &hits[i]
		fmt.Fprintf(b, "%d. %s — %s, %s, score %s\n", h.Rank, linked(headline(h.Title, h.Section), h.URL), code(Address(h.Index, h.Path, h.Anchor)),
			lineRange(h.Lines), strconv.FormatFloat(h.Score, 'f', -1, 64))
		if h.Snippet != "" {
			lines := strings.Split(wire.CleanLines(h.Snippet), "\n")
			for i := range lines {
				lines[i] = escaped(lines[i])
			}
			fmt.Fprintf(b, "\n   > %s\n\n", strings.Join(lines, "\\\n   > "))
		}
		if h.More != nil {
			fmt.Fprintf(b, "   %s\n\n", moreText(h.More, func(s *wire.MoreSection) string { return code(anchorOf(s)) }))
		}
	}
}

func lineRange(lines [2]int) string {
	if lines[1] > lines[0] {
		return fmt.Sprintf("lines %d-%d", lines[0], lines[1])
	}
	return fmt.Sprintf("line %d", lines[0])
}

func relatedMarkdown(v *wire.RelatedResponse) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** %s: %d of %d related\n\n| | relation | name | kind | where | node |\n|---|---|---|---|---|---|\n", escaped(v.Entity), code(v.NodeID), v.Count, v.Total)
	for i := range v.Related {
		r := &v.Related[i]
		fmt.Fprintf(&b, "| %s %d | %s | %s | %s | %s %s | %s |\n", r.Direction, r.Distance, escaped(r.Relation), linked(r.Name, r.SourceURL),
			escaped(joined(" ", r.Type, r.Kind)), code(Address(r.Index, r.Path, r.Anchor)), lineRange(r.Lines), code(r.NodeID))
	}
	markdownTail(&b, &v.Envelope, v.Truncated, v.Cursor)
	return b.String()
}

func listMarkdown(v *wire.ListResponse) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d documents\n\n| document | path | kind | domain | status | date | tags |\n|---|---|---|---|---|---|---|\n", v.Count, v.Total)
	for i := range v.Documents {
		d := &v.Documents[i]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s | %s |\n", linked(d.Title, d.URL), code(indexed(d.Index, d.Path)), escaped(d.Kind), escaped(d.Domain),
			escaped(d.Status), escaped(d.Date), escaped(strings.Join(d.Tags, ", ")))
	}
	markdownFacets(&b, v.Facets)
	markdownTail(&b, &v.Envelope, v.Truncated, v.Cursor)
	return b.String()
}

// statsMarkdown is the text form in a code fence, which keeps its columns.
func statsMarkdown(v *wire.StatsResponse) string { return fenced(Text(v, Style{})) }

// fenced puts text into a code fence longer than any that it holds.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + text + fence + "\n"
}

func markdownFacets(b *strings.Builder, facets []wire.Facet) {
	for i := range facets {
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "- %s: %s\n", escaped(facets[i].Field), escaped(facetLine(&facets[i])))
	}
}

func markdownTail(b *strings.Builder, e *wire.Envelope, truncated bool, cursor string) {
	for _, w := range e.Warnings {
		fmt.Fprintf(b, "\nWarning: %s\n", escaped(w))
	}
	if cursor != "" {
		fmt.Fprintf(b, "\nMore with cursor %s\n", code(cursor))
	} else if truncated {
		b.WriteString("\nTruncated.\n")
	}
}
