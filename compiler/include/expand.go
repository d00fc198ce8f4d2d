package include

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"kdd/compiler/diag"
	"kdd/compiler/dialect"
	"kdd/compiler/source"
)

// expansion makes the text of one document.
type expansion struct {
	set        *Set
	file       *source.File
	known      bool // see place
	tree       string
	text       *Text
	line       int // of text, the last one that was written
	directives int
	searched   int
	full       bool           // a limit was met, and said
	open       []*source.File // that are being included
}

// frame is a file whose lines are being written: the document, or one that is included.
type frame struct {
	file   *source.File
	id     int           // of the file; -1 for the document
	site   *dialect.Site // of the document; nil for an included file
	syntax *syntax       // nil for the document
	lines  *lines
	chosen ranges
	prefix []byte // before each line
	dedent int    // bytes that are taken off the beginning of each line
	depth  int
}

// document writes the document.
func (x *expansion) document() {
	site, tree := x.set.sites.Of(x.file.Path)
	if top := strings.TrimSuffix(x.file.Path, x.file.Rel); tree != nil {
		x.known, x.tree = true, strings.TrimPrefix(tree.Dir, top)
	}
	f := &frame{file: x.file, id: -1, site: site, lines: indexLines(x.file.Data)}
	x.text.Data = make([]byte, 0, len(x.file.Data)+len(x.file.Data)/4)
	matter := frontMatterLines(x.file.Data)
	for n := 1; n <= matter; n++ {
		x.write(f, n)
	}
	f.chosen = f.lines.cut(matter+1, 0)
	x.frame(f)
}

// frame writes the chosen lines of a file.
func (x *expansion) frame(f *frame) {
	r := newReading(f, x.set.known)
	for n := range f.chosen.each {
		switch p := r.read(n); {
		case len(p.directives) > 0:
			x.include(f, n, p.directives)
		case p.hide:
			start := len(x.text.Data)
			x.write(f, n)
			x.hide(start, len(x.text.Data))
		default:
			x.write(f, n)
		}
	}
}

// write writes a line of a file.
func (x *expansion) write(f *frame, n int) {
	if f.id < 0 {
		x.text.Data = append(x.text.Data, f.lines.raw(n)...)
		x.line++
		return
	}
	line := f.lines.text(n)
	x.put(f.id, n, f.prefix, line[min(f.dedent, len(line)):])
}

// hide notes that bytes are no text of the document, but for the line end.
func (x *expansion) hide(start, end int) {
	end = start + len(bytes.TrimRight(x.text.Data[start:end], "\r\n"))
	if start < end {
		x.text.Hidden = append(x.text.Hidden, Span{start, end})
	}
}

// put writes a line that does not stand in the document.
func (x *expansion) put(file, no int, prefix, line []byte) {
	if n := len(x.text.Data); n > 0 && x.text.Data[n-1] != '\n' {
		x.text.Data = append(x.text.Data, '\n') // the document's last line has no line end
	}
	if len(line) == 0 {
		prefix = bytes.TrimRight(prefix, " \t")
	}
	x.text.Data = append(append(append(x.text.Data, prefix...), line...), '\n')
	x.line++
	if n := len(x.text.Rows); n > 0 {
		r := &x.text.Rows[n-1]
		if r.Line+r.Lines == x.line && r.File == file && (file == Made || r.First+r.Lines == no) {
			r.Lines++
			return
		}
	}
	x.addRow(Row{Line: x.line, Lines: 1, File: file, First: no})
}

// addRow adds a row below the others.
func (x *expansion) addRow(r Row) {
	if n := len(x.text.Rows); n > 0 {
		last := &x.text.Rows[n-1]
		r.before = last.before + last.Lines
	}
	x.text.Rows = append(x.text.Rows, r)
}

// part is what a directive asks for.
type part struct {
	*directive
	file   *source.File
	lines  *lines
	chosen ranges
	dedent int
}

