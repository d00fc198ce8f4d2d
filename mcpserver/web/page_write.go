package web

import (
	"fmt"
	"html"
	"strings"

	"kdd/runtime/render"
)

// markup writes HTML: t writes what the page itself says, f a form of it whose strings are escaped.
//
// Not html/template: it may call any method by name, so the linker could leave none out of the program, which costs 2 MB.
type markup struct{ strings.Builder }

func (m *markup) t(text string) { m.WriteString(text) }

// f formats like fmt.Sprintf; every string among the arguments is escaped for text and for quoted attributes.
func (m *markup) f(format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = html.EscapeString(s)
		}
	}
	fmt.Fprintf(m, format, args...)
}

// links writes links parted by separator; those without an address as code.
func (m *markup) links(list []link, separator string) {
	for i, l := range list {
		if i > 0 {
			m.t(separator)
		}
		if l.URL == "" {
			m.f(`<code>%s</code>`, l.Text)
		} else {
			m.f(`<a href="%s">%s</a>`, l.URL, l.Text)
		}
	}
}

// pageIcon is a K in a square, as SVG.
const pageIcon = `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230a58ca'/%3E` +
	`%3Cpath d='M5 3v10M11.5 3 5.5 8l6 5' fill='none' stroke='%23fff' stroke-width='2'/%3E%3C/svg%3E`

// write writes the whole document.
func (p *page) write(m *markup) {
	m.t("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
	for _, part := range p.title() {
		m.f("%s", part)
	}
	m.t("</title>\n<link rel=\"icon\" href=\"" + pageIcon + "\">\n<style>" + pageStyle + "</style>\n</head>\n<body>\n<header>\n")
	for _, x := range p.Names {
		m.f("<h1 dir=\"auto\"><a href=\"/\">%s</a></h1>\n", x.Title)
		m.f("<p class=\"small\">%d documents, %d sections, %d chunks, %.1f MB, index %s</p>\n", x.Documents, x.Sections, x.Chunks, x.Megabytes, x.ID)
	}
	if len(p.Names) == 0 {
		m.t("<h1><a href=\"/\">kdd</a></h1>\n")
	}
	m.t("</header>\n<main>\n<form action=\"/\" method=\"get\" role=\"search\">\n")
	m.f("<input type=\"search\" name=\"q\" dir=\"auto\" value=\"%s\" aria-label=\"Question or keywords\" placeholder=\"A question or keywords\" maxlength=\"1000\"", p.Query)
	if p.Query == "" && p.Read == nil && p.Error == "" { // on a telephone a keyboard would cover what was asked for
		m.t(" autofocus")
	}
	m.t(">\n<button>Search</button>\n</form>\n")
	if p.Error != "" {
		m.f("<p class=\"note\" role=\"alert\">%s</p>\n", p.Error)
	}
	for _, w := range p.Warnings {
		m.f("<p class=\"note small\" dir=\"auto\">%s</p>\n", w)
	}
	if p.Reply != nil {
		class := "prose"
		if strings.Contains(p.Reply.Result, "```") || strings.Contains("\n"+p.Reply.Result, "\n|") { // code and tables stand in columns
			class = "columns"
		}
		m.f("<section class=\"note\">\n<h2>Answer</h2>\n<pre class=\"%s\" lang=\"%s\" dir=\"auto\">%s</pre>\n<p class=\"small\">", class, p.Language, p.Reply.Result)
		m.links(p.Links, " · ")
		m.t("</p></section>\n")
	}
	p.writeHits(m)
	if r := p.Read; r != nil {
		m.f("<h2 dir=\"auto\">%s", r.Path)
		if r.Anchor != "" {
			m.f("#%s", r.Anchor)
		}
		m.f("</h2>\n<p class=\"small\">%s</p>\n<pre lang=\"%s\" dir=\"auto\">%s</pre>\n", linesText(r.Lines), p.Language, r.Markdown)
	}
	m.t("</main>\n<footer class=\"small\">\n<p>For programs: ")
	m.links(p.Paths, ", ")
	m.f("</p>\n<p>kdd %s</p>\n</footer>\n</body>\n</html>\n", p.Version)
}

// title returns the parts of the document's title: what is asked, what is shown, and where.
func (p *page) title() []string {
	var parts []string
	if p.Query != "" {
		parts = append(parts, p.Query, " · ")
	}
	if p.Read != nil {
		parts = append(parts, render.Address("", p.Read.Path, p.Read.Anchor), " · ")
	}
	for i, x := range p.Names {
		if i > 0 {
			parts = append(parts, ", ")
		}
		parts = append(parts, x.Title)
	}
	if len(p.Names) == 0 {
		parts = append(parts, "kdd")
	}
	return parts
}

func (p *page) writeHits(m *markup) {
	if p.Refusal != "" {
		m.f("<p class=\"note\" dir=\"auto\">%s</p>\n", p.Refusal)
	}
	if len(p.Hits) == 0 {
		return
	}
	m.t("<h2>Sections</h2>\n<ol>\n")
	for i := range p.Hits {
		h := &p.Hits[i]
		m.f("<li><div lang=\"%s\" dir=\"auto\"><a href=\"%s\">%s", p.Language, h.Here, h.Title)
		if h.Section != "" && h.Section != h.Title {
			m.f(" › %s", h.Section)
		}
		m.t("</a>")
		if h.There != "" {
			m.f(" <a class=\"small\" href=\"%s\" rel=\"noopener noreferrer\">original</a>", h.There)
		}
		m.f("</div>\n<div lang=\"%s\" dir=\"auto\">%s</div>\n<span class=\"small\">%s, %s, score %.2f</span></li>\n", p.Language, h.Snippet, h.Path, linesText(h.Lines), h.Score)
	}
	m.t("</ol>\n")
}

// linesText is "line 3" or "lines 3–5".
func linesText(lines [2]int) string {
	if lines[0] == lines[1] {
		return fmt.Sprintf("line %d", lines[0])
	}
	return fmt.Sprintf("lines %d–%d", lines[0], lines[1])
}
