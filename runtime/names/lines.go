package names

import (
	"fmt"
	"regexp"
	"strconv"
	"sync"

	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/wire"
)

// Lines in a name: as forges write them after "#" (L37, L37-L54, L37-54, L37C5-L54C2; source_url has the first form),
// and as compilers and grep write them after a path (FILE:37, FILE:37:5, FILE:37-54).
// They are compiled at first use: most programs need none.
var (
	lineAnchor = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^[Ll]([0-9]{1,9})(?:C[0-9]{1,9})?(?:-[Ll]?([0-9]{1,9})(?:C[0-9]{1,9})?)?$`)
	})
	lineSuffix = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(.+?):([0-9]{1,9})(?::[0-9]{1,9}|-([0-9]{1,9}))?$`)
	})
)

// lineRange parses an anchor that names lines; first = last if it names one line.
func lineRange(anchor string) (first, last int, ok bool) {
	m := lineAnchor().FindStringSubmatch(anchor)
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
	m := lineSuffix().FindStringSubmatch(file)
	if m == nil {
		return file, "", false
	}
	if anchor = "L" + m[2]; m[3] != "" {
		anchor += "-L" + m[3]
	}
	return m[1], anchor, true
}

// onLines returns the lines [first, last] of a document, with what they include. For a single line it returns the
// innermost section around it, since one line says little.
func onLines(a *artifact.Artifact, d index.DocID, first, last int) (*Place, error) {
	from, to := a.DocSections(d)
	end := int(a.OwnLine(d, a.Section(from).LineEnd))
	if first < 1 || first > end {
		return nil, wire.NewError(wire.CodeNotFound, fmt.Sprintf("%s has no line %d, it has %d", a.DocPath(d), first, end), "read the whole document, or a section by its anchor")
	}
	single := first == last
	first, last = int(a.TextLine(d, uint32(first))), int(a.TextLine(d, uint32(min(last, end)+1)))-1
	if single {
		last = first
	}
	p := &Place{Artifact: a, Doc: d, Section: from}
	for s := from; s < to; s++ {
		if sec := a.Section(s); int(sec.LineStart) <= first && last <= int(sec.LineEnd) {
			p.Section = s
		}
	}
	if first < last {
		reader := a.Text.Reader()
		p.isLines, p.from, p.to = true, a.LineStart(reader, d, first), a.LineStart(reader, d, last+1)
	}
	return p, nil
}
