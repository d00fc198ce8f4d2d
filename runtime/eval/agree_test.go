package eval

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAgreesWithStoredScores scores a run of the handbook's questions, with excluded paths, repeated places and
// questions without an answer, and compares each line with what another program gave for the same files (scores.txt):
// every question, level and group, to the fourth decimal.
func TestAgreesWithStoredScores(t *testing.T) {
	const folder = "../../testdata/relevance"
	read := func(name string) File {
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return File{Name: name, Data: data}
	}
	judgements := read("handbook/qrels.tsv")
	p := Parse(read("scores/queries.tsv"), &judgements, "")
	if err := Err(p.Faults); err != nil {
		t.Fatal(err)
	}
	run, err := ParseRun(read("scores/run.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	r := Score(p.Set.Questions, run)
	groups := groupBy(p.Set.Questions, func(q *Question) string { return Prefix(q.ID) })
	var got strings.Builder
	line := func(parts, between string, m Metrics) {
		got.WriteString(parts)
		for i, v := range []float64{m.NDCG, m.MRR, m.Hit1, m.Hit3, m.Recall, m.Deep} {
			end := " "
			if between == "=" {
				end = "\t"
			}
			if i == 0 {
				end = ""
			}
			fmt.Fprintf(&got, "%s%s%s%.4f", end, []string{"nDCG@10", "MRR@10", "hit@1", "hit@3", "R@10", "R@100"}[i], between, v)
		}
		got.WriteString("\n")
	}
	for _, level := range []struct {
		name   string
		scored *Scored
	}{{"doc", &r.Document}, {"sec", &r.Section}} {
		for i, q := range level.scored.Queries {
			line(level.name+"\t"+q+"\t", "=", level.scored.Metrics[i])
		}
		for _, group := range append([]string{""}, groups.Names...) {
			part, name := groups.Select(level.scored, group), group
			if group == "" {
				name = "all"
			}
			line(fmt.Sprintf("%-4s %-8s n=%-4d ", level.name, name, len(part.Queries)), " ", part.Mean())
		}
	}
	want := strings.Split(string(read("scores/scores.txt").Data), "\n")
	have := strings.Split(got.String(), "\n")
	if len(have) != len(want) || len(have) < 50 {
		t.Fatalf("%d lines, want %d", len(have), len(want))
	}
	for i := range want {
		if have[i] != want[i] {
			t.Errorf("line %d: got  %s\nwant %s", i+1, have[i], want[i])
		}
	}
}
