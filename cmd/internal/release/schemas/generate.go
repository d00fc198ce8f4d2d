package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"kdd/cmd/internal/site"
	"kdd/compiler"
	"kdd/compiler/embedding/model"
	"kdd/compiler/publish/oci"
	publish "kdd/compiler/publish/parts"
	"kdd/format/parts"
	"kdd/mcpserver/remote"
	"kdd/runtime"
	"kdd/runtime/wire"
)

const draft = "https://json-schema.org/draft/2020-12/schema"

// responses are the shapes by their schema_version.
var responses = []struct {
	version string
	zero    any
}{
	{"search_response.v1", wire.SearchResponse{}},
	{"related_response.v1", wire.RelatedResponse{}},
	{"impact_response.v1", wire.ImpactResponse{}},
	{"similar_response.v1", wire.SimilarResponse{}},
	{"context_response.v1", wire.ContextResponse{}},
	{"graph.v1", wire.GraphResponse{}},
	{"lint_report.v1", wire.LintReport{}},
	{"eval_report.v1", wire.EvalReport{}},
	{"coverage_response.v1", wire.CoverageResponse{}},
	{"list_response.v1", wire.ListResponse{}},
	{"read.v1", wire.ReadResponse{}},
	{"answer.v1", wire.AnswerResponse{}},
	{"stats.v1", wire.StatsResponse{}},
	{"schema.v1", wire.SchemaResponse{}},
	{"doctor.v1", wire.DoctorResponse{}},
	{"remote_servers.v1", remote.ServerList{}},
	{"remote_tools.v1", remote.ToolList{}},
	{"remote_resources.v1", remote.ResourceList{}},
	{"remote_prompts.v1", remote.PromptList{}},
	{"remote_capabilities.v1", remote.Capabilities{}},
	{"remote_call.v1", remote.CallResult{}},
	{"remote_read.v1", remote.ReadResult{}},
	{"remote_prompt.v1", remote.PromptResult{}},
	{"feedback.v1", wire.FeedbackReceipt{}},
	{"feedback_stats.v1", wire.FeedbackStats{}},
	{"error.v1", wire.Error{}},
	{"verify_report.v1", wire.VerifyReport{}},
	{"provenance.v1", wire.Provenance{}},
	{"diff_report.v1", wire.DiffReport{}},
	{"lock_report.v1", wire.LockReport{}},
	{"build_report.v1", compiler.Report{}},
	{"reproduction.v1", compiler.Reproduction{}},
	{"check_report.v1", compiler.CheckReport{}},
	{"embed_report.v1", compiler.EmbedReport{}},
	{"site_report.v1", publish.Report{}},
	{"pages_report.v1", site.Report{}},
	{"parts.v1", parts.Manifest{}},
	{"model_list.v1", model.Listing{}},
	{"push_report.v1", oci.PushReport{}},
	{"pull_report.v1", oci.PullReport{}},
}

// folders hold the source of their types.
var folders = []string{"runtime/wire", "mcpserver/remote", "compiler", "compiler/diag", "compiler/embedding/model",
	"compiler/publish/oci", "compiler/publish/parts", "cmd/internal/site", "format/parts"}

// generate returns the schema files by name. The descriptions of responses are the comments in the module's source,
// which is at root.
func generate(root string) (map[string][]byte, error) {
	comments := map[string]string{}
	for _, folder := range folders {
		if err := readComments(comments, filepath.Join(root, folder)); err != nil {
			return nil, err
		}
	}
	files := map[string][]byte{}
	for _, r := range responses {
		t := reflect.TypeOf(r.zero)
		s, err := jsonschema.ForType(t, nil)
		if err != nil {
			return nil, err
		}
		tune(s, t, comments)
		s.Schema, s.Title, s.Description = draft, r.version, comments[named(t)]
		version := any(r.version)
		s.Properties["schema_version"].Const = &version
		files[r.version+".json"], err = indented(s)
		if err != nil {
			return nil, err
		}
	}
	for _, o := range runtime.Tools() {
		data, err := indented(input(&o))
		if err != nil {
			return nil, err
		}
		files[o.Tool+".input.json"] = data
	}
	return files, nil
}

func indented(v any) ([]byte, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	var plain bytes.Buffer
	if err := json.Indent(&plain, data, "", "  "); err != nil {
		return nil, err
	}
	unescape := strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&")
	return []byte(unescape.Replace(plain.String()) + "\n"), nil
}

// tune makes an inferred schema what the wire says: no nulls, room for later fields, descriptions.
func tune(s *jsonschema.Schema, t reflect.Type, comments map[string]string) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for _, name := range s.Types {
		if name != "null" {
			s.Type = name
		}
	}
	s.Types = nil
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		tune(s.Items, t.Elem(), comments)
	case reflect.Map:
		if s.AdditionalProperties != nil {
			tune(s.AdditionalProperties, t.Elem(), comments)
		}
	case reflect.Struct:
		s.AdditionalProperties = nil
		for _, f := range reflect.VisibleFields(t) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			p := s.Properties[name]
			if name == "" || p == nil {
				continue
			}
			tune(p, f.Type, comments)
			owner := t
			for _, i := range f.Index[:len(f.Index)-1] {
				if owner = owner.Field(i).Type; owner.Kind() == reflect.Pointer {
					owner = owner.Elem()
				}
			}
			if p.Description = comments[named(owner)+"."+f.Name]; p.Description == "" {
				p.Description = common[name]
			}
			if p.Type == "array" && p.Items != nil {
				p = p.Items
			}
			if values := enums[owner.Name()+"."+f.Name]; values != nil {
				p.Enum = values
			}
			if objects[owner.Name()+"."+f.Name] {
				p.Type = "object"
			}
		}
	}
}

