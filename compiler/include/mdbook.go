package include

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// readMdBook reads "{{#include FILE}}", "{{#rustdoc_include FILE}}" and "{{#playground FILE}}" of mdBook, anywhere in a
// line, with ":LINES" or ":ANCHOR" behind the file (https://rust-lang.github.io/mdBook/format/mdbook.html). A backslash
// before one makes it text, to the last "}}" of the line.
func readMdBook(_ *reading, _ int, line []byte) (p plan) {
	for i := 0; ; {
		n := bytes.Index(line[i:], []byte("{{"))
		if n < 0 {
			return p
		}
		start := i + n
		if start > 0 && line[start-1] == '\\' && bytes.HasPrefix(line[start:], []byte("{{#")) {
			i = max(bytes.LastIndex(line, []byte("}}")), start) + 2
			if i >= len(line) {
				return p
			}
			continue
		}
		d, ok := mdBookDirective(line, start)
		if i = start + 2; ok {
			p.directives = append(p.directives, d)
			i = d.end
		}
	}
}

// mdBookDirective reads the directive at "{{".
func mdBookDirective(line []byte, start int) (directive, bool) {
	n := bytes.IndexByte(line[start:], '}')
	if n < 0 || !bytes.HasPrefix(line[start+n:], []byte("}}")) {
		return directive{}, false
	}
	inside, found := strings.CutPrefix(strings.TrimLeft(string(line[start+2:start+n]), " \t"), "#")
	words := strings.Fields(inside)
	if !found || len(words) < 2 || !strings.HasPrefix(inside, words[0]) {
		return directive{}, false
	}
	d := directive{start: start, end: start + n + 2}
	name, rest, _ := strings.Cut(words[1], ":")
	d.file = strings.ToValidUTF8(name, "\uFFFD")
	switch words[0] {
	case "include", "rustdoc_include": // the latter shows these lines; the others are for the compiler alone
		d.choose = mdBookPart(rest)
	case "playground", "playpen":
		d.file = strings.ToValidUTF8(words[1], "\uFFFD")
		d.fence, d.info = true, strings.Join(append([]string{"rust"}, words[2:]...), ",")
	default:
		return directive{}, false
	}
	return d, true
}

// mdBookPart returns what chooses the lines of "N", "N:", ":N", "N:M", or of an anchor.
func mdBookPart(text string) func(*lines, ranges) (ranges, int, string) {
	if text == "" {
		return nil
	}
	first, rest, colon := strings.Cut(text, ":")
	end, _, _ := strings.Cut(rest, ":")
	from, err := lineNumber(first)
	if err != nil && first != "" {
		return func(l *lines, _ ranges) (ranges, int, string) { return mdBookAnchor(l, first) }
	}
	to, err := lineNumber(end)
	switch {
	case !colon:
		to = max(from, 1)
	case err != nil:
		to = 0
	case to == 0: // ":0" and "N:0" are no line
		to = -1
	}
	return func(l *lines, _ ranges) (ranges, int, string) { return lineSpan(l, from, to) }
}

// lineNumber parses a number of a line; what is too large for one is a line that no file has.
func lineNumber(text string) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil && n > 0 {
		return math.MaxInt32, nil
	}
	return int(n), err
}

// lineSpan chooses the lines from first to last; 0 means the end of the file.
func lineSpan(l *lines, first, last int) (ranges, int, string) {
	if last < 0 || last > 0 && last < first {
		return nil, 0, ""
	}
	chosen := l.cut(first, last)
	if len(chosen) == 0 && l.count() > 0 {
		return nil, 0, fmt.Sprintf("line %d, but %d", first, l.count())
	}
	return chosen, 0, ""
}

// The comments that begin and end a part of a file.
var (
	anchorStart = regexp.MustCompile(`ANCHOR:\s*([\w-]+)`)
	anchorEnd   = regexp.MustCompile(`ANCHOR_END:\s*([\w-]+)`)
)

// mdBookAnchor chooses the lines of an anchor, without the comments of other ones in it.
func mdBookAnchor(l *lines, name string) (chosen ranges, dedent int, missing string) {
	open, met := false, false
	for n := 1; n <= l.count(); n++ {
		line := l.text(n)
		if !bytes.Contains(line, []byte("ANCHOR")) {
			if open {
				chosen.add(n)
			}
			continue
		}
		if m := anchorEnd.FindSubmatch(line); m != nil {
			open = open && string(m[1]) != name
		} else if m := anchorStart.FindSubmatch(line); m != nil {
			if string(m[1]) == name {
				open, met = true, true
			}
		} else if open {
			chosen.add(n)
		}
	}
	if !met {
		return nil, 0, "anchor " + quote(name)
	}
	return chosen, 0, ""
}
