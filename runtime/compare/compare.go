// Package compare says what two artifacts have in common and what not.
package compare

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/runtime/wire"
)

// linkRules are the rules whose findings are links that lead nowhere.
var linkRules = []string{"broken-link", "broken-anchor", "ambiguous-target", "orphan-wiki-link", "outside-root", "broken-relation",
	"missing-asset"}

// Artifacts compares two open artifacts. Cost: a hash of all their text.
func Artifacts(old, now *index.Index) *wire.DiffReport {
	r := &wire.DiffReport{SchemaVersion: "diff_report.v1", Same: old.File.RootHash() == now.File.RootHash()}
	r.Old.Index, r.Old.Documents, r.Old.Sections = old.File.ID(), old.Docs(), old.Sections()
	r.New.Index, r.New.Documents, r.New.Sections = now.File.ID(), now.Docs(), now.Sections()
	places := map[string]int32{}
	before, after := contentsOf(old, places), contentsOf(now, places)
	r.Documents = lists(before.documents, after.documents)
	r.Sections = lists(before.sections, after.sections)
	r.Sections = without(r.Sections, r.Documents)
	r.Chunks = chunks(before.chunks, after.chunks)
	r.Findings = findings(old, now, r.Documents.Moved)
	r.Links.New = slices.DeleteFunc(slices.Clone(r.Findings.New), notLink)
	r.Links.Gone = slices.DeleteFunc(slices.Clone(r.Findings.Gone), notLink)
	r.Options = options(old, now)
	return r
}

func notLink(f wire.DiffFinding) bool { return !slices.Contains(linkRules, f.Rule) }

// contents is what a file has, by place: a hash of each text.
type contents struct {
	documents map[string][32]byte // by path
	sections  map[string][32]byte // by path#anchor: of a section's own text
	chunks    []chunk
}

// chunk is a chunk's place and hashes.
type chunk struct {
	section        int32 // number of its place, the same in both files
	embedded, text [32]byte
}

// contentsOf reads what a file has. Numbers of places are those of the table, which grows.
func contentsOf(x *index.Index, places map[string]int32) *contents {
	c := &contents{documents: map[string][32]byte{}, sections: map[string][32]byte{}, chunks: make([]chunk, 0, x.Chunks())}
	r := newReader(x)
	for d := range index.DocID(x.Docs()) {
		path := x.DocPath(d)
		c.documents[path] = x.DocSHA256(d)
		r.sections(d, func(s index.Section, own []byte) {
			if s.Anchor != "" { // else it is what stands before the first heading
				c.sections[path+"#"+s.Anchor] = sha256.Sum256(bytes.TrimSpace(own))
			}
		})
		first, end := x.DocSections(d)
		for s := first; s < end; s++ {
			place := path + "#" + x.Section(s).Anchor
			number, known := places[place]
			if !known {
				number = int32(len(places))
				places[place] = number
			}
			from, to := x.SectionChunks(s)
			for i := from; i < to; i++ {
				row := x.Chunk(i)
				size := uint64(len(r.buf))
				text := r.buf[min(row.Start, size):min(max(row.Start, row.End), size)]
				c.chunks = append(c.chunks, chunk{number, x.ChunkSHA256(i), sha256.Sum256(bytes.TrimSpace(text))})
			}
		}
	}
	return c
}

// reader reads the texts of sections, a document at a time.
type reader struct {
	x    *index.Index
	text *index.Reader
	buf  []byte
}

func newReader(x *index.Index) *reader { return &reader{x: x, text: x.Text.Reader()} }

// sections calls do for each section of a document, with its own text: that before the next heading.
func (r *reader) sections(d index.DocID, do func(s index.Section, own []byte)) {
	from, to := r.x.DocText(d)
	r.buf = r.x.AppendText(slices.Grow(r.buf[:0], int(to-from)), r.text, d, 0, to-from)
	first, end := r.x.DocSections(d)
	for s := first; s < end; s++ {
		stop := uint64(len(r.buf))
		if s+1 < end {
			stop = r.x.Section(s + 1).Start
		}
		section := r.x.Section(s)
		own := r.buf[min(section.Start, uint64(len(r.buf))):]
		if stop >= section.Start {
			own = own[:min(stop-section.Start, uint64(len(own)))]
		}
		do(section, own)
	}
}

// lists compares texts by place. A text that is gone and a new one with the same bytes are one that has moved.
func lists(old, now map[string][32]byte) (l wire.DiffList) {
	fresh := map[[32]byte][]string{} // places of new texts
	for _, place := range slices.Sorted(maps.Keys(now)) {
		hash, there := old[place]
		switch {
		case !there:
			fresh[now[place]] = append(fresh[now[place]], place)
		case hash != now[place]:
			l.Changed = append(l.Changed, place)
		}
	}
	for _, place := range slices.Sorted(maps.Keys(old)) {
		if _, there := now[place]; there {
			continue
		}
		hash := old[place]
		if to := fresh[hash]; len(to) > 0 {
			l.Moved = append(l.Moved, wire.DiffMove{From: place, To: to[0]})
			fresh[hash] = to[1:]
			continue
		}
		l.Removed = append(l.Removed, place)
	}
	for _, places := range fresh {
		l.Added = append(l.Added, places...)
	}
	slices.Sort(l.Added)
	return l
}

