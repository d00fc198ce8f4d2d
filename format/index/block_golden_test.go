package index

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"kdd/format"

	"github.com/google/go-cmp/cmp"
)

func questionSet() *QuestionSet {
	return &QuestionSet{Name: "questions.tsv", Questions: []Question{
		{ID: "q1", Text: "how do I <log> in?", Group: "easy", Exclude: []string{"b.md"}, Relevant: []Relevant{{Place{"a.md", "go"}, 2}, {Place{Path: "c.md"}, 1}}},
		{ID: "q2", Text: "¿por qué?"},
	}}
}

// withGolden is an artifact that carries a question set.
func withGolden(t *testing.T, set *QuestionSet) []byte {
	t.Helper()
	c := tiny()
	b, err := GoldenBlock(set)
	if err != nil {
		t.Fatal(err)
	}
	c.Extra = append(c.Extra, b)
	return image(t, c)
}

func TestGolden(t *testing.T) {
	data := withGolden(t, questionSet())
	if problems, err := verifyBytes(data); err != nil || problems != nil {
		t.Fatalf("Verify = %v, %v, want none", problems, err)
	}
	f, err := format.OpenBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	x, err := New(f)
	if err != nil {
		t.Fatal(err)
	}
	got, err := x.Golden()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(questionSet(), got); diff != "" {
		t.Errorf("Golden (-want +got):\n%s", diff)
	}
	var out bytes.Buffer
	if err := dumpBytes(&out, data, format.DumpOptions{Block: "GOLD", Rows: 1}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`set "questions.tsv"`, `question 0, "q1": "how do I <log> in?"`, `  group "easy"`, `  "a.md" anchor "go" gain 2`, "# 1 more questions"} {
		if !strings.Contains(out.String(), want+"\n") {
			t.Errorf("Dump has no line %s:\n%s", want, out.String())
		}
	}
	plain, err := format.OpenBytes(image(t, tiny()))
	if err != nil {
		t.Fatal(err)
	}
	x, err = New(plain)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := x.Golden(); got != nil || err != nil {
		t.Errorf("Golden of a file without questions = %v, %v, want nil, nil", got, err)
	}
}

func TestGoldenCorrupt(t *testing.T) {
	good, err := json.Marshal(questionSet())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name, from, to string
		rows           uint64
		want           string
	}{
		{"no JSON", "{", "[", 2, "invalid character"},
		{"other rows", "", "", 3, "2 questions, the directory says 3"},
		{"no id", `"id":"q2"`, `"id":""`, 2, "question 1 has no id or no text"},
		{"no text", `"¿por qué?"`, `""`, 2, "question 1 has no id or no text"},
		{"twice", `"id":"q2"`, `"id":"q1"`, 2, `question "q1" is there twice`},
		{"no gain", `"gain":2`, `"gain":0`, 2, `question "q1": "a.md" with gain 0`},
		{"a huge gain", `"gain":2`, `"gain":9000000`, 2, "with gain 9000000"},
		{"no path", `"path":"c.md"`, `"path":""`, 2, `question "q1": "" with gain 1`},
		{"spaces", `"gain":2`, `"gain": 2`, 2, "not JSON in the writer's form"},
		{"another field", `"gain":2`, `"gain":2,"x":1`, 2, "not JSON in the writer's form"},
		{"not UTF-8", "por", "p\xffr", 2, "not JSON in the writer's form"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := parseGolden([]byte(strings.Replace(string(good), test.from, test.to, 1)), test.rows)
			if !errors.Is(err, format.ErrCorrupt) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("parseGolden = %v, want ErrCorrupt with %q", err, test.want)
			}
			c := tiny()
			c.Extra = []format.RawBlock{{Tag: TagGolden, Rows: test.rows, Data: []byte(strings.Replace(string(good), test.from, test.to, 1))}}
			problems, err := verifyBytes(image(t, c))
			if err != nil || len(problems) != 1 || problems[0].Block != "GOLD" {
				t.Errorf("Verify = %v, %v, want one problem of GOLD", problems, err)
			}
		})
	}
}

// FuzzGolden: what is accepted is what the writer writes.
func FuzzGolden(f *testing.F) {
	good, err := json.Marshal(questionSet())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good, uint64(2))
	f.Add([]byte(`{"name":"","questions":[]}`), uint64(0))
	f.Add([]byte(`{"name":"q","questions":[{"id":"1","text":"x","relevant":[{"path":"a","gain":1}]}]}`), uint64(1))
	f.Fuzz(func(t *testing.T, data []byte, rows uint64) {
		set, err := parseGolden(data, rows)
		if err != nil {
			if !errors.Is(err, format.ErrCorrupt) {
				t.Fatalf("parseGolden = %v, want ErrCorrupt", err)
			}
			return
		}
		b, err := GoldenBlock(set)
		if err != nil || !bytes.Equal(b.Data, data) || b.Rows != rows {
			t.Fatalf("%q is written as %q, %v", data, b.Data, err)
		}
	})
}
