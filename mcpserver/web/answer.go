package web

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kdd/runtime"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// answerer answers a question in prose, from the documents only.
type answerer interface {
	// answer answers a request of the operation ask. passing says that the same question may soon have another answer,
	// so that no cache may keep this one.
	answer(ctx context.Context, q *wire.AskRequest) (reply *wire.CallReply, passing bool, err error)
}

// asks answers with the operation ask.
type asks struct{ service *runtime.Service }

func (a asks) answer(ctx context.Context, q *wire.AskRequest) (reply *wire.CallReply, passing bool, err error) {
	v, err := runtime.OperationNamed("ask").Do(ctx, a.service, q)
	if err != nil {
		return nil, false, err
	}
	r := v.(*wire.AnswerResponse)
	return &wire.CallReply{
		SchemaVersion: r.SchemaVersion, IndexID: r.IndexID, Result: strings.TrimSpace(r.Answer), Sources: cited(r), Confidence: r.Confidence,
		Grounded: r.Answered(), Outcome: r.Outcome,
		RefusalReason: r.RefusalReason, Query: r.Query, Answer: r.Answer, Citations: r.Citations, Mode: r.Mode, Retrieval: &r.Retrieval, Warnings: r.Warnings,
	}, r.Fallback(), nil
}

// cited returns the sections that an answer cites, in the order of their markers, each once.
func cited(r *wire.AnswerResponse) []wire.CallSource {
	sources := []wire.CallSource{}
	for _, c := range r.Citations {
		if slices.ContainsFunc(sources, func(s wire.CallSource) bool { return s.URL == c.URL && s.Path == c.Path && s.Anchor == c.Anchor }) {
			continue
		}
		source := wire.CallSource{Title: wire.Clean(c.Title), URL: c.URL, Relevance: r.Confidence, Path: c.Path, Anchor: c.Anchor, Lines: c.Lines}
		for _, section := range r.Retrieval.Sections {
			if section.Path == c.Path && section.Anchor == c.Anchor && section.Index == c.Index {
				source.Title, source.Relevance = titleOf(section.Title, section.Section), section.Score
			}
		}
		sources = append(sources, source)
	}
	return sources
}

// drafted returns the sections that a language model writes from.
func drafted(sections []wire.AnswerSection) []wire.CallSource {
	sources := []wire.CallSource{}
	for _, s := range sections {
		sources = append(sources, wire.CallSource{Title: titleOf(s.Title, s.Section), URL: s.URL, Relevance: s.Score, Path: s.Path, Anchor: s.Anchor, Lines: s.Lines})
	}
	return sources
}

// sourcesOf returns the sections that an answer is taken from.
func sourcesOf(answer any) []wire.CallSource {
	sources := []wire.CallSource{}
	switch v := answer.(type) {
	case *wire.SearchResponse:
		for _, h := range v.Results {
			sources = append(sources, wire.CallSource{Title: titleOf(h.Title, h.Section), URL: h.URL, Relevance: h.Score, Path: h.Path, Anchor: h.Anchor, Lines: h.Lines})
		}
	case *wire.SimilarResponse:
		for _, h := range v.Results {
			sources = append(sources, wire.CallSource{Title: titleOf(h.Title, h.Section), URL: h.URL, Relevance: h.Score, Path: h.Path, Anchor: h.Anchor, Lines: h.Lines})
		}
	case *wire.ReadResponse:
		sources = append(sources, wire.CallSource{Title: v.Path, URL: v.URL, Relevance: 1, Path: v.Path, Anchor: v.Anchor, Lines: v.Lines})
	}
	return sources
}

// titleOf names a section of a document for people.
func titleOf(document, section string) string {
	if section == "" || section == document {
		return wire.Clean(document)
	}
	return wire.Clean(document + " › " + section)
}

// resultOf returns the text of an operation's answer, as markdown.
func resultOf(answer any) string {
	switch v := answer.(type) {
	case *wire.SearchResponse:
		return hitsText(v.Results)
	case *wire.SimilarResponse:
		return hitsText(v.Results)
	case *wire.ReadResponse:
		return v.Markdown
	}
	return strings.TrimRight(render.Text(answer, render.Style{}), "\n")
}

// hitsText is a list of hits as markdown, each with its snippet. Published sections are links.
func hitsText(hits []wire.Hit) string {
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

// inWords escapes markdown in a name.
func inWords(name string) string {
	return strings.NewReplacer("[", "\\[", "]", "\\]", "*", "\\*", "_", "\\_", "`", "\\`").Replace(name)
}
