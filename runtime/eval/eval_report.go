package eval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

const levelSection = "section"

// Levels are the two ways to measure a run: by document and by section.
var Levels = []struct {
	Name string
	Of   func(*Measurement) *Scored
}{
	{"document", func(r *Measurement) *Scored { return &r.Document }},
	{levelSection, func(r *Measurement) *Scored { return &r.Section }},
}

// report returns the measurements in their wire form.
func (e *evaluation) report(gates []Gate) (*wire.EvalReport, error) {
	main := e.systems[0]
	if len(main.result.Document.Queries) == 0 {
		return nil, wire.NewError(wire.CodeInvalidInput, e.name+": no question says what answers it", "do the ids of questions and judgements agree?").With("field", "questions")
	}
	one := &artifact.Set{Artifacts: []*artifact.Artifact{main.artifact}}
	resp := &wire.EvalReport{
		Envelope: one.Envelope("eval_report.v1"), Mode: main.mode, Encoder: main.artifact.Meta.Encoder, Rows: []wire.EvalRow{}, Differences: []wire.EvalDifference{},
		Set:     wire.EvalSet{Name: e.name, Questions: len(e.questions), Document: len(main.result.Document.Queries), Section: len(main.result.Section.Queries), Groups: e.groups.Names},
		Missing: e.missing, Run: main.run, Asked: e.questions, Every: e.q.Every,
	}
	resp.Warnings = e.warnings
	for _, group := range slices.Concat([]string{""}, e.groups.Names) {
		for _, l := range Levels {
			for _, s := range e.systems {
				if s.whole && l.Name == levelSection {
					continue
				}
				if part := e.groups.Select(l.Of(s.result), group); len(part.Queries) > 0 {
					resp.Rows = append(resp.Rows, Row(s.name, l.Name, group, part))
				}
			}
			e.differences(resp, l.Name, group, l.Of)
		}
	}
	if err := e.gates(resp, gates); err != nil {
		return nil, err
	}
	e.worst(resp)
	return resp, nil
}

// Row returns the means of one system.
func Row(system, level, group string, s *Scored) wire.EvalRow {
	m := s.Mean()
	return wire.EvalRow{
		System: system, Level: level, Group: group, Questions: len(s.Queries), NDCG10: wire.Round4(m.NDCG), MRR10: wire.Round4(m.MRR),
		Hit1: wire.Round4(m.Hit1), Hit3: wire.Round4(m.Hit3), Recall10: wire.Round4(m.Recall), Recall100: wire.Round4(m.Deep),
	}
}

// differences compares the measured system with an older one, and over all questions with BM25.
func (e *evaluation) differences(resp *wire.EvalReport, level, group string, of func(*Measurement) *Scored) {
	mine := e.groups.Select(of(e.systems[0].result), group)
	if len(mine.Queries) == 0 {
		return
	}
	for _, s := range e.systems[1:] {
		if !s.older && (s.name != systemBM25 || group != "") || s.whole && level == levelSection {
			continue
		}
		other := e.groups.Select(of(s.result), group)
		c := Compare(mine, other, NDCG)
		d := wire.EvalDifference{
			System: e.systems[0].name, Less: s.name, Level: level, Group: group, Metric: NDCG.Name, Questions: len(mine.Queries),
			Mean: wire.Round4(c.Mean), Low: wire.Round4(c.Low), High: wire.Round4(c.High),
		}
		for i, delta := range deltas(mine, other, NDCG) {
			change := wire.EvalChange{ID: mine.Queries[i], Text: e.texts[mine.Queries[i]].Text, From: wire.Round4(other.Metrics[i].NDCG), To: wire.Round4(mine.Metrics[i].NDCG)}
			switch {
			case delta > 0:
				d.Won++
				d.WonBy = append(d.WonBy, change)
			case delta < 0:
				d.Lost++
				d.LostBy = append(d.LostBy, change)
			default:
				d.Tied++
			}
		}
		if !s.older || group != "" || level != Levels[0].Name {
			d.WonBy, d.LostBy = nil, nil
		} else if !s.whole {
			d.First = e.firsts(e.systems[0], s)
		}
		slices.SortStableFunc(d.WonBy, func(a, b wire.EvalChange) int { return cmp.Compare(b.To-b.From, a.To-a.From) })
		slices.SortStableFunc(d.LostBy, func(a, b wire.EvalChange) int { return cmp.Compare(a.To-a.From, b.To-b.From) })
		resp.Differences = append(resp.Differences, d)
	}
}

