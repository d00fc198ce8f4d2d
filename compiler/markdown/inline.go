package markdown

import (
	"bytes"
	"html"
)

// maxInline is the size of a block, in bytes, above which no markup is looked for in it.
const maxInline = 1 << 20

// scanMode says what is markup in a run of text.
type scanMode uint8

const (
	markdownText scanMode = iota // CommonMark inlines, wiki links and tags
	htmlText                     // the inside of an HTML block: tags, entities and wiki links only
	plainText                    // a step of a scenario: wiki links and bare URLs only
)

// inline is what the scanner makes of one leaf block.
type inline struct {
	text     plain
	links    []inlineLink
	runs     []textRange // running text: what may hold mentions
	alts     []textRange // text of images, which GitHub leaves out of anchors
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
	itemCode                    // raw[start:end], newlines are spaces
	itemDelim                   // a run of * _ ~: keep of its characters stay
	itemBreak                   // a line break in the source: white space in the text
	itemHard                    // a line break that stays
	itemOpen                    // "[" or "![": text until a link is made of it
	itemStart                   // the link begins
	itemEnd                     // the link ends
	itemGone                    // nothing
)

type item struct {
	kind       itemKind
	wiki       bool // itemLiteral or itemText that is no running text: a wiki link's or bare URL's
	start, end int
	keep       int // itemDelim
	link       int // itemStart, itemEnd: index into links
	lit        string
}

type bracket struct {
	item   int
	image  bool
	delims int // number of delimiters when it was opened
}

// scanner turns the raw text of a leaf block into an inline. Reuse it by calling scan again.
//
// Speculative look-ahead (link destinations, tags, comments) draws on fuel that is proportional to the text, so the
// whole scan is linear: when the fuel is gone, what is left is plain text.
type scanner struct {
	refs      map[string]string // reference definitions by normalised label
	footnotes map[string]bool

	mode    scanMode
	raw     []byte
	pending int     // where the text begins that is in no item yet
	marks   []Place // raw → source
	cur     int     // index into marks: at is called with ascending offsets, mostly
	fuel    int

	items     []item
	links     []inlineLink
	alts      []int // image link indices
	anchors   []idAt
	comments  []string
	brackets  []bracket
	inactive  int // brackets below this one cannot become links, as they hold one
	delims    []delim
	tags      []openTag // raw links that wait for their closing tag
	ticks     []tickRun
	tickAt    int
	ticked    bool
	hidden    []byte // name of the tag whose content is not text: script, style
	quiet     int    // depth of pre and code tags: no links in them
	missing   [len(closers)]bool
	noComment bool
	untouched int             // offset before which there are no tags of templates
	unclosed  map[string]bool // elements looked for: whether none of that name is closed
}

