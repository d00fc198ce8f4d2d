package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"kdd/runtime/wire"
)

// Formats are what Write can print: text for people, markdown, CSV, plain paths for xargs, the wire JSON, and JSON
// with one item a line.
var Formats = []string{"text", "md", "csv", "paths", "json", "jsonl"}

// LintFormats are what a lint report has besides: SARIF 2.1.0 and GitHub's annotations.
var LintFormats = []string{"sarif", "github"}

// Style says how the text form looks. The zero value is plain text, complete by itself.
type Style struct {
	Color    bool // ANSI colours
	Links    bool // OSC 8 hyperlinks on paths
	Terminal bool // the reader is a terminal: neutralise quoted markdown too
	Agent    bool // the reader is a model: neutralise, and say that quoted text is content
	Width    int  // columns of the terminal, at which snippets and answers are wrapped; 0: lines are as long as they are
}

// Write prints an answer (a pointer to one of package wire's responses, or a *wire.Error) in one of Formats, ended by a
// line feed where there is anything. The error is w's, or a *wire.Error invalid_input for a format that the answer lacks.
//
//   - text is for a person or a model to read, with path:line.
//   - md is markdown.
//   - csv is RFC 4180 with a header row. A cell that a spreadsheet would take for a formula begins with "'".
//   - paths has each distinct path on a line, in order, without anchor or line number.
//   - json is Encode, and jsonl the JSON of each item on a line.
func Write(w io.Writer, format string, v any, style Style) error {
	var out string
	switch format {
	case "text":
		out = Text(v, style)
	case "json":
		out = string(wire.Encode(v))
	case "md", "csv", "paths", "jsonl":
		var ok bool
		if out, ok = printAs(format, v); !ok {
			return wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("format: got %q, which this answer does not have", format),
				"it has "+wire.Alternatives(FormatsOf(v))).With("field", "format")
		}
	default:
		var ok bool
		if out, ok = printAs(format, v); ok {
			break
		}
		e := wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("format: got %q, want %s", wire.Clean(wire.Shorten(format, 40)), wire.Alternatives(FormatsOf(v))), "").With("field", "format")
		if near := wire.Nearest(format, FormatsOf(v)); near != "" {
			e.Hint = fmt.Sprintf("did you mean %q?", near)
		}
		return e
	}
	if out != "" && (!strings.HasSuffix(out, "\n") || format == "json") {
		out += "\n"
	}
	_, err := io.WriteString(w, out)
	return err
}

// FormatsOf returns those of Formats that Write knows for an answer.
func FormatsOf(v any) []string {
	var have []string
	for _, f := range slices.Concat(Formats, LintFormats, GraphFormats) {
		if f == "text" || f == "json" {
			have = append(have, f)
		} else if _, ok := printAs(f, v); ok {
			have = append(have, f)
		}
	}
	return have
}

// printAs returns v in a format that only some answers have; false if v lacks it.
func printAs(format string, v any) (string, bool) {
	switch v := v.(type) {
	case *wire.SearchResponse:
		return printItems(format, v.Results, v, searchMarkdown, hitColumns, func(h *wire.Hit) string { return indexed(h.Index, h.Path) })
	case *wire.SimilarResponse:
		return printItems(format, v.Results, v, similarMarkdown, hitColumns, func(h *wire.Hit) string { return indexed(h.Index, h.Path) })
	case *wire.RelatedResponse:
		return printItems(format, v.Related, v, relatedMarkdown, relatedColumns, func(r *wire.Relative) string { return indexed(r.Index, r.Path) })
	case *wire.ListResponse:
		return printItems(format, v.Documents, v, listMarkdown, listColumns, func(d *wire.Listed) string { return indexed(d.Index, d.Path) })
	case *wire.ImpactResponse:
		return printImpact(format, v)
	case *wire.ContextResponse:
		return printItems(format, v.Items, v, contextMarkdown, contextColumns, func(i *wire.ContextItem) string { return indexed(i.Index, i.Path) })
	case *wire.GraphResponse:
		return printGraph(format, v)
	case *wire.LintReport:
		return printLint(format, v)
	case *wire.EvalReport:
		return printItems(format, v.Rows, v, evalMarkdown, evalColumns, nil)
	case *wire.CoverageResponse:
		return printItems(format, v.Categories, v, coverageMarkdown, coverageColumns, nil)
	case *wire.StatsResponse:
		return printItems(format, v.Artifacts, v, statsMarkdown, nil, nil)
	case *wire.SchemaResponse:
		return printItems(format, v.Tools, v, func(v *wire.SchemaResponse) string { return fenced(Text(v, Style{})) }, nil, nil)
	case *wire.DoctorResponse:
		return printItems(format, v.Checks, v, doctorMarkdown, doctorColumns, nil)
	case *wire.AnswerResponse:
		return printItems(format, v.Citations, v, answerMarkdown, citationColumns, func(c *wire.Citation) string { return indexed(c.Index, c.Path) })
	case *wire.ReadResponse:
		switch format {
		case "md":
			return v.Markdown, true
		case "paths":
			return wire.Clean(indexed(v.Index, v.Path)) + "\n", true
		case "jsonl":
			return string(wire.Encode(v)) + "\n", true
		}
	}
	return "", false
}

