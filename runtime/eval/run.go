package eval

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Run has the answers of a system: for each query id the places, best first. A document may occur many times, once for
// each section.
type Run map[string][]Place

// Write prints the answers to questions as lines of query id, rank, path and anchor or "-", separated by tabs. It keeps
// only the places that decide the metrics down to depth: the first place of each of the first depth documents, and the
// first depth sections.
func (r Run) Write(w io.Writer, questions []Question, depth int) error {
	out := bufio.NewWriter(w)
	for _, q := range questions {
		docs, sections := map[string]bool{}, map[Place]bool{}
		for i, p := range r[q.ID] {
			if slices.Contains(q.Exclude, p.Path) {
				continue
			}
			newDoc, newSection := len(docs) < depth && !docs[p.Path], len(sections) < depth && !sections[p]
			docs[p.Path], sections[p] = true, true
			if newDoc || newSection {
				fmt.Fprintf(out, "%s\t%d\t%s\t%s\n", q.ID, i+1, p.Path, cmp.Or(p.Anchor, "-"))
			}
		}
	}
	return out.Flush()
}

// runRow is one line of a run.
type runRow struct {
	place Place
	rank  int
	score float64 // 0 in lines that Write prints
}

// ParseRun reads a run: lines of query id, rank, path, anchor or "-" and maybe a score, separated by tabs, as Write
// prints them; or TREC's (id, Q0, path, rank, score, tag), in which a path may end in #anchor. As in trec_eval, the
// scores of a TREC run decide the order, and ranks the order of equal scores.
//
// The error is invalid_input and names the first line that cannot be read. Cost: linear, and a sort of each answer.
func ParseRun(file File) (Run, error) {
	r := reader{file: file}
	rows := map[string][]runRow{}
	trec := isTREC(r.first())
	r.each(func(line string) {
		id, row, ok := r.row(line, trec)
		if ok {
			rows[id] = append(rows[id], row)
		}
	})
	if len(rows) == 0 && len(r.faults) == 0 {
		r.line = 0
		r.fault(`write one with "eval --save FILE"`, "there is no answer in it")
	}
	if err := Err(r.faults); err != nil {
		return nil, err
	}
	run := make(Run, len(rows))
	for id, list := range rows {
		slices.SortStableFunc(list, func(a, b runRow) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.rank, b.rank)) // other runs have no scores
		})
		places := make([]Place, len(list))
		for i := range list {
			places[i] = list[i].place
		}
		run[id] = places
	}
	return run, nil
}

// isTREC says that a line has TREC's six columns.
func isTREC(line string) bool {
	cells := columns(line)
	if len(cells) != 6 {
		return false
	}
	_, err := strconv.Atoi(cells[1])
	return err != nil || !strings.Contains(line, "\t")
}

// row reads one line of a run; ok is false after a fault.
func (r *reader) row(line string, trec bool) (id string, row runRow, ok bool) {
	cells := columns(line)
	rank := 1
	switch {
	case trec && len(cells) != 6:
		r.fault("", "got %d columns, want 6: id, Q0, path, rank, score, tag", len(cells))
		return "", row, false
	case trec:
		row.place, rank = SplitAnchor(cells[2]), 3
		var err error
		if row.score, err = strconv.ParseFloat(cells[4], 64); err != nil || row.score != row.score {
			r.fault("", "score: got %s, want a number", short(cells[4]))
			return "", row, false
		}
	case len(cells) < 3:
		r.fault(`write a run with "eval --save FILE"`, `got %d columns, want id, rank, path and anchor or "-", parted by tabs, or TREC's six`, len(cells))
		return "", row, false
	default:
		row.place.Path = cells[2]
		if len(cells) > 3 && cells[3] != "-" {
			row.place.Anchor = cells[3]
		}
	}
	var err error
	if row.rank, err = strconv.Atoi(cells[rank]); err != nil {
		r.fault("", "rank: got %s, want a whole number", short(cells[rank]))
		return "", row, false
	}
	return cells[0], row, true
}
