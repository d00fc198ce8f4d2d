package web

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"kdd/runtime"
	"kdd/runtime/wire"
	"kdd/runtime/wire/schema"
)

// openAPI answers GET /openapi.json.
func (s *Server) openAPI(w http.ResponseWriter, r *http.Request) {
	s.document().write(w, r, "application/json")
}

// object is a JSON object.
type object = map[string]any

// fixedSchemas are the schemas of requests and answers that no option changes and that package wire does not have.
//
//go:embed openapi.json
var fixedSchemas []byte

// describe returns the OpenAPI 3.1 description of this server (https://spec.openapis.org/oas/v3.1.1.html), made of the
// table of operations and the schemas of the wire.
func (s *Server) describe() []byte {
	schemas, paths := object{}, object{}
	if err := json.Unmarshal(fixedSchemas, &schemas); err != nil {
		panic(err) // part of the program
	}
	for _, o := range s.operations() {
		paths["/api/v1/"+o.Name] = object{"get": s.getOperation(&o, schemas)}
	}
	component(schemas, "feedback.v1")
	component(schemas, "answer.v1")
	properties(schemas, "CallReply")["citations"] = properties(schemas, "answer.v1")["citations"]
	schemas["Failure"] = failureSchema()
	s.callSchemas(schemas)
	for _, version := range []string{"v1", "v2"} {
		call := endpoint("call_"+version, "Call a tool", "tools", s.responses(object{
			"200": streamed("the tool's answer, or why it has none", reference("CallReply"))}, "400", "413", "415", "503", "504"))
		call["description"] = "Answers 200 with success true or false; with Accept: text/event-stream as the events sources, delta, final and error. " +
			"Where a language model writes, its words come as they are written, as delta with draft true, before they are checked; the event reset (reason again, failed or checked; message) says that all deltas so far are void, and the answer follows. " +
			"The deltas since the last reset make up the result of final."
		call["requestBody"] = required(reference("CallRequest"))
		paths["/api/"+version+"/mcp/tools/call"] = object{"post": call}
		told := endpoint("feedback_"+version, "Say what you think of an answer", "tools",
			s.responses(object{"201": answerOf("stored", "feedback.v1"), "200": answerOf("it was there before", "feedback.v1")}, "400", "404", "413", "415", "503"))
		told["requestBody"] = required(reference("FeedbackRequest"))
		paths["/api/"+version+"/feedback"] = object{"post": told}
	}
	health := func(path, id, summary string, responses object) object {
		o := endpoint(id, summary, "health", responses)
		paths[path] = object{"get": o}
		return o
	}
	health("/healthz", "healthz", "Does the process live?", object{"200": answerOf("it does", "Health")})["security"] = []any{}
	health("/readyz", "readyz", "Can the index be asked?", object{"200": answerOf("it can", "Health"), "503": answerOf("it cannot", "Failure")})["security"] = []any{}
	health("/openapi.json", "openapi", "This description",
		s.responses(object{"200": body("OpenAPI 3.1", "application/json", ofType("object"))}, "304"))["parameters"] = []any{ifNoneMatch}
	health("/", "page", "A page to search with, for people",
		s.responses(object{"200": htmlPage("the page"), "400": htmlPage("the page, with an error"), "404": htmlPage("the page, without the section"),
			"500": htmlPage("the page, with an error"), "503": htmlPage("the page, without an index"), "504": htmlPage("the page, with an error")}, "304"),
	)["parameters"] = []any{parameterIn("query", "q", "what to ask"), parameterIn("query", "read", "a section to show: file#anchor"), ifNoneMatch}
	if !s.options.Public {
		message := endpoint("mcp", "A message of the Model Context Protocol, as JSON-RPC", "tools", s.responses(object{
			"200": streamed("the answer, a stream if notifications come before it", ofType("object")),
			"202": object{"description": "a notification was taken"},
			"400": body("it is no message", "application/json", ofType("object")),
		}, "413", "503"))
		message["requestBody"] = required(ofType("object"))
		paths["/mcp"] = object{"post": message}
		health("/metrics", "metrics", "Counts for Prometheus", s.responses(object{"200": body("counts", "text/plain", ofType("string"))}))
	}
	document := object{
		"openapi": "3.1.1",
		"info":    object{"title": "kdd", "version": versionOf(s.options.Info.Version), "description": "Answers questions from a compiled documentation index."},
		"servers": []any{object{"url": "/"}}, "paths": paths, "components": object{"schemas": schemas},
		"tags": []any{object{"name": "operations"}, object{"name": "tools"}, object{"name": "health"}},
	}
	document["security"] = []any{} // explicitly none: linters report a missing field
	if s.access.token != nil {
		document["components"].(object)["securitySchemes"] = object{"token": object{"type": "http", "scheme": "bearer"}}
		document["security"] = []any{object{"token": []string{}}}
	}
	return append(wire.Encode(document), '\n')
}

