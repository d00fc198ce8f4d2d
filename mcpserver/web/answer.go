package web

import (
	"context"
	"fmt"
	"strings"

	"kdd/runtime"
	"kdd/runtime/shape"
)

// answerer answers a question in prose, from the documents only.
type answerer interface {
	answer(ctx context.Context, args map[string]any) (*shape.CallReply, error)
}

// extracts answers with the passages that a search finds, each with its place.
type extracts struct{ service *runtime.Service }

// extractHits is how many passages make an answer.
const extractHits = 3

func (e extracts) answer(ctx context.Context, args map[string]any) (*shape.CallReply, error) {
	search := runtime.OperationNamed("search")
	known := keep(search, args)
	known["limit"] = extractHits
	v, err := search.Run(ctx, e.service, known)
	if err != nil {
		return nil, err
	}
	found := v.(*shape.SearchResponse)
	reply := &shape.CallReply{SchemaVersion: "answer.v1", IndexID: found.IndexID, Mode: "extractive", Warnings: found.Warnings, Sources: sourcesOf(found)}
	if len(found.Results) == 0 {
		reply.RefusalReason = "no_hits"
		reply.Result = "The documents say nothing about this."
		return reply, nil
	}
	var b strings.Builder
	for i, hit := range found.Results {
		fmt.Fprintf(&b, "%s [%d]\n\n", strings.TrimSpace(hit.Snippet), i+1)
	}
	reply.Grounded, reply.Confidence, reply.Result = true, found.Results[0].Score, strings.TrimSpace(b.String())
	return reply, nil
}

// sourcesOf returns the sections that an answer is taken from.
func sourcesOf(answer any) []shape.CallSource {
	sources := []shape.CallSource{}
	switch v := answer.(type) {
	case *shape.SearchResponse:
		for _, h := range v.Results {
			sources = append(sources, shape.CallSource{Title: titleOf(h.Title, h.Section), URL: h.URL, Relevance: h.Score, Path: h.Path, Anchor: h.Anchor, Lines: h.Lines})
		}
	case *shape.SimilarResponse:
		for _, h := range v.Results {
			sources = append(sources, shape.CallSource{Title: titleOf(h.Title, h.Section), URL: h.URL, Relevance: h.Score, Path: h.Path, Anchor: h.Anchor, Lines: h.Lines})
		}
	case *shape.ReadResponse:
		sources = append(sources, shape.CallSource{Title: v.Path, URL: v.URL, Relevance: 1, Path: v.Path, Anchor: v.Anchor, Lines: v.Lines})
	}
	return sources
}

// titleOf names a section of a document for people.
func titleOf(document, section string) string {
	if section == "" || section == document {
		return shape.Clean(document)
	}
	return shape.Clean(document + " › " + section)
}

// resultOf returns the text of an operation's answer, as markdown.
func resultOf(answer any) string {
	switch v := answer.(type) {
	case *shape.SearchResponse:
		return hitsText(v.Results)
	case *shape.SimilarResponse:
		return hitsText(v.Results)
	case *shape.ReadResponse:
		return v.Markdown
	}
	return strings.TrimRight(shape.Text(answer, shape.Style{}), "\n")
}

// hitsText is a list of sections, each with a line or two of it. Those that are published are links.
func hitsText(hits []shape.Hit) string {
	var b strings.Builder
	for i, h := range hits {
		name := "**" + inWords(titleOf(h.Title, h.Section)) + "**"
		if strings.HasPrefix(h.URL, "https://") || strings.HasPrefix(h.URL, "http://") {
			name = "[" + inWords(titleOf(h.Title, h.Section)) + "](" + h.URL + ")"
		}
		fmt.Fprintf(&b, "%d. %s, %s, lines %d-%d\n\n   %s\n\n", i+1, name, inWords(h.Path), h.Lines[0], h.Lines[1], strings.Join(strings.Fields(h.Snippet), " "))
	}
	return strings.TrimSpace(b.String())
}

// inWords keeps a name from being read as markdown.
func inWords(name string) string {
	return strings.NewReplacer("[", "\\[", "]", "\\]", "*", "\\*", "_", "\\_", "`", "\\`").Replace(name)
}
