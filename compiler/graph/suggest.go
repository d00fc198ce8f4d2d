package graph

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/format/text"
)

// nearKind says which names are suggested.
type nearKind uint8

const (
	nearName   nearKind = iota // ids, stems, aliases and titles
	nearPath                   // paths of documents
	nearAnchor                 // the anchors of one document
)

// nearWanted asks for suggestions once all documents are through.
type nearWanted struct {
	diag, orphan int // indices into docOut; -1 = none
	target       string
	of           nearKind
	doc          int // whose anchors
}

// Bounds of the search for near names: its cost must not depend on how many links are broken.
const (
	maxSuggested  = 1000 // distinct targets that get suggestions in one build
	maxPostings   = 256  // names looked at for one trigram
	maxCandidates = 64   // names compared in full
	maxAnchorList = 2000 // anchors of a document that are compared
	maxCompared   = 96   // bytes of a name that are compared
	maxNamesNear  = 1 << 18

	// maxNearWork bounds the pairs of bytes that are compared for a build's suggestions, about a second's work: a
	// thousand targets beside two thousand long anchors of a document would be a hundred times as many.
	maxNearWork = 1 << 27
)

// suggest fills in hints for what did not resolve, in the order of documents.
func (b *builder) suggest() {
	var index *nearIndex
	memo := map[string][]string{}
	b.nearWork = 0
	for d := range b.out {
		out := &b.out[d]
		for _, w := range out.near {
			key := string(rune('0'+w.of)) + cutKey(w.target)
			if w.of == nearAnchor {
				key += "\x00" + b.docs[w.doc].Path
			}
			near, done := memo[key]
			if !done {
				if len(memo) >= maxSuggested {
					continue
				}
				if w.of == nearAnchor {
					near = b.nearAnchors(w.doc, w.target)
				} else {
					if index == nil {
						index = b.newNearIndex()
					}
					near = b.nearNames(index, w.target, w.of)
				}
				memo[key] = near
			}
			// A link that leads nowhere does not mean the page that it stands on.
			if own := b.docs[d].Path; w.of == nearPath && slices.Contains(near, own) {
				near = slices.DeleteFunc(slices.Clone(near), func(name string) bool { return name == own })
			}
			if len(near) == 0 {
				continue
			}
			if w.orphan >= 0 {
				out.orphans[w.orphan].Near = near
			}
			quoted := make([]string, len(near))
			for i, name := range near {
				quoted[i] = `"` + clip(name) + `"`
			}
			if len(near) == 1 {
				out.diags[w.diag].Hint = "did you mean " + quoted[0] + "?"
			} else {
				out.diags[w.diag].Hint = "the nearest are " + strings.Join(quoted, ", ")
			}
		}
	}
}

// nearAnchors returns the anchors of a document that look like a fragment.
func (b *builder) nearAnchors(doc int, fragment string) []string {
	var list []scored
	sections, word := b.docs[doc].Sections, anchorKey(fragment)
	sections = sections[:min(len(sections), maxAnchorList+1)]
	if b.nearDoc != doc || b.nearKeys == nil {
		b.nearDoc, b.nearKeys = doc, make([]string, len(sections))
		for s := range sections {
			b.nearKeys[s] = anchorKey(sections[s].Anchor)
		}
	}
	for s := 1; s < len(sections); s++ {
		if score := b.likeness(word, b.nearKeys[s]); score >= minLikeness {
			list = append(list, scored{"#" + sections[s].Anchor, score})
		}
	}
	return best(list)
}

// likeness is likeness of two names, 0 once the build's work is done.
func (b *builder) likeness(word, name string) float64 {
	cost := min(len(word), maxCompared) * min(len(name), maxCompared)
	if b.nearWork+cost > maxNearWork {
		return 0
	}
	b.nearWork += cost
	return likeness(word, name)
}

// nearIndex finds names that share trigrams with a word.
type nearIndex struct {
	names    []nearNameOf
	postings map[[3]byte][]int32
	shared   []int32 // scratch of search: trigrams in common, by name; all zero between searches
}

type nearNameOf struct {
	folded string // what is compared
	shown  string
	path   string // of its document
}

