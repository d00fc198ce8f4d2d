package eval

import (
	"bytes"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kdd/format/index"
)

func relevant(list ...any) []index.Relevant {
	var out []index.Relevant
	for i := 0; i < len(list); i += 3 {
		out = append(out, index.Relevant{Place: Place{Path: list[i].(string), Anchor: list[i+1].(string)}, Gain: list[i+2].(int)})
	}
	return out
}

func TestParse(t *testing.T) {
	two := []Question{{ID: "q1", Text: "one"}, {ID: "q2", Text: "two words"}}
	with := func(q []Question, first, second []index.Relevant) []Question {
		return []Question{{ID: "q1", Text: "one", Relevant: first}, {ID: "q2", Text: "two words", Relevant: second}}
	}
	const table = "q1\tone\nq2\ttwo words\n"
	for _, test := range []struct {
		name, questions, judgements, group string
		want                               []Question
		unasked                            int
	}{
		{"places", table, "q1\ta.md\tx\t1\nq2\tb.md\t-\t2\nq1\tc.md\t-\t0\n", "", with(two, relevant("a.md", "x", 1), relevant("b.md", "", 2)), 0},
		{"the highest gain counts", table, "q1\ta.md\t-\t1\nq1\ta.md\t-\t3\nq1\ta.md\t-\t2\nq2\tb.md\t-\t-1\n", "", with(two, relevant("a.md", "", 3), nil), 0},
		{"a query that is not asked", table, "q1\ta.md\t-\t1\nq9\ta.md\t-\t1\nq9\tb.md\t-\t1\n", "", with(two, relevant("a.md", "", 1), nil), 1},
		{"carriage returns, blank lines and a byte order mark", "\ufeffq1\tone\r\n\r\nq2\ttwo words", "\ufeffq1\ta.md\t-\t1\r\n", "", with(two, relevant("a.md", "", 1), nil), 0},
		{"trec parted by spaces", table, "q1 0 a.md 1\nq2 Q0 guides/b.md#x 2\n", "", with(two, relevant("a.md", "", 1), relevant("guides/b.md", "x", 2)), 0},
		{"trec parted by tabs", table, "q1\t0\ta.md\t1\nq2\t0\tb.md\t2\n", "", with(two, relevant("a.md", "", 1), relevant("b.md", "", 2)), 0},
		{"a path that is a number", table, "q1\t1\t-\t1\nq2\tb.md\t-\t2\n", "", with(two, relevant("1", "", 1), relevant("b.md", "", 2)), 0},
		{"beir", "{\"_id\": \"q1\", \"text\": \"one\"}\n{\"_id\": \"q2\", \"text\": \"two words\"}\n", "query-id\tcorpus-id\tscore\nq1\ta.md\t1\nq2\tb.md#x\t2\n", "",
			with(two, relevant("a.md", "", 1), relevant("b.md", "x", 2)), 0},
		{"excluded paths and groups", "q1\tone\ta.md; b.md;\teasy\nq2\ttwo\t\thard\n", "q1\tc.md\t-\t1\n", "", []Question{
			{ID: "q1", Text: "one", Exclude: []string{"a.md", "b.md"}, Group: "easy", Relevant: relevant("c.md", "", 1)}, {ID: "q2", Text: "two", Group: "hard"}}, 0},
		{"metadata", `{"_id": 7, "text": "one", "metadata": {"group": "easy", "lang": "es", "exclude": ["a.md"]}}`, "7\tc.md\t-\t1\n", "", []Question{
			{ID: "7", Text: "one", Exclude: []string{"a.md"}, Group: "easy", Relevant: relevant("c.md", "", 1)}}, 0},
		{"metadata of that name", `{"_id": 7, "text": "one", "metadata": {"group": "easy", "lang": "es"}}`, "7\tc.md\t-\t1\n", "lang", []Question{
			{ID: "7", Text: "one", Group: "es", Relevant: relevant("c.md", "", 1)}}, 0},
		{"a group beside metadata", `{"_id": 7, "text": "one", "group": "easy", "metadata": {"group": "hard"}}`, "7\tc.md\t-\t1\n", "", []Question{
			{ID: "7", Text: "one", Group: "easy", Relevant: relevant("c.md", "", 1)}}, 0},
		{"a group, but metadata of that name", `{"_id": 7, "text": "one", "group": "easy", "metadata": {"lang": "es"}}`, "7\tc.md\t-\t1\n", "lang", []Question{
			{ID: "7", Text: "one", Group: "es", Relevant: relevant("c.md", "", 1)}}, 0},
		{"answers beside the questions and in a file", "qid\ttext\trelevant\nq1\tone\ta.md;b.md\n", "q1\tb.md\t-\t2\nq1\tc.md\t-\t1\n", "", []Question{
			{ID: "q1", Text: "one", Relevant: relevant("a.md", "", 1, "b.md", "", 2, "c.md", "", 1)}}, 0},
		{"columns by name", "qid\tgroup\tquestion\tlang\nq1\teasy\tone\tes\n", "qid\tpath\tanchor\tgain\nq1\tc.md\t-\t1\n", "lang", []Question{
			{ID: "q1", Text: "one", Group: "es", Relevant: relevant("c.md", "", 1)}}, 0},
		{"answers beside the questions", "qid\ttext\trelevant\nq1\tone\ta.md#x=2;b.md\nq2\ttwo\tc=d.md;e.md=0\n", "", "", []Question{
			{ID: "q1", Text: "one", Relevant: relevant("a.md", "x", 2, "b.md", "", 1)}, {ID: "q2", Text: "two", Relevant: relevant("c=d.md", "", 1)}}, 0},
		{"blank lines between, and an id that a header might have", "q1\tone\n \nid\ttext\n", "q1\ta.md\t-\t1\n\n\t\nid\tb.md\t-\t1048576\n", "", []Question{
			{ID: "q1", Text: "one", Relevant: relevant("a.md", "", 1)}, {ID: "id", Text: "text", Relevant: relevant("b.md", "", index.MaxGain)}}, 0},
		{"one header", "qid\ttext\trelevant\nid\tone\tb.md\n", "", "", []Question{{ID: "id", Text: "one", Relevant: relevant("b.md", "", 1)}}, 0},
		{"the largest gain", "qid\ttext\trelevant\nq1\tone\ta.md=1048576\n", "", "", []Question{{ID: "q1", Text: "one", Relevant: relevant("a.md", "", index.MaxGain)}}, 0},
		{"the largest gain in JSON", `{"id":"q1","query":"one","relevant":{"a.md":1048576}}`, "", "", []Question{{ID: "q1", Text: "one", Relevant: relevant("a.md", "", index.MaxGain)}}, 0},
		{"answers in the JSON", `{"id":"q1","query":"one","relevant":{"b.md":1,"a.md#x":2}}` + "\n" + `{"id":"q2","query":"two","relevant":["b.md"]}`, "", "", []Question{
			{ID: "q1", Text: "one", Relevant: relevant("a.md", "x", 2, "b.md", "", 1)}, {ID: "q2", Text: "two", Relevant: relevant("b.md", "", 1)}}, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			var judgements *File
			if test.judgements != "" {
				judgements = &File{"qrels", []byte(test.judgements)}
			}
			p := Parse(File{"questions", []byte(test.questions)}, judgements, test.group)
			if len(p.Faults) > 0 {
				t.Fatalf("Parse: faults %v, want none", p.Faults)
			}
			if diff := cmp.Diff(test.want, p.Set.Questions); diff != "" {
				t.Errorf("Parse (-want +got):\n%s", diff)
			}
			if p.Unasked != test.unasked {
				t.Errorf("Parse: %d queries that are not asked, want %d", p.Unasked, test.unasked)
			}
		})
	}
}