// properties returns the properties of a component.
func properties(schemas object, name string) object {
	return schemas[name].(object)["properties"].(object)
}

func versionOf(version string) string {
	if version == "" {
		return "0"
	}
	return version
}

func reference(name string) object { return object{"$ref": "#/components/schemas/" + name} }

// ofType is the schema of a type.
func ofType(name string) object { return object{"type": name} }

// body is a request or an answer of one media type.
func body(description, kind string, schema object) object {
	o := object{"content": object{kind: object{"schema": schema}}}
	if description != "" {
		o["description"] = description
	}
	return o
}

// required is the body that a request must have.
func required(schema object) object {
	o := body("", "application/json", schema)
	o["required"] = true
	return o
}

// streamed is body as JSON or as server-sent events.
func streamed(description string, schema object) object {
	o := body(description, "application/json", schema)
	o["content"].(object)["text/event-stream"] = object{"schema": ofType("string")}
	return o
}

func htmlPage(description string) object { return body(description, "text/html", ofType("string")) }

func answerOf(description, name string) object {
	return body(description, "application/json", reference(name))
}

// endpoint is what a method of a path does.
func endpoint(id, summary, tag string, responses object) object {
	return object{"operationId": id, "summary": summary, "tags": []string{tag}, "responses": responses}
}

// parameterIn describes a parameter that is text.
func parameterIn(place, name, description string) object {
	return object{"name": name, "in": place, "description": description, "schema": ofType("string")}
}

// statusTexts describes the statuses of failures.
var statusTexts = map[string]string{
	"304": "as the tag of If-None-Match says", "400": "the request is wrong", "401": "a token is required", "403": "Host or Origin may not ask", "404": "there is no such thing",
	"408": "the request did not come in time", "409": "the index cannot do this", "413": "too long", "415": "not application/json", "429": "too many requests of this client; see Retry-After",
	"500": "the index is broken", "503": "too many requests at once, or no index; see Retry-After", "504": "it took too long",
}

// responses adds failures to the responses of a path.
func (s *Server) responses(good object, statuses ...string) object {
	statuses = append(statuses, "403", "429")
	if s.access.token != nil {
		statuses = append(statuses, "401")
	}
	for _, status := range statuses {
		good[status] = answerOf(statusTexts[status], "Failure")
	}
	if slices.Contains(statuses, "304") {
		good["304"] = object{"description": statusTexts["304"]}
	}
	return good
}

// ifNoneMatch describes the header that asks for what has changed only.
var ifNoneMatch = parameterIn("header", "If-None-Match", "the ETag of an answer that you have")

// getOperation describes GET /api/v1/NAME.
func (s *Server) getOperation(o *runtime.Operation, schemas object) object {
	parameters := []any{}
	for i := range o.Params {
		parameters = append(parameters, parameter(&o.Params[i]))
	}
	parameters = append(parameters, ifNoneMatch)
	alternatives := []any{}
	for _, answer := range append([]any{o.Response}, o.Also...) {
		version := wire.SchemaVersion(answer)
		if component(schemas, version) {
			alternatives = append(alternatives, reference(version))
		}
	}
	body := object{"anyOf": alternatives}
	if len(alternatives) == 1 {
		body = alternatives[0].(object)
	}
	return object{
		"operationId": strings.ReplaceAll(o.Name, "-", "_"), "summary": o.Title, "description": o.Describe, "tags": []string{"operations"}, "parameters": parameters,
		"responses": s.responses(object{"200": object{"description": o.Summary, "content": object{"application/json": object{"schema": body}},
			"headers": object{"ETag": object{"schema": object{"type": "string"}}, "X-Cache": object{"schema": object{"type": "string", "enum": []string{"hit", "miss"}}}}}},
			"304", "400", "404", "409", "413", "500", "503", "504"),
	}
}

