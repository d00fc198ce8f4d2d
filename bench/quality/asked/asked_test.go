package asked

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kdd/bench/internal/harness"
	"kdd/runtime/wire"
)

func TestParseQuestion(t *testing.T) {
	for _, test := range []struct {
		name, line, err string
	}{
		{"answerable", "a-1\ta\ten\thow-to\tx.md#y;z.md\tgit (push|pull)\thow?", ""},
		{"absent", "a-1\ta\ten\tabsent\t-\t-\thow?", ""},
		{"columns", "a-1\ta\ten\thow-to\tx.md#y\tgit push", "got 6 columns, want 7"},
		{"absent with a place", "a-1\ta\ten\tother-topic\tx.md\t-\thow?", "want - and -"},
		{"pattern", "a-1\ta\ten\tvalue\tx.md\t(\thow?", "missing closing )"},
		{"pattern of all", "a-1\ta\ten\tvalue\tx.md\t[0-9]*\thow?", "is met by an empty answer"},
		{"no pattern", "a-1\ta\ten\tvalue\tx.md\t-\thow?", "is met by an empty answer"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := parseQuestion(test.line)
			if (err != nil) != (test.err != "") || err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("parseQuestion(%q): got error %v, want one with %q", test.line, err, test.err)
			}
		})
	}
}

func TestJudge(t *testing.T) {
	const how, near = "a-1\ta\ten\thow-to\tx.md#y;z.md\t--force push\thow?", "a-2\ta\ten\tabsent\t-\t-\thow?"
	cite := func(path, anchor string) wire.AnswerResponse {
		return wire.AnswerResponse{Outcome: wire.OutcomeAnswered, Answer: "Push.",
			Citations: []wire.Citation{{Path: path, Anchor: anchor}}}
	}
	for _, test := range []struct {
		name, line string
		asked      wire.AnswerResponse
		want       verdict
		cost       float64
	}{
		{"meets the pattern", how,
			wire.AnswerResponse{Outcome: wire.OutcomeAnswered, Answer: "Use --force [1]\npush"}, right, 0},
		{"of the section", how, cite("x.md", "y"), place, 1},
		{"of the document", how, cite("z.md", "b"), place, 1},
		{"of another section", how, cite("x.md", "z"), wrong, 3},
		{"closest", how, wire.AnswerResponse{Outcome: wire.OutcomeClosest}, closest, 1},
		{"refused", how, wire.AnswerResponse{Outcome: wire.OutcomeRefused}, refused, 1.5},
		{"absent", near, wire.AnswerResponse{Outcome: wire.OutcomeAnswered, Answer: "Use --force push"}, wrong, 3},
		{"absent, closest", near, wire.AnswerResponse{Outcome: wire.OutcomeClosest}, closest, 0},
		{"absent, refused", near, wire.AnswerResponse{Outcome: wire.OutcomeRefused}, refused, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			q, err := parseQuestion(test.line)
			if err != nil {
				t.Fatal(err)
			}
			r := result{question: q, asked: &test.asked}
			r.judge()
			if got := costOf(r.verdict, &r.question); r.verdict != test.want || got != test.cost {
				t.Errorf("got %v of cost %v, want %v of %v", r.verdict, got, test.want, test.cost)
			}
		})
	}
}

// TestRun asks a source of two documents, in which one question has an answer.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	if err := harness.WriteFiles(dir, map[string]string{
		"docs/tokens.md": "# Tokens\n\n## Validity\n\nAccess tokens are valid for 15 minutes.\n",
		"docs/deploy.md": "# Deploy\n\nA deploy is approved by the release owner.\n",
		"s.tsv": "# id\n" +
			"s-1\ts\ten\tvalue\ttokens.md#validity\t15 minutes\thow long are access tokens valid\n" +
			"s-2\ts\ten\tother-topic\t-\t-\twhat do elephants eat\n",
		"lost.tsv": "s-1\ts\ten\tvalue\ttokens.md#nowhere\t15 minutes\thow long are access tokens valid\n",
	}); err != nil {
		t.Fatal(err)
	}
	if err := harness.BuildWords(t.Context(), path("docs"), path("s.kddx")); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (int, string, string) {
		var stdout, stderr strings.Builder
		code := Run(args, &stdout, &stderr)
		return code, stdout.String(), stderr.String()
	}
	code, said, _ := run("-questions", path("s.tsv"), "-keep", path("kept"), "s="+path("s.kddx"))
	for _, want := range []string{
		"| source | kind | questions | right | place | wrong | closest | refused | cost |",
		"| s | answerable | 1 | 1.00 | .00 | .00 | .00 | .00 | 0.00 |",
		"| s | other-topic | 1 | .00 | .00 | .00 | .00 | 1.00 | 0.00 |",
	} {
		if code != 0 || !strings.Contains(said, want) {
			t.Errorf("exit code %d, no %q in\n%s", code, want, said)
		}
	}
	if kept, err := os.ReadFile(path("kept")); err != nil || strings.Count(string(kept), "\n") != 3 ||
		!strings.Contains(string(kept), "s-1\tvalue\tright\ttrue\t") {
		t.Errorf("kept %q, %v", kept, err)
	}
	for _, test := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"-questions", path("lost.tsv"), "s=" + path("s.kddx")}, 1, `s-1: tokens.md has no section "nowhere"`},
		{[]string{"-questions", path("s.tsv"), "other=" + path("s.kddx")}, 2, `no question is of source "other"`},
		{[]string{"-questions", path("s.tsv"), path("s.kddx")}, 2, "want NAME=FILE.kddx"},
		{[]string{"-questions", path("s.tsv")}, 2, "Usage of asked"},
	} {
		if code, _, said := run(test.args...); code != test.code || !strings.Contains(said, test.want) {
			t.Errorf("Run(%q) = %d, says %q, want %d and %q", test.args, code, said, test.code, test.want)
		}
	}
}

// TestSources checks that the sources' questions are read, and how many of each kind their README counts.
func TestSources(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "testdata", "relevance", "sources", "*.tsv"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	readme, err := os.ReadFile(filepath.Join(filepath.Dir(files[0]), "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	ids, all := map[string]bool{}, 0
	for _, file := range files {
		list, err := readQuestions(file)
		if err != nil {
			t.Fatal(err)
		}
		source, none := strings.TrimSuffix(filepath.Base(file), ".tsv"), 0
		for _, q := range list {
			if q.source != source || !slices.Contains(kinds, q.kind) || ids[q.id] {
				t.Errorf("%s: %s of source %s and kind %s", file, q.id, q.source, q.kind)
			}
			if ids[q.id] = true; !q.answerable() {
				none++
			}
			if q.pattern != nil && q.pattern.MatchString(q.text) {
				t.Errorf("%s: the question meets the pattern %s", q.id, q.pattern)
			}
		}
		row := regexp.MustCompile(fmt.Sprintf(`(?m)^\| %s \|.*\| %d \| %d \|$`, source, len(list), none))
		if !row.Match(readme) {
			t.Errorf("README.md has no row of %s with %d questions, %d without an answer", source, len(list), none)
		}
		all += len(list)
	}
	if all != 1315 {
		t.Errorf("%d questions, want 1315", all)
	}
}
