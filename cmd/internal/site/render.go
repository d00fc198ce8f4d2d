package site

import (
	"bytes"
	"cmp"
	"html"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/chroma/v2"
	chromahtml "github.com/alecthomas/chroma/v2/formatters/html"
	"github.com/alecthomas/chroma/v2/lexers"
	"github.com/alecthomas/chroma/v2/styles"
	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark"
	emoji "github.com/yuin/goldmark-emoji"
	highlighting "github.com/yuin/goldmark-highlighting/v2"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	ghtml "github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"kdd/format/index"
)

// documents writes documents as HTML.
type documents struct {
	x        *index.Index
	reader   *index.Reader
	links    *links
	lang     string // of the site
	markdown goldmark.Markdown
	policy   *bluemonday.Policy
	text     []byte
	pictures int // local pictures, which the artifact does not carry
}

// heading is an entry of a page's table of contents.
type heading struct {
	Level  int
	Text   string
	Anchor string
}

// rendered is a document as its page shows it.
type rendered struct {
	HTML     template.HTML
	Headings []heading
	Titled   bool // it begins with a heading of level 1
}

func newDocuments(x *index.Index, l *links, lang string) *documents {
	return &documents{x: x, reader: x.Text.Reader(), links: l, lang: cmp.Or(lang, "en"), policy: policy(), markdown: goldmark.New(
		goldmark.WithExtensions(extension.GFM, extension.Footnote, extension.DefinitionList, emoji.Emoji,
			highlighting.NewHighlighting(highlighting.WithFormatOptions(chromahtml.WithClasses(true)))),
		goldmark.WithParserOptions(
			parser.WithInlineParsers(util.Prioritized(wikiLinks{}, 150)),
			parser.WithASTTransformers(util.Prioritized(notes{}, 500))),
		goldmark.WithRendererOptions(ghtml.WithUnsafe(), renderer.WithNodeRenderers(util.Prioritized(noteHTML{}, 100))),
	)}
}

var (
	classNames = regexp.MustCompile(`^[a-zA-Z0-9 _-]+$`)
	anything   = regexp.MustCompile(`^[^\x00-\x1f]*$`)
)

// policy is what documents may show: no scripts, no styles, no forms, no frames.
func policy() *bluemonday.Policy {
	p := bluemonday.UGCPolicy()
	p.RequireNoFollowOnLinks(false)
	p.AllowURLSchemes("http", "https", "mailto", "tel")
	p.AllowElements("aside", "details", "summary", "kbd", "mark", "picture", "source", "figure", "figcaption")
	p.AllowAttrs("class").
		Matching(classNames).
		OnElements("aside", "p", "pre", "code", "span", "div", "a", "sup", "section", "ol", "li", "h1", "h2", "h3", "h4", "h5", "h6")
	p.AllowAttrs("id").
		Matching(anything).
		OnElements("h1", "h2", "h3", "h4", "h5", "h6", "a", "li", "sup", "div", "span")
	p.AllowAttrs("role", "aria-label").Matching(anything).OnElements("a", "section", "div")
	p.AllowAttrs("type").Matching(regexp.MustCompile(`^checkbox$`)).OnElements("input")
	p.AllowAttrs("checked", "disabled").OnElements("input")
	p.AllowAttrs("align").
		Matching(regexp.MustCompile(`^(left|right|center)$`)).
		OnElements("td", "th", "p", "div", "img")
	p.AllowAttrs("open").OnElements("details")
	p.AllowAttrs("tabindex").Matching(regexp.MustCompile(`^0$`)).OnElements("pre", "div")
	return p
}

// source returns the text of a document, which aliases a buffer until the next call.
func (r *documents) source(d index.DocID) []byte {
	from, to := r.x.DocText(d)
	r.text = r.x.AppendText(r.text[:0], r.reader, d, 0, to-from)
	return r.text
}

// render writes a document as HTML.
func (r *documents) render(p *page) (rendered, error) {
	source := string(r.source(p.doc))
	if bare(p.path) == p.path {
		return r.plain(p, source), nil
	}
	return r.html(p, source)
}

// html renders markdown.
func (r *documents) html(p *page, source string) (rendered, error) {
	body := []byte(prepare(source, strings.HasSuffix(strings.ToLower(p.path), ".mdx")))
	doc := r.markdown.Parser().Parse(text.NewReader(body))
	out := rendered{}
	r.anchors(doc, body, p, &out)
	r.links.rewrite(doc, body, p)
	directions(doc, body, direction(r.language(p.doc)))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if image, ok := n.(*ast.Image); ok && entering {
			image.SetAttributeString("loading", []byte("lazy"))
		}
		return ast.WalkContinue, nil
	})
	var b bytes.Buffer
	if err := r.markdown.Renderer().Render(&b, body, doc); err != nil {
		return out, err
	}
	out.HTML = template.HTML(r.localPictures(p, r.policy.SanitizeBytes(scrollable(b.Bytes()))))
	return out, nil
}

// scrollable lets wide tables and code scroll by themselves, with the keyboard too.
func scrollable(b []byte) []byte {
	b = bytes.ReplaceAll(b, []byte("<table>"), []byte(`<div class="table" tabindex="0"><table>`))
	b = bytes.ReplaceAll(b, []byte("</table>"), []byte("</table></div>"))
	return bytes.ReplaceAll(
		bytes.ReplaceAll(b, []byte("<pre><code"), []byte(`<pre tabindex="0"><code`)),
		[]byte(`<pre class="chroma">`),
		[]byte(`<pre tabindex="0" class="chroma">`),
	)
}