// include writes a line with directives, and what they include. Of a line with more than a directive, one line that is
// included is put into it; more lines follow it.
func (x *expansion) include(f *frame, n int, directives []directive) {
	line := f.lines.text(n)
	var own, marks []byte
	var blocks []part
	at, found := 0, false
	first := &directives[0]
	alone := len(bytes.Trim(line[:first.start], " \t>"))+len(bytes.TrimSpace(line[first.end:])) == 0
	for i := range directives {
		d := &directives[i]
		p, ok := x.resolve(f, n, d)
		if !ok {
			continue
		}
		own = append(own, line[at:d.start]...)
		at, found = d.end, true
		if !alone && !d.fence && p.chosen.count() == 1 {
			own = append(own, p.lines.text(p.chosen[0].first)...)
			if f.id < 0 {
				x.addRow(Row{Line: x.line + 1, File: x.set.id(p.file), First: p.chosen[0].first})
			}
			continue
		}
		blocks = append(blocks, p)
		marks = append(append(marks, ' '), marker(p.file.Path, p.chosen)...)
	}
	if !found {
		x.write(f, n)
		return
	}
	own = append(own, line[at:]...)
	x.ownLine(f, n, own, bytes.TrimPrefix(marks, []byte(" ")))
	for i := range blocks {
		x.block(f, &blocks[i], indentOf(line[:blocks[i].start]))
	}
}

// ownLine writes what is left of a line with directives, and a marker behind it.
func (x *expansion) ownLine(f *frame, n int, own, mark []byte) {
	if rest := bytes.TrimRight(own, " \t"); len(mark) > 0 && len(rest) > 0 && len(indentOf(own)) < len(own) {
		own = append(rest, ' ')
	}
	line := append(own, mark...)
	if f.id < 0 {
		raw := f.lines.raw(n)
		x.text.Data = append(append(x.text.Data, line...), raw[len(bytes.TrimRight(raw, "\r\n")):]...)
		x.line++
	} else {
		x.put(f.id, n, f.prefix, line[min(f.dedent, len(own)):])
	}
	end := len(bytes.TrimRight(x.text.Data, "\r\n"))
	x.hide(end-len(mark), end)
}

// block writes the lines that a directive asks for.
func (x *expansion) block(f *frame, p *part, indent []byte) {
	prefix := slices.Concat(f.prefix, indent)
	fence := []byte(nil)
	if p.fence {
		fence = fenceFor(p)
		x.put(Made, 0, prefix, append(bytes.Clone(fence), p.info...))
	}
	x.open = append(x.open, p.file)
	x.frame(&frame{file: p.file, id: x.set.id(p.file), syntax: p.syntax, lines: p.lines, chosen: p.chosen, prefix: prefix,
		dedent: p.dedent, depth: f.depth + 1})
	x.open = x.open[:len(x.open)-1]
	if p.fence {
		x.put(Made, 0, prefix, fence)
	}
}

// fenceFor returns a fence that nothing in the lines closes.
func fenceFor(p *part) []byte {
	longest := 2
	for n := range p.chosen.each {
		line := bytes.TrimLeft(p.lines.text(n), " \t")
		longest = max(longest, len(line)-len(bytes.TrimLeft(line, "`")))
	}
	return bytes.Repeat([]byte("`"), longest+1)
}

// marker names a file and the lines of it that follow.
func marker(path string, chosen ranges) string {
	if len(chosen) == 0 {
		return "[included: " + path + "]"
	}
	first, last := chosen[0].first, chosen[len(chosen)-1].last
	if first == last {
		return fmt.Sprintf("[included: %s, line %d]", path, first)
	}
	return fmt.Sprintf("[included: %s, lines %d-%d]", path, first, last)
}

// indentOf returns what stands before a directive if that is white space and the marks of quotes: it stands before each
// line that is included, too.
func indentOf(before []byte) []byte {
	if len(bytes.Trim(before, " \t>")) == 0 {
		return before
	}
	return nil
}

// resolve finds the file and the lines that a directive asks for. If it cannot, it says what is wrong.
func (x *expansion) resolve(f *frame, n int, d *directive) (part, bool) {
	if x.directives++; x.directives > maxDirectives {
		return x.limit(f, n, "%d includes", maxDirectives)
	}
	file, err := x.find(f, d)
	if err != nil {
		return x.absent(f, n, d, err)
	}
	x.set.proved[use{x.file.Dir, d.syntax.name}] = true
	x.text.Files = append(x.text.Files, x.set.id(file))
	if text := x.repeats(f, file); text != "" {
		return x.miss(diag.At(diag.IncludeCircle, f.file.Path, n, 0, "include of %s: %s", quote(file.Path), text))
	}
	x.searched += len(file.Data)
	x.set.searched += len(file.Data)
	if x.searched > maxSearched || x.set.searched > maxTotalSearched {
		return x.limit(f, n, "%d bytes of files to look through", maxSearched)
	}
	p := part{directive: d, file: file, lines: x.set.linesOf(file)}
	skip := 0
	if d.strip {
		skip = frontMatterLines(file.Data)
	}
	p.chosen = p.lines.cut(skip+1, 0)
	if d.choose != nil {
		var missing string
		if p.chosen, p.dedent, missing = d.choose(p.lines, p.chosen); missing != "" {
			return x.miss(diag.At(diag.IncludePart, f.file.Path, n, 0, "include of %s: it has no %s", quote(file.Path), missing))
		}
	}
	size := p.chosen.bytes(p.lines) + p.chosen.count()*(len(f.prefix)+d.start)
	if len(x.text.Data)-len(x.file.Data)+size > maxAdded || x.set.added+size > maxTotalAdded {
		return x.limit(f, n, "%d bytes", maxAdded)
	}
	x.set.added += size
	x.text.Found++
	return p, true
}

