package web

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"

	"kdd/runtime/render"
)

//go:embed page.css
var pageStyle string

//go:embed page.html
var pageHTML string

// newPageTemplate parses the template of the page. A server does it once; other commands do not need it.
func newPageTemplate() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{"lines": linesText, "columns": inColumns}).Parse(pageHTML))
}

// pagePolicy is the Content-Security-Policy of the page. A browser loads scripts of this server alone, asks it alone, and
// sends its form to it only. The style sheet is named by its hash. The icon is part of the page: without one browsers
// ask for /favicon.ico and report that this policy forbids it.
var pagePolicy = func() string {
	sum := sha256.Sum256([]byte(pageStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; script-src 'self'; connect-src 'self'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}()

// Style is the style sheet, byte for byte: its hash is in pagePolicy.
func (p *page) Style() template.CSS { return template.CSS(pageStyle) }

// Empty says whether nothing was asked. Only then does the form get the focus: on a telephone the keyboard would cover
// the answer.
func (p *page) Empty() bool { return p.Query == "" && p.Read == nil && p.Error == "" }

// Heading is the document's title: what was asked, the section that is shown, and the names of the indexes.
func (p *page) Heading() string {
	var names []string
	for _, x := range p.Names {
		names = append(names, x.Title)
	}
	if len(names) == 0 {
		names = []string{"kdd"}
	}
	var parts []string
	if p.Query != "" {
		parts = append(parts, p.Query)
	}
	if p.Read != nil {
		parts = append(parts, render.Address("", p.Read.Path, p.Read.Anchor))
	}
	return strings.Join(append(parts, strings.Join(names, ", ")), " · ")
}

// inColumns says whether a text has code or a table, which need a font of fixed width.
func inColumns(text string) bool {
	return strings.Contains(text, "```") || strings.Contains("\n"+text, "\n|")
}

// linesText is "line 3" or "lines 3–5".
func linesText(lines [2]int) string {
	if lines[0] == lines[1] {
		return fmt.Sprintf("line %d", lines[0])
	}
	return fmt.Sprintf("lines %d–%d", lines[0], lines[1])
}
