package runtime

import (
	"bytes"
	"fmt"
	"sort"
	"strconv"

	"kdd/format"
	"kdd/runtime/lazyregexp"
	"kdd/runtime/wire"
)

// Lines at the end of an address, as forges write them behind "#" (L37, L37-L54, L37-54, L37C5-L54C2; our own source_url
// has the first), and as compilers and grep write them behind a path (FILE:37, FILE:37:5, FILE:37-54).
var (
	lineAnchor = lazyregexp.New(`^[Ll]([0-9]{1,9})(?:C[0-9]{1,9})?(?:-[Ll]?([0-9]{1,9})(?:C[0-9]{1,9})?)?$`)
	lineSuffix = lazyregexp.New(`^(.+?):([0-9]{1,9})(?::[0-9]{1,9}|-([0-9]{1,9}))?$`)
)

// lineRange parses an anchor that names lines; first = last where it names one.
func lineRange(anchor string) (first, last int, ok bool) {
	m := lineAnchor.FindStringSubmatch(anchor)
	if m == nil {
		return 0, 0, false
	}
	first, _ = strconv.Atoi(m[1]) // nine digits fit
	if last = first; m[2] != "" {
		last, _ = strconv.Atoi(m[2])
	}
	return min(first, last), max(first, last), true
}

// cutLines splits FILE:37, FILE:37:5 or FILE:37-54 into the file and the anchor that names the lines.
func cutLines(file string) (bare, anchor string, ok bool) {
	m := lineSuffix.FindStringSubmatch(file)
	if m == nil {
		return file, "", false
	}
	if anchor = "L" + m[2]; m[3] != "" {
		anchor += "-L" + m[3]
	}
	return m[1], anchor, true
}

// onLines returns the lines [first, last] of a document, or for one line the innermost section that it stands in: one line
// alone says little.
func (a *artifact) onLines(d format.DocID, first, last int) (*place, error) {
	from, to := a.DocSections(d)
	end := int(a.Section(from).LineEnd)
	if first < 1 || first > end {
		return nil, wire.NewError(wire.CodeNotFound, fmt.Sprintf("%s has no line %d, it has %d", a.DocPath(d), first, end), "read the whole document, or a section by its anchor")
	}
	last = min(last, end)
	p := &place{a: a, doc: d, section: from}
	for s := from; s < to; s++ {
		if sec := a.Section(s); int(sec.LineStart) <= first && last <= int(sec.LineEnd) {
			p.section = s
		}
	}
	if first < last {
		reader := a.Text.Reader()
		p.isLines, p.from, p.to = true, a.lineStart(reader, d, first), a.lineStart(reader, d, last+1)
	}
	return p, nil
}

// lineStart returns the byte that a line of a document begins at, the end of the document behind its last. Cost: the text
// from the section's heading before it.
func (a *artifact) lineStart(reader *format.Reader, d format.DocID, line int) uint64 {
	const step = 64 << 10
	first, last := a.DocSections(d)
	next := sort.Search(int(last-first), func(i int) bool { return int(a.Section(first+format.SectionID(i)).LineStart) > line })
	sec := a.Section(first + format.SectionID(max(0, next-1)))
	begin, end := a.DocText(d)
	at, on := sec.Start, int(sec.LineStart)
	for on < line && at < end-begin {
		text := a.AppendText(nil, reader, d, at, min(at+step, end-begin))
		for on < line {
			n := bytes.IndexByte(text, '\n')
			if n < 0 {
				break
			}
			text, at, on = text[n+1:], at+uint64(n)+1, on+1
		}
		if on < line {
			at += uint64(len(text))
		}
	}
	return at
}
