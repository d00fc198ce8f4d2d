package web

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// described checks answers against the document of /openapi.json.
type described struct {
	document object
	schemas  map[string]*jsonschema.Resolved // by path, method and status
}

// answer fails the test unless the document has a response of that status, and for JSON a schema that the body is valid
// by.
func (d *described) answer(t *testing.T, method, path string, status int, kind, body string) {
	t.Helper()
	operation, _ := d.document["paths"].(object)[path].(object)[method].(object)
	responses, _ := operation["responses"].(object)
	response, ok := responses[fmt.Sprint(status)].(object)
	if !ok {
		t.Errorf("%s %s answers %d, which is not described: %.300s", method, path, status, body)
		return
	}
	kind, _, _ = strings.Cut(kind, ";")
	content, _ := response["content"].(object)
	media, ok := content[kind].(object)
	if !ok {
		t.Errorf("%s %s answers %d as %q, which is not described", method, path, status, kind)
		return
	}
	if kind != "application/json" {
		return
	}
	key := fmt.Sprint(method, path, status)
	if d.schemas[key] == nil {
		if d.schemas[key] = resolvedSchema(t, d.document, media["schema"]); d.schemas[key] == nil {
			t.FailNow()
		}
	}
	var v any
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Errorf("%s %s: %v", method, path, err)
	} else if err := d.schemas[key].Validate(v); err != nil {
		t.Errorf("%s %s, %d: %v\n%.500s", method, path, status, err, body)
	}
}

// values are those that a parameter is tried with: what it takes, its bounds, and nonsense.
func values(parameter object) []string {
	schema := parameter["schema"].(object)
	list := []string{"nonsense", ""}
	if items, ok := schema["items"].(object); ok {
		schema = items
	}
	allowed, _ := schema["enum"].([]any)
	for _, v := range append(allowed, schema["minimum"], schema["maximum"]) {
		if v != nil {
			list = append(list, fmt.Sprint(v))
		}
	}
	switch schema["type"] {
	case "boolean":
		list = append(list, "true", "false")
	case "integer", "number":
		list = append(list, "2", "-1")
	}
	return append(list, map[string][]string{
		"query": {"how long is an access token valid", "token", "who won the world cup", "\"a"}, "name": {"ADR-0004"}, "entity": {"RF-AUTH-001"}, "node": {"RF-AUTH-001"},
		"hints": {"RF-AUTH-001"}, "file": {"security/auth.md", "security/auth.md#refresh"}, "tool": {"kdd_search", "error.v1"}, "where": {"owner=ana"}, "since": {"2024-01-01"},
		"path_glob": {"security/**", "a["},
	}[parameter["name"].(string)]...)
}

// closed makes the schemas of a document turn down fields that they do not name.
func closed(v any) {
	switch v := v.(type) {
	case object:
		if _, named := v["properties"].(object); named && v["additionalProperties"] == nil {
			v["additionalProperties"] = false
		}
		for _, below := range v {
			closed(below)
		}
	case []any:
		for _, below := range v {
			closed(below)
		}
	}
}