// newNearIndex indexes the ids, stems, aliases and titles of documents.
func (b *builder) newNearIndex() *nearIndex {
	x := &nearIndex{postings: map[[3]byte][]int32{}}
	for i := range b.names.rows {
		r := &b.names.rows[i]
		if r.class == index.NodeIDName || r.class == index.PathName || r.class == index.HeadingName || len(x.names) == maxNamesNear {
			continue
		}
		doc, _ := b.g.Place(r.node)
		n := nearNameOf{r.key, r.exact, b.docs[doc].Path}
		id := int32(len(x.names))
		x.names = append(x.names, n)
		for _, t := range trigrams(n.folded) {
			if list := x.postings[t]; len(list) < maxPostings {
				x.postings[t] = append(list, id)
			}
		}
	}
	x.shared = make([]int32, len(x.names))
	return x
}

// trigrams returns the distinct trigrams of a name with its borders marked.
func trigrams(s string) [][3]byte {
	if len(s) > maxCompared {
		s = s[:maxCompared]
	}
	s = "\x01" + s + "\x02"
	list := make([][3]byte, 0, len(s))
	for i := 0; i+3 <= len(s); i++ {
		list = append(list, [3]byte{s[i], s[i+1], s[i+2]})
	}
	slices.SortFunc(list, func(a, b [3]byte) int { return strings.Compare(string(a[:]), string(b[:])) })
	return slices.Compact(list)
}

// nearNames returns at most 3 names or paths that look like a target.
func (b *builder) nearNames(x *nearIndex, written string, of nearKind) []string {
	word := text.Fold(clip(strings.TrimSpace(written)))
	if of == nearPath {
		word = path.Base(trimExtension(strings.TrimSuffix(word, "/"), extensions))
	}
	if word == "" || word == "." {
		return nil
	}
	var candidates []int32
	for _, t := range trigrams(word) {
		for _, id := range x.postings[t] {
			if x.shared[id]++; x.shared[id] == 1 {
				candidates = append(candidates, id)
			}
		}
	}
	slices.SortFunc(candidates, func(a, b int32) int {
		return cmp.Or(cmp.Compare(x.shared[b], x.shared[a]), cmp.Compare(a, b))
	})
	defer func() {
		for _, id := range candidates {
			x.shared[id] = 0
		}
	}()
	var list []scored
	for _, id := range candidates[:min(len(candidates), maxCandidates)] {
		n := &x.names[id]
		if score := b.likeness(word, n.folded); score >= minLikeness {
			shown := n.shown
			if of == nearPath {
				shown = n.path
			}
			list = append(list, scored{shown, score})
		}
	}
	return best(list)
}

type scored struct {
	name  string
	score float64
}

// minLikeness is the share of a name that must be right for it to be suggested.
const minLikeness = 0.6

// best returns the three best distinct names.
func best(list []scored) []string {
	slices.SortFunc(list, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.name, b.name))
	})
	var names []string
	for _, s := range list {
		if !slices.Contains(names, s.name) {
			names = append(names, s.name)
		}
		if len(names) == 3 {
			break
		}
	}
	return names
}

// begun is the least likeness of two names of which one begins with the other, however short that is.
const begun = 0.5

// likeness is 1 - edits / length of the longer word, in bytes; where one word begins the other, what is
// beyond it counts half.
func likeness(a, b string) float64 {
	a, b = a[:min(len(a), maxCompared)], b[:min(len(b), maxCompared)]
	if a == "" || b == "" {
		return 0
	}
	longer := max(len(a), len(b))
	score := 1 - float64(text.Distance([]byte(a), []byte(b), longer, text.Swaps))/float64(longer)
	if strings.HasPrefix(a, b) || strings.HasPrefix(b, a) {
		score = max(score, begun+(1-begun)*float64(min(len(a), len(b)))/float64(longer))
	}
	return score
}

// cureOf says which of a few known words a mistyped one must mean, or what to do if none is near.
func cureOf(word string, known []string, otherwise string) string {
	if near := nearest(word, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return otherwise
}

// nearest returns the one of a few known words that a mistyped one must mean, or "".
func nearest(word string, known []string) string {
	bestWord, bestScore := "", minLikeness
	word = strings.ToLower(word)
	for _, k := range known {
		if score := likeness(word, strings.ToLower(k)); score > bestScore {
			bestWord, bestScore = k, score
		}
	}
	return bestWord
}