func TestParseFaults(t *testing.T) {
	const table, places = "q1\tone\n", "q1\ta.md\t-\t1\n"
	for _, test := range []struct {
		name, questions, judgements, group, want string
	}{
		{"no question", "\n", places, "", "questions: there is no question in it; give a file"},
		{"one column", "one\n", places, "", "questions:1: got 1 column, want id, text"},
		{"no text", "q1\tone\nq2\t\n", places, "", `questions:2: question "q2" has no text`},
		{"no id", "\tone\n", places, "", "questions:1: the question has no id"},
		{"twice", "q1\tone\n\nq1\ttwo\n", places, "", `questions:3: question "q1" is there twice`},
		{"markup", "<top>\n<num> 1\n", places, "", "questions:1: got markup, want tab-separated values"},
		{"an id with a tab, which a run could not say", `{"_id":"q\t1","text":"one"}`, places, "", `questions:1: question "q\t1": the id holds a tab or a line break`},
		{"JSON that ends", `{"_id":"q1"`, places, "", "questions:1: not a JSON object of a question"},
		{"answers that are a number", `{"_id":"q1","text":"one","relevant":3}`, "", "", "questions:1: relevant: want {"},
		{"no such column", "qid\ttext\n", places, "lang", `questions:1: the header names no column "lang"`},
		{"a header without text", "qid\tgroup\n", places, "", "questions:1: the header names no column text"},
		{"not UTF-8", "q1\t\xff\n", places, "", "questions:1: the line is not UTF-8"},
		{"nothing answers", table, "", "", "questions: no question says what answers it"},
		{"no judgement", table, "\n", "", "qrels: there is no judgement in it"},
		{"two columns", table, "q1\ta.md\n", "", "qrels:1: got 2 columns, want 3 or 4"},
		{"a row too short", table, places + "q1\ta.md\n", "", `qrels:2: got 2 columns, want 4: id, path, anchor or "-", gain`},
		{"a gain that is none", table, "q1\ta.md\t-\tgood\n", "", `qrels:1: gain: got "good", want a whole number`},
		{"a fraction", table, "query-id\tcorpus-id\tscore\nq1\ta.md\t0.5\n", "", `qrels:2: gain: got "0.5", want a whole number`},
		{"a huge gain", table, "q1\ta.md\t-\t9999999999\n", "", `qrels:1: gain: got "9999999999"`},
		{"metadata that excludes a number", `{"_id":"q1","text":"one","metadata":{"exclude":3}}`, places, "", "questions:1: metadata.exclude: want a list of paths"},
		{"a gain below all", table, "q1\ta.md\t-\t-1048577\n", "", `qrels:1: gain: got "-1048577", want a whole number up to 1048576`},
		{"a gain over the largest", "qid\ttext\trelevant\nq1\tone\ta.md=1048577\n", "", "", "questions:2: gain: got 1048577, want at most 1048576"},
		{"a gain over the largest in JSON", `{"id":"q1","query":"one","relevant":{"a.md":1048577}}`, "", "", "questions:1: gain: got 1048577, want at most 1048576"},
		{"many faults", strings.Repeat("one\n", maxFaults+9), places, "", "questions:1: got 1 column, want id, text and, if need be, excluded paths and group, parted by tabs (and 49 more)"},
		{"an empty path", table, "q1\t\t-\t1\n", "", "qrels:1: the path is empty"},
		{"other ids", table, "q7\ta.md\t-\t1\n", "", "qrels: it judges none of the 1 questions; do the ids"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var judgements *File
			if test.judgements != "" {
				judgements = &File{"qrels", []byte(test.judgements)}
			}
			err := Err(Parse(File{"questions", []byte(test.questions)}, judgements, test.group).Faults)
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("Parse = %v, want an error that begins with %q", err, test.want)
			}
		})
	}
}

