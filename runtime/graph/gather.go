package graph

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kdd/format/index"
	"kdd/format/place"
	"kdd/format/text"
	"kdd/runtime/artifact"
	"kdd/runtime/graph/walk"
	"kdd/runtime/names"
	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// The bounds of a request for context.
const (
	maxHints      = 20
	DefaultTokens = 4000
	perHint       = 3  // nodes that one hint means at most
	maxLeftOut    = 20 // nodes that an answer names as left out
)

// Context is the operation of that name; runtime.Service says what it does.
func Context(ctx context.Context, open artifact.Opener, q wire.ContextRequest) (resp *wire.ContextResponse, err error) {
	start := time.Now()
	q.Depth, q.MaxTokens = cmp.Or(q.Depth, 1), cmp.Or(q.MaxTokens, DefaultTokens)
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
	set, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer set.Done(ctx, &err)
	resp = &wire.ContextResponse{Envelope: set.Envelope("context_response.v1"), Items: []wire.ContextItem{}, LeftOut: []wire.LeftOut{}, MaxTokens: q.MaxTokens}
	starts := make([][]index.NodeID, len(set.Artifacts))
	for _, h := range hints {
		hint, err := hintOf(ctx, set, h, starts)
		if err != nil {
			return nil, err
		}
		resp.Hints = append(resp.Hints, hint)
	}
	p := packer{resp: resp, budget: q.MaxTokens}
	for i, a := range set.Artifacts {
		if len(starts[i]) == 0 {
			continue
		}
		near, err := walk.Surround(ctx, a.Index, starts[i], q.Depth)
		if err != nil {
			return nil, err
		}
		if near.Cut {
			resp.Warn("more lies around the hints than one traversal visits; the farthest nodes are missing")
		}
		if err := p.gather(set, a, near); err != nil {
			return nil, err
		}
	}
	if err := p.pack(ctx); err != nil {
		return nil, err
	}
	wire.CleanContext(resp)
	resp.TimeMS = wire.Milliseconds(time.Since(start))
	return resp, nil
}

// hintOf finds the nodes that a hint names in each artifact, and adds them to starts. If no node has the name, it
// searches for the hint's words.
func hintOf(ctx context.Context, set *artifact.Set, h string, starts [][]index.NodeID) (wire.ContextHint, error) {
	hint := wire.ContextHint{Hint: h, Resolved: []string{}}
	note := func(i int, n index.NodeID) {
		a := set.Artifacts[i]
		if n, id := names.Plain(a, n), names.InfoOf(a, n).ID; !slices.Contains(hint.Resolved, id) {
			hint.Resolved = append(hint.Resolved, id)
			if !slices.Contains(starts[i], n) {
				starts[i] = append(starts[i], n)
			}
		}
	}
	more := 0
	for i, a := range set.Artifacts {
		list := place.Resolve(a.Index, h)
		if len(list) == 0 {
			list = names.FileHint(a, h)
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
	found, err := search.Rank(ctx, set, &search.Request{Text: h, Mode: search.ModeLexical, Filter: &wire.Filter{}, Names: search.PageNamed, Want: perHint})
	if err != nil {
		return hint, err
	}
	defer found.Release()
	for _, hit := range found.Hits[:min(len(found.Hits), perHint)] {
		note(hit.Index, set.Artifacts[hit.Index].NodeOfSection(hit.Section))
	}
	hint.Warning = "no id, path, title or heading; taken for words to search"
	if len(hint.Resolved) == 0 {
		hint.Warning = "nothing has this name, and a search for it finds nothing"
	}
	return hint, nil
}

// The groups of context, in their order.
const (
	groupRule = iota
	groupBehaviour
	groupOther
)

var groupNames = [...]string{"rule", "behaviour", "other"}

// groupShare is the part of the budget that each group has for itself, in percent. What a group leaves goes to all.
var groupShare = [...]int{50, 30, 20}

// groupOf returns the group of a node by the type of its document's chunks.
func groupOf(a *artifact.Artifact, n index.NodeID) int {
	switch a.DocChunkType(a.NodeDoc(n)) {
	case "RULE":
		return groupRule
	case "PROCESS", "USE_CASE":
		return groupBehaviour
	}
	return groupOther
}

// invariants returns the sections of a document that state invariants.
func invariants(a *artifact.Artifact, n index.NodeID) []index.SectionID {
	var list []index.SectionID
	from, to := a.DocSections(a.NodeDoc(n))
	for s := from; s < to; s++ {
		if _, found := slices.BinarySearch(a.Meta.Invariants, text.Fold(a.SectionHeading(s))); found {
			list = append(list, s)
		}
	}
	return list
}
