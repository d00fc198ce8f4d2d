package include

import (
	"bytes"
	"path"
	"regexp"
	"strings"
)

// Imports of a file's text in MDX, and the component that shows it as code
// (https://docusaurus.io/docs/markdown-features/react#importing-code-snippets): with webpack's raw-loader, or with
// "?raw" of Vite. Component and value may stand on a line each.
var (
	rawImport = regexp.MustCompile(`^import[ \t]+([A-Za-z_$][\w$]*)[ \t]+from[ \t]+` +
		`['"](?:!!)?(?:(raw-loader!)([^'"?]+)|([^'"?]+)\?raw)['"];?[ \t]*$`)
	codeOpen  = regexp.MustCompile(`^[ \t]*<(?:CodeBlock|Code)\b`)
	codeWhole = regexp.MustCompile(`^\s*<(CodeBlock|Code)\b([^<>]*?)` +
		`(?:/>|>\s*\{\s*([A-Za-z_$][\w$]*)\s*\}\s*</(CodeBlock|Code)>)\s*$`)
	codeValue   = regexp.MustCompile(`\bcode=\{\s*([A-Za-z_$][\w$]*)\s*\}`)
	codeLang    = regexp.MustCompile(`\b(?:lang|language)=\{?["']([\w+#-]+)["']`)
	codeClass   = regexp.MustCompile(`\bclassName=\{?["'](?:[^"']*\s)?language-([\w+#-]+)`)
	placeholder = regexp.MustCompile(`\{\s*([A-Za-z_$][\w$]*)\s*\}`)
)

// maxComponent is how many lines a component that shows code may have.
const maxComponent = 20

// readRawImport notes imports, and reads the components that show them.
func readRawImport(r *reading, n int, line []byte) plan {
	if r.fence.mark != 0 {
		return plan{}
	}
	if m := rawImport.FindSubmatch(line); m != nil {
		if r.imports == nil {
			r.imports = map[string]string{}
		}
		r.imports[string(m[1])] = valid(append(m[3], m[4]...))
		return plan{}
	}
	if len(r.imports) == 0 || !codeOpen.Match(line) {
		return plan{}
	}
	var whole []byte
	for last := n; last <= min(r.lines.count(), n+maxComponent); last++ {
		whole = append(append(whole, r.lines.text(last)...), '\n')
		m := codeWhole.FindSubmatch(whole)
		if m == nil {
			continue
		}
		name := string(m[3])
		if value := codeValue.FindSubmatch(m[2]); value != nil {
			name = string(value[1])
		}
		file, ok := r.imports[name]
		if !ok {
			return plan{}
		}
		d := directive{file: file, fence: true, info: language(m[2], file)}
		return r.component(n, last, name, d)
	}
	return plan{}
}

// component plans the lines of a component: the one that has the value includes, the others are no text.
func (r *reading) component(first, last int, name string, d directive) plan {
	at := first
	for n := first; n <= last; n++ {
		if m := placeholder.FindSubmatch(r.lines.text(n)); m != nil && string(m[1]) == name {
			at = n
		}
		r.plans[n] = plan{hide: true}
	}
	line := r.lines.text(at)
	d.start, d.end = len(line)-len(bytes.TrimLeft(line, " \t")), len(bytes.TrimRight(line, " \t"))
	r.plans[at] = plan{directives: []directive{d}}
	p := r.plans[first]
	delete(r.plans, first)
	return p
}

// language returns the language that a component names, else the file's extension.
func language(attributes []byte, file string) string {
	for _, form := range []*regexp.Regexp{codeLang, codeClass} {
		if m := form.FindSubmatch(attributes); m != nil {
			return string(m[1])
		}
	}
	return strings.TrimPrefix(path.Ext(file), ".")
}

// rawImportPlaces resolves "@site/" from the folder of the site, which is one above the document, and other paths from
// the document.
func rawImportPlaces(w place, d *directive) []string {
	if rest, ok := strings.CutPrefix(d.file, "@site/"); ok {
		return below(parents(w.document), rest)
	}
	return besideFile(w, d)
}