// What is answered to every parameter of every operation, to every tool and to feedback is what the description says:
// the status, the kind and the schema, whose fields are all that there are.
func TestAnswersAreAsDescribed(t *testing.T) {
	log, _ := openLog(t)
	base, _ := started(t, Options{Feedback: log, CacheBytes: 1 << 20})
	_, _, text := get(t, base+"/openapi.json")
	d := &described{schemas: map[string]*jsonschema.Resolved{}}
	if err := json.Unmarshal([]byte(text), &d.document); err != nil {
		t.Fatal(err)
	}
	closed(d.document)
	asked := 0
	ask := func(path string, query url.Values) {
		t.Helper()
		asked++
		status, h, body := get(t, base+path+"?"+query.Encode())
		d.answer(t, "get", path, status, h.Get("Content-Type"), body)
	}
	for path, item := range d.document["paths"].(object) {
		operation, ok := item.(object)["get"].(object)
		if !ok {
			continue
		}
		ask(path, nil)
		parameters, _ := operation["parameters"].([]any)
		parameters = slices.DeleteFunc(slices.Clone(parameters), func(p any) bool { return p.(object)["in"] != "query" })
		bases := []url.Values{{}}
		for _, p := range parameters {
			if p := p.(object); p["required"] == true {
				bases = nil
				for _, v := range values(p) {
					bases = append(bases, url.Values{p["name"].(string): {v}})
				}
			}
		}
		for _, b := range bases {
			ask(path, b)
		}
		for _, p := range parameters {
			p := p.(object)
			for _, v := range values(p) {
				query := url.Values{p["name"].(string): {v}}
				for name, value := range bases[len(bases)-1] {
					if query.Get(name) == "" {
						query[name] = value
					}
				}
				ask(path, query)
			}
		}
	}
	if asked < 300 {
		t.Errorf("%d requests, want hundreds", asked)
	}
	post := func(path, body string, header ...string) {
		t.Helper()
		status, h, got := send(t, "POST", base+path, body, append([]string{"Content-Type", "application/json"}, header...)...)
		d.answer(t, "post", path, status, h.Get("Content-Type"), got)
	}
	calls := []string{"", "{}", "[]", `{"tool_name":5}`, `{"name":"kdd_list","arguments":[]}`, strings.Repeat("x", smallBody+1)}
	for _, tool := range (&Server{}).toolNames() {
		for _, arguments := range []string{`{}`, `{"query":"token","name":"ADR-0004","entity":"RF-AUTH-001","hints":["RF-AUTH-001"],"file":"security/auth.md","include_sources":false,"session_id":"s"}`,
			`{"query":"zzyzx","entity":"zzyzx","file":"zzyzx","limit":"many"}`} {
			calls = append(calls, callBody(tool, arguments))
		}
	}
	for _, body := range calls {
		post("/api/v1/mcp/tools/call", body)
	}
	post("/api/v2/mcp/tools/call", callBody("generate_rag_answer", `{"query":"token"}`), "Accept", "text/event-stream")
	post("/api/v1/mcp/tools/call", "{}", "Content-Type", "text/plain")
	for _, body := range []string{"{}", "[]", `{"query":"q","rating":"positive"}`, `{"query":"q","rating":"positive"}`, `{"query":"q","rating":"so so"}`, `{"query":"q","rating":"positive","confidence":"much"}`} {
		post("/api/v1/feedback", body)
	}
}

// Generators of clients leave out a schema with a list of nothing in particular, and linters want to be told that no
// token is needed.
func TestDescriptionIsComplete(t *testing.T) {
	base, _ := started(t, Options{})
	_, _, text := get(t, base+"/openapi.json")
	var document object
	if err := json.Unmarshal([]byte(text), &document); err != nil {
		t.Fatal(err)
	}
	var lists func(place string, v any)
	lists = func(place string, v any) {
		switch v := v.(type) {
		case object:
			if v["type"] == "array" && v["items"] == nil {
				t.Errorf("%s: a list without items", place)
			}
			for name, below := range v {
				lists(place+"/"+name, below)
			}
		case []any:
			for i, below := range v {
				lists(fmt.Sprint(place, "/", i), below)
			}
		}
	}
	lists("#", document)
	for path, item := range document["paths"].(object) {
		operation, _ := item.(object)["get"].(object)
		parameters, _ := operation["parameters"].([]any)
		for _, p := range parameters {
			p := p.(object)
			value := p["schema"].(object)
			if items, ok := value["items"].(object); ok {
				value = items
			}
			if p["required"] == true && value["minLength"] != 1. {
				t.Errorf("%s: %s is required and may be empty", path, p["name"])
			}
		}
	}
	if security, ok := document["security"].([]any); !ok || len(security) != 0 {
		t.Errorf("security = %v, want an empty list", document["security"])
	}
}
