package graph

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kdd/compiler/markdown"
	"kdd/format/index"
)

// isMentionID reports whether a name is an id that running text can mention: an id, a stem's or a heading's head, that
// fits a pattern of the table or has letters, a separator and digits.
func (b *builder) isMentionID(r *row) bool {
	switch r.class {
	case index.IDName, index.HeadName:
	case index.StemName:
		if !b.fitsPattern(r.exact) {
			return false
		}
	case index.HeadingName:
		return idHead(r.exact) == r.exact && isUpperHead(r.exact)
	default:
		return false
	}
	if b.fitsPattern(r.exact) {
		return true
	}
	letters, digits, separated := false, false, false
	for i := 0; i < len(r.exact); i++ {
		switch c := r.exact[i]; {
		case isLetter(c) || c >= utf8.RuneSelf:
			letters = true
		case isDigit(c):
			digits = true
		case c == '-' || c == '_' || c == '.':
			separated = true
		default:
			return false
		}
	}
	return letters && digits && separated
}

// fitsPattern reports whether an id is as a kind's ids, or those of kdd.yaml, are.
func (b *builder) fitsPattern(id string) bool {
	if len(id) > maxKeyBytes {
		return false
	}
	for i := range b.rules.kinds {
		k := &b.rules.kinds[i]
		if k.id != nil && strings.HasPrefix(id, k.linkPrefix) && k.id.MatchString(id) {
			return true
		}
	}
	return slices.ContainsFunc(b.rules.ids, func(re *regexp.Regexp) bool { return re.MatchString(id) })
}

// isUpperHead reports whether the first part of an id is in capitals, as ADR-0004 and RF-AUTH-001 are.
func isUpperHead(id string) bool {
	letters := 0
	for _, r := range id {
		if unicode.IsLetter(r) {
			if !unicode.IsUpper(r) {
				return false
			}
			letters++
		} else if !unicode.IsDigit(r) {
			break
		}
	}
	return letters > 0
}

// mention is an id found in a text.
type mention struct {
	node  NodeID
	start int // byte of the text
	text  string
}

// idsIn finds the ids in a text, in order. A token is a run of letters, digits, "-" and "_"; if the whole is no id its
// beginnings are tried, so that UC-001-IndexDocument mentions UC-001. Cost: linear, 8 look-ups per token.
func (b *builder) idsIn(text string, from place) []mention {
	var list []mention
	for i := 0; i < len(text); {
		c := text[i]
		if !isLetter(c) && c < utf8.RuneSelf {
			// A digit or underscore begins no id, nor do the letters that follow it.
			if isDigit(c) || c == '_' {
				i = tokenEnd(text, i)
			} else {
				i++
			}
			continue
		}
		end := tokenEnd(text, i)
		if end == i {
			_, size := utf8.DecodeRuneInString(text[i:])
			i += size
			continue
		}
		token := strings.TrimRight(text[i:end], "-_")
		if strings.IndexByte(token, '-') > 0 || strings.IndexByte(token, '_') > 0 {
			if f, head, ok := b.idOf(token, from); ok {
				list = append(list, mention{f, i, head})
			}
		}
		i = end
	}
	return list
}

// tokenEnd returns where the token at start ends.
func tokenEnd(text string, start int) int {
	i := start
	for i < len(text) {
		c := text[i]
		if c < utf8.RuneSelf {
			if !isLetter(c) && !isDigit(c) && c != '-' && c != '_' {
				break
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) {
			break
		}
		i += size
	}
	return i
}

// idOf resolves the longest beginning of a token that is an id.
func (b *builder) idOf(token string, from place) (NodeID, string, bool) {
	if len(token) > maxKeyBytes {
		return 0, "", false
	}
	upper := isUpperHead(token)
	for _, head := range heads(token) {
		f, ok := found{}, false
		if upper || b.fitsPattern(head) {
			f, ok = b.ids.resolve(head, asker{place: from}, index.HeadingName)
		} else if s, exact := b.ids.byExact[head]; exact && (b.ids.rows[s.start].class == index.IDName || strings.Count(head, "-") > 1) {
			// In small letters a word and a number are seldom an id ("step-1"), unless they are somebody's own.
			f, ok = b.ids.choose(b.ids.rows, false, s, asker{place: from}, index.HeadName)
		}
		if ok && (f.others == 0 || f.class < index.HeadingName) {
			return f.node, head, true
		}
	}
	return 0, "", false
}

// sectionTarget is a node that a section refers to.
type sectionTarget struct {
	section int
	node    NodeID
}

// mentionEdges makes the edges of the ids that the running text of document d mentions, one for each section and
// target. A mention makes none if it is of the document itself or of a heading above the text, or if a link in the same
// line leads to the same document.
func (b *builder) mentionEdges(d int) {
	doc := b.docs[d]
	rules := b.sectionRules(d)
	seen := map[sectionTarget]bool{}
	linked := map[[2]int]bool{} // line and document
	for i := range b.out[d].edges {
		e := &b.out[d].edges[i]
		if e.Found == FoundLink || e.Found == FoundWiki {
			to, _ := b.g.Place(e.To)
			linked[[2]int{e.Line, to}] = true
		}
	}
	from := b.placeOf(d)
	for i := range doc.Mentions {
		run := &doc.Mentions[i]
		if run.Tag {
			continue // see tagEdges
		}
		at := run.Offset
		for _, m := range b.idsIn(run.Text, from) {
			key := sectionTarget{run.Section, m.node}
			to, section := b.g.Place(m.node)
			if seen[key] || to == d && (section == 0 || b.isBelow(d, run.Section, section)) {
				continue
			}
			var line int
			line, at = lineOf(doc, run, at, m.text)
			if linked[[2]int{line, to}] {
				continue
			}
			seen[key] = true
			b.mentionEdge(d, Edge{
				From: b.node(d, run.Section), To: m.node, Type: Mentions, Found: FoundMention, Doc: d, Line: line, Text: m.text,
			}, rules)
		}
	}
	b.tagEdges(d, rules)
}

// mentionEdge adds an edge from an id in a text; where a rule gives mentions a meaning, that takes its place.
func (b *builder) mentionEdge(d int, e Edge, rules *docRules) {
	before := len(b.out[d].edges)
	for _, i := range rules.mentions {
		b.typedEdge(d, e, &b.rules.sections[i], nil)
	}
	if len(b.out[d].edges) == before {
		b.out[d].edges = append(b.out[d].edges, e)
	}
}

// isBelow reports whether a section is another one or lies inside it.
func (b *builder) isBelow(d, section, above int) bool {
	sections := b.docs[d].Sections
	return sections[section].Start >= sections[above].Start && sections[section].Start < sections[above].End
}

// lineOf finds the line of a word of a text run: the run's text has lost markup and line ends, so the word is looked
// for in the source, from where the last one was found.
func lineOf(doc *markdown.Document, run *markdown.TextRun, at int, word string) (line, next int) {
	if at < 0 || at >= len(doc.Source) {
		return run.Line, at
	}
	// Markup makes the source longer than the text, but hardly more than four times.
	window := doc.Source[at:min(len(doc.Source), run.Offset+4*len(run.Text)+256, at+maxWindow)]
	i := bytes.Index(window, []byte(word))
	if i < 0 {
		return run.Line, at
	}
	return doc.Line(at + i), at + i
}

// maxWindow bounds how far ahead a word of a text is looked for in the source.
const maxWindow = 1 << 16
