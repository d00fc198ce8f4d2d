package runtime

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kdd/format"
	"kdd/format/text"
	"kdd/runtime/graph"
	"kdd/runtime/wire"
)

// The bounds of a request for context.
const (
	maxHints      = 20
	defaultTokens = 4000
	perHint       = 3  // nodes that one hint means at most
	maxLeftOut    = 20 // nodes that an answer names as left out
)

// Context returns the text that matters for hints, which are files, names, ids or words: rules and invariants first, then
// behaviour, then the rest, each with the way from a hint, in at most max_tokens tokens; and what was left out. The same
// request to the same index gives the same bytes.
//
// Errors: invalid_input for no hint or too many. A hint that means nothing is no error. Cost: the edges around the
// hints, and the text of the candidates until the budget is used up.
func (s *Service) Context(ctx context.Context, q wire.ContextRequest) (*wire.ContextResponse, error) {
	start := time.Now()
	q.Depth, q.MaxTokens = cmp.Or(q.Depth, 1), cmp.Or(q.MaxTokens, defaultTokens)
	var hints []string
	for _, h := range q.Hints {
		if h = strings.TrimSpace(h); h != "" && !slices.Contains(hints, h) {
			hints = append(hints, h)
		}
	}
	switch {
	case len(hints) == 0:
		return nil, wire.NewError(wire.CodeInvalidInput, "hints: there is none", "give files, ids, names or words").With("field", "hints")
	case len(hints) > maxHints:
		return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("hints: got %d, want at most %d", len(hints), maxHints), "ask in several requests").With("field", "hints")
	}
	var resp *wire.ContextResponse
	err := s.with(ctx, func(set *set) error {
		resp = &wire.ContextResponse{Envelope: set.envelope("context_response.v1"), Items: []wire.ContextItem{}, LeftOut: []wire.LeftOut{}, MaxTokens: q.MaxTokens}
		starts := make([][]format.NodeID, len(set.artifacts))
		for _, h := range hints {
			hint, err := set.hint(ctx, h, starts)
			if err != nil {
				return err
			}
			resp.Hints = append(resp.Hints, hint)
		}
		p := packer{resp: resp, budget: q.MaxTokens}
		for i, a := range set.artifacts {
			if len(starts[i]) == 0 {
				continue
			}
			near, err := graph.Surround(ctx, a.Index, starts[i], q.Depth)
			if err != nil {
				return err
			}
			if near.Cut {
				resp.Warn("more lies around the hints than one traversal visits; the farthest nodes are missing")
			}
			if err := p.gather(a, set.indexName(a), near); err != nil {
				return err
			}
		}
		if err := p.pack(ctx); err != nil {
			return err
		}
		wire.CleanContext(resp)
		resp.TimeMS = wire.Milliseconds(time.Since(start))
		return nil
	})
	return resp, err
}

// hint finds what a hint means in each artifact and adds it to starts. What is no name is searched for.
func (set *set) hint(ctx context.Context, h string, starts [][]format.NodeID) (wire.ContextHint, error) {
	hint := wire.ContextHint{Hint: h, Resolved: []string{}}
	note := func(i int, n format.NodeID) {
		a := set.artifacts[i]
		if n, id := plain(a, n), a.node(n).id; !slices.Contains(hint.Resolved, id) {
			hint.Resolved = append(hint.Resolved, id)
			if !slices.Contains(starts[i], n) {
				starts[i] = append(starts[i], n)
			}
		}
	}
	more := 0
	for i, a := range set.artifacts {
		list := graph.Resolve(a.Index, h)
		if len(list) == 0 {
			list = fileHint(a, h)
		}
		for k, m := range list {
			if m.Class != list[0].Class {
				break
			}
			if k < perHint {
				note(i, m.Node)
			} else {
				more++
			}
		}
	}
	if more > 0 {
		hint.Warning = fmt.Sprintf("%d more have this name; give an id or a path", more)
	}
	if len(hint.Resolved) > 0 {
		return hint, nil
	}
	found, err := set.rank(ctx, &ask{text: h, mode: modeLexical, filter: &wire.Filter{}, names: pageNamed, want: perHint})
	if err != nil {
		return hint, err
	}
	for _, hit := range found.hits[:min(len(found.hits), perHint)] {
		note(hit.index, set.artifacts[hit.index].NodeOfSection(hit.Section))
	}
	hint.Warning = "no id, path, title or heading; taken for words to search"
	if len(hint.Resolved) == 0 {
		hint.Warning = "nothing has this name, and a search for it finds nothing"
	}
	return hint, nil
}

// plain returns the document for its own section 0.
func plain(a *artifact, n format.NodeID) format.NodeID {
	if a.NodeIsSection(n) && a.SectionLevel(a.NodeSection(n)) == 0 {
		return a.NodeOfDoc(a.NodeDoc(n))
	}
	return n
}

// fileHint finds a place by a path that begins above the source folder, as tools and editors give it: leading folders are dropped
// until a document is left.
func fileHint(a *artifact, h string) []graph.Match {
	path := strings.ReplaceAll(h, `\`, "/")
	for rest := path; rest != ""; {
		if p, _ := a.place(rest, ""); p != nil {
			return []graph.Match{{Node: p.node(), Class: format.PathName}}
		}
		var ok bool
		if _, rest, ok = strings.Cut(rest, "/"); !ok {
			break
		}
	}
	return nil
}

// The groups of context, in their order.
const (
	groupRule = iota
	groupBehaviour
	groupOther
)

var groupNames = [...]string{"rule", "behaviour", "other"}

// groupShare is the part of the budget that a group has before what is left goes to all, in percent.
var groupShare = [...]int{50, 30, 20}

// invariantHeadings are headings, folded, of sections that state what always holds, whatever the document is.
var invariantHeadings = map[string]bool{
	"invariantes": true, "invariants": true, "restricciones": true, "constraints": true, "invariantes y restricciones": true, "invariants and constraints": true,
}

// groupOf returns the group of a node by the type of its document's chunks.
func groupOf(a *artifact, n format.NodeID) int {
	switch a.DocChunkType(a.NodeDoc(n)) {
	case "RULE":
		return groupRule
	case "PROCESS", "USE_CASE":
		return groupBehaviour
	}
	return groupOther
}

// invariants returns the sections of a document that state invariants.
func invariants(a *artifact, n format.NodeID) []format.SectionID {
	var list []format.SectionID
	from, to := a.DocSections(a.NodeDoc(n))
	for s := from; s < to; s++ {
		if invariantHeadings[text.Fold(a.SectionHeading(s))] {
			list = append(list, s)
		}
	}
	return list
}
