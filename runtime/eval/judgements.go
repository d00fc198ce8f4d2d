package eval

import (
	"strconv"
	"strings"
)

// The forms of a file of judgements.
type form uint8

const (
	unknownForm form = iota
	placeForm        // id, path, anchor or "-", gain
	beirForm         // query-id, corpus-id, score
	trecForm         // id, iteration, path, gain
)

// columns splits a row at its tabs, or at its spaces if it has no tab.
func columns(line string) []string {
	if strings.Contains(line, "\t") {
		return strings.Split(line, "\t")
	}
	return strings.Fields(line)
}

// judgements reads a file of judgements into the questions that there are.
func (p *parser) judgements() {
	kind := p.form()
	if kind == unknownForm {
		return
	}
	unasked, lists := map[string]bool{}, map[int]*answers{}
	header := true
	p.each(func(line string) {
		cells := columns(line)
		if header {
			header = false
			if isHeader(cells) {
				return
			}
		}
		if kind == beirForm && len(cells) != 3 || kind != beirForm && len(cells) != 4 {
			p.fault("", "got %d columns, want %s", len(cells), wants[kind])
			return
		}
		place, at := Place{}, len(cells)-1
		switch kind {
		case placeForm:
			place = Place{Path: cells[1], Anchor: cells[2]}
			if place.Anchor == "-" {
				place.Anchor = ""
			}
		case beirForm:
			place = SplitAnchor(cells[1])
		case trecForm:
			place = SplitAnchor(cells[2])
		}
		gain, ok := p.gain(cells[at])
		if !ok {
			return
		}
		if place.Path == "" {
			p.fault("", "the path is empty")
			return
		}
		id := strings.TrimSpace(cells[0])
		i, asked := p.at[id]
		if !asked {
			unasked[id] = true
			return
		}
		if lists[i] == nil {
			lists[i] = &answers{}
			for _, r := range p.Set.Questions[i].Relevant {
				lists[i].add(r.Place, r.Gain)
			}
		}
		lists[i].add(place, gain)
		p.mark(id, place, false)
	})
	for i, l := range lists {
		p.Set.Questions[i].Relevant = l.list
	}
	p.Unasked = len(unasked)
	if len(p.faults) == 0 && len(lists) == 0 && len(p.Set.Questions) > 0 {
		p.line = 0
		p.fault("do the ids of questions and judgements agree?", "it judges none of the %d questions", len(p.Set.Questions))
	}
}

// wants describes a row of each form.
var wants = map[form]string{
	placeForm: `4: id, path, anchor or "-", gain, parted by tabs`,
	beirForm:  "3: query-id, corpus-id, score",
	trecForm:  "4: id, iteration, path, gain",
}

// form tells the form of a file by its rows. Two forms have four columns: it is TREC's if the second column of every
// row is a whole number or Q0.
func (p *parser) form() form {
	kind, rows := unknownForm, 0
	numbers := true
	probe := reader{file: p.file}
	probe.each(func(line string) {
		cells := columns(line)
		if rows == 0 && isHeader(cells) {
			return
		}
		if rows++; rows == 1 {
			switch len(cells) {
			case 3:
				kind = beirForm
			case 4:
				kind = placeForm
			default:
				probe.fault("judgements are rows of id, path, anchor or \"-\", gain; of query-id, corpus-id, score; or TREC's qrels", "got %d columns, want 3 or 4", len(cells))
			}
		}
		numbers = numbers && (len(cells) != 4 || iteration(cells[1]))
	})
	switch {
	case rows == 0 && len(probe.faults) == 0:
		probe.line = 0
		probe.fault("give a judgement a line", "there is no judgement in it")
	case kind == placeForm && numbers:
		kind = trecForm
	}
	if kind == unknownForm {
		p.faults = append(p.faults, probe.faults...)
	}
	return kind
}

// iteration says that a cell is the second column of TREC's qrels.
func iteration(cell string) bool {
	_, err := strconv.Atoi(cell)
	return err == nil || cell == "Q0"
}
