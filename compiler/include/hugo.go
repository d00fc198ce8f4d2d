package include

import (
	"bytes"
	"path"
	"strings"
)

// includeCodes are the shortcodes that put a file in their place, and what the file is: of themes, since Hugo itself
// has none (readfile: https://www.docsy.dev/docs/adding-content/shortcodes/; include, code_sample and codenew:
// https://kubernetes.io/docs/contribute/style/hugo-shortcodes/).
var includeCodes = map[string]struct {
	code   bool   // a program; else Markdown, unless an argument says so
	folder string // below a folder above the document, where files lie that are not beside it
}{
	"readfile": {}, "include": {folder: "includes"},
	"code_sample": {code: true, folder: "examples"}, "codenew": {code: true, folder: "examples"},
}

// readHugo reads shortcodes that include files. In "{{</* … */>}}" they are text.
func readHugo(r *reading, _ int, line []byte) (p plan) {
	for i := 0; i < len(line); {
		n := bytes.Index(line[i:], []byte("{{"))
		if n < 0 || i+n+3 > len(line) {
			return p
		}
		start := i + n
		closer := ""
		switch line[start+2] {
		case '<':
			closer = ">}}"
		case '%':
			closer = "%}}"
		}
		end := -1
		if closer != "" {
			end = bytes.Index(line[start+3:], []byte(closer))
		}
		if end < 0 {
			i = start + 2
			continue
		}
		i = start + 3 + end + len(closer)
		if d, ok := shortcode(string(line[start+3 : start+3+end])); ok {
			d.start, d.end = start, i
			d.fence = d.fence && r.fence.mark == 0
			p.directives = append(p.directives, d)
		}
	}
	return p
}

// shortcode reads the name and the arguments of a shortcode.
func shortcode(inside string) (d directive, ok bool) {
	name, rest, _ := strings.Cut(strings.TrimSpace(inside), " ")
	kind, known := includeCodes[name]
	if !known {
		return d, false
	}
	d.strip, d.fence = true, kind.code
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		var key, value string
		key, value, rest = argument(rest)
		switch key {
		case "", "file":
			if d.file == "" {
				d.file = strings.ToValidUTF8(value, "\uFFFD")
			}
		case "code":
			d.fence = value == "true"
		case "lang", "language":
			d.info = strings.ToValidUTF8(value, "\uFFFD")
		}
	}
	if d.fence && d.info == "" {
		d.info = strings.TrimPrefix(path.Ext(d.file), ".")
	}
	if d.info = strings.TrimSpace(d.info); strings.ContainsAny(d.info, "`\n") {
		d.info = ""
	}
	d.folder = kind.folder
	return d, d.file != ""
}

// argument cuts the first argument off a text: NAME=VALUE or VALUE, which may be quoted.
func argument(text string) (key, value, rest string) {
	if i := strings.IndexAny(text, "= \t\"'`"); i > 0 && text[i] == '=' {
		key, text = text[:i], text[i+1:]
	}
	if text != "" && strings.IndexByte("\"'`", text[0]) >= 0 {
		if end := strings.IndexByte(text[1:], text[0]); end >= 0 {
			return key, text[1 : 1+end], text[end+2:]
		}
		return key, text[1:], ""
	}
	value, rest, _ = strings.Cut(text, " ")
	return key, value, rest
}

// hugoPlaces looks beside the page, then in the folder of the shortcode below one above the page, then from the top of the
// site or of its content, as GetPage does (https://gohugo.io/methods/page/getpage/); a path that begins with "/" is from
// there.
func hugoPlaces(w place, d *directive) []string {
	if path.IsAbs(d.file) {
		return below(parents(w.document), d.file)
	}
	list := beside(w.document, d.file)
	if d.folder != "" {
		for _, dir := range parents(w.document) {
			list = append(list, path.Join(dir, d.folder, d.file))
		}
	}
	return append(list, below(parents(w.document), d.file)...)
}
