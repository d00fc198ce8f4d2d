package site

import (
	"regexp"
	"strings"
)

var (
	frontMatter = regexp.MustCompile(
		`^\x{feff}?(?:---[ \t]*\r?\n(?s:.*?)\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)|\+\+\+[ \t]*\r?\n(?s:.*?)\n\+\+\+[ \t]*(?:\r?\n|$))`,
	)
	fenceMark  = regexp.MustCompile("^[ \t]*(?:[-*+>] *)*(```+|~~~+)")
	container  = regexp.MustCompile(`^([ \t]*):::+[ \t]*\{?\.?([A-Za-z][\w-]*)?\}?(?:[ \t]*\[([^\]]*)\])?[ \t]*(.*)$`)
	containEnd = regexp.MustCompile(`^[ \t]*:::+[ \t]*$`)
	admonition = regexp.MustCompile(
		`^([ \t]*)(?:!!!|\?\?\?\+?)[ \t]+([A-Za-z][\w-]*)(?:[ \t]+(?:inline|end))*(?:[ \t]+"([^"]*)")?[ \t]*$`,
	)
	mdxLine     = regexp.MustCompile(`^(?:import|export)\s`)
	lineComment = regexp.MustCompile(`^\{/\*.*\*/\}[ \t]*$`) // of MDX, in files of any name
	mdxComment  = regexp.MustCompile(`(?s)\{/\*.*?\*/\}`)
	headingID   = regexp.MustCompile(
		`^([ ]{0,3}#{1,6}[ \t].*?)[ \t]*(?:\{#[^}]*\}|\{/\*[^*]*\*/\}|<!--[^>]*-->)[ \t]*#*[ \t]*$`,
	)
	// A component alone on its line: with it as HTML, the lines below it would be HTML too, up to an empty one.
	component   = regexp.MustCompile(`^[ \t]*</?[A-Z]\w*[a-z][\w.]*(?:[ \t][^<>]*)?>[ \t]*$`)
	includeLine = regexp.MustCompile(`^[ \t]*(?:--8<--|<!--@include:|@include)`)
)

// prepare makes what generators of sites add to markdown what every reader of markdown knows: a container and an
// admonition become a quotation that begins with [!TYPE]. Front matter, imports of MDX and ids of headings go. Each line
// stays on its line, so that headings are found by their lines.
func prepare(source string, mdx bool) string {
	if at := frontMatter.FindStringIndex(source); at != nil {
		source = strings.Repeat("\n", strings.Count(source[:at[1]], "\n")) + source[at[1]:]
	}
	if mdx {
		source = mdxComment.ReplaceAllStringFunc(
			source,
			func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) },
		)
	}
	p := preparer{mdx: mdx}
	lines := strings.Split(source, "\n")
	for i, line := range lines {
		lines[i] = p.line(strings.TrimSuffix(line, "\r"))
	}
	return strings.Join(lines, "\n")
}

// preparer goes through lines.
type preparer struct {
	mdx     bool
	fence   string   // that is open
	depth   int      // containers that are open
	admonit []string // the indentations of open admonitions
	export  bool     // within an export of several lines
}

func (p *preparer) line(line string) string {
	for len(p.admonit) > 0 && strings.TrimSpace(line) != "" && !strings.HasPrefix(line, p.admonit[len(p.admonit)-1]+"    ") &&
		!strings.HasPrefix(line, p.admonit[len(p.admonit)-1]+"\t") {
		p.admonit = p.admonit[:len(p.admonit)-1]
	}
	content := line
	if n := len(p.admonit); n > 0 {
		own := p.admonit[n-1]
		content = strings.TrimPrefix(line, own)
		if rest, ok := strings.CutPrefix(content, "    "); ok {
			content = rest
		} else {
			content = strings.TrimPrefix(content, "\t")
		}
	}
	quote := strings.Repeat("> ", p.depth+len(p.admonit))
	if p.fence != "" {
		if mark := fenceMark.FindStringSubmatch(content); mark != nil && strings.HasPrefix(mark[1], p.fence) &&
			strings.Trim(content, " \t`~>") == "" {
			p.fence = ""
		}
		return quote + content
	}
	if mark := fenceMark.FindStringSubmatch(content); mark != nil {
		p.fence = mark[1]
		return quote + content
	}
	if p.mdx && len(p.admonit)+p.depth == 0 {
		if p.export || mdxLine.MatchString(content) {
			p.export = strings.TrimSpace(content) != "" && !strings.HasSuffix(strings.TrimSpace(content), ";")
			return ""
		}
	}
	switch {
	case containEnd.MatchString(content) && p.depth > 0:
		p.depth--
		return strings.TrimSuffix(quote, "> ")
	case containEnd.MatchString(content) || includeLine.MatchString(content) || component.MatchString(content) ||
		lineComment.MatchString(content):
		return quote
	}
	if m := container.FindStringSubmatch(content); m != nil && strings.Contains(content, ":::") {
		p.depth++
		return quote + "> [!" + noteType(m[2]) + "] " + strings.TrimSpace(m[3]+" "+m[4])
	}
	if m := admonition.FindStringSubmatch(content); m != nil {
		p.admonit = append(p.admonit, strings.TrimSuffix(line, content)+m[1])
		return quote + "> [!" + noteType(m[2]) + "] " + m[3]
	}
	if m := headingID.FindStringSubmatch(content); m != nil {
		content = m[1]
	}
	return quote + content
}

func noteType(s string) string {
	if s == "" {
		return "NOTE"
	}
	return strings.ToUpper(s)
}
