package model

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"kdd/compiler/diag"
)

// A module is one of those that a text goes through, as modules.json lists them.
type module struct {
	Path string `json:"path"`
	Type string `json:"type"`
}

// kind is the last word of the module's type.
func (m module) kind() string { return m.Type[strings.LastIndexByte(m.Type, '.')+1:] }

// routed says whether the module sends queries and documents through modules of their own.
func (m module) routed() bool { return m.kind() == "Router" || m.kind() == "Asym" }

// The names that routes have, by side; documentRoutes are prompts' names too.
var (
	queryRoutes    = []string{"query"}
	documentRoutes = []string{"document", "passage", "corpus", "doc"}
)

// Limits of a list of modules once its routes are followed.
const (
	maxModules = 32
	maxNested  = 2 // models in routes of models
)

// routes returns what a model's documents are embedded by and, if that is something else, what its queries are: each as
// a model without routes.
func routes(s *source) (document, query *source, err error) {
	var modules []module
	found, err := readJSON(s, "modules.json", &modules)
	if err != nil {
		return nil, nil, err
	}
	static := found && len(modules) > 0 && modules[0].kind() == staticKind
	if !found || !static && !slices.ContainsFunc(modules, module.routed) {
		return s, nil, nil
	}
	documents, err := follow(s, "", documentRoutes, 0)
	if err != nil {
		return nil, nil, err
	}
	queries, err := follow(s, "", queryRoutes, 0)
	if err != nil {
		return nil, nil, err
	}
	if document, err = s.of(documents); err != nil || slices.Equal(documents, queries) {
		return document, nil, err
	}
	query, err = s.of(queries)
	return document, query, err
}

// follow returns the modules of a folder of s with those of the route, whose names are given, in place of routers.
func follow(s *source, folder string, names []string, depth int) ([]module, error) {
	file := path.Join(folder, "modules.json")
	var listed, all []module
	if found, err := readJSON(s, file, &listed); err != nil {
		return nil, err
	} else if !found {
		return nil, sourceError("no %s", file)
	}
	for _, m := range listed {
		m.Path = path.Join(folder, m.Path)
		if m.Path != "" && !strings.HasPrefix(path.Join("/", m.Path)+"/", path.Join("/", folder)) {
			return nil, sourceError("%s: module in %q, want a folder below", file, m.Path)
		}
		if !m.routed() {
			all = append(all, m)
			continue
		}
		part, err := routeModules(s, m, names, depth)
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
	}
	if len(all) > maxModules {
		return nil, sourceError("%s: %d modules, want at most %d", file, len(all), maxModules)
	}
	return all, nil
}

// routeModules returns the modules of a router's route.
func routeModules(s *source, router module, names []string, depth int) ([]module, error) {
	var c struct {
		Types      map[string]string   `json:"types"`
		Structure  map[string][]string `json:"structure"`
		Parameters struct {
			Default string `json:"default_route"`
		} `json:"parameters"`
	}
	file := path.Join(router.Path, "router_config.json")
	if !s.has(file) { // as Asym had it
		file = path.Join(router.Path, ConfigFile)
	}
	if found, err := readJSON(s, file, &c); err != nil {
		return nil, err
	} else if !found {
		return nil, sourceError("modules.json: a %s in %q without router_config.json", router.kind(), router.Path)
	}
	known := append(slices.Clone(names), c.Parameters.Default)
	at := slices.IndexFunc(known, func(name string) bool { return c.Structure[name] != nil })
	if at < 0 {
		have := make([]string, 0, len(c.Structure))
		for name := range c.Structure {
			have = append(have, name)
		}
		slices.Sort(have)
		return nil, diag.Cure("import the folders of the two models: kdd model import DOCUMENTS --query-model QUERIES", "%w",
			sourceError("%s: routes %q, want one of %q", file, have, names))
	}
	var all []module
	for _, id := range c.Structure[known[at]] {
		m := module{Path: path.Join(router.Path, id), Type: c.Types[id]}
		switch {
		case id == "" || id == "." || id == ".." || strings.ContainsAny(id, "/\\:\x00"):
			return nil, sourceError("%s: module %q, want the name of a folder", file, id)
		case m.routed():
			return nil, sourceError("%s: a %s in a route, want routes without", file, m.kind())
		case m.kind() != "SentenceTransformer":
			all = append(all, m)
			continue
		case depth == maxNested:
			return nil, sourceError("%s: models in models, want at most %d", file, maxNested)
		}
		part, err := follow(s, m.Path, names, depth+1)
		if err != nil {
			return nil, err
		}
		all = append(all, part...)
	}
	return all, nil
}

// of returns the model that some modules of s make, with the prompts and the card of s.
func (s *source) of(modules []module) (*source, error) {
	side := &source{label: s.label, files: map[string]entry{}, close: func() error { return nil }}
	for _, name := range []string{"README.md", "config_sentence_transformers.json"} {
		if e, ok := s.files[name]; ok {
			side.files[name] = e
		}
	}
	list := make([]module, len(modules))
	for i, m := range modules {
		list[i] = module{Type: m.Type}
		if i > 0 { // the first has its files at the top
			list[i].Path = fmt.Sprintf("%d_%s", i, m.kind())
		}
		folder := path.Join(".", m.Path)
		for name, e := range s.files {
			base := path.Base(name)
			if path.Dir(name) != folder || base == "modules.json" || base == "README.md" || base == "config_sentence_transformers.json" {
				continue
			}
			side.files[path.Join(list[i].Path, base)] = e
		}
	}
	data, err := json.Marshal(list)
	if err != nil {
		return nil, err
	}
	side.files["modules.json"] = entry{int64(len(data)), func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
	return side, nil
}
