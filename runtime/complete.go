package runtime

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/names"
	"kdd/runtime/wire"
)

// The kinds of values that Complete lists.
const (
	CompletePath   = "path"   // PATH; after the "#" of an existing path PATH#ANCHOR
	CompleteFolder = "folder" // as CompletePath, but up to the first "/" behind the typed text; all that begin with it
	CompleteAnchor = "anchor" // an anchor of the document that Of names
	CompleteEntity = "entity" // a document's id, or its path if it has no id
	CompleteTitle  = "title"  // a document's title
	CompleteDomain = "domain" // a domain that documents have
)

// maxCompletions is how many values one completion has (MCP, completion/complete), but of CompleteFolder: a shell fills
// in what all values have in common, so it has to see all.
const maxCompletions = 100

// CompleteRequest asks for the completions of a value that is being typed.
type CompleteRequest struct {
	Kind  string // one of the constants
	Typed string // the part that has been typed
	Of    string // CompleteAnchor: the document's path
}

// Completion has values without duplicates: first those that begin with the typed text, then those that contain it.
type Completion struct {
	Values []string
	Total  int // how many values there are
}

// complete is the operation Complete; Service says what it does.
func complete(ctx context.Context, open artifact.Opener, q CompleteRequest) (_ *Completion, err error) {
	found := &collector{typed: strings.ToLower(q.Typed), seen: map[string]bool{}}
	set, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer set.Done(ctx, &err)
	for _, a := range set.Artifacts {
		name := ""
		if set.Several() && (q.Kind == CompletePath || q.Kind == CompleteFolder || q.Kind == CompleteEntity) {
			name = a.Name + ":"
		}
		switch q.Kind {
		case CompleteDomain:
			domains, _ := a.FacetValues("domain")
			found.add(domains...)
			continue
		case CompleteAnchor:
			addAnchors(a, found, q.Of, "")
			continue
		case CompletePath, CompleteFolder:
			if at := strings.LastIndexByte(q.Typed, '#'); at >= 0 {
				addAnchors(a, found, strings.TrimPrefix(q.Typed[:at], name), q.Typed[:at+1])
			}
		}
		for d := range index.DocID(a.Docs()) {
			if d%1024 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			switch q.Kind {
			case CompletePath:
				found.add(name + a.DocPath(d))
			case CompleteFolder:
				if path := name + a.DocPath(d); strings.HasPrefix(path, q.Typed) {
					found.add(upToFolder(path, len(q.Typed)))
				}
			case CompleteEntity:
				found.add(name + cmp.Or(a.DocFrontID(d), a.DocPath(d)))
			case CompleteTitle:
				found.add(a.DocTitle(d))
			}
		}
	}
	if q.Kind == CompleteFolder {
		return &Completion{Values: found.begin, Total: len(found.begin)}, nil
	}
	values := slices.Concat(found.begin, found.contain)
	return &Completion{Values: append([]string{}, values[:min(len(values), maxCompletions)]...), Total: len(values)}, nil
}

// upToFolder cuts a path behind the first "/" that follows its first n bytes.
func upToFolder(path string, n int) string {
	if at := strings.IndexByte(path[n:], '/'); at >= 0 {
		return path[:n+at+1]
	}
	return path
}

// addAnchors adds the anchors of the document that file names, each behind prefix.
func addAnchors(a *artifact.Artifact, found *collector, file, prefix string) {
	file, _ = names.DocAddress(file)
	file, _, _ = strings.Cut(file, "#")
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

// collector collects values that contain the typed text.
type collector struct {
	typed          string // in lower case
	begin, contain []string
	seen           map[string]bool
}

func (c *collector) add(values ...string) {
	for _, v := range values {
		if v == "" || wire.Clean(v) != v { // a value that cannot be shown cannot be chosen
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
			c.contain = append(c.contain, v)
		}
	}
}
