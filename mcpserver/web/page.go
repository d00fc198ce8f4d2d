package web

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"kdd/runtime"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// page is what the page shows.
type page struct {
	Names    []indexSummary
	Language string // of nearly all documents; "" = unknown, in HTML too
	Version  string
	Query    string
	Reply    *wire.CallReply // to the query
	Declined string          // what is said instead of a reply; the closest sections are the first hits
	Links    []link          // sources of the reply
	Hits     []pageHit
	Read     *wire.ReadResponse
	ReadName string
	Warnings []string
	Error    string
	Paths    []link
}

type indexSummary struct {
	Title, ID                   string
	Documents, Sections, Chunks int
	Megabytes                   float64
}

type link struct{ Text, URL string }

type pageHit struct {
	wire.Hit
	Here, There string // addresses of the section: on this server, and where it is published ("" = nowhere)
}

// pageHits is how many hits the page shows.
const pageHits = 10

// page answers GET /: what the index holds, a form for queries, and their answers. It works without a script.
func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	values := r.URL.Query()
	p := &page{Query: wire.Clean(strings.TrimSpace(values.Get("q"))), ReadName: values.Get("read"), Version: s.options.Info.Version, Paths: s.paths()}
	recordOf(r).query = p.Query
	status := http.StatusOK
	if _, err := within(r.Context(), func(ctx context.Context) (any, error) { return nil, s.fill(ctx, p) }); err != nil {
		err = s.said(err)
		// A new page, since fill may still write the old one.
		p = &page{Query: p.Query, Version: p.Version, Paths: p.Paths, Error: wire.Clean(err.Error())}
		status = StatusOf(err)
	}
	var b bytes.Buffer
	if err := s.pageTemplate.Execute(&b, p); err != nil {
		panic(err) // the template is part of the program, and what it calls returns no error
	}
	h := w.Header()
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Frame-Options", "DENY")
	const kind = "text/html; charset=utf-8"
	if body := b.Bytes(); status == http.StatusOK {
		(&rendered{body, entityTag(body)}).write(w, r, kind)
	} else {
		write(w, r, status, kind, body)
	}
}

// fill asks the index for what the page shows.
func (s *Server) fill(ctx context.Context, p *page) error {
	service := s.options.Service
	stats, err := service.Stats(ctx, wire.StatsRequest{Page: wire.Page{MaxBytes: -1}})
	if err != nil {
		return err
	}
	for _, a := range stats.Artifacts {
		title := a.Title
		if title == "" {
			title = a.Name
		}
		p.Names = append(p.Names, indexSummary{wire.Clean(title), a.IndexID, a.Counts.Documents, a.Counts.Sections, a.Counts.Chunks, float64(a.FileBytes) / 1e6})
	}
	p.Language = language(stats.Artifacts)
	if p.ReadName != "" {
		v, err := runtime.OperationNamed("read").Run(ctx, service, map[string]any{"file": p.ReadName, "max_bytes": 65536})
		if err != nil {
			return err
		}
		p.Read = v.(*wire.ReadResponse)
		p.Read.Markdown = wire.CleanLines(p.Read.Markdown)
		p.Warnings = p.Read.Warnings
	}
	if p.Query == "" {
		return nil
	}
	request, err := runtime.OperationNamed("ask").Decode(map[string]any{"query": p.Query})
	if err != nil {
		return err
	}
	reply, _, err := s.answerer.answer(ctx, request.(*wire.AskRequest))
	if err != nil {
		return err
	}
	if !reply.Grounded {
		p.Declined, _, _ = strings.Cut(wire.CleanLines(reply.Result), "\n")
	} else {
		reply.Result = wire.CleanLines(reply.Result)
		p.Reply = reply
		for _, c := range reply.Citations {
			place := render.Address(c.Index, c.Path, c.Anchor)
			p.Links = append(p.Links, link{fmt.Sprintf("[%d] %s, %s", c.Marker, wire.Clean(place), linesText(c.Lines)), "/?read=" + url.QueryEscape(place)})
		}
	}
	v, err := runtime.OperationNamed("search").Run(ctx, service, map[string]any{"query": p.Query, "limit": pageHits, "max_bytes": 65536})
	if err != nil {
		return err
	}
	found := v.(*wire.SearchResponse)
	p.Warnings = found.Warnings
	for _, w := range reply.Warnings {
		if !slices.Contains(p.Warnings, w) { // warnings of a language model
			p.Warnings = append(p.Warnings, w)
		}
	}
	for _, h := range found.Results {
		hit := pageHit{Hit: h, Here: "/?read=" + url.QueryEscape(render.Address(h.Index, h.Path, h.Anchor))}
		if strings.HasPrefix(h.URL, "https://") || strings.HasPrefix(h.URL, "http://") {
			hit.There = h.URL
		}
		hit.Title, hit.Section, hit.Snippet = wire.Clean(h.Title), wire.Clean(h.Section), wire.CleanLines(h.Snippet)
		p.Hits = append(p.Hits, hit)
	}
	return nil
}

// language returns the language of at least nine tenths of the documents, "" if there is none. Browsers choose the
// glyphs of Han characters by it, hyphenate and read aloud.
func language(artifacts []wire.ArtifactStats) string {
	count, all := map[string]int{}, 0
	for i := range artifacts {
		all += artifacts[i].Counts.Documents
		for lang, n := range artifacts[i].Languages {
			count[lang] += n
		}
	}
	for lang, n := range count {
		if lang != "unknown" && n*10 >= all*9 {
			return lang
		}
	}
	return ""
}

// paths returns the paths that the page lists for programs.
func (s *Server) paths() []link {
	paths := []link{{"POST /api/v1/mcp/tools/call", ""}}
	if s.options.Feedback != nil {
		paths = append(paths, link{"POST /api/v1/feedback", ""})
	}
	if !s.options.Public {
		paths = append(paths, link{"POST /mcp", ""}, link{"/metrics", "/metrics"})
	}
	for _, o := range s.operations() {
		paths = append(paths, link{"GET /api/v1/" + o.Name, ""})
	}
	return append(paths, link{"/openapi.json", "/openapi.json"}, link{"/healthz", "/healthz"}, link{"/readyz", "/readyz"})
}
