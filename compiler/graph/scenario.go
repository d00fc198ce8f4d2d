package graph

import (
	"bytes"
	"path"
	"strings"

	"kdd/compiler/markdown"
)

// isFeature reports whether a file is in Gherkin.
func isFeature(docPath string) bool { return strings.EqualFold(path.Ext(docPath), ".feature") }

// findScenarios makes a node of each scenario of the .feature files, in the order of documents and sections.
func (b *builder) findScenarios() {
	kind, prefix := "scenario", "SCN"
	own := -1
	if i, ok := b.rules.kindIndex[kind]; ok {
		own, prefix = i, b.rules.kinds[i].prefix
	}
	var others map[string]bool // made where there is a scenario
	for d, doc := range b.docs {
		if !isFeature(doc.Path) {
			continue
		}
		for s := 1; s < len(doc.Sections); s++ {
			section := &doc.Sections[s]
			if !section.Scenario {
				continue
			}
			if b.scenarios[d] == nil {
				b.scenarios[d] = make([]NodeID, len(doc.Sections))
			}
			if others == nil {
				others = b.documentIDs()
			}
			id := b.scenarioID(section, own, others)
			if id == "" {
				id = stemOf(doc.Path) + "/" + section.Anchor
			}
			b.scenarios[d][s] = b.g.extraNode(len(b.g.Extra))
			b.g.Extra = append(b.g.Extra, Extra{
				ID: prefix + ":" + id, Kind: kind, Type: "scenario", Doc: d, Section: s, Name: section.Heading,
			})
		}
	}
}

// documentIDs returns what scenarios can be about, folded: the ids of all documents, their stems, and the ids that
// stems and headings begin with.
func (b *builder) documentIDs() map[string]bool {
	ids := map[string]bool{}
	add := func(id string) {
		if id != "" {
			ids[keyOf(id)] = true
		}
	}
	for d, doc := range b.docs {
		add(b.facts[d].info.ID)
		add(stemOf(doc.Path))
		if isFeature(doc.Path) {
			continue
		}
		add(idHead(stemOf(doc.Path)))
		for s := range doc.Sections {
			add(idHead(doc.Sections[s].Heading))
		}
	}
	return ids
}

// scenarioID returns the id that a scenario's name begins with, "SCN-Merge-001" of "SCN-Merge-001 — no conflict", else
// a tag that is as ids of scenarios are. An id of another kind, or of a document, names what the scenario is about.
func (b *builder) scenarioID(section *markdown.Section, own int, others map[string]bool) string {
	name := section.Heading
	for _, head := range heads(strings.TrimRight(name[:tokenEnd(name, 0)], "-_")) {
		if head == "" || !b.fitsPattern(head) && idHead(head) != head {
			continue
		}
		if kind, ok := b.rules.kindByID(head); ok && kind != own || others[keyOf(head)] {
			break
		}
		return head
	}
	for _, tag := range section.Tags[:min(len(section.Tags), maxTags)] {
		if kind, ok := b.rules.kindByID(tag); ok && kind == own && b.rules.kinds[own].id.MatchString(tag) && !others[keyOf(tag)] {
			return tag
		}
	}
	return ""
}

// tag is one @tag of a .feature file.
type tag struct {
	text string
	line int
}

// maxTags bounds the tags before one keyword: those of a feature count for each of its scenarios.
const maxTags = 64

// tagEdges makes the edges of tags: those before a scenario are its own, those before a feature or rule all the
// scenarios' below it, as Gherkin has it.
func (b *builder) tagEdges(d int, rules *docRules) {
	doc := b.docs[d]
	if !isFeature(doc.Path) || len(rules.mentions) == 0 {
		return
	}
	var pending []tag
	section, lineNumber, offset := 0, 0, 0
	spread := -1 // the section whose tags went to all scenarios below it: its keyword has one set of them
	for line := range bytes.Lines(doc.Source) {
		lineNumber++
		offset += len(line)
		for section+1 < len(doc.Sections) && doc.Sections[section+1].Start < offset {
			section++
		}
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0 || line[0] == '#':
		case line[0] == '@':
			for word := range strings.FieldsSeq(string(line)) {
				if word[0] != '@' || len(pending) == maxTags {
					break // a comment
				}
				pending = append(pending, tag{word[1:], lineNumber})
			}
		default:
			if len(pending) > 0 {
				b.tagged(d, section, spread != section, pending, rules)
				spread = section
				pending = pending[:0]
			}
		}
	}
}

// tagged adds the edges of the tags before a section's keyword, which are those of all scenarios in it. Tags further
// down, before its text or examples, are the scenario's or, below set to false, the document's.
func (b *builder) tagged(d, section int, below bool, tags []tag, rules *docRules) {
	from := []NodeID{b.node(d, section)}
	if from[0] < b.g.extraNode(0) {
		from = from[:0]
		sections := b.docs[d].Sections
		for s := section; below && s < len(sections) && sections[s].Start < sections[section].End; s++ {
			if n := b.node(d, s); n >= b.g.extraNode(0) {
				from = append(from, n)
			}
		}
		if len(from) == 0 {
			from = append(from, NodeID(d))
		}
	}
	for _, t := range tags {
		for _, m := range b.idsIn(t.text, b.placeOf(d)) {
			if to, _ := b.g.Place(m.node); to == d {
				continue
			}
			for _, n := range from {
				b.mentionEdge(d, Edge{From: n, To: m.node, Type: Mentions, Found: FoundMention, Doc: d, Line: t.line, Text: m.text}, rules)
			}
		}
	}
}

// isTagLine reports whether a byte stands on a line of tags.
func isTagLine(doc *markdown.Document, offset int) bool {
	if offset < 0 || offset >= len(doc.Source) {
		return false
	}
	start := bytes.LastIndexByte(doc.Source[:offset], '\n') + 1
	return bytes.HasPrefix(bytes.TrimLeft(doc.Source[start:], " \t"), []byte{'@'})
}
