package runtime

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"testing"

	"kdd/compiler"
	"kdd/format/index"
	"kdd/runtime/eval"
	"kdd/runtime/wire"
)

// relevance reads the questions of the handbook.
func relevance(t *testing.T) *index.QuestionSet {
	t.Helper()
	var files [2]eval.File
	for i, name := range []string{"queries.tsv", "qrels.tsv"} {
		data, err := os.ReadFile(filepath.Join("..", "testdata", "relevance", "handbook", name))
		if err != nil {
			t.Fatal(err)
		}
		files[i] = eval.File{Name: name, Data: data}
	}
	p := eval.Parse(files[0], &files[1], "")
	if err := eval.Err(p.Faults); err != nil {
		t.Fatal(err)
	}
	return p.Set
}

// The report is the same at any number of processors, and its figures are those of the places that a search shows.
func TestEvalAgreesWithSearch(t *testing.T) {
	s := New(Config{Index: []string{corpus(t, "handbook")}})
	defer s.Close()
	set := relevance(t)
	var first string
	for _, processors := range []int{1, 4} {
		before := goruntime.GOMAXPROCS(processors)
		report, err := s.Eval(t.Context(), wire.EvalRequest{Questions: set, Group: "prefix", Worst: 5})
		goruntime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		text := withoutTimes(wire.Encode(report))
		if first == "" {
			first = text
		}
		if text != first {
			t.Errorf("with %d processors the report is\n%s\nwith one\n%s", processors, text, first)
		}
		run := eval.Run{}
		for _, q := range set.Questions {
			request := wire.SearchRequest{Query: q.Text, Limit: 100, Page: wire.Page{MaxBytes: -1}}
			for {
				resp, err := s.Search(t.Context(), request)
				if err != nil {
					t.Fatal(err)
				}
				for _, h := range resp.Results {
					run[q.ID] = append(run[q.ID], index.Place{Path: h.Path, Anchor: h.Anchor})
				}
				if request.Cursor = resp.Cursor; resp.Cursor == "" {
					break
				}
			}
		}
		want := eval.Score(set.Questions, run)
		for _, level := range eval.Levels {
			if got, want := rowOf(t, report, eval.SystemKDD, level.Name, ""), eval.Row(eval.SystemKDD, level.Name, "", level.Of(want)); got != want {
				t.Errorf("by %s: %+v, the search's places give %+v", level.Name, got, want)
			}
		}
	}
}

func rowOf(t *testing.T, report *wire.EvalReport, system, level, group string) wire.EvalRow {
	t.Helper()
	for _, r := range report.Rows {
		if r.System == system && r.Level == level && r.Group == group {
			return r
		}
	}
	t.Fatalf("no row of %s by %s in group %q", system, level, group)
	return wire.EvalRow{}
}

// A document that stands behind more sections of another than are asked for at first is found all the same.
func TestEvalDepth(t *testing.T) {
	dir := t.TempDir()
	var big strings.Builder
	big.WriteString("# Apple pie\n")
	for i := range eval.FirstHits + 100 {
		fmt.Fprintf(&big, "\n## Apple pie %d\n\nApple pie, apple pie.\n", i)
	}
	for name, text := range map[string]string{"big.md": big.String(), "small.md": "# Other\n\nIt has an apple somewhere between words of another kind.\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "pies.kddx")
	golden := &compiler.Golden{Set: &index.QuestionSet{Name: "pies", Questions: []index.Question{
		{ID: "q", Text: "apple pie", Relevant: []index.Relevant{{Place: index.Place{Path: "small.md"}, Gain: 1}}},
	}}}
	if _, err := compiler.Build(t.Context(), compiler.Options{Sources: []string{dir}, Output: path, NoVectors: true, Golden: golden}); err != nil {
		t.Fatal(err)
	}
	s := New(Config{Index: []string{path}})
	defer s.Close()
	report, err := s.Eval(t.Context(), wire.EvalRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if r := rowOf(t, report, eval.SystemKDD, "document", ""); r.Recall100 != 1 || r.MRR10 != .5 {
		t.Errorf("%+v, want the second of two documents found", r)
	}
}

func TestEvalErrors(t *testing.T) {
	one := New(Config{Index: []string{corpus(t, "handbook")}})
	defer one.Close()
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	late, stop := context.WithCancel(t.Context())
	defer stop()
	for _, test := range []struct {
		name string
		ctx  context.Context
		q    wire.EvalRequest
		code string
	}{
		{"no questions", t.Context(), wire.EvalRequest{}, wire.CodeNotFound},
		{"a group that is none", t.Context(), wire.EvalRequest{Group: "colour", Questions: relevance(t)}, wire.CodeInvalidInput},
		{"a mode that is none", t.Context(), wire.EvalRequest{Mode: "fast", Questions: relevance(t)}, wire.CodeInvalidInput},
		{"no vectors", t.Context(), wire.EvalRequest{Mode: "vector", Questions: relevance(t)}, wire.CodeNoVectors},
		{"another index", t.Context(), wire.EvalRequest{Sides: []wire.EvalSide{{Name: "a"}, {Name: "b", Index: "gone"}}, Questions: relevance(t)}, wire.CodeInvalidInput},
		{"stopped before", stopped, wire.EvalRequest{Questions: relevance(t)}, wire.CodeTimeout},
		{"stopped on the way", late, wire.EvalRequest{Questions: relevance(t), Progress: func(done, _ int) {
			if done == 3 {
				stop()
			}
		}}, wire.CodeTimeout},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := one.Eval(test.ctx, test.q)
			var wire *wire.Error
			if !errors.As(err, &wire) || wire.Code != test.code {
				t.Errorf("Eval = %v, want %s", err, test.code)
			}
		})
	}
}
