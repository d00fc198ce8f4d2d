package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"kdd/compiler/embedding/model"
	"kdd/mcpserver/remote"
	"kdd/runtime"
	"kdd/runtime/wire"
)

// folder is that of the schemas.
const folder = "../../../../runtime/wire/schema/"

func TestSchemasAreCurrent(t *testing.T) {
	want, err := generate("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	have, err := filepath.Glob(folder + "*.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range have {
		if want[filepath.Base(file)] == nil {
			t.Errorf("%s is generated no more: remove it", file)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(want)) {
		got, err := os.ReadFile(folder + name)
		if err != nil || !bytes.Equal(got, want[name]) {
			t.Errorf("%s is not current (%v): run go generate ./runtime/wire/schema", name, err)
		}
	}
}

func TestSchemasAreTuned(t *testing.T) {
	schemas, err := generate("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range schemas {
		if strings.Contains(string(data), `"null"`) {
			t.Errorf("%s allows null", name)
		}
		if strings.Contains(string(data), `"additionalProperties": false`) || strings.Contains(string(data), `"not": {}`) {
			t.Errorf("%s forbids other properties", name)
		}
		var s jsonschema.Schema
		if err := json.Unmarshal(data, &s); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for property, p := range s.Properties {
			if p.Description == "" && property != "schema_version" {
				t.Errorf("%s: %s has no description", name, property)
			}
		}
	}
}

// A host that is strict about schemas refuses a tool one of whose values may be anything.
func TestToolsSayWhatEachValueIs(t *testing.T) {
	schemas, err := generate("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range runtime.Tools() {
		names := []string{o.Tool + ".input"}
		for _, response := range append([]any{o.Response}, o.Also...) {
			names = append(names, wire.SchemaVersion(response))
		}
		for _, name := range names {
			var s jsonschema.Schema
			if err := json.Unmarshal(schemas[name+".json"], &s); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			walkValues(&s, name, func(s *jsonschema.Schema, path string) {
				if s.Type == "" && s.Const == nil && s.Enum == nil {
					t.Errorf("%s may be anything", path)
				}
			})
		}
	}
}

// walkValues visits a schema and those of its properties and items.
func walkValues(s *jsonschema.Schema, path string, visit func(*jsonschema.Schema, string)) {
	visit(s, path)
	for name, p := range s.Properties {
		walkValues(p, path+"."+name, visit)
	}
	if s.Items != nil {
		walkValues(s.Items, path+".items", visit)
	}
}

func TestInputSchemasAcceptTheExamples(t *testing.T) {
	schemas, err := generate("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range runtime.Tools() {
		var s jsonschema.Schema
		if err := json.Unmarshal(schemas[o.Tool+".input.json"], &s); err != nil {
			t.Fatal(err)
		}
		resolved, err := s.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, example := range s.Examples {
			if err := resolved.Validate(example); err != nil {
				t.Errorf("%s: example %v: %v", o.Tool, example, err)
			}
		}
		if err := resolved.Validate(map[string]any{"query": "x", "name": "x", "entity": "x", "file": "x", "hints": []any{"x"}, "what": "stats", "other": 1}); err != nil {
			t.Errorf("%s: unknown arguments: %v", o.Tool, err)
		}
	}
}

func TestResponseSchemasTakeWhatEncodeGives(t *testing.T) {
	schemas, err := generate("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	search := &wire.SearchResponse{Envelope: wire.Envelope{SchemaVersion: "search_response.v1"}, Mode: "lexical", Results: []wire.Hit{{Type: "RULE", Explain: &wire.Explain{}}, {Type: "ENTITY"}}}
	wire.FitSearch(search, wire.Budget{Bytes: -1})
	related := &wire.RelatedResponse{Envelope: wire.Envelope{SchemaVersion: "related_response.v1"}, Related: []wire.Relative{{Direction: "incoming"}}}
	wire.FitRelated(related, wire.Budget{Bytes: -1})
	list := &wire.ListResponse{Envelope: wire.Envelope{SchemaVersion: "list_response.v1"}}
	wire.FitList(list, wire.Budget{Bytes: -1})
	stats := &wire.StatsResponse{Envelope: wire.Envelope{SchemaVersion: "stats.v1"}, Artifacts: []wire.ArtifactStats{{Encoder: "none", Model: &wire.ModelStats{}}}}
	wire.FitStats(stats, wire.Budget{Bytes: -1})
	for version, answer := range map[string]any{"search_response.v1": search, "related_response.v1": related, "list_response.v1": list, "stats.v1": stats,
		"read.v1": &wire.ReadResponse{Envelope: wire.Envelope{SchemaVersion: "read.v1"}}, "error.v1": wire.NewError(wire.CodeInternal, "m", "h").With("field", 1),
		"remote_tools.v1": &remote.ToolList{SchemaVersion: "remote_tools.v1", Servers: []remote.ServerStatus{{State: "ok", Transport: "sse"}},
			Tools: []remote.Tool{{Name: "a", InputSchema: map[string]any{"type": "object"}}, {Name: "b"}}},
		"remote_call.v1": &remote.CallResult{SchemaVersion: "remote_call.v1", Content: []remote.Content{{Type: "image", Data: "AAECAw=="}}, StructuredContent: []any{1}},
		"model_list.v1":  &model.Listing{SchemaVersion: "model_list.v1", Models: []model.Kept{{Path: "p", Info: &model.Info{Languages: []string{}, Files: []model.File{}}}}},
	} {
		var s jsonschema.Schema
		if err := json.Unmarshal(schemas[version+".json"], &s); err != nil {
			t.Fatal(err)
		}
		resolved, err := s.Resolve(nil)
		if err != nil {
			t.Fatal(err)
		}
		var decoded map[string]any
		if err := json.Unmarshal(wire.Encode(answer), &decoded); err != nil {
			t.Fatal(err)
		}
		if err := resolved.Validate(decoded); err != nil {
			t.Errorf("%s: %v", version, err)
		}
		delete(decoded, "schema_version")
		if resolved.Validate(decoded) == nil {
			t.Errorf("%s: takes an answer without schema_version", version)
		}
	}
}
