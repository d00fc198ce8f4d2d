package markdown

import (
	"bytes"
	"strings"

	"kdd/compiler/diag"
)

// gherkinWord is what a keyword of a .feature file begins.
type gherkinWord uint8

const (
	noWord gherkinWord = iota
	featureWord
	ruleWord
	backgroundWord
	scenarioWord
	examplesWord
)

// keyword returns the keyword of a line such as "Scenario: name", and the name and its offset in the line.
func (w gherkinWords) keyword(line []byte) (kind gherkinWord, word, name string, at int) {
	colon := bytes.IndexByte(line[:min(len(line), maxKeyword)], ':')
	if colon < 0 {
		return noWord, "", "", 0
	}
	word = string(bytes.TrimSpace(line[:colon]))
	if kind = w[strings.ToLower(word)]; kind == noWord {
		return noWord, "", "", 0
	}
	rest := line[colon+1:]
	trimmed := bytes.TrimLeft(rest, " \t")
	return kind, word, valid(strings.TrimSpace(string(trimmed))), colon + 1 + len(rest) - len(trimmed)
}

// gherkin parses the source as a .feature file: the feature is a section of level 1; its background, rules and
// scenarios are of level 2, and of level 3 inside a rule. Tags belong to what follows them.
//
// The keywords are those of Cucumber's parser (gherkin_words.go), v26.2.0. Lines are read here, since that parser
//   - returns no tree for a file with one line out of place, where kdd keeps the text: it refused 14 of 111 features, and
//     1,349 of 2,108 copies of them with the line "some words" put in somewhere;
//   - panics on a line of more than 64 kB (TestCucumberPanics);
//   - has no places for descriptions and for the words in a line.
func (b *builder) gherkin() {
	g := gherkinReader{builder: b, words: gherkinWordsOf(b.seen)}
	b.body = b.seen
	b.dropBOM()
	if len(b.body) == 0 {
		return
	}
	for n := 1; n <= b.lineCount(); n++ {
		n = g.line(n)
	}
	g.flush()
	g.flushTags()
	if !g.feature {
		b.report(diag.GherkinSyntax, 0, "no line begins with a keyword such as \"Feature:\"; the text is kept as it is")
	}
}

type gherkinReader struct {
	*builder
	words   gherkinWords
	feature bool
	rule    bool
	text    []int // numbers of the lines of text that wait to become a block
	rows    []int // of a table
	tags    []tagAt
}

type tagAt struct {
	name   string
	source int
}

// line reads line n and returns the number of the last line that belongs to it.
func (g *gherkinReader) line(n int) int {
	full := g.lineAt(n)
	text := bytes.TrimSpace(full)
	start := g.lines.start(n) + bytes.Index(full, text)
	switch {
	case len(text) == 0:
		g.flush()
	case text[0] == '#':
	case text[0] == '@':
		g.flush()
		g.addTags(text, start)
	case bytes.HasPrefix(text, []byte(`"""`)) || bytes.HasPrefix(text, []byte("```")):
		g.flush()
		g.flushTags()
		return g.docString(n, string(text[:3]))
	case text[0] == '|':
		g.flushText()
		g.flushTags()
		g.rows = append(g.rows, n)
	default:
		kind, word, name, at := g.words.keyword(text)
		if kind == noWord || kind == featureWord && g.feature || kind == examplesWord {
			g.flushRows()
			g.flushTags()
			g.text = append(g.text, n)
			return n
		}
		g.flush()
		g.open(kind, word, name, start, start+at)
	}
	return n
}

func (g *gherkinReader) addTags(text []byte, start int) {
	for i := 0; i < len(text); {
		if isBlank(text[i]) {
			i++
			continue
		}
		j := i
		for j < len(text) && !isBlank(text[j]) {
			j++
		}
		if text[i] == '#' {
			return // a comment
		}
		if text[i] == '@' && j > i+1 {
			g.tags = append(g.tags, tagAt{valid(string(text[i+1 : j])), start + i + 1})
		}
		i = j
	}
}

