package answers

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"kdd/bench/internal/harness"
)

// compiled compiles a folder and returns the artifact's path.
func compiled(t *testing.T, folder string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "docs.kddx")
	if err := harness.BuildWords(t.Context(), folder, path); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestEveryAnswerIsAsItHasToBe(t *testing.T) {
	t.Parallel()
	file := compiled(t, "../../../testdata/corpora/handbook")
	n := "24"
	if testing.Short() {
		n = "6"
	}
	var stdout, stderr bytes.Buffer
	if code := Run([]string{"-i", file, "-n", n, "-pages", "10"}, &stdout, &stderr); code != 0 {
		t.Errorf("run = %d: %s%s", code, stderr.String(), stdout.String())
	}
	for line := range strings.Lines(stdout.String()) {
		if f := strings.Fields(line); len(f) > 2 && f[2] == "0" {
			t.Errorf("no answer of %s", f[0])
		}
	}
}

func TestMadeCorpus(t *testing.T) {
	t.Parallel()
	var stdout, stderr bytes.Buffer
	if code := Run([]string{"-docs", "60", "-n", "3", "-pages", "5"}, &stdout, &stderr); code != 0 {
		t.Errorf("run = %d: %s%s", code, stderr.String(), stdout.String())
	}
	if code := Run([]string{"-docs", "20", "-tool", "kdd_list", "-call", "0"}, &stdout, &stderr); code != 0 || !strings.Contains(stdout.String(), "kdd_list valid\n{") {
		t.Errorf("run = %d: %s%s", code, stderr.String(), stdout.String())
	}
	for _, args := range [][]string{nil, {"-docs", "-1"}, {"-nosuch"}, {"-docs", "1", "more"}} {
		if code := Run(args, &stdout, &stderr); code != 2 {
			t.Errorf("run(%q) = %d, want 2", args, code)
		}
	}
	if code := Run([]string{"-i", filepath.Join(t.TempDir(), "none.kddx")}, &stdout, &stderr); code != 1 {
		t.Errorf("run of a file that is not there = %d, want 1", code)
	}
}

// The checks see what they are there to see.
func TestCheck(t *testing.T) {
	list := json.RawMessage(`{"type":"object","required":["documents"],"properties":{"documents":{"type":"array"}}}`)
	c, err := newChecker()
	if err != nil {
		t.Fatal(err)
	}
	short, err := resolve(list)
	if err != nil {
		t.Fatal(err)
	}
	c.schemas = map[string]*jsonschema.Resolved{"kdd_list": short, "": c.schemas[""]}
	text := func(s string) []struct{ Type, Text string } { return []struct{ Type, Text string }{{"text", s}} }
	failure := func(code string) *result {
		return &result{IsError: true, Content: text(`{"schema_version":"error.v1","code":"` + code + `","message":"m"}`)}
	}
	for _, tt := range []struct {
		name, tool string
		kind       kind
		args       string
		result     *result
		want       string // "" if nothing is wrong
	}{
		{"good", "kdd_list", valid, `{}`, &result{Content: text("a"), StructuredContent: json.RawMessage(`{"documents":[{"path":"a"}],"count":1}`)}, ""},
		{"no content", "kdd_list", valid, `{}`, &result{StructuredContent: json.RawMessage(`{"documents":[]}`)}, "its content is"},
		{"against its schema", "kdd_list", valid, `{}`, &result{Content: text("a"), StructuredContent: json.RawMessage(`{}`)}, "documents"},
		{"too large", "kdd_list", valid, `{"max_bytes":512}`, &result{Content: text("a"), StructuredContent: json.RawMessage(`{"documents":[],"a":"` + strings.Repeat("a", 600) + `"}`)}, "want at most 512"},
		{"text too large", "kdd_list", valid, `{}`, &result{Content: text(strings.Repeat("a", 5000)), StructuredContent: json.RawMessage(`{"documents":[]}`)}, "5000 of text"},
		{"wrong count", "kdd_list", valid, `{}`, &result{Content: text("a"), StructuredContent: json.RawMessage(`{"documents":[{}],"count":2}`)}, "count is 2 of 1"},
		{"no cursor in the text", "kdd_list", valid, `{}`, &result{Content: text("a"), StructuredContent: json.RawMessage(`{"documents":[],"truncated":true,"cursor":"xyz"}`)}, "lacks the cursor"},
		{"controls", "kdd_list", valid, `{}`, &result{Content: text("\x1b[31m"), StructuredContent: json.RawMessage(`{"documents":[]}`)}, "controls"},
		{"refused", "kdd_list", hostile, `{}`, failure("invalid_input"), ""},
		{"refused though valid", "kdd_list", valid, `{}`, failure("invalid_input"), "its error is"},
		{"a mistake of the program", "kdd_list", hostile, `{}`, failure("internal"), "its error is"},
		{"no error of the list", "kdd_list", hostile, `{}`, failure("oops"), "its error is"},
		{"an error that is none", "kdd_list", hostile, `{}`, &result{IsError: true, Content: text(`{}`)}, "its error: "},
		{"a reading", "kdd_read_section", valid, `{}`, &result{Content: text("a.md lines 1-2 (bytes 0-1 of 1); x:\na")}, ""},
		{"a reading too large", "kdd_read_section", valid, `{"max_bytes":512}`, &result{Content: text("a.md lines 1-2 (bytes 0-1 of 1); x:\n" + strings.Repeat("a", 513))}, "513 bytes of 512"},
	} {
		_, wrong := c.check(tt.tool, tt.kind, json.RawMessage(tt.args), tt.result)
		if got := strings.Join(wrong, "; "); tt.want == "" && got != "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: wrong is %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestWith(t *testing.T) {
	for in, want := range map[string]string{`{"a":1}`: `{"a":1,"cursor":"c"}`, `{"cursor":"b"}`: `{"cursor":"c"}`, `null`: `{"cursor":"c"}`, `"{\"a\":1}"`: `{"a":1,"cursor":"c"}`} {
		if got := string(with(json.RawMessage(in), "cursor", "c")); got != want {
			t.Errorf("with(%s) = %s, want %s", in, got, want)
		}
	}
}