// find returns the file of a directive: the first that is there, of the places where it may lie.
func (x *expansion) find(f *frame, d *directive) (*source.File, error) {
	where := place{document: x.file.Rel, file: f.file.Rel, base: x.set.reader.Base(x.file.Dir), known: x.known, tree: x.tree}
	err := error(fs.ErrNotExist)
	for i, rel := range d.syntax.places(where, d) {
		file, e := (*source.File)(nil), error(source.ErrOutside)
		if fs.ValidPath(rel) && rel != "." {
			file, e = x.set.reader.Read(x.file.Dir, rel)
		}
		if e == nil {
			return file, nil
		}
		if i == 0 || errors.Is(err, fs.ErrNotExist) && !errors.Is(e, source.ErrOutside) {
			err = e
		}
	}
	return nil, err
}

// repeats returns what is wrong if the file is being included already, or too deep.
func (x *expansion) repeats(f *frame, file *source.File) string {
	switch {
	case file.Path == x.file.Path, slices.Contains(x.open, file):
		return "a circle, it leads back here"
	case f.depth >= maxDepth:
		return fmt.Sprintf("files within files more than %d deep", maxDepth)
	}
	return ""
}

// absent says why a file is not there, if the sources really use the syntax.
func (x *expansion) absent(f *frame, n int, d *directive, err error) (part, bool) {
	rule, text := diag.IncludeUnread, ""
	switch {
	case errors.Is(err, fs.ErrNotExist):
		rule, text = diag.IncludeMissing, "no such file"
	case errors.Is(err, source.ErrOutside):
		rule, text = diag.IncludeOutside, source.ErrOutside.Error()
	default:
		var at *fs.PathError
		if errors.As(err, &at) {
			err = at.Err // the message names the path already
		}
		text = err.Error()
	}
	found := diag.At(rule, f.file.Path, n, 0, "include of %s: %s", quote(d.file), text)
	x.set.doubtful = append(x.set.doubtful, doubt{use{x.file.Dir, d.syntax.name}, found, x.text})
	x.text.doubts++
	return part{}, false
}

// miss notes what is wrong with an include.
func (x *expansion) miss(d diag.Diagnostic) (part, bool) {
	x.text.Missed++
	x.text.Diags = append(x.text.Diags, d)
	return part{}, false
}

// limit notes that a limit was met, the first time.
func (x *expansion) limit(f *frame, n int, format string, most int) (part, bool) {
	x.text.Missed++
	if !x.full {
		x.full = true
		x.text.Diags = append(x.text.Diags, diag.At(diag.IncludeLimit, f.file.Path, n, 0,
			"includes from here on are left out: a document takes "+format+", and a build some dozens of times that", most))
	}
	return part{}, false
}

// quote quotes a path for a message.
func quote(name string) string {
	if len(name) > maxQuoted {
		name = strings.ToValidUTF8(name[:maxQuoted], "") + "…"
	}
	return fmt.Sprintf("%q", name)
}

// maxQuoted is how many bytes of a path a message has.
const maxQuoted = 200

// frontMatterLines returns how many lines at the top of a text are front matter, with the lines around it.
func frontMatterLines(data []byte) int {
	n, open := 0, ""
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte("\ufeff"))) {
		n++
		mark := string(bytes.TrimRight(line, " \t\r\n"))
		switch {
		case n == 1 && mark != "---" && mark != "+++", n > maxFrontMatter:
			return 0
		case n == 1:
			open = mark
		case mark == open, open == "---" && mark == "...":
			return n
		}
	}
	return 0
}

// maxFrontMatter is how many lines of front matter are looked at.
const maxFrontMatter = 10_000