// without leaves out the sections of documents that were added, removed or moved as a whole.
func without(sections, documents wire.DiffList) wire.DiffList {
	document := func(place string) string {
		path, _, _ := strings.Cut(place, "#")
		return path
	}
	in := func(list []string) func(place string) bool {
		return func(place string) bool { return slices.Contains(list, document(place)) }
	}
	sections.Added = slices.DeleteFunc(sections.Added, in(documents.Added))
	sections.Removed = slices.DeleteFunc(sections.Removed, in(documents.Removed))
	sections.Moved = slices.DeleteFunc(sections.Moved, func(m wire.DiffMove) bool {
		return slices.Contains(documents.Moved, wire.DiffMove{From: document(m.From), To: document(m.To)})
	})
	return sections
}

// chunks pairs the chunks of two files: first those that are the same where they stand, then those that moved, then those
// of the same section. What has no pair was added or removed.
func chunks(old, now []chunk) wire.DiffCount {
	c := wire.DiffCount{Old: len(old), New: len(now)}
	pairs := func(key func(*chunk) any) (n int) {
		old, now, n = pair(old, now, key)
		return n
	}
	all := now
	_, fresh, _ := pair(old, all, func(c *chunk) any { return c.embedded })
	c.NewTexts = len(fresh)
	pairs(func(c *chunk) any { return *c })
	c.Moved = pairs(func(c *chunk) any { return c.embedded })
	type placed struct {
		section int32
		text    [32]byte
	}
	c.Reworded = pairs(func(c *chunk) any { return placed{c.section, c.text} }) // other headings above it
	c.Moved += pairs(func(c *chunk) any { return c.text })
	c.Reworded += pairs(func(c *chunk) any { return c.section })
	c.Removed, c.Added = len(old), len(now)
	return c
}

// pair takes out of two lists the pairs that have the same key, and counts them. A key may occur many times.
func pair(old, now []chunk, key func(*chunk) any) (oldRest, nowRest []chunk, n int) {
	there := make(map[any]int, len(old))
	for i := range old {
		there[key(&old[i])]++
	}
	taken := map[any]int{}
	for i := range now {
		if k := key(&now[i]); there[k] > 0 {
			there[k]--
			taken[k]++
			n++
		} else {
			nowRest = append(nowRest, now[i])
		}
	}
	for i := range old {
		if k := key(&old[i]); taken[k] > 0 {
			taken[k]--
		} else {
			oldRest = append(oldRest, old[i])
		}
	}
	return oldRest, nowRest, n
}

// findings compares findings by path, rule and text. A document that moved takes its findings along, and a link that
// leads nowhere for another reason than before is the same finding.
func findings(old, now *index.Index, moved []wire.DiffMove) (f wire.DiffFindings) {
	type key struct{ path, rule, text string }
	to := map[string]string{}
	for _, m := range moved {
		to[m.From] = m.To
	}
	keyOf := func(f index.Finding) key {
		k := key{f.Path, f.Rule, f.Text}
		if link, _, found := strings.Cut(f.Text, `": `); found && slices.Contains(linkRules, f.Rule) {
			k.rule, k.text = "", link // of: link "TARGET": REASON
		}
		return k
	}
	oldKey := func(f index.Finding) key {
		k := keyOf(f)
		k.path = cmp.Or(to[k.path], k.path)
		return k
	}
	list := func(x, other *index.Index, mine, others func(index.Finding) key) (list []wire.DiffFinding) {
		there := map[key]int{}
		for i := range other.Findings() {
			there[others(other.Finding(uint32(i)))]++
		}
		for i := range x.Findings() {
			f := x.Finding(uint32(i))
			k := mine(f)
			if there[k]--; there[k] < 0 {
				list = append(list, wire.DiffFinding{Path: f.Path, Line: int(f.Line), Rule: f.Rule, Message: f.Text})
			}
		}
		return list
	}
	f.New, f.Gone = list(now, old, keyOf, oldKey), list(old, now, oldKey, keyOf)
	return f
}

// options lists what of the builds differs.
func options(old, now *index.Index) (list []wire.DiffOption) {
	after := optionRows(now.Meta)
	for i, row := range optionRows(old.Meta) {
		if row[1] != after[i][1] {
			list = append(list, wire.DiffOption{Name: row[0], From: row[1], To: after[i][1]})
		}
	}
	return list
}

// optionRows are the options of a build, and what made the artifact, by name: always the same names.
func optionRows(m *index.Meta) [][2]string {
	o := &m.Options
	rows := [][2]string{{"kdd", m.MadeBy}, {"title", m.Title}, {"base-url", m.BaseURL}, {"site-url", o.SiteURL},
		{"dialect", strings.Join(o.Dialects, " ")}, {"language", o.Language},
		{"include", strings.Join(o.Include, " ")}, {"exclude", strings.Join(o.Exclude, " ")}, {"drafts", fmt.Sprint(o.Drafts)},
		{"follow-links", fmt.Sprint(o.FollowLinks)}, {"graph", o.Graph}, {"encoder", m.Encoder}}
	model := cmp.Or(m.Model, &index.Model{})
	return append(rows, [2]string{"model", model.Name}, [2]string{"model sha256", fmt.Sprintf("%.16s", model.SHA256)},
		[2]string{"precision", model.Precision}, [2]string{"engine", model.Engine})
}
