package answers

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"kdd/runtime"
	"kdd/runtime/wire"
)

// expected are the codes that a whole artifact may answer arguments with.
var expected = []string{wire.CodeInvalidInput, wire.CodeNotFound, wire.CodeNoVectors, wire.CodeNoModel, wire.CodeStaleCursor, wire.CodeTooLarge}

// expectedOfValid are those that remain where the arguments are what the tool asks for.
var expectedOfValid = []string{wire.CodeNotFound, wire.CodeNoVectors, wire.CodeNoModel}

// goOn is how the first line of a reading says where it goes on.
var goOn = regexp.MustCompile(`, continue with offset (\d+)\)`)

// identity names, for each list in an answer that pages go through, the fields by which its items differ.
var identity = map[string][]string{
	"results": {"index", "url"}, "documents": {"index", "path"}, "related": {"index", "node_id", "relation", "direction"},
	"direct": {"index", "node_id"}, "transitive": {"index", "node_id"}, "scenarios": {"index", "node_id"},
	"findings": {"index", "rule", "path", "line", "col", "fingerprint"}, "categories": {"name", "relation"}, "checks": {"name", "index"}, "tools": {"name"},
}

// checker knows what the answers of each tool have to be.
type checker struct {
	schemas map[string]*jsonschema.Resolved // by tool; of error.v1 under ""
}

func resolve(data json.RawMessage) (*jsonschema.Resolved, error) {
	var s jsonschema.Schema
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, err
	}
	return s.Resolve(nil)
}

// newChecker takes the schemas as kdd_schema shows them: hosts list shorter ones, and not every tool.
func newChecker() (*checker, error) {
	svc := runtime.New(runtime.Config{})
	defer svc.Close()
	c := &checker{schemas: map[string]*jsonschema.Resolved{}}
	take := func(tool, shownAs string) error {
		shown, err := svc.Schema(context.Background(), wire.SchemaRequest{Tool: shownAs, Page: wire.Page{MaxBytes: -1}})
		if err != nil || len(shown.Tools) != 1 {
			return fmt.Errorf("no schema of %s: %w", shownAs, err)
		}
		data, err := json.Marshal(map[string]any{"anyOf": shown.Tools[0].Output})
		if err != nil {
			return err
		}
		c.schemas[tool], err = resolve(data)
		return err
	}
	for _, o := range runtime.Tools() {
		if o.Prose {
			continue
		}
		if err := take(o.Tool, o.Tool); err != nil {
			return nil, err
		}
	}
	return c, take("", "error.v1")
}

// answer is what an answer says of itself.
type answer struct {
	code      string   // of the error, "" for none
	items     []string // of its lists, by what they are
	ranks     []int
	cursor    string
	truncated bool
	next      int // offset that a reading goes on at
	markdown  string
	warnings  []string
}

// check returns what an answer says, and what is wrong with it.
func (c *checker) check(name string, k kind, arguments json.RawMessage, r *result) (answer, []string) {
	var a answer
	var wrong []string
	fail := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	if len(r.Content) != 1 || r.Content[0].Type != "text" || !utf8.ValidString(r.Content[0].Text) {
		fail("its content is %.200v", r.Content)
		return a, wrong
	}
	text := r.Content[0].Text
	if wire.CleanLines(text) != text {
		fail("its text has controls: %.200q", text)
	}
	if r.IsError {
		var e wire.Error
		if err := c.valid("", []byte(text)); err != nil {
			fail("its error: %v", err)
		}
		_ = json.Unmarshal([]byte(text), &e) // valid said so already
		a.code = e.Code
		allowed := expected
		if k == valid {
			allowed = expectedOfValid
		}
		if !slices.Contains(allowed, e.Code) {
			fail("its error is %.300s", text)
		}
		if len(text) > 4096 || r.StructuredContent != nil {
			fail("its error has %d bytes, and %d of structured content", len(text), len(r.StructuredContent))
		}
		return a, wrong
	}
	budget, limit := budgets(name, arguments)
	switch name {
	case "kdd_read_section":
		header, markdown, _ := strings.Cut(text, "\n")
		a.markdown = markdown
		if m := goOn.FindStringSubmatch(header); m != nil {
			a.next, _ = strconv.Atoi(m[1])
		}
		if len(markdown) > budget || !strings.Contains(header, " lines ") || r.StructuredContent != nil {
			fail("its header is %q, before %d bytes of %d", header, len(markdown), budget)
		}
		return a, wrong
	case "kdd_inspect":
		if len(text) > limit || r.StructuredContent != nil {
			fail("it has %d bytes of %d: %s", len(text), limit, text)
		}
		return a, wrong
	case "kdd_ask":
		answered := strings.Contains(text, "\noutcome answered, ")
		if len(text) > budget || r.StructuredContent != nil || strings.Contains(text, "\n[1] ") != answered {
			fail("it has %d bytes of %d: %s", len(text), budget, text)
		}
		return a, wrong
	}
	data := r.StructuredContent
	if err := c.valid(name, data); err != nil {
		fail("%v", err)
		return a, wrong
	}
	if len(data) > limit || len(text) > limit {
		fail("it has %d bytes of JSON and %d of text, want at most %d", len(data), len(text), limit)
	}
	if !bytes.Equal(wire.CleanJSON(bytes.Clone(data)), data) {
		fail("its JSON has controls")
	}
	a.read(data, fail)
	if a.cursor != "" && !strings.Contains(text, a.cursor) {
		fail("its text lacks the cursor")
	}
	return a, wrong
}

