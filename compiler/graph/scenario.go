package graph

import (
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

// maxTags bounds the tags before one keyword: those of a feature count for each of its scenarios.
const maxTags = 64

// tagEdges makes the edges of tags: those before a scenario are its own, those before a feature or rule all the
// scenarios' below it, as Gherkin has it.
func (b *builder) tagEdges(d int, rules *docRules) {
	runs := b.docs[d].Mentions
	if len(rules.mentions) == 0 {
		return
	}
	spread := -1 // the section whose tags went to all scenarios below it: its keyword has one set of them
	for start, end := 0, 0; start < len(runs); start = max(end, start+1) {
		section := runs[start].Section
		for end = start; end < len(runs) && runs[end].Tag && runs[end].Section == section; end++ {
		}
		if end > start {
			b.tagged(d, section, spread != section, runs[start:min(end, start+maxTags)], rules)
			spread = section
		}
	}
}

// tagged adds the edges of the tags before a section's keyword, which are those of all scenarios in it. Tags further
// down, before its text or examples, are the scenario's or, below set to false, the document's.
func (b *builder) tagged(d, section int, below bool, tags []markdown.TextRun, rules *docRules) {
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
		for _, m := range b.idsIn(t.Text, b.placeOf(d)) {
			if to, _ := b.g.Place(m.node); to == d {
				continue
			}
			for _, n := range from {
				b.mentionEdge(d, Edge{From: n, To: m.node, Type: Mentions, Found: FoundMention, Doc: d, Line: t.Line, Text: m.text}, rules)
			}
		}
	}
}
