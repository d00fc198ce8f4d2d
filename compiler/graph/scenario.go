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

// tagEdges makes the edges of tags: those before a scenario are its own, those before the feature the document's.
func (b *builder) tagEdges(d int, rules *docRules) {
	doc := b.docs[d]
	if !isFeature(doc.Path) || len(rules.mentions) == 0 {
		return
	}
	section, lineNumber := 0, 0
	type tag struct {
		text string
		line int
	}
	var pending []tag
	next := 1 // the section that begins next
	offset := 0
	for line := range bytes.Lines(doc.Source) {
		lineNumber++
		trimmed := bytes.TrimSpace(line)
		for next < len(doc.Sections) && doc.Sections[next].Start < offset+len(line) {
			section = next
			next++
		}
		offset += len(line)
		switch {
		case len(trimmed) == 0 || trimmed[0] == '#':
		case trimmed[0] == '@':
			for _, word := range strings.Fields(string(trimmed)) {
				if strings.HasPrefix(word, "#") {
					break
				}
				pending = append(pending, tag{strings.TrimLeft(word, "@"), lineNumber})
			}
		default:
			for _, t := range pending {
				for _, m := range b.idsIn(t.text, b.placeOf(d)) {
					from := b.node(d, section)
					if to, _ := b.g.Place(m.node); to == d {
						continue
					}
					if int(from) < int(b.g.extraNode(0)) {
						from = NodeID(d)
					}
					b.mentionEdge(d, Edge{
						From: from, To: m.node, Type: Mentions, Found: FoundMention, Doc: d, Line: t.line, Text: m.text,
					}, rules)
				}
			}
			pending = pending[:0]
		}
	}
}