// valid validates JSON against the schema of a tool.
func (c *checker) valid(name string, data []byte) error {
	var decoded any
	if err := json.Unmarshal(data, &decoded); err != nil {
		return fmt.Errorf("no JSON: %w: %.200s", err, data)
	}
	s := c.schemas[name]
	if s == nil {
		return fmt.Errorf("structured content of a tool without an output schema: %.200s", data)
	}
	return s.Validate(decoded)
}

// budgets returns how large the text that an answer quotes may be, and the answer.
func budgets(name string, arguments json.RawMessage) (text, all int) {
	var given struct {
		MaxBytes  json.Number `json:"max_bytes"`
		MaxTokens json.Number `json:"max_tokens"`
	}
	var inner string
	if json.Unmarshal(arguments, &inner) == nil {
		arguments = json.RawMessage(inner)
	}
	_ = json.Unmarshal(arguments, &given) // what is no number has been refused, or is the default
	number := func(n json.Number, otherwise int) int {
		if f, err := n.Float64(); err == nil && f >= 1 {
			return int(f)
		}
		return otherwise
	}
	switch name {
	case "kdd_context": // its budget is of text, in tokens; around each piece stand its place and way
		n := 8*number(given.MaxTokens, 4000) + 8192
		return n, n
	case "kdd_read_section":
		return number(given.MaxBytes, 16384), 0
	}
	n := number(given.MaxBytes, 4096)
	return n, n
}

// read takes from an answer what pages are checked by.
func (a *answer) read(data json.RawMessage, fail func(string, ...any)) {
	var fields map[string]json.RawMessage
	var head struct {
		Cursor    string
		Truncated bool
		Count     *int
		Warnings  []string
		Tokens    int
		MaxTokens int `json:"max_tokens"`
	}
	if err := json.Unmarshal(data, &fields); err != nil {
		fail("%v", err)
	}
	if err := json.Unmarshal(data, &head); err != nil {
		fail("%v", err)
	}
	a.cursor, a.truncated, a.warnings = head.Cursor, head.Truncated, head.Warnings
	for _, name := range []string{"results", "documents", "related", "direct", "transitive", "scenarios", "findings", "categories", "checks", "tools"} {
		if fields[name] == nil {
			continue
		}
		var items []map[string]any
		if err := json.Unmarshal(fields[name], &items); err != nil {
			fail("%s: %v", name, err)
		}
		for _, item := range items {
			key := name
			for _, f := range identity[name] {
				key += fmt.Sprintf(" %v", item[f])
			}
			a.items = append(a.items, key)
			if rank, ok := item["rank"].(float64); ok {
				a.ranks = append(a.ranks, int(rank))
			}
		}
	}
	if head.Count != nil && *head.Count != len(a.items) {
		fail("count is %d of %d items", *head.Count, len(a.items))
	}
	if a.cursor != "" && !a.truncated {
		fail("a cursor, and not truncated")
	}
	if head.Tokens > head.MaxTokens {
		fail("%d tokens of %d", head.Tokens, head.MaxTokens)
	}
}
