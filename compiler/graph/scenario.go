package graph

import (
	"bytes"
	"path"
	"strings"

	"kdd/compiler/markdown"
)

// scenarioWords are the keywords of Gherkin that begin a scenario, in the languages that it is mostly written in.
var scenarioWords = map[string]bool{
	"scenario": true, "scenario outline": true, "scenario template": true, "example": true,
	"escenario": true, "esquema del escenario": true, "ejemplo": true,
	"escenari": true, "esquema de l'escenari": true, "exemple": true,
	"cenário": true, "cenario": true, "esquema do cenário": true, "esquema do cenario": true, "delineação do cenário": true,
	"delineacao do cenario": true, "exemplo": true,
	"scénario": true, "plan du scénario": true, "plan du scenario": true,
	"szenario": true, "szenariogrundriss": true, "beispiel": true,
	"schema dello scenario": true, "esempio": true,
	"abstract scenario": true, "voorbeeld": true,
	"сценарий": true, "структура сценария": true, "пример": true, "шаблон сценария": true, "приклад": true, "сценарій": true,
	"scenariusz": true, "szablon scenariusza": true, "przykład": true,
	"シナリオ": true, "シナリオアウトライン": true, "シナリオテンプレート": true,
	"场景": true, "场景大纲": true, "剧本": true, "剧本大纲": true, "시나리오": true, "시나리오 개요": true,
	"senaryo": true, "senaryo taslağı": true, "scenár": true, "scénář": true, "náčrt scénáře": true, "forgatókönyv": true,
}

// isFeature reports whether a file is in Gherkin.
func isFeature(docPath string) bool { return strings.EqualFold(path.Ext(docPath), ".feature") }

// findScenarios makes a node of each scenario of the .feature files, in the order of documents and sections.
func (b *builder) findScenarios() {
	for d, doc := range b.docs {
		if !isFeature(doc.Path) {
			continue
		}
		kind, prefix := "scenario", "SCN"
		if i, ok := b.rules.kindIndex[kind]; ok {
			prefix = b.rules.kinds[i].prefix
		}
		for s := 1; s < len(doc.Sections); s++ {
			name, ok := scenarioName(doc, s)
			if !ok {
				continue
			}
			if b.scenarios[d] == nil {
				b.scenarios[d] = make([]NodeID, len(doc.Sections))
			}
			id := b.scenarioID(name)
			if id == "" {
				id = stemOf(doc.Path) + "/" + doc.Sections[s].Anchor
			}
			b.scenarios[d][s] = b.g.extraNode(len(b.g.Extra))
			b.g.Extra = append(b.g.Extra, Extra{
				ID: prefix + ":" + id, Kind: kind, Type: "scenario", Doc: d, Section: s, Name: name,
			})
		}
	}
}

// scenarioID returns the id that a scenario's name begins with: "SCN-Merge-001 — no conflict" has SCN-Merge-001.
func (b *builder) scenarioID(name string) string {
	end := tokenEnd(name, 0)
	for _, head := range heads(strings.TrimRight(name[:end], "-_")) {
		if head != "" && (b.fitsPattern(head) || idHead(head) == head) {
			return head
		}
	}
	return ""
}

// scenarioName returns the name of the scenario that a section is, by the keyword on its first line.
func scenarioName(doc *markdown.Document, s int) (string, bool) {
	section := &doc.Sections[s]
	rest := doc.Source[min(section.Start, len(doc.Source)):min(section.End, len(doc.Source))]
	for len(rest) > 0 {
		line, after, _ := bytes.Cut(rest, []byte{'\n'})
		rest = after
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '@' || line[0] == '#' {
			continue // tags and comments
		}
		keyword, name, ok := strings.Cut(string(line[:min(len(line), 4*maxKeyBytes)]), ":")
		if !ok || !scenarioWords[strings.ToLower(strings.TrimSpace(keyword))] {
			return "", false
		}
		if name = strings.TrimSpace(name); name == "" {
			name = section.Heading
		}
		return name, true
	}
	return "", false
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
