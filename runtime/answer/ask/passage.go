package ask

import (
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/runtime/answer"
	"kdd/runtime/artifact"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// passage is a section, or the part of it around its best chunk, with its place.
type passage struct {
	section wire.AnswerSection
	text    string
	line    int // of the document's text, on which text begins
	from    *artifact.Artifact
	doc     index.DocID
	same    bool // it is in the question's language, as far as that is known

	language string // that its words are stemmed in, or ""
}

// maxTitle bounds the bytes of a title or heading in an answer.
const maxTitle = 160

// maxPassage bounds the bytes of a passage.
const maxPassage = 8000

// chunksBehind is how many chunks after the best one of a section are read: the explanation of a step often follows one
// chunk later.
const chunksBehind = 2

// chunksAround returns the chunks [first, last) of the passage of a hit.
func chunksAround(a *artifact.Artifact, h *search.Result) (first, last index.ChunkID) {
	from, to := a.SectionChunks(h.Section)
	return max(from, h.Chunk-min(h.Chunk, 1)), min(to, h.Chunk+1+chunksBehind)
}

// fetchUnits reads the units of the passages of hits that lie elsewhere.
func fetchUnits(set *artifact.Set, hits []search.Result) error {
	for i, a := range set.Artifacts {
		var ranges [][2]index.ChunkID
		for at := range hits {
			if h := &hits[at]; h.Index == i {
				first, last := chunksAround(a, h)
				ranges = append(ranges, [2]index.ChunkID{first, last})
			}
		}
		if err := a.FetchUnits(ranges); err != nil {
			return err
		}
	}
	return nil
}

// read adds the passage of a hit: its chunk, with the chunks before and after it in the section.
func (f *retrieved) read(set *artifact.Set, a *artifact.Artifact, h *search.Result) {
	sec := a.Section(h.Section)
	first, last := chunksAround(a, h)
	begin, end := a.Chunk(first).Start, a.Chunk(last-1).End
	if end > begin+maxPassage {
		first = h.Chunk
		begin = a.Chunk(h.Chunk).Start
		end = min(end, begin+maxPassage)
	}
	units := unitsOf(a, h.Doc, first, last)
	line := int(a.Chunk(first).LineStart)
	reader := set.Reader(a)
	if begins := beginsAt(units, begin); begins < begin { // with the fence of its code, the mark of its first row
		line -= strings.Count(string(a.AppendText(nil, reader, h.Doc, begins, begin)), "\n")
		begin = begins
	}
	if n := len(units); n > 0 && units[n-1].End <= begin+maxPassage {
		end = max(end, units[n-1].End)
	}
	text := string(a.AppendText(nil, reader, h.Doc, begin, end))
	p := passage{
		text: text, line: line, from: a, doc: h.Doc, same: f.language == "" || a.DocLanguage(h.Doc) == f.language,
		language: a.StemLanguage(h.Doc),
		section: wire.AnswerSection{
			Path: a.DocPath(h.Doc), Anchor: sec.Anchor, Title: wire.Shorten(a.DocTitle(h.Doc), maxTitle),
			Lines: a.OwnLines(h.Doc, int(sec.LineStart), int(sec.LineEnd)), Score: wire.Round4(h.Calibrated), Index: set.IndexName(a),
		},
	}
	if sec.Level > 0 {
		p.section.Section = wire.Shorten(sec.Heading, maxTitle)
	}
	p.section.URL, _ = set.Where(a).URL(h.Doc, sec.Anchor)
	f.passages = append(f.passages, p)
	t := answer.Passage{
		Text: text, Heading: headingsOf(a, h.Doc, h.Section), Doc: uint64(h.Index)<<32 | uint64(h.Doc), At: int(begin),
		Units: answer.Place(units, begin, end, func(from, to uint64) string {
			return string(a.AppendText(nil, reader, h.Doc, from, min(to, from+maxHeader)))
		}),
	}
	f.texts = append(f.texts, t)
}

// maxHeader bounds the bytes of a table's header.
const maxHeader = 1200

// maxBefore is how many bytes before a chunk its first unit may begin: marks that no reader sees, and a fence.
const maxBefore = 200

// unitsOf returns the units of chunks [first, last) of a document.
func unitsOf(a *artifact.Artifact, d index.DocID, first, last index.ChunkID) (units []index.Unit) {
	for c := first; c < last; c++ {
		units = append(units, a.Units(d, c)...)
	}
	return units
}

// beginsAt returns where the text of a passage begins whose first chunk begins at byte begin: with its first unit.
func beginsAt(units []index.Unit, begin uint64) uint64 {
	for i := range units {
		if u := &units[i]; u.Kind != index.HeadUnit {
			if u.Start < begin && u.Start+maxBefore >= begin {
				return u.Start
			}
			break
		}
	}
	return begin
}

// maxHeadings is how many levels of headings are read above a section: markdown has six.
const maxHeadings = 8

// headingsOf returns the title of a document, the headings above a section, and its own heading, outermost first.
func headingsOf(a *artifact.Artifact, d index.DocID, s index.SectionID) string {
	var list []string
	for range maxHeadings {
		if a.SectionLevel(s) > 0 {
			list = append(list, a.SectionHeading(s))
		}
		parent, ok := a.SectionParent(s)
		if !ok {
			break
		}
		s = parent
	}
	if title := a.DocTitle(d); !slices.Contains(list, title) {
		list = append(list, title)
	}
	slices.Reverse(list)
	return strings.Join(list, " › ")
}

// openingOf returns the beginning of the first document whose title or id is the thing that the question asks to
// define, and the index of its hit; the index is -1 if there is none.
func openingOf(set *artifact.Set, asked *answer.Question, hits []search.Result,
	matchers []*matcher) (h search.Result, of int) {
	if asked.Form != answer.Definition {
		return h, -1
	}
	for i, h := range hits {
		a := set.Artifacts[h.Index]
		for _, name := range [...]string{a.DocTitle(h.Doc), a.DocFrontID(h.Doc)} {
			if asked.Names(matchers[i].wordsIn(name), name) {
				h.Chunk = openingChunk(a, h.Doc)
				h.Section = a.SectionOfChunk(h.Chunk)
				return h, i
			}
		}
	}
	return h, -1
}

// sameSection says that two hits are in one section.
func sameSection(h search.Result, o search.Result) bool {
	return h.Index == o.Index && h.Section == o.Section
}

// openingChunk returns the first chunk of a document with more than headings.
func openingChunk(a *artifact.Artifact, d index.DocID) index.ChunkID {
	c, to := a.DocChunks(d)
	for c < to-1 && !a.HasUnits(c) {
		c++
	}
	return c
}
