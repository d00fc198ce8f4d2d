package graph

import (
	"path"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"kdd/compiler/markdown"
	"kdd/runtime/analyze"
)

// maxKeyBytes bounds the keys of names, so that a heading of megabytes costs no more than a long one.
const maxKeyBytes = 256

// keyOf folds a name. What is longer than maxKeyBytes is cut, at a character.
func keyOf(name string) string {
	if len(name) > 4*maxKeyBytes {
		name = name[:4*maxKeyBytes] // a rune cut in half folds to nothing
	}
	return cutKey(analyze.Fold(name))
}

func cutKey(key string) string {
	if len(key) <= maxKeyBytes {
		return key
	}
	end := maxKeyBytes
	for !utf8.RuneStart(key[end]) {
		end--
	}
	return strings.TrimRight(key[:end], " ")
}

// row is one name before it is sorted.
type row struct {
	key, exact string
	class      NameClass
	node       NodeID
}

// names returns all names that document d has for itself and its sections.
func (b *builder) namesOf(d int) []row {
	doc, info := b.docs[d], &b.facts[d].info
	rows := make([]row, 0, 6+len(info.Aliases)+len(doc.Sections))
	add := func(class NameClass, node NodeID, name string) {
		name = strings.TrimSpace(name)
		if len(name) > 4*maxKeyBytes {
			name = name[:4*maxKeyBytes]
		}
		if key := keyOf(name); key != "" {
			rows = append(rows, row{key, name, class, node})
		}
	}
	self := NodeID(d)
	add(NodeIDName, self, info.NodeID)
	if info.ID != "" {
		add(IDName, self, info.ID)
	}
	stem := stemOf(doc.Path)
	add(StemName, self, b.rules.stemName(doc.Path))
	if head := idHead(stem); head != "" {
		add(HeadName, self, head)
	}
	if k := b.facts[d].kind; k >= 0 { // "0004-use-postgres.md" among decisions is ADR-0004
		if number := leadingNumber(stem); number != "" && b.rules.kinds[k].linkPrefix != "" {
			add(HeadName, self, b.rules.kinds[k].linkPrefix+number)
		}
	}
	add(PathName, self, doc.Path)
	add(PathName, self, strings.TrimSuffix(doc.Path, path.Ext(doc.Path)))
	for _, alias := range info.Aliases {
		add(AliasName, self, alias)
	}
	add(TitleName, self, doc.Title)
	title := b.titleSection[d]
	for s := 1; s < len(doc.Sections); s++ {
		node, heading := b.node(d, s), doc.Sections[s].Heading
		add(HeadingName, node, heading)
		head := idHead(heading)
		switch {
		case head == "" || head == heading:
		case s == title:
			add(HeadName, self, head)
		default:
			add(HeadingName, node, head)
		}
	}
	return rows
}

func (b *builder) extraNames() []row {
	var rows []row
	for i := range b.g.Extra {
		extra, node := &b.g.Extra[i], b.g.extraNode(i)
		id := strings.TrimPrefix(extra.ID, b.rules.prefixOf(extra.Kind)+":")
		for _, name := range []struct {
			class NameClass
			text  string
		}{{NodeIDName, extra.ID}, {IDName, id}, {TitleName, extra.Name}} {
			if key := keyOf(name.text); key != "" {
				rows = append(rows, row{key, name.text, name.class, node})
			}
		}
	}
	return rows
}

// prefixOf returns the node prefix of a kind, or "".
func (r *Rules) prefixOf(kind string) string {
	if i, ok := r.kindIndex[kind]; ok {
		return r.kinds[i].prefix
	}
	return ""
}

// idHead returns the PREFIX-NNN that a stem or heading begins with: "UC-001-IndexDocument" has UC-001, "RF-AUTH-001:
// Login" has RF-AUTH-001, "p9-fb-30-mcp" has p9-fb-30. "" if there is none.
func idHead(text string) string {
	if text == "" || !isLetter(text[0]) {
		return ""
	}
	start, end := 0, 0
	for i := 0; ; i++ {
		if i < len(text) && (isLetter(text[i]) || isDigit(text[i])) {
			continue
		}
		segment := text[start:i]
		if segment == "" {
			return ""
		}
		if start > 0 && allDigits(segment) {
			end = i
			break
		}
		if i >= len(text) || text[i] != '-' || i > 64 {
			return ""
		}
		start = i + 1
	}
	if end < len(text) && strings.IndexByte("-_. :,;)(|/", text[end]) < 0 && text[end] < utf8.RuneSelf {
		return ""
	}
	return text[:end]
}

func leadingNumber(stem string) string {
	i := 0
	for i < len(stem) && isDigit(stem[i]) {
		i++
	}
	if i < 3 || i > 6 || i < len(stem) && strings.IndexByte("-_. ", stem[i]) < 0 {
		return ""
	}
	return stem[:i]
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }

func allDigits(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// span is a range of rows.
type span struct{ start, end int }

// nameTable finds rows by exact and by folded name.
type nameTable struct {
	rows    []row // sorted by key, exact, class, node
	folded  []row // sorted by key, class, node
	byExact map[string]span
	byKey   map[string]span
	spread  map[spreadKey]*spread // of long runs
	where   func(NodeID) place
}

// place is where a candidate lies: what preferences go by.
type place struct {
	doc         int
	domain, dir string
}

// spread counts the candidates of a long run by domain and folder, so that choosing one need not look at all.
type spread struct{ domain, dir, both map[string]tally }

type spreadKey struct {
	folded bool
	start  int
}

type tally struct {
	first NodeID
	n     int
}

// longRun is how many candidates of one class are looked at one by one.
const longRun = 16

func newNameTable(rows []row, where func(NodeID) place) *nameTable {
	slices.SortFunc(rows, func(a, b row) int {
		if a.key != b.key {
			return strings.Compare(a.key, b.key)
		}
		if a.exact != b.exact {
			return strings.Compare(a.exact, b.exact)
		}
		return compareRows(a, b)
	})
	rows = slices.Compact(rows)
	t := &nameTable{
		rows: rows, folded: slices.Clone(rows), where: where, spread: map[spreadKey]*spread{},
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
	if a.class != b.class {
		return int(a.class) - int(b.class)
	}
	return int(int64(a.node) - int64(b.node))
}

// tallyRuns counts each long run of one class in rows[start:end].
func (t *nameTable) tallyRuns(rows []row, folded bool, start, end int) {
	for start < end {
		stop := start
		for stop < end && rows[stop].class == rows[start].class {
			stop++
		}
		if stop-start > longRun {
			s := &spread{map[string]tally{}, map[string]tally{}, map[string]tally{}}
			last := NodeID(0)
			for i := start; i < stop; i++ {
				if i > start && rows[i].node == last {
					continue
				}
				last = rows[i].node
				w := t.where(last)
				count(s.domain, w.domain, last)
				count(s.dir, w.dir, last)
				count(s.both, w.domain+"\x00"+w.dir, last)
			}
			t.spread[spreadKey{folded, start}] = s
		}
		start = stop
	}
}

func count(m map[string]tally, key string, node NodeID) {
	c, ok := m[key]
	if !ok {
		c.first = node
	}
	c.n++
	m[key] = c
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
	class  NameClass
	others int // how many more candidates are as good
}

// resolve looks a name up, as written first, then folded, by class; at most classes up to last.
func (t *nameTable) resolve(name string, who asker, last NameClass) (found, bool) {
	name = strings.TrimSpace(name)
	if len(name) > 4*maxKeyBytes {
		name = name[:4*maxKeyBytes]
	}
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
func (t *nameTable) choose(rows []row, folded bool, s span, who asker, last NameClass) (found, bool) {
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
		if run[i].class == HeadingName && w.doc == who.doc {
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
func (t *nameTable) chooseCounted(run []row, c *spread, who asker) (found, bool) {
	if run[0].class == HeadingName && who.want == "" {
		i := sort.Search(len(run), func(i int) bool { return t.where(run[i].node).doc >= who.doc })
		if i < len(run) && t.where(run[i].node).doc == who.doc {
			return found{node: run[i].node}, true
		}
	}
	if who.want != "" {
		if in, ok := c.both[who.want+"\x00"+who.dir]; ok {
			return found{node: in.first, others: in.n - 1}, true
		}
		in, ok := c.domain[who.want]
		return found{node: in.first, others: in.n - 1}, ok
	}
	if in, ok := c.both[who.domain+"\x00"+who.dir]; ok {
		return found{node: in.first, others: in.n - 1}, true
	}
	if in, ok := c.domain[who.domain]; ok {
		return found{node: in.first, others: in.n - 1}, true
	}
	if in, ok := c.dir[who.dir]; ok {
		return found{node: in.first, others: in.n - 1}, true
	}
	return found{node: run[0].node, others: len(run) - 1}, true
}

func sameDomain(a, b string) bool { return a == b || analyze.Fold(a) == analyze.Fold(b) }

// docAt returns the document of a node by the table's own measure.
func (b *builder) where(n NodeID) place {
	doc, _ := b.g.Place(n)
	return place{doc, b.facts[doc].info.Domain, b.dirs[doc]}
}

// pathKeys are the forms under which a file is looked up: see pathTable.
func trimExtension(p string, extensions []string) string {
	ext := strings.ToLower(path.Ext(p))
	if slices.Contains(extensions, ext) {
		return p[:len(p)-len(ext)]
	}
	return p
}

// titleSectionOf returns the section that only repeats the document's title: its first heading, if that is the only
// one at the top or stands on level 1, and reads as the title. 0 if there is none.
func titleSectionOf(doc *markdown.Document) int {
	if len(doc.Sections) < 2 || doc.Sections[1].Level > 1 && doc.TitleFrom != "heading" {
		return 0
	}
	if analyze.Fold(doc.Sections[1].Heading) == analyze.Fold(doc.Title) {
		return 1
	}
	if doc.Sections[1].Level != 1 || doc.Sections[1].Parent != 0 {
		return 0
	}
	for s := 2; s < len(doc.Sections); s++ {
		if doc.Sections[s].Parent == 0 {
			return 0
		}
	}
	return 1
}

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