// anchors gives headings the anchors that the index has for their lines.
func (r *documents) anchors(doc ast.Node, body []byte, p *page, out *rendered) {
	byLine := map[int]index.SectionID{}
	from, to := r.x.DocSections(p.doc)
	for s := from; s < to; s++ {
		if r.x.SectionAnchor(s) != "" {
			byLine[int(r.x.Section(s).LineStart)] = s
		}
	}
	line, at := 1, 0
	seen := map[index.SectionID]bool{}
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		h, ok := n.(*ast.Heading)
		if !ok || !entering || h.Lines().Len() == 0 {
			return ast.WalkContinue, nil
		}
		start := h.Lines().At(0).Start
		if start < at {
			line, at = 1, 0
		}
		line += bytes.Count(body[at:start], []byte("\n"))
		at = start
		if len(out.Headings) == 0 && h.Level == 1 {
			out.Titled = true
		}
		s, ok := byLine[line]
		if !ok || seen[s] {
			return ast.WalkContinue, nil
		}
		seen[s] = true
		anchor := r.x.SectionAnchor(s)
		h.SetAttributeString("id", []byte(anchor))
		title := plainText(h, body)
		out.Headings = append(out.Headings, heading{h.Level, title, anchor})
		self := ast.NewString([]byte(anchorLink(anchor, title)))
		self.SetRaw(true)
		self.SetCode(true) // or it would be escaped
		h.AppendChild(h, self)
		return ast.WalkContinue, nil
	})
}

// anchorLink is the link of a heading to itself.
func anchorLink(anchor, title string) string {
	return `<a class="anchor" href="` + html.EscapeString(
		fragment(anchor),
	) + `" aria-label="Link to ` + html.EscapeString(
		title,
	) + `">#</a>`
}

// plain renders a file that is no markdown: its sections as highlighted text.
func (r *documents) plain(p *page, source string) rendered {
	var out rendered
	var b bytes.Buffer
	lexer := lexers.Match(p.path)
	if lexer == nil {
		lexer = lexers.Fallback
	}
	format := chromahtml.New(chromahtml.WithClasses(true))
	lines := strings.SplitAfter(source, "\n")
	from, to := r.x.DocSections(p.doc)
	at := 0
	write := func(until int) {
		if text := strings.TrimRight(strings.Join(lines[at:until], ""), " \t\r\n"); text != "" {
			if tokens, err := chroma.Coalesce(lexer).Tokenise(nil, text); err == nil {
				_ = format.Format(&b, styles.Fallback, tokens) // a buffer takes all
			}
		}
		at = until
	}
	for s := from; s < to; s++ {
		anchor := r.x.SectionAnchor(s)
		if anchor == "" {
			continue
		}
		write(min(max(at, int(r.x.Section(s).LineStart)-1), len(lines)))
		title := r.x.SectionHeading(s)
		level := min(6, max(2, r.x.SectionLevel(s)))
		b.WriteString(
			`<h` + string(rune('0'+level)) + ` id="` + html.EscapeString(anchor) + `">` + html.EscapeString(title) +
				anchorLink(anchor, title) + "</h" + string(rune('0'+level)) + ">\n",
		)
		out.Headings = append(out.Headings, heading{level, title, anchor})
	}
	write(len(lines))
	out.HTML = template.HTML(r.policy.SanitizeBytes(scrollable(b.Bytes())))
	return out
}

// pictureSource is the address of a picture in what the sanitiser writes, which escapes > and quotes in values.
var pictureSource = regexp.MustCompile(`(<img [^>]*?\bsrc=")([^"]*)"`)

// localPictures counts the local pictures of a page, of markdown and of HTML, and makes addresses from the root of the
// sources relative, so that they hold where a site is not at the root of its host.
func (r *documents) localPictures(p *page, page []byte) []byte {
	return pictureSource.ReplaceAllFunc(page, func(found []byte) []byte {
		m := pictureSource.FindSubmatch(found)
		address := html.UnescapeString(string(m[2]))
		if !local(address) {
			return found
		}
		r.pictures++
		if !strings.HasPrefix(address, "/") || strings.HasPrefix(address, "//") {
			return found
		}
		return slices.Concat(m[1], []byte(strings.Repeat("../", strings.Count(p.file, "/"))), m[2][1:], []byte(`"`))
	})
}

// codeStyles are the colours of code, in light and in dark.
func codeStyles() string {
	format := chromahtml.New(chromahtml.WithClasses(true))
	css := func(name string) string {
		var b bytes.Buffer
		_ = format.WriteCSS(&b, styles.Get(name)) // a buffer takes all
		return regexp.MustCompile(`(?m)^/\*.*?\*/ ?`).ReplaceAllString(b.String(), "")
	}
	light, dark := css("github"), css("github-dark")
	// Each in its own theme alone: light names tokens that dark leaves to the colour of the block.
	return "@media not (prefers-color-scheme: dark) { :root:not([data-theme=dark]) {\n" + light + "} }\n" +
		":root[data-theme=light] {\n" + light + "}\n" +
		"@media (prefers-color-scheme: dark) { :root:not([data-theme=light]) {\n" + dark + "} }\n" +
		":root[data-theme=dark] {\n" + dark + "}\n"
}