// open begins the section of a keyword's line; its tags stand before it and are part of it.
func (g *gherkinReader) open(kind gherkinWord, word, name string, start, at int) {
	level := 2
	switch kind {
	case featureWord:
		g.feature, level = true, 1
	case ruleWord:
		g.rule = true
	default:
		if g.rule {
			level = 3
		}
	}
	heading := inline{}
	if name == "" {
		name, at = word, start
	}
	heading.text.copy([]byte(name), at)
	heading.runs = []textRange{{0, len(heading.text.buf), at}}
	tags := g.tags
	g.tags = nil
	first := start
	if len(tags) > 0 {
		first = tags[0].source
	}
	if g.builder.open(level, first, &heading, "") {
		g.doc.Sections[g.section()].Scenario = kind == scenarioWord
	}
	g.keepTags(tags)
}

// keepTags makes tags the first text of the current section.
func (g *gherkinReader) keepTags(tags []tagAt) {
	if len(tags) == 0 {
		return
	}
	section := g.section()
	var p plain
	for i, t := range tags {
		if i > 0 {
			p.put(" ", t.source-2)
		}
		p.put("@", t.source-1)
		p.put(t.name, t.source)
		g.doc.Sections[section].Tags = append(g.doc.Sections[section].Tags, t.name)
		g.doc.Mentions = append(g.doc.Mentions, TextRun{t.name, t.source, g.lines.line(t.source), section, true})
	}
	blk := Block{Kind: Paragraph}
	blk.Start, blk.End = g.widen(tags[0].source, tags[len(tags)-1].source)
	g.add(blk, p)
}

// flushTags gives tags that no section follows, such as those of examples, to the current one.
func (g *gherkinReader) flushTags() {
	tags := g.tags
	g.tags = nil
	g.keepTags(tags)
}

func (g *gherkinReader) flush() {
	g.flushText()
	g.flushRows()
}

// flushText makes a block of steps or description.
func (g *gherkinReader) flushText() {
	if len(g.text) == 0 {
		return
	}
	var raw plain
	for i, n := range g.text {
		full := g.lineAt(n)
		text := bytes.TrimSpace(full)
		start := g.lines.start(n) + bytes.Index(full, text)
		if i > 0 {
			raw.put("\n", start-1)
		}
		raw.mark(start)
		raw.buf = append(raw.buf, text...)
	}
	first, last := g.text[0], g.text[len(g.text)-1]
	g.text = g.text[:0]
	found := g.scan.scan(raw.buf, raw.marks, plainText)
	added := g.add(Block{Kind: Paragraph, Start: g.lines.start(first), End: g.lines.end(last)}, found.text)
	g.record(&found, added.Text)
}

// flushRows makes a block of a data table or examples.
func (g *gherkinReader) flushRows() {
	if len(g.rows) == 0 {
		return
	}
	blk := Block{Kind: Table}
	var out plain
	var found []tableCell
	for i, n := range g.rows {
		at := g.lines.start(n)
		if i > 0 {
			out.put("\n", at-1)
		}
		cells := g.row(&out, &found, g.lineAt(n), at, plainText)
		if i == 0 {
			blk.Header = cells
			continue
		}
		blk.Rows = append(blk.Rows, Row{n, blk.within(cells)})
	}
	blk.Start, blk.End = g.lines.start(g.rows[0]), g.lines.end(g.rows[len(g.rows)-1])
	g.rows = g.rows[:0]
	added := g.add(blk, out)
	for i := range found {
		found[i].shift()
		g.record(&found[i].inline, added.Text)
	}
}

// docString reads the text between two lines of mark, the first of which is n, as code.
func (g *gherkinReader) docString(n int, mark string) int {
	opening := g.lineAt(n)
	indent := bytes.Index(opening, []byte(mark))
	blk := Block{Kind: Code, Info: valid(strings.TrimSpace(string(opening[indent+len(mark):])))}
	var p plain
	last := n
	for last < g.lineCount() {
		last++
		line := g.lineAt(last)
		if strings.HasPrefix(strings.TrimSpace(trimmedLine(line)), mark) {
			break
		}
		if len(p.marks) > 0 {
			p.put("\n", g.lines.start(last)-1)
		}
		skip := skipSpaces(line[:min(indent, len(line))], 0)
		at := g.lines.start(last) + skip
		p.mark(min(at, g.lines.end(last)-1)) // a last line of white space alone has no text to stand at
		p.copy(bytes.TrimRight(line[skip:], "\r\n"), at)
	}
	blk.Start, blk.End = g.lines.start(n), g.lines.end(last)
	if len(bytes.TrimSpace(p.buf)) > 0 {
		g.add(blk, p)
	}
	return last
}
