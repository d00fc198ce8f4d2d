package oci

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"kdd/runtime/wire"
)

// Limits of a list of tags: what is asked for, what is read, and what is told.
const (
	askTags  = 100
	maxTags  = 1 << 20 // bytes
	tellTags = 8
)

// missing is the error where a repository has no such manifest: it names the tags that there are.
func (r *Repository) missing(ctx context.Context, wanted string) error {
	tags, more, found := r.tags(ctx)
	switch {
	case !found:
		return wire.NewError(wire.CodeNotFound, r.place()+"the registry has nothing of this name", "check the name, or run docker login "+r.Reference.Host)
	case strings.Contains(wanted, ":"):
		return wire.NewError(wire.CodeNotFound, r.place()+"the registry has no manifest of this digest", "check the digest, or name a tag: "+tell(tags, more))
	case len(tags) == 0:
		return wire.NewError(wire.CodeNotFound, r.place()+fmt.Sprintf("no tag %q, and no other", wanted), "")
	}
	hint := "the tags are " + tell(tags, more)
	if near := wire.Nearest(wanted, tags); near != "" {
		hint = fmt.Sprintf("did you mean %q? ", near) + hint
	}
	return wire.NewError(wire.CodeNotFound, r.place()+fmt.Sprintf("no tag %q", wanted), hint).With("tags", tags[:min(len(tags), askTags)])
}

// tags returns tags of the repository, and whether there may be more. found is false if the registry knows no such
// repository, or does not say.
func (r *Repository) tags(ctx context.Context) (list []string, more, found bool) {
	resp, err := r.get(ctx, fmt.Sprintf("/tags/list?n=%d", askTags), nil)
	if err != nil {
		return nil, false, false
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, false, false
	}
	var answer struct{ Tags []string }
	if json.NewDecoder(io.LimitReader(resp.Body, maxTags)).Decode(&answer) != nil {
		return nil, false, false
	}
	for _, tag := range answer.Tags {
		if tagPattern().MatchString(tag) {
			list = append(list, tag)
		}
	}
	slices.Sort(list)
	return list, resp.Header.Get("Link") != "", true
}

// tell names the first of a list of tags.
func tell(tags []string, more bool) string {
	if len(tags) == 0 {
		return "there is none"
	}
	if len(tags) <= tellTags && !more {
		return strings.Join(tags, ", ")
	}
	shown := tags[:min(len(tags), tellTags)]
	if more {
		return strings.Join(shown, ", ") + " and more"
	}
	return fmt.Sprintf("%s and %d more", strings.Join(shown, ", "), len(tags)-len(shown))
}