// What a question names is noted with its line, so that what is not in the artifact can be told.
func TestMarks(t *testing.T) {
	p := Parse(File{"q", []byte("qid\ttext\texcluded\trelevant\nq1\tone\ta.md;b.md\tc.md#x\n")}, &File{"qrels", []byte("q1\td.md\ty\t1\n")}, "")
	want := []Mark{
		{"q", 2, "q1", Place{Path: "a.md"}, true}, {"q", 2, "q1", Place{Path: "b.md"}, true}, {"q", 2, "q1", Place{Path: "c.md", Anchor: "x"}, false},
		{"qrels", 1, "q1", Place{Path: "d.md", Anchor: "y"}, false},
	}
	if diff := cmp.Diff(want, p.Marks); diff != "" {
		t.Errorf("marks (-want +got):\n%s", diff)
	}
}

func TestParseRun(t *testing.T) {
	a, x, b := Place{Path: "a.md"}, Place{Path: "a.md", Anchor: "x"}, Place{Path: "b c.md"}
	for _, test := range []struct {
		name, text, fault string
		want              Run
	}{
		{"as it is written", "q1\t2\ta.md\tx\nq1\t1\ta.md\t-\nq2\t1\tb c.md\t\n", "", Run{"q1": {a, x}, "q2": {b}}},
		{"with scores", "q1\t1\ta.md\tx\t0.5\nq1\t2\ta.md\t-\t0.9\n", "", Run{"q1": {x, a}}},
		{"six columns that are not trec's", "q1\t1\ta.md\tx\t0.5\t7.1\nq1\t2\ta.md\t-\t0.9\t8\n", "", Run{"q1": {x, a}}},
		{"trec", "q1 Q0 a.md 2 0.5 kdd\nq1 Q0 a.md#x 1 0.9 kdd\n", "", Run{"q1": {x, a}}},
		{"trec, the score says", "q1 Q0 a.md 1 0.5 kdd\nq1 Q0 a.md#x 2 0.9 kdd\n", "", Run{"q1": {x, a}}},
		{"trec, equal scores", "q1 Q0 a.md 2 1 kdd\nq1 Q0 a.md#x 1 1 kdd\n", "", Run{"q1": {x, a}}},
		{"trec parted by tabs", "q1\tQ0\ta.md\t1\t0.5\tkdd\n", "", Run{"q1": {a}}},
		{"empty", "\n", "run: there is no answer in it", nil},
		{"trec, then five columns", "q1 Q0 a.md 1 0.5 kdd\nq1 Q0 a.md 2 0.4\n", "run:2: got 5 columns, want 6", nil},
		{"as it is written, the scores say otherwise", "q1\t2\ta.md\tx\t0.9\nq1\t1\ta.md\t-\t0.5\n", "", Run{"q1": {a, x}}},
		{"three columns", "q1\t1\ta.md\n", "", Run{"q1": {a}}},
		{"two columns", "q1\t1\n", "run:1: got 2 columns", nil},
		{"a rank that is none", "q1\tfirst\ta.md\t-\n", `run:1: rank: got "first", want a whole number`, nil},
		{"a score that is none", "q1 Q0 a.md 1 high kdd\n", `run:1: score: got "high", want a number`, nil},
		{"a score that is not a number", "q1 Q0 a.md 1 NaN kdd\n", `run:1: score: got "NaN", want a number`, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := ParseRun(File{"run", []byte(test.text)})
			if test.fault != "" {
				if err == nil || !strings.HasPrefix(err.Error(), test.fault) {
					t.Errorf("ParseRun = %v, want an error that begins with %q", err, test.fault)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("ParseRun (-want +got):\n%s", diff)
			}
		})
	}
}