// printItems is printAs for an answer that is a list. Without columns it has no CSV, without path no paths.
func printItems[T, R any](format string, items []T, v R, markdown func(R) string, columns []column[T], path func(*T) string) (string, bool) {
	switch {
	case format == "md":
		return markdown(v), true
	case format == "csv" && columns != nil:
		return table(items, columns), true
	case format == "paths" && path != nil:
		return paths(len(items), func(i int) string { return path(&items[i]) }), true
	case format == "jsonl":
		return jsonLines(len(items), func(i int) any { return &items[i] }), true
	}
	return "", false
}

// paths prints each distinct path of n items once; an item about no file has none.
func paths(n int, path func(i int) string) string {
	var b strings.Builder
	seen := map[string]bool{}
	for i := range n {
		if p := wire.Clean(path(i)); p != "" && !seen[p] {
			seen[p] = true
			b.WriteString(p + "\n")
		}
	}
	return b.String()
}

// jsonLines prints n items, one a line.
func jsonLines(n int, item func(i int) any) string {
	var b strings.Builder
	for i := range n {
		b.Write(wire.Encode(item(i)))
		b.WriteByte('\n')
	}
	return b.String()
}

// Texter is an answer of another package that prints itself.
type Texter interface{ Text(style Style) string }

// Text returns the text form of an answer, ended by a line feed. A type it does not know is printed as JSON.
func Text(v any, style Style) string {
	p := printer{Style: style}
	switch v := v.(type) {
	case *wire.SearchResponse:
		p.search(v)
	case *wire.SimilarResponse:
		p.similar(v)
	case *wire.RelatedResponse:
		p.related(v)
	case *wire.ListResponse:
		p.list(v)
	case *wire.ImpactResponse:
		p.impact(v)
	case *wire.ContextResponse:
		p.context(v)
	case *wire.GraphResponse:
		p.graph(v)
	case *wire.LintReport:
		p.lint(v)
	case *wire.EvalReport:
		p.eval(v)
	case *wire.CoverageResponse:
		p.coverage(v)
	case *wire.StatsResponse:
		p.stats(v)
	case *wire.SchemaResponse:
		p.schema(v)
	case *wire.DoctorResponse:
		p.doctor(v)
	case *wire.ReadResponse:
		p.read(v)
	case *wire.AnswerResponse:
		p.answer(v)
	case *wire.FeedbackStats:
		p.b.WriteString(feedbackText(v))
	case *wire.Error:
		p.error(v)
	case Texter:
		p.b.WriteString(v.Text(style))
	default:
		p.b.Write(wire.Encode(v))
		p.b.WriteByte('\n')
	}
	return p.b.String()
}

// indexed names a path of one of several artifacts as the operations take it.
func indexed(index, path string) string {
	if index == "" {
		return path
	}
	return index + ":" + path
}

// Address returns path#anchor as read takes it, with the artifact's name before it if there is one.
func Address(index, path, anchor string) string {
	if anchor != "" {
		path += "#" + anchor
	}
	return indexed(index, path)
}
