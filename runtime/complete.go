package runtime

import (
	"context"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/names"
	"kdd/runtime/wire"
)

// The kinds of what Complete completes.
const (
	CompletePath   = "path"   // PATH, and behind a "#" of a path that exists PATH#ANCHOR
	CompleteAnchor = "anchor" // an anchor of the document that Of names
	CompleteEntity = "entity" // an id, else a path
	CompleteTitle  = "title"  // a document's title
	CompleteDomain = "domain" // a domain that documents have
)

// maxCompletions is how many values one completion has (MCP, completion/complete).
const maxCompletions = 100

// CompleteRequest asks how a value that is being typed may go on.
type CompleteRequest struct {
	Kind  string // one of the constants
	Typed string // what is there so far
	Of    string // CompleteAnchor: the document's path
}

// Completion holds values, those that begin with what was typed first, each once, in the order of the documents.
type Completion struct {
	Values []string
	Total  int // how many there are
}

// opComplete is the operation of that name; Service of package runtime says what it does.
func opComplete(ctx context.Context, open artifact.Opener, q CompleteRequest) (_ *Completion, err error) {
	found := &completer{typed: strings.ToLower(q.Typed), seen: map[string]bool{}}
	set, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer set.Done(ctx, &err)
	for _, a := range set.Artifacts {
		name := ""
		if set.Several() && (q.Kind == CompletePath || q.Kind == CompleteEntity) {
			name = a.Name + ":"
		}
		if q.Kind == CompleteDomain {
			domains, _ := a.FacetValues("domain")
			found.add(domains...)
			continue
		}
		if q.Kind == CompleteAnchor || q.Kind == CompletePath {
			addAnchors(set, a, found, &q, name)
		}
		if q.Kind == CompleteAnchor {
			continue
		}
		for d := range index.DocID(a.Docs()) {
			if d%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			switch q.Kind {
			case CompletePath:
				found.add(name + a.DocPath(d))
			case CompleteEntity:
				if id := a.DocFrontID(d); id != "" {
					found.add(name + id)
				} else {
					found.add(name + a.DocPath(d))
				}
			case CompleteTitle:
				found.add(a.DocTitle(d))
			}
		}
	}
	return found.completion(), nil
}

// addAnchors adds the anchors of the document that is named: as they are for CompleteAnchor, behind its path for a path
// that goes on with "#".
func addAnchors(set *artifact.Set, a *artifact.Artifact, found *completer, q *CompleteRequest, name string) {
	file, prefix := q.Of, ""
	if q.Kind == CompletePath {
		at := strings.LastIndexByte(q.Typed, '#')
		if at < 0 {
			return
		}
		file = q.Typed[:at]
		prefix = file + "#"
	}
	file, _ = names.DocAddress(file)
	file, _, _ = strings.Cut(strings.TrimPrefix(file, name), "#")
	d, ok := a.FindDoc(file)
	if !ok {
		return
	}
	from, to := a.DocSections(d)
	for s := from; s < to; s++ {
		if anchor := a.SectionAnchor(s); anchor != "" {
			found.add(prefix + anchor)
		}
	}
}

// completer collects values.
type completer struct {
	typed         string // lower case
	begin, holder []string
	seen          map[string]bool
}

func (c *completer) add(values ...string) {
	for _, v := range values {
		if v == "" || wire.Clean(v) != v { // what cannot be shown cannot be chosen
			continue
		}
		at := strings.Index(strings.ToLower(v), c.typed)
		if at < 0 || c.seen[v] {
			continue
		}
		c.seen[v] = true
		if at == 0 {
			c.begin = append(c.begin, v)
		} else {
			c.holder = append(c.holder, v)
		}
	}
}

func (c *completer) completion() *Completion {
	values := slices.Concat(c.begin, c.holder)
	done := &Completion{Total: len(values)}
	done.Values = append([]string{}, values[:min(len(values), maxCompletions)]...)
	return done
}