// A run keeps what decides its metrics down to a depth, with the ranks that it had.
func TestRunWrite(t *testing.T) {
	run := Run{"q1": {{Path: "p0.md"}, {Path: "a.md"}, {Path: "a.md", Anchor: "x"}, {Path: "a.md", Anchor: "x"}, {Path: "b.md"}, {Path: "a.md", Anchor: "y"}, {Path: "c.md"}}}
	var b bytes.Buffer
	if err := run.Write(&b, []Question{{ID: "q1", Exclude: []string{"p0.md"}}}, 2); err != nil || b.String() != "q1\t2\ta.md\t-\nq1\t3\ta.md\tx\nq1\t5\tb.md\t-\n" {
		t.Errorf("Write to a depth of 2 = %v:\n%s", err, b.String())
	}
}

// A run that was written and is read again scores the same.
func TestRunRoundTrip(t *testing.T) {
	questions := []Question{{ID: "q1", Text: "one", Exclude: []string{"p0.md"}, Relevant: relevant("p3.md", "s1", 2, "p99.md", "", 1)}}
	run := Run{}
	for i := range 150 {
		path := "p" + string(rune('0'+i%10)) + ".md"
		if i > 40 {
			path = "p9" + string(rune('0'+i%10)) + ".md"
		}
		run["q1"] = append(run["q1"], Place{Path: path, Anchor: []string{"", "s1", "s2"}[i%3]})
	}
	var b bytes.Buffer
	if err := run.Write(&b, questions, DeepCutoff); err != nil {
		t.Fatal(err)
	}
	again, err := ParseRun(File{"run", b.Bytes()})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(Score(questions, run), Score(questions, again)); diff != "" {
		t.Errorf("scores of the run (-made +read):\n%s", diff)
	}
}

