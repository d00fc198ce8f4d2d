package feedback

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"kdd/runtime/eval"
	"kdd/runtime/wire"
)

var sample = []Record{
	{Query: "why?", Response: "", Rating: Negative, Confidence: .4, SessionID: "b", Time: "2026-01-03T00:00:00Z"},
	{Query: "How?", Response: "so", Rating: Positive, Confidence: .8, SessionID: "a", Places: []string{"a.md#x", "b.md"}, Time: "2026-01-02T00:00:00Z"},
	{Query: "how? ", Response: "so", Rating: Negative, Confidence: .2, SessionID: "b", Places: []string{"b.md"}, Comment: "no", Time: "2026-01-01T00:00:00Z"},
}

func TestSummarize(t *testing.T) {
	got := string(wire.Encode(Summarize(sample, 1)))
	want := `{"schema_version":"feedback_stats.v1","records":3,"positive":1,"negative":2,"positive_share":0.3333,"positive_confidence":0.8,"negative_confidence":0.3,` +
		`"comments":1,"cited":2,"queries":2,"sessions":2,"broken":1,"first":"2026-01-01T00:00:00Z","last":"2026-01-03T00:00:00Z",` +
		`"worst":[{"query":"why?","positive":0,"negative":1},{"query":"How?","positive":1,"negative":1}]}`
	if got != want {
		t.Errorf("Summarize =\n%s\nwant\n%s", got, want)
	}
	for _, records := range [][]Record{nil, sample[:1], sample[1:2]} { // no share or mean of nothing
		if s := Summarize(records, 0); math.IsNaN(s.PositiveShare + s.PositiveConfidence + s.NegativeConfidence) {
			t.Errorf("Summarize(%v) = %+v", records, s)
		}
	}
	if bad, good := Summarize(sample[:1], 0), Summarize(sample[1:2], 0); bad.NegativeConfidence != .4 || good.PositiveConfidence != .8 || good.PositiveShare != 1 {
		t.Errorf("Summarize of one = %+v, %+v", bad, good)
	}
	if s := Summarize(append([]Record{{Query: "a", Rating: Positive}, {Query: "a", Rating: Negative}}, sample...), 0); s.PositiveConfidence != .8 || s.NegativeConfidence != .3 {
		t.Errorf("with two that say no confidence the means are %g and %g, want 0.8 and 0.3", s.PositiveConfidence, s.NegativeConfidence)
	}
	many := []Record{{Query: "good", Rating: Positive}}
	for i := range worstQueries {
		if worst := Summarize(many, 0).Worst; len(worst) != i {
			t.Errorf("of %d queries that were found bad %d are named: %v", i, len(worst), worst)
		}
		many = append(many, Record{Query: strings.Repeat("q", i+1), Rating: Negative})
	}
	if worst := Summarize(append(many, Record{Query: "other", Rating: Negative}), 0).Worst; len(worst) != worstQueries {
		t.Errorf("%d queries are named, want %d", len(worst), worstQueries)
	}
}

// What Export writes is what eval reads.
func TestExportFeedsEval(t *testing.T) {
	// longer in lower case
	long := Record{Query: strings.Repeat("Ⱥ", maxQueryBytes/2), Rating: Positive, Places: []string{"a.md"}}
	lines, questions, left := Export(append([]Record{long}, sample...))
	if questions != 1 || left != 2 {
		t.Errorf("Export = %s, %d questions, %d left, want 1 and 2", lines, questions, left)
	}
	parsed := eval.Parse(eval.File{Name: "q.jsonl", Data: lines}, nil, "")
	if len(parsed.Faults) > 0 || len(parsed.Set.Questions) != 1 {
		t.Fatalf("eval.Parse(%s) = %+v, %v", lines, parsed.Set, parsed.Faults)
	}
	q := parsed.Set.Questions[0]
	if q.Text != "How?" || len(q.Relevant) != 1 || q.Relevant[0].Path != "a.md" || q.Relevant[0].Anchor != "x" || q.Relevant[0].Gain != 1 || q.Group != "feedback" {
		t.Errorf("question %+v, want How? with a.md#x", q)
	}
}

// FuzzParse: nothing panics, and what is read can be written again.
func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"id":"","time":"","query":"a","response":"b","rating":"positive","places":["a.md"]}` + "\n{}\nnull\n[1]\n"))
	f.Add([]byte(`{"query":"a","rating":"negative","confidence":1e999}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		records, _ := Parse(data)
		Summarize(records, 0)
		lines, questions, _ := Export(records)
		if n := bytes.Count(lines, []byte("\n")); n != questions {
			t.Fatalf("%d lines of %d questions", n, questions)
		}
		for _, r := range records {
			if again, broken := Parse(append(wire.Encode(r), '\n')); broken != 0 || len(again) != 1 || again[0].ID != r.ID {
				t.Fatalf("%+v became %+v", r, again)
			}
		}
	})
}