// parameter describes one parameter of a query. A list repeats it.
func parameter(p *runtime.Param) object {
	out := object{"name": p.Name, "in": "query", "description": p.Help}
	if p.Required {
		out["required"] = true
	}
	value := object{"type": "string"}
	if p.Required {
		value["minLength"] = 1
	}
	switch p.Type {
	case runtime.IntParam:
		value = object{"type": "integer", "minimum": p.Min, "maximum": p.Max}
	case runtime.NumberParam:
		value = object{"type": "number", "minimum": p.Min, "maximum": p.Max}
	case runtime.BoolParam:
		value = object{"type": "boolean"}
	case runtime.WhereParam:
		value["pattern"] = "^[^=]+="
	}
	if len(p.Enum) > 0 {
		value["enum"] = p.Enum
	}
	if p.Default != nil {
		value["default"] = p.Default
	}
	if p.Type == runtime.StringsParam || p.Type == runtime.WhereParam {
		delete(value, "default")
		value = object{"type": "array", "items": value}
		if p.Required {
			value["minItems"] = 1
		}
		out["style"], out["explode"] = "form", true
	}
	out["schema"] = value
	return out
}

// component adds a schema of the wire to the components. It returns false if there is none.
func component(schemas object, version string) bool {
	if schemas[version] != nil {
		return true
	}
	raw := schema.Response(version)
	var s any
	if raw == nil || json.Unmarshal(raw, &s) != nil {
		return false
	}
	if o, ok := s.(object); ok {
		delete(o, "$schema") // the document has the same one
	}
	schemas[version] = rebased(s, version)
	return true
}

// rebased adapts references within a schema to its place in the document.
func rebased(v any, version string) any {
	switch v := v.(type) {
	case object:
		for name, value := range v {
			if target, ok := value.(string); ok && name == "$ref" && strings.HasPrefix(target, "#") {
				v[name] = "#/components/schemas/" + version + strings.TrimPrefix(target, "#")
				continue
			}
			v[name] = rebased(value, version)
		}
	case []any:
		for i := range v {
			v[i] = rebased(v[i], version)
		}
	}
	return v
}

// failureSchema describes failure: error.v1 with its field detail.
func failureSchema() object {
	schemas := object{}
	component(schemas, "error.v1")
	s := schemas["error.v1"].(object)
	s["title"], s["description"] = "Failure", "What every failed request returns: error.v1, and detail for clients that know no hints."
	s["properties"].(object)["detail"] = object{"type": "string", "description": "message and hint in one"}
	s["required"] = append(s["required"].([]any), "detail")
	return s
}

// callSchemas describes the call of a tool, whose name is in one of two fields. It has two whole objects with names of
// their own, since generators of clients make types of those, but not of a bare "required".
func (s *Server) callSchemas(schemas object) {
	schemas["CallArguments"] = object{"type": "object", "properties": object{
		"query": object{"type": "string"}, "include_sources": object{"type": "boolean", "default": true}, "session_id": object{"type": "string"},
	}}
	alternatives := []any{}
	for _, c := range []struct{ schema, field string }{{"CallByToolName", "tool_name"}, {"CallByName", "name"}} {
		schemas[c.schema] = object{"type": "object", "required": []string{c.field}, "properties": object{
			c.field: object{"type": "string", "enum": s.toolNames()}, "arguments": reference("CallArguments"),
			"session_id": object{"type": "string", "description": "of a conversation of your own; web is everyone's and has no history"},
		}}
		alternatives = append(alternatives, reference(c.schema))
	}
	schemas["CallRequest"] = object{
		"description": "Unknown fields and arguments are ignored.", "anyOf": alternatives,
		"examples": []any{object{"tool_name": "generate_rag_answer", "arguments": object{"query": "how do I log in"}}},
	}
}