// firsts lists the questions whose first result another system has not.
func (e *evaluation) firsts(mine, other *system) (list []wire.EvalFirst) {
	first := func(s *system, q *index.Question) string {
		for _, p := range s.run[q.ID] {
			if !slices.Contains(q.Exclude, p.Path) {
				return render.Address("", p.Path, p.Anchor)
			}
		}
		return ""
	}
	for i := range e.questions {
		q := &e.questions[i]
		if from, to := first(other, q), first(mine, q); from != to {
			list = append(list, wire.EvalFirst{ID: q.ID, Text: q.Text, From: from, To: to})
		}
	}
	return list
}

// gates compares the values that were reached with the gates, both rounded to four decimals.
func (e *evaluation) gates(resp *wire.EvalReport, gates []Gate) error {
	for _, g := range gates {
		scored := &e.systems[0].result.Document
		if g.Section {
			scored = &e.systems[0].result.Section
		}
		if g.Group != "" && !e.groups.Has(g.Group) {
			hint := "there are no groups"
			if names := e.groups.Names; len(names) > 0 {
				hint = "the groups are " + wire.Shorten(strings.Join(names, ", "), 300)
				if near := wire.Nearest(g.Group, names); near != "" {
					hint = "did you mean " + near + "? " + hint
				}
			}
			return wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("gate %s: no group %s", wire.Quote(g.Text), wire.Quote(g.Group)), hint).With("field", "gate")
		}
		part := e.groups.Select(scored, g.Group)
		if len(part.Queries) == 0 {
			return wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("gate %s: no question of it is measured by %s", wire.Quote(g.Text), g.Level()), "").With("field", "gate")
		}
		mean := part.Mean()
		got := wire.Round4(*g.Metric.Of(&mean))
		gate := wire.EvalGate{Gate: g.Text, Got: got, Want: g.Min, OK: got >= g.Min}
		if !gate.OK {
			resp.Failing++
		}
		resp.Gates = append(resp.Gates, gate)
	}
	return nil
}

// maxShown bounds the places that are listed for a question.
const maxShown = 3

// worst lists the questions with the lowest scores: by document, then by section, then in their order.
func (e *evaluation) worst(resp *wire.EvalReport) {
	main := e.systems[0]
	sections := map[string]float64{}
	for i, id := range main.result.Section.Queries {
		sections[id] = wire.Round4(main.result.Section.Metrics[i].NDCG)
	}
	var list []wire.EvalQuestion
	for i, id := range main.result.Document.Queries {
		q := e.texts[id]
		one := wire.EvalQuestion{
			ID: id, Text: q.Text, Group: e.groups.Of[id], NDCG10: wire.Round4(main.result.Document.Metrics[i].NDCG), First: main.result.Document.First[i],
			Found: []string{}, Want: []string{},
		}
		if v, ok := sections[id]; ok {
			one.Section = &v
		}
		list = append(list, one)
	}
	bySection := func(q *wire.EvalQuestion) float64 {
		if q.Section == nil {
			return 2
		}
		return *q.Section
	}
	slices.SortStableFunc(list, func(a, b wire.EvalQuestion) int {
		return cmp.Or(cmp.Compare(a.NDCG10, b.NDCG10), cmp.Compare(bySection(&a), bySection(&b)))
	})
	resp.Worst = list[:min(max(e.q.Worst, 0), len(list))]
	for i := range resp.Worst {
		one := &resp.Worst[i]
		q := e.texts[one.ID]
		excluded := func(path string) bool { return slices.Contains(q.Exclude, path) }
		for _, p := range main.run[one.ID] {
			if len(one.Found) < maxShown && !excluded(p.Path) {
				one.Found = append(one.Found, render.Address("", p.Path, p.Anchor))
			}
		}
		best := slices.Clone(q.Relevant)
		slices.SortStableFunc(best, func(a, b index.Relevant) int { return cmp.Compare(b.Gain, a.Gain) })
		for _, r := range best {
			if len(one.Want) < maxShown && !excluded(r.Path) {
				one.Want = append(one.Want, render.Address("", r.Path, r.Anchor))
			}
		}
	}
}
