package answers

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// with returns arguments with one more or another one.
func with(arguments json.RawMessage, name string, value any) json.RawMessage {
	args := map[string]json.RawMessage{}
	var inner string
	if json.Unmarshal(arguments, &inner) == nil && inner != "" { // an object in a string
		arguments = json.RawMessage(inner)
	}
	if json.Unmarshal(arguments, &args) != nil || args == nil { // null; all else was not taken
		args = map[string]json.RawMessage{}
	}
	args[name] = quoted(value)
	return quoted(args)
}

// chain is all the pages of an answer.
type chain struct {
	items    []string
	markdown strings.Builder
	pages    int
	whole    bool // it went to its end
	leftOut  bool // an item was larger than a page
	cursor   string
}

// follow asks for all pages after the first, at most limit, and returns what is wrong with them.
func (c *checker) follow(s *session, name string, k kind, arguments json.RawMessage, first answer, limit int) (*chain, []string, error) {
	all := &chain{}
	var wrong []string
	fail := func(format string, args ...any) { wrong = append(wrong, fmt.Sprintf(format, args...)) }
	seen, cursors, rank := map[string]int{}, map[string]bool{}, 0
	for a := first; ; {
		all.pages++
		for _, item := range a.items {
			if at := seen[item]; at > 0 {
				fail("page %d repeats what page %d has: %s", all.pages, at, item)
			}
			seen[item] = all.pages
		}
		all.items = append(all.items, a.items...)
		for _, n := range a.ranks {
			if n <= rank {
				fail("page %d: rank %d after %d", all.pages, n, rank)
			}
			rank = n
		}
		all.leftOut = all.leftOut || slices.ContainsFunc(a.warnings, func(w string) bool { return strings.Contains(w, "larger than max_bytes") }) || len(a.items) == 0 && a.cursor != ""
		all.markdown.WriteString(a.markdown)
		var next json.RawMessage
		switch {
		case a.cursor != "":
			if cursors[a.cursor] {
				fail("page %d has the cursor of a page before", all.pages)
				return all, wrong, nil
			}
			cursors[a.cursor], all.cursor = true, a.cursor
			next = with(arguments, "cursor", a.cursor)
		case a.next > 0:
			next = with(arguments, "offset", a.next)
		default:
			all.whole = true
			return all, wrong, nil
		}
		if all.pages > limit {
			return all, wrong, nil
		}
		r, err := s.call(name, next)
		if err != nil {
			return all, wrong, err
		}
		before := a
		var more []string
		a, more = c.check(name, k, next, r)
		for _, m := range more {
			fail("page %d: %s", all.pages+1, m)
		}
		if a.code != "" || before.next > 0 && a.next > 0 && a.next <= before.next {
			fail("page %d after the cursor %q or offset %d: %s, offset %d", all.pages+1, before.cursor, before.next, a.code, a.next)
			return all, wrong, nil
		}
	}
}
