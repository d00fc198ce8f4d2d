package main

import (
	"context"
	"errors"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/wire"
)

// ask is one question to a service.
type ask struct {
	name string
	do   func(ctx context.Context, s *runtime.Service) (any, error)
}

type answer struct {
	json string
	err  error
}

// asked documents are spread over the artifact.
const askedDocs = 8

// questions returns what is asked of an artifact: each operation, about documents, sections and words that it has.
func questions(x *index.Index) []ask {
	asks := []ask{
		{"stats", func(ctx context.Context, s *runtime.Service) (any, error) { return s.Stats(ctx, wire.StatsRequest{}) }},
		{"list", func(ctx context.Context, s *runtime.Service) (any, error) { return s.List(ctx, wire.ListRequest{}) }},
		{"lint", func(ctx context.Context, s *runtime.Service) (any, error) { return s.Lint(ctx, wire.LintRequest{}) }},
		{"graph", func(ctx context.Context, s *runtime.Service) (any, error) { return s.Graph(ctx, wire.GraphRequest{}) }},
	}
	vectors, err := x.Vectors()
	meaning := err == nil && vectors != nil
	add := func(name string, do func(ctx context.Context, s *runtime.Service) (any, error)) {
		asks = append(asks, ask{name, do})
	}
	for i := range min(askedDocs, x.Docs()) {
		d := index.DocID(i * x.Docs() / min(askedDocs, x.Docs()))
		path, title, node, kind := x.DocPath(d), x.DocTitle(d), x.DocNodeID(d), x.DocKind(d)
		from, to := x.DocSections(d)
		last := to - 1
		heading, anchor := x.SectionHeading(last), x.SectionAnchor(last)
		add("search "+title, func(ctx context.Context, s *runtime.Service) (any, error) {
			return s.Search(ctx, wire.SearchRequest{Query: title, Explain: true, Limit: 20})
		})
		add("search "+heading, func(ctx context.Context, s *runtime.Service) (any, error) {
			return s.Search(ctx, wire.SearchRequest{Query: "how does " + heading + " work", Filter: wire.Filter{Kinds: []string{kind}}})
		})
		add("find-spec "+title, func(ctx context.Context, s *runtime.Service) (any, error) {
			return s.FindSpec(ctx, wire.FindSpecRequest{Name: title})
		})
		add("find-spec with a slip in "+title, func(ctx context.Context, s *runtime.Service) (any, error) {
			return s.FindSpec(ctx, wire.FindSpecRequest{Name: strings.Replace(title, "e", "", 1)})
		})
		add("related "+node, func(ctx context.Context, s *runtime.Service) (any, error) {
			return s.Related(ctx, wire.RelatedRequest{Entity: node, Depth: 2})
		})
		add("read "+path, func(ctx context.Context, s *runtime.Service) (any, error) {
			return s.Read(ctx, wire.ReadRequest{File: path})
		})
		if last > from && anchor != "" {
			add("read "+path+"#"+anchor, func(ctx context.Context, s *runtime.Service) (any, error) {
				return s.Read(ctx, wire.ReadRequest{File: path, Anchor: anchor})
			})
		}
		add("facets of "+heading, func(ctx context.Context, s *runtime.Service) (any, error) {
			return s.Search(ctx, wire.SearchRequest{Query: heading, Facets: true, Diversity: "off", Sort: "date"})
		})
		add("ask "+heading, func(ctx context.Context, s *runtime.Service) (any, error) {
			return s.Ask(ctx, wire.AskRequest{Query: "What is " + heading + "?"})
		})
		add("impact "+node, func(ctx context.Context, s *runtime.Service) (any, error) {
			return s.Impact(ctx, wire.ImpactRequest{Entity: node, Depth: 3})
		})
		add("context "+node, func(ctx context.Context, s *runtime.Service) (any, error) {
			return s.Context(ctx, wire.ContextRequest{Hints: []string{node, title}})
		})
		if meaning {
			add("similar "+path, func(ctx context.Context, s *runtime.Service) (any, error) {
				return s.Similar(ctx, wire.SimilarRequest{File: path})
			})
		}
		add("list "+kind, func(ctx context.Context, s *runtime.Service) (any, error) {
			return s.List(ctx, wire.ListRequest{Kind: kind, PathGlob: "**"})
		})
	}
	return asks
}