// common are the descriptions of fields that mean the same wherever they are and have no comment of their own.
var common = map[string]string{
	"anchor":   "of the section; absent for the whole document",
	"distance": "edges away",
	"domain":   "of the document, from its front matter or folder",
	"found_by": "what in the text the edge was read from",
	"id":       "first 16 hex digits of the root hash",
	"index":    "name of the artifact, where several answer",
	"index_id": "first 16 hex digits of the root hash",
	"kind":     "of the document: requirement, adr, guide, ...",
	"language": "ISO 639-1",
	"lines":    "first and last, inclusive",
	"node_id":  "what kdd_related and kdd_impact take",
	"path":     "of the document, below the source folder; what kdd_read_section takes",
	"rank":     "from 1, best first",
	"relation": "edge type",
	"status":   "of the document, from its front matter",
	"tags":     "of the document",
	"url":      "where it can be opened",
}

// enums are the values of fields that have a closed set of them.
var enums = map[string][]any{
	"SearchResponse.Mode":          {"hybrid", "lexical", "vector"},
	"Hit.Type":                     {"ENTITY", "USE_CASE", "RULE", "PROCESS", "DEFAULT"},
	"Relative.Direction":           {"outgoing", "incoming"},
	"ContextItem.Group":            {"rule", "behaviour", "other"},
	"LintFinding.Severity":         {"error", "warning", "note"},
	"CoverageCategory.Status":      {"present", "missing"},
	"ArtifactCapabilities.Encoder": {"none", "distilled", "exact"},
	"ArtifactCapabilities.Modes":   {"lexical", "vector", "hybrid"},
	"ServerStatus.State":           {"ok", "failing", "disabled"},
	"ServerStatus.Transport":       {"stdio", "sse", "http"},
	"ArtifactStats.Encoder":        {"none", "distilled", "exact"},
}

// objects are the fields of Go type any that always hold an object. Hosts check that a schema says what a value is.
var objects = map[string]bool{
	"ToolSchema.Input":  true,
	"ToolSchema.Output": true, // each of the list
}

// readComments adds the comment of each type ("wire.Hit") and field ("wire.Hit.Path") of the package in folder, on
// one line.
func readComments(comments map[string]string, folder string) error {
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(names) == 0 {
		return fmt.Errorf("%s: no source files", folder)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, d := range file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range g.Specs {
				t, ok := spec.(*ast.TypeSpec)
				if !ok {
					continue
				}
				if struc, ok := t.Type.(*ast.StructType); ok {
					name := filepath.Base(folder) + "." + t.Name.Name
					comments[name] = oneLine(g.Doc.Text())
					for _, f := range struc.Fields.List {
						for _, n := range f.Names {
							comments[name+"."+n.Name] = oneLine(f.Doc.Text() + f.Comment.Text())
						}
					}
				}
			}
		}
	}
	return nil
}

// named returns the name of a type with its package's, as readComments has it.
func named(t reflect.Type) string { return path.Base(t.PkgPath()) + "." + t.Name() }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

var commandLineOnly = regexp.MustCompile(` \(on the command line[^)]*\)`)

// input returns the schema of an operation's arguments. Unknown ones are allowed: Operation.Run refuses them with a
// better message than a validator has.
func input(o *runtime.Operation) *jsonschema.Schema {
	s := &jsonschema.Schema{Schema: draft, Title: o.Tool, Type: "object", Properties: map[string]*jsonschema.Schema{}}
	for i := range o.Params {
		p := &o.Params[i]
		s.Properties[p.Name] = parameter(p)
		s.PropertyOrder = append(s.PropertyOrder, p.Name)
		if p.Required {
			s.Required = append(s.Required, p.Name)
		}
	}
	for _, example := range o.Examples {
		s.Examples = append(s.Examples, example)
	}
	return s
}

func parameter(p *runtime.Param) *jsonschema.Schema {
	text := func() *jsonschema.Schema {
		s := &jsonschema.Schema{Type: "string"}
		for _, v := range p.Enum {
			s.Enum = append(s.Enum, v)
		}
		return s
	}
	var s *jsonschema.Schema
	switch p.Type {
	case runtime.IntParam, runtime.NumberParam:
		s = &jsonschema.Schema{Type: "integer", Minimum: &p.Min, Maximum: &p.Max}
		if p.Type == runtime.NumberParam {
			s.Type = "number"
		}
	case runtime.BoolParam:
		s = &jsonschema.Schema{Type: "boolean"}
	case runtime.StringsParam:
		s = &jsonschema.Schema{Type: "array", Items: text()}
	case runtime.WhereParam:
		list := &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "string"}}
		s = &jsonschema.Schema{Type: "object", AdditionalProperties: list}
	default:
		s = text()
	}
	s.Description = commandLineOnly.ReplaceAllString(p.Help, "")
	s.Examples = p.Examples
	if p.Default != nil {
		if data, err := json.Marshal(p.Default); err == nil {
			s.Default = data
		}
	}
	return s
}
