package runtime

import (
	"context"
	"slices"
	"strings"
	"time"

	"kdd/format"
	"kdd/format/text"
	"kdd/runtime/artifact"
	"kdd/runtime/render"
	"kdd/runtime/search"
	"kdd/runtime/wire"
	"kdd/runtime/wire/schema"
)

// Schema says what this build and its artifacts can do. It lists each tool with an example; if the request names a
// tool, command or schema, only that with its JSON Schemas; if the request has no limit of bytes, all of them in full.
// It needs no artifact: if none can be opened, a warning says why.
//
// Errors: not_found with suggestions. Cost: no more than opening the artifacts.
func (s *Service) Schema(ctx context.Context, q wire.SchemaRequest) (*wire.SchemaResponse, error) {
	start := time.Now()
	all := toolSchemas()
	switch tool := strings.TrimSpace(q.Tool); {
	case tool != "":
		one, err := findSchema(all, tool)
		if err != nil {
			return nil, err
		}
		all = []wire.ToolSchema{*one}
	case q.MaxBytes >= 0:
		for i := range all {
			all[i].Input, all[i].Output, all[i].Examples = nil, nil, all[i].Examples[:min(1, len(all[i].Examples))]
		}
	}
	// the list belongs to the program, so a cursor is valid for any artifact
	pages, err := render.NewPages("", "schema", q.Cursor, q)
	if err != nil {
		return nil, err
	}
	resp := &wire.SchemaResponse{
		Envelope: wire.Envelope{SchemaVersion: "schema.v1"}, Version: s.config.Version, FormatVersion: format.Version, Analyzer: text.Version,
		Formats: render.Formats, Errors: wire.Codes(), Tools: all[min(pages.From, len(all)):],
	}
	err = s.addArtifacts(ctx, resp)
	if ctx.Err() != nil {
		return nil, wire.ContextError(ctx)
	}
	if err != nil {
		resp.Artifacts, resp.Warnings = nil, append(resp.Warnings, wire.AsError(err).Error())
	}
	resp.TimeMS = wire.Milliseconds(time.Since(start))
	wire.FitSchema(resp, pages.Budget(q.MaxBytes))
	return resp, nil
}

// addArtifacts adds the capabilities of each artifact to an answer.
func (s *Service) addArtifacts(ctx context.Context, resp *wire.SchemaResponse) (err error) {
	set, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer set.Done(ctx, &err)
	resp.Envelope = set.Envelope("schema.v1")
	for _, a := range set.Artifacts {
		c, err := capabilities(a)
		if err != nil {
			return err
		}
		resp.Artifacts = append(resp.Artifacts, c)
	}
	return nil
}

// capabilities says which requests an artifact can answer.
func capabilities(a *artifact.Artifact) (wire.ArtifactCapabilities, error) {
	c := wire.ArtifactCapabilities{
		Name: a.Name, IndexID: a.File.ID(), Modes: []string{search.ModeLexical}, Encoder: a.Meta.Encoder,
		Documents: a.Docs(), Chunks: a.Chunks(), Edges: a.Edges(), FileBytes: a.File.Bytes(),
	}
	sem, err := a.Encoder()
	if err != nil {
		return c, err
	}
	if sem != nil {
		c.Modes = []string{search.ModeLexical, search.ModeVector, search.ModeHybrid}
	}
	if m := a.Meta.Model; m != nil {
		c.Model, c.Dim = m.Name, m.Dim
	}
	return c, nil
}

// toolSchemas returns all tools in the order of the help, then the schemas that belong to no tool.
func toolSchemas() []wire.ToolSchema {
	var list []wire.ToolSchema
	used := map[string]bool{}
	for _, o := range Tools() {
		t := wire.ToolSchema{Name: o.Tool, Command: o.Name, Summary: o.Summary, Examples: o.Examples, Input: schema.Input(o.Tool)}
		for _, response := range append([]any{o.Response}, o.Also...) {
			version := wire.SchemaVersion(response)
			used[version], used[o.Tool+".input"] = true, true
			t.Answers, t.Output = append(t.Answers, version), append(t.Output, schema.Response(version))
		}
		list = append(list, t)
	}
	for _, name := range schema.Names() {
		if !used[name] {
			list = append(list, wire.ToolSchema{Name: name, Output: []any{schema.Response(name)}})
		}
	}
	return list
}

// findSchema returns the tool or schema that is called name, or the tool of that command.
func findSchema(all []wire.ToolSchema, name string) (*wire.ToolSchema, error) {
	var names []string
	for i := range all {
		t := &all[i]
		if name == t.Name || name == t.Command {
			return t, nil
		}
		names = append(names, t.Name)
		if t.Command != "" {
			names = append(names, t.Command)
		}
	}
	if data := schema.Response(name); data != nil {
		return &wire.ToolSchema{Name: name, Output: []any{data}}, nil
	}
	names = slices.Concat(names, schema.Names())
	e := wire.NewError(wire.CodeNotFound, "tool: no tool, command or schema "+wire.Quote(name), "ask without one for the list").With("field", "tool")
	if near := wire.Nearest(name, names); near != "" {
		e.Hint = "did you mean " + wire.Quote(near) + "?"
		e.With("suggestions", []string{near})
	}
	return nil, e
}