// further returns what is asked of an artifact whose hashes are right, besides questions: operations whose answers tell what
// verify finds, or take the artifact as a whole.
func further(x *index.Index) []ask {
	asks := []ask{
		{"violations", func(ctx context.Context, s *runtime.Service) (any, error) {
			return s.Violations(ctx, wire.LintRequest{})
		}},
		{"orphans", func(ctx context.Context, s *runtime.Service) (any, error) { return s.Orphans(ctx, wire.LintRequest{}) }},
		{"lint with places", func(ctx context.Context, s *runtime.Service) (any, error) {
			return s.Lint(ctx, wire.LintRequest{Places: true})
		}},
		{"doctor", func(ctx context.Context, s *runtime.Service) (any, error) {
			return s.Doctor(ctx, wire.DoctorRequest{})
		}},
		{"schema", func(ctx context.Context, s *runtime.Service) (any, error) {
			return s.Schema(ctx, wire.SchemaRequest{})
		}},
		{"list by facets", func(ctx context.Context, s *runtime.Service) (any, error) {
			return s.List(ctx, wire.ListRequest{Facets: true, Sort: "date", Since: "1999"})
		}},
		{"search by meaning", func(ctx context.Context, s *runtime.Service) (any, error) {
			return s.Search(ctx, wire.SearchRequest{Query: "what is it about", Mode: "vector", Limit: 50, Expand: 5, Page: wire.Page{MaxBytes: -1}})
		}},
		{"search with slips", func(ctx context.Context, s *runtime.Service) (any, error) {
			return s.Search(ctx, wire.SearchRequest{Query: "authentikation tokne* \"the document\" -no", Explain: true, Expand: 2})
		}},
	}
	for _, kind := range []string{runtime.CompletePath, runtime.CompleteEntity, runtime.CompleteTitle, runtime.CompleteDomain} {
		asks = append(asks, ask{"complete " + kind, func(ctx context.Context, s *runtime.Service) (any, error) {
			return s.Complete(ctx, runtime.CompleteRequest{Kind: kind, Typed: "a"})
		}})
	}
	if x.Docs() > 0 {
		path, node := x.DocPath(0), x.DocNodeID(0)
		asks = append(asks,
			ask{"coverage " + node, func(ctx context.Context, s *runtime.Service) (any, error) {
				return s.Coverage(ctx, wire.CoverageRequest{Node: node})
			}},
			ask{"complete anchor", func(ctx context.Context, s *runtime.Service) (any, error) {
				return s.Complete(ctx, runtime.CompleteRequest{Kind: runtime.CompleteAnchor, Of: path})
			}},
			ask{"graph of " + node, func(ctx context.Context, s *runtime.Service) (any, error) {
				return s.Graph(ctx, wire.GraphRequest{Node: node, Depth: 3, Limit: 5000})
			}})
	}
	return asks
}

// elapsed is what differs between two runs of a question; the cursor names the file by its path's name only.
var elapsed = regexp.MustCompile(`"time_ms":[0-9.e+-]+`)

// answers asks everything of the file at path.
func answers(path string, asks []ask) []answer {
	s := runtime.New(runtime.Config{Index: []string{path}, Environ: map[string]string{}, Dir: filepath.Dir(path)})
	defer s.Close()
	list := make([]answer, len(asks))
	for i, a := range asks {
		list[i] = one(s, a)
		list[i].json = strings.ReplaceAll(list[i].json, filepath.Dir(path), "")
	}
	return list
}

func one(s *runtime.Service, a ask) answer {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	v, err := a.do(ctx, s)
	if err != nil {
		return answer{err: err}
	}
	return answer{json: elapsed.ReplaceAllString(string(wire.Encode(v)), "")}
}

// corrupt says whether an error is what a damaged file may give.
func corrupt(err error) bool {
	var known *wire.Error
	return errors.As(err, &known) && (known.Code == wire.CodeIndexCorrupt || known.Code == wire.CodeIndexVersion)
}

func sentinel(err error) bool {
	return errors.Is(err, format.ErrCorrupt) || errors.Is(err, format.ErrVersion) || errors.Is(err, format.ErrNotKddx) || errors.Is(err, format.ErrTooBig)
}