func TestParseGate(t *testing.T) {
	for _, test := range []struct{ text, group, level, metric, fault string }{
		{"nDCG@10=.76", "", "document", "nDCG@10", ""},
		{"ndcg@10=0", "", "document", "nDCG@10", ""},
		{"section.nDCG@10=.48", "", "section", "nDCG@10", ""},
		{"document.hit@1=1", "", "document", "hit@1", ""},
		{"easy.MRR@10=.9", "easy", "document", "MRR@10", ""},
		{"v1.2.section.recall@100=.9", "v1.2", "section", "recall@100", ""},
		{"a=b.recall@10=.5", "a=b", "document", "recall@10", ""},
		{"nDCG@10", "", "", "", `it has no "="`},
		{"nDCG@10=76", "", "", "", `got "76", want a number from 0 to 1`},
		{"nDCG@10=NaN", "", "", "", `got "NaN"`},
		{"nDCG@5=.7", "", "", "", `there is no metric "nDCG@5"; did you mean nDCG@10?`},
		{"=.7", "", "", "", `there is no metric ""`},
		{".hit@1=.7", "", "document", "hit@1", ""},
	} {
		t.Run(test.text, func(t *testing.T) {
			g, err := parseGate(test.text)
			if test.fault != "" {
				if err == nil || !strings.Contains(err.Error(), test.fault) {
					t.Errorf("ParseGate = %v, want an error with %q", err, test.fault)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if least, err := strconv.ParseFloat(test.text[strings.LastIndexByte(test.text, '=')+1:], 64); err != nil || g.Min != least || g.Text != test.text {
				t.Errorf("ParseGate = %+v, want at least %g", g, least)
			}
			if got := [3]string{g.Group, g.Level(), g.Metric.Name}; got != [3]string{test.group, test.level, test.metric} {
				t.Errorf("ParseGate = %q, want %q", got, [3]string{test.group, test.level, test.metric})
			}
		})
	}
}

func TestGroups(t *testing.T) {
	questions := []Question{{ID: "easy-1"}, {ID: "hard-1-2"}, {ID: "easy-2"}, {ID: "alone"}}
	g := groupBy(questions, func(q *Question) string { return Prefix(q.ID) })
	if diff := cmp.Diff([]string{"easy", "hard-1", "alone"}, g.Names); diff != "" {
		t.Errorf("groups (-want +got):\n%s", diff)
	}
	s := &Scored{Queries: []string{"easy-1", "hard-1-2", "easy-2"}, Metrics: []Metrics{{NDCG: 1}, {NDCG: .5}, {}}, First: []int{1, 2, 0}}
	if got := g.Select(s, "easy").Mean().NDCG; got != .5 {
		t.Errorf("mean of easy = %v, want .5", got)
	}
	if got := g.Select(s, ""); got != s {
		t.Errorf("Select of no group = %v, want all", got)
	}
}