// scan reads raw, whose bytes stand at the places of marks.
func (s *scanner) scan(raw []byte, marks []Place, mode scanMode) inline {
	s.mode, s.raw, s.marks, s.cur, s.pending = mode, raw, marks, 0, 0
	s.fuel = 64*len(raw) + 4096
	s.items, s.links, s.alts = s.items[:0], nil, s.alts[:0]
	s.anchors, s.comments = nil, nil
	s.brackets, s.delims, s.inactive = s.brackets[:0], s.delims[:0], 0
	s.tags, s.ticks, s.tickAt, s.ticked = s.tags[:0], s.ticks[:0], 0, false
	s.hidden, s.quiet, s.missing, s.noComment, s.untouched = nil, 0, [len(closers)]bool{}, false, 0
	clear(s.unclosed)
	if len(raw) > maxInline {
		s.plainLines()
		return s.emit()
	}
	s.tokens()
	s.emphasis(0)
	return s.emit()
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

// plainLines makes items of raw with no markup but its lines.
func (s *scanner) plainLines() {
	for i := 0; i < len(s.raw); {
		n := bytes.IndexByte(s.raw[i:], '\n')
		if n < 0 {
			n = len(s.raw) - i
		}
		s.addText(i, i+n)
		i += n
		if i < len(s.raw) {
			s.items = append(s.items, item{kind: itemBreak, start: i, end: i + 1})
			i++
		}
	}
}

func (s *scanner) addText(start, end int) {
	if start < end {
		s.items = append(s.items, item{kind: itemText, start: start, end: end})
	}
}

// special marks the bytes at which something other than text may begin.
var special = func() (t [256]bool) {
	for _, c := range "\n\\`*_~[]!<&{:.\x00" {
		t[c] = true
	}
	return t
}()

// tokens cuts raw into items.
func (s *scanner) tokens() {
	for i := 0; i < len(s.raw); {
		if c := s.raw[i]; !special[c] || s.hidden != nil && c != '<' {
			i++
			continue
		}
		next := s.token(i)
		if next == i {
			i++
			continue
		}
		i, s.pending = next, next
	}
	s.flush(len(s.raw))
}

// flush makes an item of the text before end that no item has yet.
func (s *scanner) flush(end int) {
	if s.hidden == nil && s.pending < end {
		s.items = append(s.items, item{kind: itemText, start: s.pending, end: end})
	}
	s.pending = end
}

// add flushes the text before the item and appends it.
func (s *scanner) add(it item) {
	s.flush(it.start)
	s.items = append(s.items, it)
}

// token tries to read markup at i. It returns the offset after it, or i if what stands there is text.
func (s *scanner) token(i int) int {
	raw := s.raw
	if s.mode == plainText {
		return s.plainToken(i)
	}
	switch c := raw[i]; c {
	case '\n':
		return s.lineBreak(i)
	case '<':
		return s.angle(i)
	case '&':
		return s.entity(i)
	case '[':
		if next := s.wiki(i); next > i {
			return next
		}
	case '{':
		return s.brace(i)
	}
	if s.mode != markdownText {
		return i
	}
	switch c := raw[i]; c {
	case '\\':
		if i+1 < len(raw) && isPunct(raw[i+1]) {
			s.add(item{kind: itemLiteral, start: i, end: i + 2, lit: string(raw[i+1 : i+2])})
			return i + 2
		}
		if next, blank := lineRest(raw, i+1); blank && next < len(raw) && next-i <= 3 && raw[i+1] != ' ' {
			s.add(item{kind: itemHard, start: i, end: next})
			return skipSpaces(raw, next)
		}
	case '`':
		return s.codeSpan(i)
	case '*', '_', '~':
		return s.delimiter(i)
	case '!':
		if i+1 < len(raw) && raw[i+1] == '[' {
			if next := s.wiki(i + 1); next > i+1 {
				return next
			}
			return s.openBracket(i, i+2)
		}
	case '[':
		return s.openBracket(i, i+1)
	case ']':
		return s.closeBracket(i)
	case ':':
		return s.bareURL(i)
	case '.':
		return s.bareWWW(i)
	}
	return i
}

// plainToken is token where little is markup.
func (s *scanner) plainToken(i int) int {
	switch s.raw[i] {
	case '\n':
		s.add(item{kind: itemHard, start: i, end: i + 1})
		return i + 1
	case '[':
		return s.wiki(i)
	case ':':
		return s.bareURL(i)
	}
	return i
}

func (s *scanner) lineBreak(i int) int {
	raw := s.raw
	last := i
	if last > s.pending && raw[last-1] == '\r' {
		last--
	}
	end := last
	for end > s.pending && (raw[end-1] == ' ' || raw[end-1] == '\t') {
		end--
	}
	kind := itemBreak
	if s.mode == markdownText && last-end >= 2 && raw[last-1] == ' ' && raw[last-2] == ' ' {
		kind = itemHard
	}
	s.add(item{kind: kind, start: end, end: i + 1})
	return skipSpaces(raw, i+1)
}

// maxEntity is the length of the longest name in HTML's table of entities, with its "&" and ";".
const maxEntity = 33

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
		return i // "&ltx;": HTML takes the beginning for "&lt;", CommonMark 0.31.2 section 2.5 only whole names and numbers
	}
	if text == "\u00a0" {
		text = " "
	}
	s.add(item{kind: itemLiteral, start: i, end: i + end + 1, lit: text})
	return i + end + 1
}

// burn takes fuel; it reports whether there was enough.
func (s *scanner) burn(n int) bool {
	s.fuel -= n
	return s.fuel > 0
}
