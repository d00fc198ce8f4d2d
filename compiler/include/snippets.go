package include

import (
	"bytes"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// The lines of PyMdown's snippets (https://facelessuser.github.io/pymdown-extensions/extensions/snippets/): a directive
// with a file, or one alone, between two of which each line is a file; and the lines in a file around a section of it.
// A ";" before the scissors makes them text.
var (
	scissors = regexp.MustCompile(`^([ \t]*)(-+8<-+)(?:[ \t]+("[^"]+"|'[^']+'))?$`)
	section  = regexp.MustCompile(`(?i)(;*)-+8<-+[ \t]+\[[ \t]*(start|end)[ \t]*:[ \t]*([a-z][-_0-9a-z]*)[ \t]*\]`)
	// the file; then lines, as in ":1:3,7", or the name of a section
	snippetFile = regexp.MustCompile(`(?i)^(.*?)` +
		`(?:((?::-?[0-9]*){1,2}(?:,-?[0-9]*(?::-?[0-9]*)?)*)|:([a-z][-_0-9a-z]*))?$`)
)

// readSnippets reads scissors, also between the lines of a block of files.
func readSnippets(r *reading, _ int, line []byte) plan {
	if m := scissors.FindSubmatchIndex(line); m != nil {
		switch {
		case m[6] < 0 && (r.block || r.closes()):
			r.block = !r.block
			return plan{hide: true}
		case m[6] < 0:
			return plan{}
		case r.block:
			return plan{hide: true} // as PyMdown does
		}
		return snippet(line, m[4], m[7], line[m[6]+1:m[7]-1])
	}
	if !r.block {
		if m := section.FindSubmatchIndex(line); m != nil && r.syntax != nil && m[2] == m[3] {
			return plan{hide: true} // the comment around a section
		}
		return plan{}
	}
	name := bytes.TrimSpace(line)
	if len(name) == 0 {
		return plan{}
	}
	start := bytes.Index(line, name)
	if p := snippet(line, start, start+len(name), name); len(p.directives) > 0 {
		return p
	}
	return plan{hide: true}
}

// maxBlock is how many files a block of them may have.
const maxBlock = 200

// closes reports whether scissors alone follow the line that is read, with nothing but files before them.
func (r *reading) closes() bool {
	for n := r.now + 1; n <= min(r.lines.count(), r.now+maxBlock); n++ {
		line := bytes.TrimRight(r.lines.text(n), " \t")
		if m := scissors.FindSubmatchIndex(line); m != nil && m[6] < 0 {
			return true
		}
	}
	return false
}

// snippet returns the directive of a file, with what follows it behind ":".
func snippet(line []byte, start, end int, name []byte) plan {
	name = bytes.TrimSpace(name)
	lower := strings.ToLower(string(name[:min(len(name), 8)]))
	if len(name) == 0 || name[0] == ';' || strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://") {
		return plan{}
	}
	m := snippetFile.FindSubmatch(name)
	if m == nil || len(m[1]) == 0 {
		return plan{}
	}
	d := directive{start: start, end: end, file: valid(bytes.TrimSpace(m[1]))}
	switch {
	case len(m[2]) > 0:
		spans := string(m[2][1:])
		d.choose = func(l *lines, _ ranges) (ranges, int, string) { return snippetLines(l, spans) }
	case len(m[3]) > 0:
		want := string(m[3])
		d.choose = func(l *lines, _ ranges) (ranges, int, string) { return snippetSection(l, want) }
	}
	return plan{directives: []directive{d}}
}

// snippetLines chooses the lines of "1:3,7": spans, of which the first number may be absent and the second, too; a
// negative number counts from the end.
func snippetLines(l *lines, spans string) (chosen ranges, dedent int, missing string) {
	total := l.count()
	for i, span := range strings.Split(spans, ",") {
		if i == maxBlock {
			break
		}
		from, to, _ := strings.Cut(span, ":")
		first, last := 1, total
		if n, err := strconv.Atoi(from); err == nil {
			if first = n; n < 0 {
				first = total + n + 1
			}
		}
		if n, err := strconv.Atoi(to); err == nil {
			if last = n; n < 0 {
				last = total + n + 1
			}
		}
		if first > total {
			return nil, 0, fmt.Sprintf("line %d, but %d", first, total)
		}
		if last > 0 {
			chosen = append(chosen, l.cut(first, last)...)
		}
	}
	return chosen, 0, ""
}

// snippetSection chooses the lines of a section, without the comments of other ones in it.
func snippetSection(l *lines, want string) (chosen ranges, dedent int, missing string) {
	open, met := false, false
	for n := 1; n <= l.count(); n++ {
		m := section.FindSubmatch(l.text(n))
		switch {
		case m == nil || len(m[1]) > 0:
			if open {
				chosen.add(n)
			}
		case string(m[3]) != want:
		case strings.EqualFold(string(m[2]), "start"):
			open, met = true, true
		case open:
			return chosen, 0, ""
		}
	}
	if !met {
		return nil, 0, "section " + quote(want)
	}
	return chosen, 0, ""
}

// snippetPlaces looks in the folders that base_path may name, which is the working folder by default: the folder of
// mkdocs.yml, so the document's own or one above it, the outermost first, or the docs folder in one. Where the source
// folder itself is that docs folder, the path may begin with its name.
func snippetPlaces(w place, d *directive) []string {
	file := path.Clean(d.file)
	if path.IsAbs(file) {
		return []string{".."}
	}
	folders := parents(w.document)
	slices.Reverse(folders)
	list := below(folders, file)
	if rest, ok := strings.CutPrefix(file, w.base+"/"); ok {
		list = append(list, rest)
	}
	for _, dir := range folders {
		list = append(list, path.Join(dir, "docs", file))
	}
	return list
}
