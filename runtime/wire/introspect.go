package wire

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
)

// SchemaRequest asks what this build and these artifacts can do.
type SchemaRequest struct {
	Tool string `json:"tool,omitempty"` // a tool, command or schema_version to show in full
	Page
}

// SchemaResponse is schema.v1.
type SchemaResponse struct {
	Envelope
	Version       string                 `json:"version,omitempty"` // of the program
	FormatVersion int                    `json:"format_version"`    // of artifacts that it reads
	Analyzer      int                    `json:"analyzer"`          // version of what cuts text into words
	Formats       []string               `json:"formats,omitempty"` // that the command line prints answers in
	Errors        []string               `json:"errors,omitempty"`  // the codes of error.v1
	Artifacts     []ArtifactCapabilities `json:"artifacts"`         // that are open; none where none is found
	Tools         []ToolSchema           `json:"tools"`             // tools, then schemas that belong to none
	Count         int                    `json:"count"`             // how many of them are here
	Rest
}

// ArtifactCapabilities says what one artifact can be asked.
type ArtifactCapabilities struct {
	Name      string   `json:"name"`
	IndexID   string   `json:"index_id"`
	Modes     []string `json:"modes"`           // of search: lexical, vector, hybrid
	Encoder   string   `json:"encoder"`         // of queries: none, distilled, exact
	Model     string   `json:"model,omitempty"` // document encoder
	Dim       int      `json:"dim,omitempty"`   // of its vectors
	Documents int      `json:"documents"`
	Chunks    int      `json:"chunks"`
	Edges     int      `json:"edges"`
	FileBytes int64    `json:"file_bytes"`
}

// ToolSchema describes one tool.
type ToolSchema struct {
	Name     string           `json:"name"`               // of the tool, or of a schema that belongs to none
	Command  string           `json:"command,omitempty"`  // its name on the command line
	Summary  string           `json:"summary,omitempty"`  // what it is for
	Answers  []string         `json:"answers,omitempty"`  // schema_version of what it answers
	Examples []map[string]any `json:"examples,omitempty"` // arguments; all where the tool is named
	Input    any              `json:"input,omitempty"`    // JSON Schema of its arguments, where the tool is named
	Output   []any            `json:"output,omitempty"`   // JSON Schema of each answer, where the tool is named
}

// schemaVersions has the schema_version of each answer.
var schemaVersions = map[reflect.Type]string{
	reflect.TypeFor[SearchResponse]():   "search_response.v1",
	reflect.TypeFor[RelatedResponse]():  "related_response.v1",
	reflect.TypeFor[SimilarResponse]():  "similar_response.v1",
	reflect.TypeFor[ImpactResponse]():   "impact_response.v1",
	reflect.TypeFor[ContextResponse]():  "context_response.v1",
	reflect.TypeFor[GraphResponse]():    "graph.v1",
	reflect.TypeFor[LintReport]():       "lint_report.v1",
	reflect.TypeFor[CoverageResponse](): "coverage_response.v1",
	reflect.TypeFor[ListResponse]():     "list_response.v1",
	reflect.TypeFor[ReadResponse]():     "read.v1",
	reflect.TypeFor[AnswerResponse]():   "answer.v1",
	reflect.TypeFor[StatsResponse]():    "stats.v1",
	reflect.TypeFor[EvalReport]():       "eval_report.v1",
	reflect.TypeFor[SchemaResponse]():   "schema.v1",
	reflect.TypeFor[DoctorResponse]():   "doctor.v1",
	reflect.TypeFor[Error]():            "error.v1",
}

// SchemaVersion returns the schema_version of an answer's type, of which response is a zero value; "" for other types.
func SchemaVersion(response any) string { return schemaVersions[reflect.TypeOf(response)] }

// Codes returns the codes of error.v1.
func Codes() []string {
	return []string{CodeInvalidInput, CodeNotFound, CodeIndexNotFound, CodeIndexCorrupt, CodeIndexVersion, CodeIndexUntrusted, CodeNoVectors, CodeNoModel,
		CodeStaleCursor, CodeStaleIndex, CodeTimeout, CodeTooLarge, CodeUnauthorized, CodeRateLimited, CodeIO, CodeInternal}
}

// FitSchema cuts tools to a budget, as FitSearch cuts hits. One tool that is too large by itself loses the descriptions
// of its output, then the output, then the same of its input; a warning says how many bytes the whole takes.
func FitSchema(resp *SchemaResponse, b Budget) {
	limit := cmp.Or(b.Bytes, DefaultMaxBytes)
	if limit > 0 && limit < 2048 { // the tools are what was asked for
		resp.Formats, resp.Errors = nil, nil
	}
	if len(resp.Tools) == 1 && limit > 0 {
		time := resp.TimeMS
		resp.TimeMS = widestTime
		if n := len(Encode(resp)); n > limit {
			resp.Warnings = append(resp.Warnings, fmt.Sprintf("the whole takes max_bytes %d", n))
		}
		resp.TimeMS = time
	}
	p := paged[ToolSchema]{
		answer: resp, envelope: &resp.Envelope, rest: &resp.Rest, count: &resp.Count, what: "a tool", items: &resp.Tools,
		prepare: func(*ToolSchema) {},
		shorten: func(t *ToolSchema, n int) {
			switch n {
			case 1:
				for i := range t.Output {
					t.Output[i] = withoutDescriptions(t.Output[i])
				}
			case 2:
				t.Output = nil
			case 3:
				t.Input = withoutDescriptions(t.Input)
			case 4:
				t.Input = nil
				resp.Artifacts = resp.Artifacts[:min(1, len(resp.Artifacts))]
			case 5:
				t.Examples, t.Summary = nil, ""
				resp.Artifacts, resp.Formats, resp.Errors = []ArtifactCapabilities{}, nil, nil
			}
		},
	}
	if resp.Artifacts == nil {
		resp.Artifacts = []ArtifactCapabilities{}
	}
	for i := range resp.Artifacts {
		a := &resp.Artifacts[i]
		a.Name, a.Model = Clean(a.Name), Clean(a.Model)
	}
	p.fit(b)
}

// withoutDescriptions returns a JSON Schema without the texts that only people read.
func withoutDescriptions(schema any) any {
	raw, ok := schema.(json.RawMessage)
	if !ok {
		return schema
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return schema
	}
	var strip func(v any, names bool)
	strip = func(v any, names bool) { // names: the keys are names of properties, not keywords of JSON Schema
		switch v := v.(type) {
		case map[string]any:
			for k, w := range v {
				if _, text := w.(string); !names && text && (k == "description" || k == "title" || k == "$schema") || !names && k == "examples" {
					delete(v, k)
					continue
				}
				strip(w, !names && k == "properties")
			}
		case []any:
			for _, w := range v {
				strip(w, false)
			}
		}
	}
	strip(v, false)
	return json.RawMessage(Encode(v))
}
