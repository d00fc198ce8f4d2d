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

// nearKeys are the keys of what lies as p does, the nearest first: in its domain and folder, in its domain and a folder
// around it, in its domain, then the same in other domains.
func (p place) nearKeys() []string {
	keys := p.folderKeys("both\x00" + p.domain)
	keys = append(keys, "domain\x00"+p.domain)
	return append(keys, p.folderKeys("any")...)
}

// askedKeys are the keys of what lies in a domain that is asked for, the nearest to the asker's folder first. The domain
// is folded, since [[domain::name]] may write it in any case.
func (p place) askedKeys(domain string) []string {
	domain = text.Fold(domain)
	return append(p.folderKeys("asked\x00"+domain), "asked\x00"+domain)
}

// folderKeys are the keys of p's folder itself and of what lies in it and in the folders around it.
func (p place) folderKeys(head string) []string {
	keys := []string{head + "\x00at\x00" + p.dir}
	for dir := p.dir; dir != ""; dir = dir[:max(0, strings.LastIndexByte(dir, '/'))] {
		keys = append(keys, head+"\x00in\x00"+dir)
	}
	return keys
}

// nearness says how near a folder is to p's: more for each folder that both lie in, and most for p's own.
func (p place) nearness(dir string) int {
	if dir == p.dir {
		return 1 + 2*folders(dir)
	}
	n := 0
	for i := 0; i < len(dir) && i < len(p.dir) && dir[i] == p.dir[i]; i++ {
		if (i+1 == len(dir) || dir[i+1] == '/') && (i+1 == len(p.dir) || p.dir[i+1] == '/') {
			n++
		}
	}
	return 2 * n
}

// folders returns how many folders a path to one names.
func folders(dir string) int {
	if dir == "" {
		return 0
	}
	return 1 + strings.Count(dir, "/")
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
					for _, key := range append(w.nearKeys(), w.askedKeys(w.domain)...) {
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

// chooseOf prefers the asker's own document (for headings), its domain, and what is nearest to its folder, in this order.
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
		score := who.nearness(w.dir)
		if w.domain == who.domain {
			score += sameDomainScore
		}
		if run[i].class == index.HeadingName && w.doc == who.doc {
			score += ownDocumentScore
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

// What is more than the nearness of any folder.
const (
	sameDomainScore  = 1 << 20
	ownDocumentScore = 1 << 21
)

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
		keys = who.askedKeys(who.want)
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
