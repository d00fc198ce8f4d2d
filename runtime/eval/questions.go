package eval

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kdd/format/index"
)

// Mark is the line in which a place of a question set is written.
type Mark struct {
	File     string
	Line     int
	Question string
	Place    Place
	Excluded bool // it is a path that does not count, not one that answers
}

// Parsed is a question set, and what was noticed while its files were read.
type Parsed struct {
	Set     *QuestionSet
	Faults  []Fault // rows that were left out
	Marks   []Mark
	Unasked int // queries that have judgements but are not in the set
}

// groupColumn is the name of the column, or of the metadata field, with a question's group.
const groupColumn = "group"

// Parse reads questions and the judgements that answer them; judgements is nil if the questions have their own answers.
// group names the column or the metadata field that the questions are grouped by; "" is the fourth column, or "group".
//
// Questions are JSON lines, as BEIR has them (_id, text, metadata), or rows of tab-separated values: id, text, excluded
// paths separated by ";", group. With a header (its first column is called qid, id or query-id) the columns are text,
// exclude, group and relevant, in any order. A question's own answers are in the column relevant as path#anchor=gain
// separated by ";", or in the field relevant as {"path#anchor": gain} or ["path"].
//
// Judgements are rows of id, path, anchor or "-", gain; BEIR's query-id, corpus-id, score; or TREC's qrels (id,
// iteration, path, gain, separated by spaces). In the last two a path may end in #anchor. The content of a file tells
// its form.
//
// A row that cannot be read becomes a fault and is left out. Cost: linear in the files' size, in time and memory.
func Parse(questions File, judgements *File, group string) *Parsed {
	p := &parser{Parsed: &Parsed{Set: &QuestionSet{Name: questions.Name}}, at: map[string]int{}, group: group}
	p.reader = reader{file: questions}
	first := strings.TrimSpace(p.first())
	switch {
	case first == "":
		p.each(func(string) {})
		if p.line = 0; len(p.faults) == 0 {
			p.fault("give a file with a question a line", "there is no question in it")
		}
	case strings.HasPrefix(first, "{"):
		p.each(p.jsonLine)
	case strings.HasPrefix(first, "<"):
		p.line = 1
		p.fault("write the topics as lines of id, tab, text", "got markup, want tab-separated values or JSON lines")
	default:
		p.table()
	}
	p.Faults = p.faults
	if judgements == nil {
		if len(p.Faults) == 0 && !slices.ContainsFunc(p.Set.Questions, func(q Question) bool { return len(q.Relevant) > 0 }) {
			p.line = 0
			p.fault("name a file of judgements too, or add a column \"relevant\" with path#anchor", "no question says what answers it")
			p.Faults = p.faults
		}
		return p.Parsed
	}
	p.reader = reader{file: *judgements}
	p.judgements()
	p.Faults = append(p.Faults, p.faults...)
	return p.Parsed
}

// parser reads the files of one question set.
type parser struct {
	reader
	*Parsed
	at    map[string]int // question by id
	group string
}

// add adds a question to the set, or a fault if its id or text is not usable.
func (p *parser) add(q Question) {
	switch _, twice := p.at[q.ID]; {
	case q.ID == "":
		p.fault("give each question an id of its own", "the question has no id")
	case strings.ContainsAny(q.ID, "\t\r\n"):
		p.fault("a run has an id in a line of its own", "question %s: the id holds a tab or a line break", short(q.ID))
	case q.Text == "":
		p.fault("", "question %s has no text", short(q.ID))
	case twice:
		p.fault("give each question an id of its own", "question %s is there twice", short(q.ID))
	default:
		p.at[q.ID] = len(p.Set.Questions)
		for _, path := range q.Exclude {
			p.mark(q.ID, Place{Path: path}, true)
		}
		for _, r := range q.Relevant {
			p.mark(q.ID, r.Place, false)
		}
		p.Set.Questions = append(p.Set.Questions, q)
	}
}

func (p *parser) mark(question string, place Place, excluded bool) {
	p.Marks = append(p.Marks, Mark{p.file.Name, p.line, question, place, excluded})
}

// table reads tab-separated values.
func (p *parser) table() {
	columns := map[string]int{"id": 0, "text": 1, "exclude": 2, groupColumn: 3}
	header := false
	p.each(func(line string) {
		cells := strings.Split(line, "\t")
		if !header && len(p.Set.Questions) == 0 && len(p.faults) == 0 && isHeader(cells) {
			header = true
			columns = p.header(cells)
			return
		}
		if len(cells) < 2 {
			p.fault("part id and text by a tab", "got %d column, want id, text and, if need be, excluded paths and group, parted by tabs", len(cells))
			return
		}
		cell := func(name string) string {
			if i, ok := columns[name]; ok && i < len(cells) {
				return strings.TrimSpace(cells[i])
			}
			return ""
		}
		relevant, ok := p.relevant(parts(cell("relevant")))
		if ok {
			p.add(Question{ID: cell("id"), Text: cell("text"), Exclude: parts(cell("exclude")), Group: cell(groupColumn), Relevant: relevant})
		}
	})
}

