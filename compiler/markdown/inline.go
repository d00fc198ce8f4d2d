package markdown

import (
	"bytes"
	"html"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// maxInline is the size of a block, in bytes, above which no markup is looked for in it.
const maxInline = 1 << 20

// scanMode says what is markup in a run of text.
type scanMode uint8

const (
	markdownText scanMode = iota // CommonMark inlines, wiki links and tags
	htmlText                     // the inside of an HTML block: tags, entities and wiki links only
	plainText                    // a step of a scenario: wiki links and bare URLs only
	markdownURLs                 // of inlineParsers: markdownText that may hold bare URLs or icons
	noMarkup                     // of inlineParsers: nothing is
	numModes
)

// inline is what the scanner makes of one leaf block.
type inline struct {
	text     plain
	links    []inlineLink
	runs     []textRange // running text: what may hold mentions
	alts     []textRange // text of images, which GitHub leaves out of anchors
	icons    []icon      // in source order
	anchors  []idAt      // ids of tags
	comments []string    // texts of MDX comments
}

// inlineLink is a link; its text is [from, to) of the block's plain text unless label says otherwise.
type inlineLink struct {
	kind           LinkKind
	target, domain string
	label          string
	source         int // source offset of its first character
	from, to       int
	nested         bool // a bare URL inside a link's text: no link
}

// textRange is [from, to) of a plain text; source is the offset of its first byte in the source.
type textRange struct{ from, to, source int }

type idAt struct {
	id     string
	source int
}

type itemKind uint8

const (
	itemText    itemKind = iota // raw[start:end] as it stands
	itemLiteral                 // lit in place of raw[start:end]
	itemBreak                   // a line break in the source: white space in the text
	itemHard                    // a line break that stays
	itemStart                   // the link begins
	itemEnd                     // the link ends
	itemGone                    // nothing
	itemIcon                    // an icon: lit, which may be empty, in place of raw[start:end]
)

// item is markup that kdd reads itself, beside goldmark's.
type item struct {
	kind       itemKind
	wiki       bool // itemLiteral or itemText that is no running text: a wiki link's or bare URL's
	start, end int
	link       int // itemStart, itemEnd: index into links
	lit        string
}

// scanner turns the raw text of a leaf block into an inline, by inlineParsers. Reuse it by calling scan again.
//
// Speculative look-ahead (link destinations, tags, comments) draws on fuel that is proportional to the text, so the
// whole scan is linear: when the fuel is gone, what is left is plain text.
type scanner struct {
	refs      map[string]string // reference definitions by normalised label
	footnotes map[string]bool
	pc        parser.Context // of inlineParsers; what goldmark keeps in it ends with the leaf
	lines     *text.Segments // of raw, without the white space that they begin with
	leafState
}

// leafState is what a scanner knows of the current leaf.
type leafState struct {
	mode  scanMode
	raw   []byte
	marks []Place // raw → source
	cur   int     // index into marks: at is called with ascending offsets, mostly
	fuel  int

	pending   int // where the text begins that is in no item yet, if some stands before the markup that is read
	items     []item
	links     []inlineLink
	anchors   []idAt
	comments  []string
	brackets  []bracket
	inactive  int         // brackets below this one cannot become links, as they hold one
	waiting   int         // delimiters of emphasis that were read since the last were matched
	settled   ast.Node    // before it no delimiter waits; nil if that is not known of a node
	ticks     map[int]int // where the last run of so many back-ticks begins; empty before one is met
	tags      []openTag   // raw links that wait for their closing tag
	quiet     int         // depth of pre and code tags: no links in them
	missing   [len(closers)]bool
	noComment bool
	untouched int             // offset before which there are no tags of templates
	unclosed  map[string]bool // elements looked for: whether none of that name is closed
}

// begin resets the state for a new leaf and reuses its memory.
func (s *scanner) begin(raw []byte, marks []Place, mode scanMode) {
	clear(s.ticks)
	s.leafState = leafState{
		mode: mode, raw: raw, marks: marks, fuel: 64*len(raw) + 4096,
		items: s.items[:0], brackets: s.brackets[:0], ticks: s.ticks,
	}
}

// scan reads raw, whose bytes stand at the places of marks.
func (s *scanner) scan(raw []byte, marks []Place, mode scanMode) inline {
	s.begin(raw, marks, mode)
	urls := bytes.Contains(raw, []byte("://")) || indexFold(raw, []byte("www.")) >= 0 || mayHaveIcon(raw)
	switch {
	case len(raw) > maxInline:
		mode = noMarkup
	case !urls && !bytes.ContainsAny(raw, "\n\\`*_~[<&{"):
		return s.emit(nil)
	case urls && mode == markdownText:
		mode = markdownURLs
	}
	if s.pc == nil {
		s.pc, s.lines = parser.NewContext(), text.NewSegments()
		s.pc.Set(scannerKey, s)
	}
	s.lines.SetSliced(0, 0)
	for i := 0; i < len(raw); {
		end := nextLine(raw, i)
		s.lines.Append(text.NewSegment(i, end))
		i = skipSpaces(raw, end)
	}
	return s.emit(inlineParsers[mode].Parse(text.NewReader(raw), parser.WithContext(s.pc)))
}

// nextLine returns where the line after the line of i begins.
func nextLine(raw []byte, i int) int {
	if n := bytes.IndexByte(raw[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(raw)
}

// at maps an offset of raw to the source.
func (s *scanner) at(i int) int {
	if len(s.marks) == 0 {
		return i
	}
	if s.marks[s.cur].Text > i {
		s.cur = 0
		if len(s.marks) > 8 {
			return sourceAt(s.marks, i)
		}
	}
	for s.cur+1 < len(s.marks) && s.marks[s.cur+1].Text <= i {
		s.cur++
	}
	return s.marks[s.cur].Source + i - s.marks[s.cur].Text
}

// flush makes an item of the text before end that is in no item yet.
func (s *scanner) flush(end int) {
	if s.pending < end {
		s.items = append(s.items, item{kind: itemText, start: s.pending, end: end})
	}
	s.pending = end
}

// add flushes the text before the item and appends it.
func (s *scanner) add(it item) {
	s.flush(it.start)
	s.items = append(s.items, it)
}

// escape reads a backslash before punctuation.
func (s *scanner) escape(i int) int {
	if i+1 == len(s.raw) || !isPunct(s.raw[i+1]) {
		return i
	}
	s.add(item{kind: itemLiteral, start: i, end: i + 2, lit: string(s.raw[i+1 : i+2])})
	return i + 2
}

// backslash reads a backslash that escapes nothing.
func (s *scanner) backslash(i int) int {
	s.add(item{kind: itemText, start: i, end: i + 1})
	return i + 1
}

// maxEntity is the length of the longest name in HTML's table of entities, with its "&" and ";".
const maxEntity = 33

// entity reads "&name;" and "&#number;" at i.
func (s *scanner) entity(i int) int {
	n := min(maxEntity, len(s.raw)-i)
	end := bytes.IndexByte(s.raw[i:i+n], ';')
	if end < 2 {
		return i
	}
	written := string(s.raw[i : i+end+1])
	text := html.UnescapeString(written)
	if text == written || len(text) > len(written) {
		return i
	}
	if len(text) > 1 && text[len(text)-1] == ';' {
		// "&ltx;": HTML takes the beginning for "&lt;", CommonMark 0.31.2 section 2.5 only whole names and numbers
		return i
	}
	if text == "\u00a0" {
		text = " "
	}
	s.add(item{kind: itemLiteral, start: i, end: i + end + 1, lit: text})
	return i + end + 1
}
