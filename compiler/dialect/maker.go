package dialect

import (
	"bytes"
	"regexp"
	"strings"

	"kdd/format/text"
)

// Programs are kinds of programs that write parts of a site's pages.
type Programs uint8

// The programs of generators. None of them is run, so the anchors that they write are not known.
const (
	Components Programs = 1 << iota // of JSX and Vue: "<ApiIndex />"
	Shortcodes                      // of Hugo: "{{% glossary %}}"
	Templates                       // of Liquid and Jinja: "{% include team.html %}", "{{ table() }}"
	Objects                         // of mkdocstrings: "::: package.module"
	Comments                        // that a hook reads: "<!-- md:option NAME -->"
)

// Maker returns what on a page may make an anchor that its text does not have: a line that a program replaces. It is ""
// if there is none, so that the anchor is missing.
//
// bare says that the page has no heading below its title. Only then a component, a shortcode or a template is a maker:
// it is what the page shows. Of other pages the anchors are their headings', and what stands between these is an
// example, a button, a picture. A comment and an object make the anchor that they name.
//
// Cost: one look at the text. It is meant for links that lead to no anchor, which are few.
func (s *Site) Maker(source []byte, anchor string, bare bool) string {
	if s.Makes == 0 {
		return ""
	}
	shown := map[string]bool{} // components whose headings are known: see Imports
	for _, m := range importedAs.FindAllSubmatch(source, maxImports) {
		shown["<"+string(m[1])+">"] = true
	}
	fence := ""
	for line := range bytes.Lines(source) {
		line = bytes.TrimSpace(line)
		if mark := fenceMark(line); mark != "" {
			switch {
			case fence == "":
				fence = mark
			case strings.HasPrefix(mark, fence) && len(mark) == len(line):
				fence = ""
			}
			continue
		}
		if fence != "" || len(line) == 0 || len(line) > maxMakerLine {
			continue
		}
		if name := s.makes(line, anchor, bare); name != "" && !shown[name] {
			return name
		}
	}
	return ""
}

// maxMakerLine is the longest line that is looked at.
const maxMakerLine = 4096

// fenceMark returns the marks with which a line opens or closes a fence, "" if it does neither.
func fenceMark(line []byte) string {
	for _, mark := range []string{"`", "~"} {
		if rest := bytes.TrimLeft(line, mark); len(line)-len(rest) >= 3 && !bytes.Contains(rest, []byte("`")) {
			return string(line[:len(line)-len(rest)])
		}
	}
	return ""
}

// importedAs finds the names of components that are documents.
var importedAs = regexp.MustCompile(`\bimport\s+(\w+)\s+from\s+["'][^"'\s]+\.mdx?["']`)

var (
	emptyComponent = regexp.MustCompile(`^<([A-Z][\w.]*)(?:\s[^<>]*)?(?:/>|>\s*</[A-Z][\w.]*>)$`)
	shortcodeCall  = regexp.MustCompile(`^\{\{[%<]\s*([\w./-]+)(?:\s.*)?[%>]\}\}$`)
	templateCall   = regexp.MustCompile(`^(?:\{%-?\s*(include\S*|render|for)\s.*%\}|\{\{-?\s*([\w.]+)\s*\(.*\}\})`)
	objectBlock    = regexp.MustCompile(`^:::\s+([\w.]+)$`)
	hookComment    = regexp.MustCompile(`<!--\s*[\w-]+:[\w-]+\s+([^\s>]+)\s*-->`)
)

// makes returns what of a line may make an anchor.
func (s *Site) makes(line []byte, anchor string, bare bool) string {
	named := func(program Programs, form *regexp.Regexp) string {
		if s.Makes&program != 0 {
			if m := form.FindSubmatch(line); m != nil {
				return string(bytes.Join(m[1:], nil))
			}
		}
		return ""
	}
	if bare {
		if name := named(Components, emptyComponent); name != "" {
			return "<" + name + ">"
		}
		if name := named(Shortcodes, shortcodeCall); name != "" {
			return "shortcode " + name
		}
		if name := named(Templates, templateCall); name != "" {
			return "template " + name
		}
	}
	if name := named(Objects, objectBlock); name != "" && (anchor == name || strings.HasPrefix(anchor, name+".")) {
		return "object " + name
	}
	if s.Makes&Comments != 0 {
		for _, m := range hookComment.FindAllSubmatch(line, maxMakerLine) {
			if name := string(m[1]); text.Slug(name) == text.Slug(strings.TrimLeft(anchor, "+_.-")) {
				return "the comment " + string(m[0])
			}
		}
	}
	return ""
}

// importedDocument finds the name of a document that a page imports to show it as a component.
var importedDocument = regexp.MustCompile(`\bfrom\s+["']([^"'\s]+\.mdx?)["']`)

// maxImports bounds the documents that one page imports.
const maxImports = 64

// Imports returns the documents that a page shows as components, as they are written but for "@site": paths from the
// page's folder or, behind a "/", from the top of the sources. Their headings are the page's.
//
// Sources: https://docusaurus.io/docs/markdown-features/react#importing-markdown,
// https://docs.astro.build/en/guides/integrations-guide/mdx/.
func (s *Site) Imports(source []byte) []string {
	if s.Makes&Components == 0 || !bytes.Contains(source, []byte("import ")) {
		return nil
	}
	var list []string
	for _, m := range importedDocument.FindAllSubmatch(source, maxImports) {
		name := strings.ReplaceAll(string(m[1]), `\`, "") // an escape of JavaScript
		if rest, found := strings.CutPrefix(name, "@site/"); found {
			name = "/" + s.at(rest)
		}
		list = append(list, name)
	}
	return list
}
