package graph

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"kdd/format/index"
	"kdd/format/text"
)

// span is a range of rows.
type span struct{ start, end int }

// nameTable finds rows by exact and by folded name.
type nameTable struct {
	rows    []row // sorted by key, exact, class, node
	folded  []row // sorted by key, class, node
	byExact map[string]span
	byKey   map[string]span
	spread  map[spreadKey]spread // of long runs
	where   func(NodeID) place
}

// place is where a candidate lies: what preferences go by.
type place struct {
	doc         int
	domain, dir string
}

// spread counts the candidates of a long run by the keys of their place, so that choosing one need not look at all.
type spread map[string]tally[NodeID]

// nearKeys are the keys of what lies as p does, the nearest first: in its domain and folder, its domain, its folder.
func (p place) nearKeys() []string {
	return []string{"both\x00" + p.domain + "\x00" + p.dir, "domain\x00" + p.domain, "dir\x00" + p.dir}
}

// askedKeys are the keys of what lies in a domain that is asked for, in the asker's folder first. The domain is folded,
// since [[domain::name]] may write it in any case.
func askedKeys(domain, dir string) []string {
	domain = text.Fold(domain)
	return []string{"asked\x00" + domain + "\x00" + dir, "asked\x00" + domain}
}

type spreadKey struct {
	folded bool
	start  int
}

// longRun is how many candidates of one class are looked at one by one.
const longRun = 16

func newNameTable(rows []row, where func(NodeID) place) *nameTable {
	slices.SortFunc(rows, func(a, b row) int {
		return cmp.Or(strings.Compare(a.key, b.key), strings.Compare(a.exact, b.exact), compareRows(a, b))
	})
	rows = slices.Compact(rows)
	t := &nameTable{
		rows: rows, folded: slices.Clone(rows), where: where, spread: map[spreadKey]spread{},
		byExact: make(map[string]span, len(rows)), byKey: make(map[string]span, len(rows)),
	}
	for start := 0; start < len(rows); {
		end, variants := start, 0
		for end < len(rows) && rows[end].key == rows[start].key {
			first := end
			for end < len(rows) && rows[end].key == rows[first].key && rows[end].exact == rows[first].exact {
				end++
			}
			t.byExact[rows[first].exact] = span{first, end}
			t.tallyRuns(rows, false, first, end)
			variants++
		}
		if variants > 1 {
			slices.SortFunc(t.folded[start:end], compareRows)
		}
		t.byKey[rows[start].key] = span{start, end}
		t.tallyRuns(t.folded, true, start, end)
		start = end
	}
	return t
}

func compareRows(a, b row) int {
	return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.node, b.node))
}

// tallyRuns counts each long run of one class in rows[start:end].
func (t *nameTable) tallyRuns(rows []row, folded bool, start, end int) {
	for start < end {
		stop := start
		for stop < end && rows[stop].class == rows[start].class {
			stop++
		}
		if stop-start > longRun {
			s := spread{}
			for i := start; i < stop; i++ {
				if node := rows[i].node; i == start || node != rows[i-1].node {
					w := t.where(node)
					for _, key := range append(w.nearKeys(), askedKeys(w.domain, w.dir)...) {
						count(s, key, node)
					}
				}
			}
			t.spread[spreadKey{folded, start}] = s
		}
		start = stop
	}
}

// names returns the rows as the graph has them.
func (t *nameTable) names() []Name {
	names := make([]Name, 0, len(t.folded))
	for _, r := range t.folded {
		n := Name{r.key, r.class, r.node}
		if len(names) == 0 || names[len(names)-1] != n {
			names = append(names, n)
		}
	}
	return names
}

// asker is who wants a name resolved.
type asker struct {
	place
	want string // only candidates of this domain; "" = any
}

// found is what a name leads to.
type found struct {
	node   NodeID
	class  index.NameClass
	others int // how many more candidates are as good
}

// resolve looks a name up, as written first, then folded, by class; at most classes up to last.
func (t *nameTable) resolve(name string, who asker, last index.NameClass) (found, bool) {
	name = shortName(name)
	if s, ok := t.byExact[name]; ok {
		if f, ok := t.choose(t.rows, false, s, who, last); ok {
			return f, true
		}
	}
	if s, ok := t.byKey[keyOf(name)]; ok {
		return t.choose(t.folded, true, s, who, last)
	}
	return found{}, false
}

// choose goes through the classes of a range of rows and takes the first that has an acceptable candidate.
func (t *nameTable) choose(rows []row, folded bool, s span, who asker, last index.NameClass) (found, bool) {
	for start := s.start; start < s.end; {
		class := rows[start].class
		if class > last {
			break
		}
		stop := start + sort.Search(s.end-start, func(i int) bool { return rows[start+i].class > class })
		var f found
		var ok bool
		if counted := t.spread[spreadKey{folded, start}]; counted != nil {
			f, ok = t.chooseCounted(rows[start:stop], counted, who)
		} else {
			f, ok = t.chooseOf(rows[start:stop], who)
		}
		if ok {
			f.class = class
			return f, true
		}
		start = stop
	}
	return found{}, false
}

// chooseOf prefers the asker's own document (for headings), domain, and folder, in this order.
func (t *nameTable) chooseOf(run []row, who asker) (found, bool) {
	best, bestScore, same := found{}, -1, 0
	for i := range run {
		if i > 0 && run[i].node == run[i-1].node {
			continue
		}
		w := t.where(run[i].node)
		if who.want != "" && !sameDomain(w.domain, who.want) {
			continue
		}
		score := 0
		if run[i].class == index.HeadingName && w.doc == who.doc {
			score += 4
		}
		if w.domain == who.domain {
			score += 2
		}
		if w.dir == who.dir {
			score++
		}
		switch {
		case score > bestScore:
			best.node, bestScore, same = run[i].node, score, 0
		case score == bestScore:
			same++
		}
	}
	best.others = same
	return best, bestScore >= 0
}

// chooseCounted is chooseOf for a long run, in constant time.
func (t *nameTable) chooseCounted(run []row, c spread, who asker) (found, bool) {
	if run[0].class == index.HeadingName && who.want == "" {
		i := sort.Search(len(run), func(i int) bool { return t.where(run[i].node).doc >= who.doc })
		if i < len(run) && t.where(run[i].node).doc == who.doc {
			return found{node: run[i].node}, true
		}
	}
	keys := who.nearKeys()
	if who.want != "" {
		keys = askedKeys(who.want, who.dir)
	}
	for _, key := range keys {
		if in, ok := c[key]; ok {
			return found{node: in.first, others: in.n - 1}, true
		}
	}
	return found{node: run[0].node, others: len(run) - 1}, who.want == ""
}

func sameDomain(a, b string) bool { return a == b || text.Fold(a) == text.Fold(b) }

// only reports whether exactly one node has a name.
func (t *nameTable) only(name string) bool {
	s, ok := t.byKey[keyOf(name)]
	if !ok {
		return false
	}
	for i := s.start + 1; i < s.end; i++ {
		if t.folded[i].node != t.folded[s.start].node {
			return false
		}
	}
	return true
}
