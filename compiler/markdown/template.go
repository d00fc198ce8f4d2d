package markdown

import (
	"bytes"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// maxTemplate is the size of a template's tag, in bytes, above which it is text.
const maxTemplate = 4096

// templateTag is a tag of a template language: "{% name … %}" of Liquid (Jekyll, GitBook), Markdoc and Nunjucks, or one of
// Hugo's shortcodes, "{{< name … >}}" and "{{% name … %}}".
type templateTag struct {
	name    string // without the "/" of a closing shortcode
	hugo    bool
	closing bool // Hugo and Markdoc; Liquid has a name of its own, such as endraw
	empty   bool
	args    []templateArg
	end     int // offset after it
}

// templateArg is an argument, whose value stands at [start, end); name is "" for one that has only a place.
type templateArg struct {
	name string
	span
}

// readTemplate reads the tag at i, which is "{".
func readTemplate(raw []byte, i int) (t templateTag, ok bool) {
	limit := min(len(raw), i+maxTemplate)
	rest := raw[i:limit]
	closer, j := "%}", 2
	switch {
	case bytes.HasPrefix(rest, []byte("{{<")):
		closer, j, t.hugo = ">}}", 3, true
	case bytes.HasPrefix(rest, []byte("{{%")):
		closer, j, t.hugo = "%}}", 3, true
	case !bytes.HasPrefix(rest, []byte("{%")):
		return t, false
	}
	n := bytes.Index(rest[j:], []byte(closer))
	if n < 0 {
		return t, false
	}
	stop := i + j + n
	t.end = stop + len(closer)
	j += i
	if !t.hugo && j < stop && raw[j] == '-' {
		j++
	}
	if !t.hugo && j < stop && raw[stop-1] == '-' {
		stop--
	}
	for j < stop && isBlank(raw[j]) {
		j++
	}
	if j < stop && raw[j] == '/' {
		t.closing = true
		for j++; j < stop && isBlank(raw[j]); j++ {
		}
	}
	for stop > j && isBlank(raw[stop-1]) {
		stop--
	}
	if stop > j && raw[stop-1] == '/' {
		t.empty = true
		stop--
	}
	name := j
	for j < stop && (isAlpha(raw[j]) || raw[j] == '_' || raw[j] == '@' || j > name && (isDigit(raw[j]) || strings.IndexByte("-./", raw[j]) >= 0)) {
		j++
	}
	t.name = string(raw[name:j])
	if j == name || j < stop && !isBlank(raw[j]) {
		return t, false
	}
	t.args = templateArgs(raw, j, stop)
	return t, true
}

// templateArgs reads the arguments in raw[i:stop].
func templateArgs(raw []byte, i, stop int) (args []templateArg) {
	for i < stop {
		if isBlank(raw[i]) {
			i++
			continue
		}
		a := templateArg{}
		k := i
		for k < stop && (isAlpha(raw[k]) || isDigit(raw[k]) || raw[k] == '_' || raw[k] == '-') {
			k++
		}
		if k > i && k < stop && raw[k] == '=' {
			a.name, i = string(raw[i:k]), k+1
		}
		if i < stop && strings.IndexByte("\"'`", raw[i]) >= 0 {
			n := bytes.IndexByte(raw[i+1:stop], raw[i])
			if n < 0 {
				return args
			}
			a.span = span{i + 1, i + 1 + n}
			i += n + 2
		} else {
			start := i
			for i < stop && !isBlank(raw[i]) {
				i++
			}
			a.span = span{start, i}
		}
		args = append(args, a)
	}
	return args
}

// Arguments that readers see, tags whose first argument they see, arguments that are the target of a link, and tags that
// stand for one.
var (
	shownArgs  = nameSet("alt caption content description header heading label name summary text title")
	shownTags  = nameSet("abbr badge button details expand glossary-term glossary_term heading kbd tab term tooltip")
	targetArgs = nameSet("href link relref url")
	targetTags = nameSet("link post_url ref relref")
)

// includeTags put another document's text in their place.
var includeTags = nameSet("include include-markdown include_relative readfile snippet")

func hasDocumentExtension(name []byte) bool {
	return bytes.HasSuffix(name, []byte(".md")) || bytes.HasSuffix(name, []byte(".mdx")) || bytes.HasSuffix(name, []byte(".markdown"))
}

// printingTags of templates print text in the middle of a sentence.
var printingTags = nameSet("glossary_tooltip include link param post_url ref relref")

// template takes a tag out of the text, all but the arguments that readers see. What Liquid's raw holds is text, what its
// comment holds is none.
func (s *scanner) template(i int) int {
	raw := s.raw
	if i+3 >= len(raw) || raw[i+1] != '%' && (raw[i+1] != '{' || raw[i+2] != '<' && raw[i+2] != '%') || s.fuel <= 0 || i < s.untouched {
		return i
	}
	t, ok := readTemplate(raw, i)
	if !ok {
		s.fuel -= min(maxTemplate, len(raw)-i)
		return i
	}
	s.fuel -= t.end - i
	s.add(item{kind: itemGone, start: i, end: t.end})
	if !t.hugo && (t.name == "raw" || t.name == "comment") {
		return s.until(&t)
	}
	if t.closing {
		return t.end
	}
	link := s.templateLink(i, &t)
	shown := false
	for k, a := range t.args {
		if a.start == a.end || !shownArgs[a.name] && (a.name != "" || k > 0 || !shownTags[t.name]) {
			continue
		}
		if shown {
			s.items = append(s.items, item{kind: itemLiteral, wiki: true, start: a.start - 1, end: a.start, lit: " "})
		}
		s.items = append(s.items, item{kind: itemText, start: a.start, end: a.end})
		shown = true
	}
	if link >= 0 {
		s.items = append(s.items, item{kind: itemEnd, start: t.end, end: t.end, link: link})
	}
	return t.end
}

// until finds the end of Liquid's raw, in which there are no tags, or skips that of a comment.
func (s *scanner) until(t *templateTag) int {
	for k := t.end; ; {
		n := bytes.Index(s.raw[k:], []byte("{%"))
		if n < 0 || s.fuel <= 0 {
			s.fuel -= len(s.raw) - k
			return t.end
		}
		k += n
		s.fuel -= n + 2
		if end, ok := readTemplate(s.raw, k); ok && end.name == "end"+t.name {
			if t.name == "raw" {
				s.untouched = k
				return t.end
			}
			s.pending = end.end
			return end.end
		}
		k += 2
	}
}

// templateLink begins the link that a tag makes; -1 if it makes none.
func (s *scanner) templateLink(i int, t *templateTag) int {
	target := ""
	if targetTags[t.name] {
		target = valid(string(s.raw[i:t.end]))
	}
	for _, a := range t.args {
		if (targetArgs[a.name] || a.name == "" && includeTags[t.name] && hasDocumentExtension(s.raw[a.start:a.end])) && target == "" {
			target = valid(string(s.raw[a.start:a.end]))
		}
	}
	if target == "" {
		return -1
	}
	s.items = append(s.items, item{kind: itemStart, start: t.end, end: t.end, link: len(s.links)})
	s.links = append(s.links, inlineLink{kind: Raw, target: target, source: s.at(i)})
	return len(s.links) - 1
}

// tagLine reports whether a line holds tags of a template and nothing else; all of it is the label's.
func tagLine(line []byte) (all span, ok bool) {
	for i := 0; i < len(line); {
		if isBlank(line[i]) {
			i++
			continue
		}
		t, found := templateTag{}, false
		if line[i] == '{' {
			t, found = readTemplate(line, i)
		}
		if !found {
			return span{}, false
		}
		i = t.end
	}
	return span{0, len(line)}, true
}

// printsText reports whether the first tag of a line prints text, so that the line may be one of a paragraph.
func printsText(line []byte) bool {
	t, ok := readTemplate(line, 0)
	return ok && printingTags[t.name]
}

// plainTarget returns what a template makes of a link's target, so far as the target itself says it: "/a" for
// "{{ '/a' | relative_url }}", "{{ site.baseurl }}/a" and "{% link a %}". Docusaurus's "@site/" is the site's root, too.
func plainTarget(target string) string {
	for _, root := range [...]string{"@site/", "@/"} {
		if rest, found := strings.CutPrefix(target, root); found {
			return "/" + rest
		}
	}
	if !strings.Contains(target, "{{") && !strings.Contains(target, "{%") {
		return target
	}
	var out strings.Builder
	rest := target
	for {
		k := strings.Index(rest, "{{")
		if p := strings.Index(rest, "{%"); k < 0 || p >= 0 && p < k {
			k = p
		}
		if k < 0 {
			out.WriteString(rest)
			return out.String()
		}
		value, n, ok := templateValue(rest[k:])
		if !ok || out.Len() > maxTarget {
			return target
		}
		if after := rest[k+n:]; value == "" && !strings.HasPrefix(after, "/") && !strings.HasPrefix(after, "{") {
			value = "/"
		}
		out.WriteString(rest[:k])
		out.WriteString(value)
		rest = rest[k+n:]
	}
}

// siteRoots are the variables by which templates name the place where a site is.
var siteRoots = nameSet(`base_url baseurl config.site_url page.root rel root site.base_url site.baseurl site.url url $baseurl
	page.baseurl page.rel`)

// templateValue evaluates the tag or output that text begins with; n is its length.
func templateValue(text string) (value string, n int, ok bool) {
	if t, found := readTemplate([]byte(text), 0); found {
		if !targetTags[t.name] || t.closing {
			return "", 0, false
		}
		for _, a := range t.args {
			if a.name == "" || a.name == "path" {
				switch value = text[a.start:a.end]; t.name {
				case "link":
					value = "/" + strings.TrimPrefix(value, "/")
				case "post_url":
					value = "/_posts/" + strings.TrimPrefix(value, "/")
				}
				return value, t.end, true
			}
		}
		return "", 0, false
	}
	end := strings.Index(text, "}}")
	if end < 2 || !strings.HasPrefix(text, "{{") {
		return "", 0, false
	}
	inside := strings.TrimSpace(strings.Trim(text[2:end], "-"))
	if inside == "" {
		return "", 0, false
	}
	if quote := inside[0]; quote == '"' || quote == '\'' {
		if k := strings.IndexByte(inside[1:], quote); k >= 0 {
			return inside[1 : 1+k], end + 2, true
		}
		return "", 0, false
	}
	name, _, _ := strings.Cut(inside, "|")
	return "", end + 2, siteRoots[strings.ToLower(strings.TrimSpace(name))]
}

// rawBlock is code between two tags of a template, such as "{% highlight go %}" and "{% endhighlight %}".
type rawBlock struct {
	ast.BaseBlock
	tag         templateTag
	info        string
	first, last int // offsets of its first and last line
}

var kindRawBlock = ast.NewNodeKind("RawBlock")

// Kind tells the block from goldmark's own nodes.
func (*rawBlock) Kind() ast.NodeKind { return kindRawBlock }

// IsRaw is true: goldmark reads no inline markup in it.
func (*rawBlock) IsRaw() bool { return true }

// Dump prints the node to standard output, for whoever looks for a mistake; nothing calls it.
func (n *rawBlock) Dump(src []byte, l int) { ast.DumpHelper(n, src, l, nil, nil) }

// rawParser reads the tags that hold code.
type rawParser struct{ leaf }

// codeTags hold code: in both languages, and in Hugo alone (GitBook's code holds a fence).
var codeTags, hugoCodeTags = nameSet("codeblock highlight mermaid"), nameSet("code code-block code-toggle")

// holdsCode reports whether what t holds is code: of a tab, as in Docsy, if it says in which language.
func (t *templateTag) holdsCode() bool {
	if t.hugo && t.name == "tab" {
		return slices.ContainsFunc(t.args, func(a templateArg) bool { return a.name == "lang" })
	}
	return codeTags[t.name] || t.hugo && hugoCodeTags[t.name]
}

// Trigger returns the byte that a tag begins with.
func (rawParser) Trigger() []byte { return []byte{'{'} }

// Open begins the block if its tag stands alone on the line and is closed further down. A search that finds no end is
// paid for with fuel.
func (rawParser) Open(_ ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	pos := pc.BlockOffset()
	if pos < 0 || len(line) > maxTarget {
		return nil, parser.NoChildren
	}
	t, ok := readTemplate(line, pos)
	if !ok || t.closing || t.empty || !t.holdsCode() {
		return nil, parser.NoChildren
	}
	if _, blank := lineRest(line, t.end); !blank {
		return nil, parser.NoChildren
	}
	d, rest := definedIn(pc), r.Source()[seg.Stop:]
	if d.fuel <= 0 {
		return nil, parser.NoChildren
	}
	end := closingTag(rest, &t)
	if end < 0 {
		d.fuel -= len(rest)
		return nil, parser.NoChildren
	}
	d.fuel -= end
	n := &rawBlock{tag: t, first: seg.Start, last: seg.Start}
	for k, a := range t.args {
		if a.name == "lang" || a.name == "language" || a.name == "" && k == 0 {
			n.info = valid(string(line[a.start:a.end]))
		}
	}
	r.AdvanceToEOL()
	return n, parser.NoChildren
}

// closingTag returns the offset of a line that begins with the tag that closes t, -1 if none does.
func closingTag(text []byte, t *templateTag) int {
	for i := 0; ; {
		n := bytes.Index(text[i:], []byte(t.name))
		if n < 0 {
			return -1
		}
		start := bytes.LastIndexByte(text[:i+n], '\n') + 1
		if k := skipSpaces(text, start); k < len(text) && text[k] == '{' && i+n-k < maxTemplate {
			if end, ok := readTemplate(text, k); ok && closes(&end, t) {
				return start
			}
		}
		eol := bytes.IndexByte(text[i+n:], '\n')
		if eol < 0 {
			return -1
		}
		i += n + eol + 1
	}
}

// closes reports whether end closes t.
func closes(end, t *templateTag) bool {
	if t.hugo {
		return end.hugo && end.closing && end.name == t.name
	}
	return !end.hugo && end.name == "end"+t.name
}

// Continue takes lines up to the closing tag.
func (rawParser) Continue(node ast.Node, r text.Reader, _ parser.Context) parser.State {
	n := node.(*rawBlock)
	line, seg := r.PeekLine()
	n.last = seg.Start
	if i := skipSpaces(line, 0); i < len(line) && line[i] == '{' {
		if end, ok := readTemplate(line, i); ok && closes(&end, &n.tag) {
			r.AdvanceToEOL()
			return parser.Close
		}
	}
	n.Lines().Append(seg)
	r.AdvanceToEOL()
	return parser.Continue | parser.NoChildren
}