// header returns the columns that a header names.
func (p *parser) header(cells []string) map[string]int {
	columns := map[string]int{"id": 0}
	for i, c := range cells[1:] {
		switch name := strings.ToLower(strings.TrimSpace(c)); name {
		case "query", "question":
			columns["text"] = i + 1
		case "excluded":
			columns["exclude"] = i + 1
		default:
			columns[name] = i + 1
		}
	}
	if _, ok := columns["text"]; !ok {
		p.fault("", "the header names no column text: got %s", short(strings.Join(cells, ", ")))
	}
	if p.group != "" {
		at, ok := columns[strings.ToLower(p.group)]
		if !ok {
			p.fault("", "the header names no column %s: got %s", short(p.group), short(strings.Join(cells, ", ")))
		}
		columns[groupColumn] = at
	}
	return columns
}

// parts splits a list at its semicolons.
func parts(list string) []string {
	var out []string
	for part := range strings.SplitSeq(list, ";") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// relevant reads path#anchor=gain; the gain is 1 if it is missing. ok is false after a fault.
func (p *parser) relevant(list []string) (relevant []index.Relevant, ok bool) {
	var a answers
	for _, text := range list {
		gain := 1
		if at := strings.LastIndexByte(text, '='); at >= 0 {
			if n, err := strconv.Atoi(text[at+1:]); err == nil {
				if n > index.MaxGain {
					p.fault("", "gain: got %d, want at most %d", n, index.MaxGain)
					return nil, false
				}
				text, gain = text[:at], n
			}
		}
		a.add(SplitAnchor(text), gain)
	}
	return a.list, true
}

// answers are the judgements of one question.
type answers struct {
	list []index.Relevant
	at   map[Place]int // in list
}

// add adds a judgement if its gain is above 0. Of several judgements of a place the highest gain counts.
func (a *answers) add(place Place, gain int) {
	if gain <= 0 || place.Path == "" {
		return
	}
	if i, ok := a.at[place]; ok {
		a.list[i].Gain = max(a.list[i].Gain, gain)
		return
	}
	if a.at == nil {
		a.at = map[Place]int{}
	}
	a.at[place] = len(a.list)
	a.list = append(a.list, index.Relevant{Place: place, Gain: gain})
}

// jsonLine reads one line of BEIR's form.
func (p *parser) jsonLine(line string) {
	var row struct {
		ID       json.RawMessage            `json:"_id"`
		OtherID  json.RawMessage            `json:"id"`
		Text     string                     `json:"text"`
		Query    string                     `json:"query"`
		Group    string                     `json:"group"`
		Exclude  []string                   `json:"exclude"`
		Relevant json.RawMessage            `json:"relevant"`
		Metadata map[string]json.RawMessage `json:"metadata"`
	}
	if err := json.Unmarshal([]byte(line), &row); err != nil {
		p.fault(`a line is {"_id": "q1", "text": "how do I log in"}`, "not a JSON object of a question: %s", err)
		return
	}
	q := Question{ID: cmp.Or(plain(row.ID), plain(row.OtherID)), Text: cmp.Or(strings.TrimSpace(row.Text), strings.TrimSpace(row.Query)), Group: row.Group}
	if value, ok := row.Metadata[cmp.Or(p.group, groupColumn)]; ok && (q.Group == "" || p.group != "") {
		q.Group = plain(value)
	}
	exclude := row.Exclude
	if len(exclude) == 0 && row.Metadata["exclude"] != nil {
		if json.Unmarshal(row.Metadata["exclude"], &exclude) != nil {
			p.fault("", "metadata.exclude: want a list of paths")
			return
		}
	}
	q.Exclude = slices.DeleteFunc(exclude, func(path string) bool { return path == "" })
	if len(row.Relevant) > 0 {
		var a answers
		gains := map[string]int{}
		var list []string
		if json.Unmarshal(row.Relevant, &list) != nil && json.Unmarshal(row.Relevant, &gains) != nil {
			p.fault("", `relevant: want {"path#anchor": gain} or ["path#anchor"]`)
			return
		}
		for _, text := range list {
			a.add(SplitAnchor(text), 1)
		}
		for _, text := range slices.Sorted(maps.Keys(gains)) {
			if gains[text] > index.MaxGain {
				p.fault("", "gain: got %d, want at most %d", gains[text], index.MaxGain)
				return
			}
			a.add(SplitAnchor(text), gains[text])
		}
		q.Relevant = a.list
	}
	p.add(q)
}

// plain returns a JSON string, number or boolean as text; "" for anything else.
func plain(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return strings.TrimSpace(text)
	}
	if raw = bytes.TrimSpace(raw); len(raw) > 0 && !bytes.ContainsAny(raw[:1], `{["`) && string(raw) != "null" {
		return string(raw)
	}
	return ""
}
