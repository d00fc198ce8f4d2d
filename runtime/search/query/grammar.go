package query

import (
	"strings"
	"unicode"

	"kdd/format/text"
)

// node is a clause of a query as it is written.
type node struct {
	op   Op
	kids []*node
	item *item // of a leaf
	sure bool  // it is required where it stands alone
	from int   // item that it begins with
}

// reading is a query that has been read.
type reading struct {
	text  string // what is looked for, without operators and negated words; the query itself if it is plain
	plain bool
	parts []part
	root  *node // what sections must hold to be hits; nil = nothing is required
	items []item
	notes []string
}

// part is where the text of an item stands in the text of its reading.
type part struct {
	span
	item *item
}

// read reads a query:
//
//	query  = { or }                         bare words may be there; a lone phrase, field:value, AND, OR and + must, NOT and - must not
//	or     = and { "OR" and }
//	and    = unary { "AND" unary }
//	unary  = { "NOT" | "+" | "-" } ( word | word"*" | word"~"[1|2] | phrase | field":"value | [field":"]"(" query ")" )
//
// The values in parentheses that a field stands before are asked of that field.
//
// A query without operators is plain, and one that cannot be read is too, with a note. So are quotes and a - in the
// middle of a sentence: three bare words at least, one of them a stop word of the language. language is that of the
// text.
func read(text string, language text.Lang, a *text.Analyzer) *reading {
	s := scan(text, a)
	r := &reading{text: text, plain: true, notes: s.notes, items: s.items}
	switch {
	case !r.operators():
		return r
	case len(r.items) > maxItems || r.paths() > maxPaths:
		r.note("the query has too many operators and words: it is read as plain words")
		return r
	}
	if r.prose(language) {
		r.quotations()
	}
	if r.shouted(language) {
		for i := range r.items {
			if k := &r.items[i]; k.kind == and || k.kind == or || k.kind == not {
				k.kind = word
			}
		}
		r.note("AND, OR and NOT are read as words, since other words are in capitals too")
	}
	if !r.operators() {
		return r
	}
	p := parser{items: r.items}
	root := p.query(0, true)
	if p.failed == "" && p.at < len(p.items) {
		p.failed = "a parenthesis is not opened"
	}
	if p.failed == "" && !p.positive {
		p.failed = "there is nothing but what must not be there"
	}
	if p.failed != "" {
		r.note(p.failed + ": the query is read as plain words")
		return r
	}
	r.plain, r.root = false, root
	var b strings.Builder
	for i := range r.items {
		it := &r.items[i]
		if it.kind > phrase || it.negated || it.field.documents() {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		start := b.Len()
		b.WriteString(it.text)
		r.parts = append(r.parts, part{span{start, b.Len()}, it})
	}
	r.text = b.String()
	if r.text == "" {
		r.note("the query only narrows, there is no word to rank by; the list operation lists documents")
	}
	return r
}

func (r *reading) note(text string) { r.notes = append(r.notes, text) }

// operators says whether any item is more than a word or a parenthesis.
func (r *reading) operators() bool {
	for i := range r.items {
		if it := &r.items[i]; it.kind != word && it.kind != open && it.kind != shut || it.mark != exactly || it.field != nil {
			return true
		}
	}
	return false
}

// paths counts what paths are compared with.
func (r *reading) paths() (n int) {
	for i := range r.items {
		if f := r.items[i].field; f != nil && f.name == "path" {
			n++
		}
	}
	return n
}

// prose says whether the bare words of a query are those of a sentence.
func (r *reading) prose(language text.Lang) bool {
	bare, stops := 0, 0
	for i := range r.items {
		if it := &r.items[i]; it.kind == word && it.field == nil {
			bare++
			if text.IsStop(language, text.Fold(strings.TrimRight(it.text, ".,;:?!"))) {
				stops++
			}
		}
	}
	return bare >= 3 && stops > 0
}

// quotations turns the phrases of a sentence that nothing requires into words, and a - between words into a dash.
func (r *reading) quotations() {
	bare := false // a word follows
	for i := len(r.items) - 1; i >= 0; i-- {
		it := &r.items[i]
		switch {
		case it.kind == minus && bare:
			it.kind = word
			it.text = "-"
			r.note("a - before a word in a sentence is read as a dash; NOT leaves a word out")
		case it.kind == phrase && it.field == nil && !r.required(i):
			it.kind = word
			r.note(`quotation marks in a sentence are left out; +"..." requires a phrase`)
		case it.kind == word && it.field == nil && (i == 0 || r.items[i-1].kind != minus && r.items[i-1].kind != plus && r.items[i-1].kind != not):
			bare = true
		}
	}
}

// required says whether an operator stands beside an item.
func (r *reading) required(i int) bool {
	if i > 0 {
		switch r.items[i-1].kind {
		case and, or, not, plus, minus:
			return true
		}
	}
	return i+1 < len(r.items) && (r.items[i+1].kind == and || r.items[i+1].kind == or)
}

// shouted says whether a query has AND, OR or NOT beside stop words in capitals, as in "WHERE IS IT NOT SET" and in
// SQL.
func (r *reading) shouted(language text.Lang) bool {
	logic, loud := false, false
	for i := range r.items {
		it := &r.items[i]
		if it.kind == and || it.kind == or || it.kind == not {
			logic = true
		} else if it.kind == word && len(it.text) >= 3 && strings.IndexFunc(it.text, func(r rune) bool { return !unicode.IsUpper(r) }) < 0 {
			w := text.Fold(it.text)
			loud = loud || text.IsStop("en", w) || text.IsStop(language, w)
		}
	}
	return logic && loud
}

// parser reads items by recursive descent. The first thing that is wrong is kept.
type parser struct {
	items    []item
	at       int
	odd      bool // within an odd number of negations
	positive bool // something is not negated
	failed   string
}

func (p *parser) fail(what string) *node {
	if p.failed == "" {
		p.failed = what
	}
	p.at = len(p.items)
	return &node{}
}

func (p *parser) next() kind {
	if p.at < len(p.items) {
		return p.items[p.at].kind
	}
	return shut
}

// query reads clauses side by side.
func (p *parser) query(depth int, top bool) *node {
	if depth > maxDepth {
		return p.fail("there are too many parentheses within each other")
	}
	n := &node{op: All}
	var may []*node
	for p.at < len(p.items) && p.next() != shut {
		if kid := p.or(depth); kid.sure {
			n.kids = append(n.kids, kid)
		} else {
			may = append(may, kid)
		}
	}
	n.sure = len(n.kids) > 0
	forbids := true
	for _, kid := range n.kids {
		forbids = forbids && kid.op == Not
	}
	if !top && forbids && len(may) > 0 { // within other clauses, one of the words has to be there
		n.kids = append(n.kids, &node{op: Any, kids: may})
	}
	return n
}

func (p *parser) or(depth int) *node {
	n := p.and(depth)
	for p.next() == or && p.at < len(p.items) {
		p.at++
		other := p.and(depth)
		if n.op != Any {
			n = &node{op: Any, kids: []*node{n}, sure: true, from: n.from}
		}
		n.kids = append(n.kids, other)
		p.ask(n)
	}
	return n
}

func (p *parser) and(depth int) *node {
	n := p.unary(depth)
	joined := false
	for p.next() == and && p.at < len(p.items) {
		p.at++
		other := p.unary(depth)
		if !joined {
			n, joined = &node{op: All, kids: []*node{n}, sure: true, from: n.from}, true
		}
		n.kids = append(n.kids, other)
		p.ask(n)
	}
	return n
}

// ask marks the words from where a node begins as words that the query asks for.
func (p *parser) ask(n *node) {
	for i := n.from; i < min(p.at, len(p.items)); i++ {
		p.items[i].asked = true
	}
}

func (p *parser) unary(depth int) *node {
	from := p.at
	times := 0 // that it is negated
	sign := false
	for ; p.at < len(p.items); p.at++ {
		if k := p.items[p.at].kind; k == plus {
			sign = true
		} else if k == not || k == minus {
			times++
		} else {
			break
		}
	}
	odd := p.odd
	p.odd = odd != (times%2 == 1)
	n := p.primary(depth)
	p.odd = odd
	n.from = from
	if sign {
		n.sure = true
		p.ask(n)
	}
	if times%2 == 1 {
		n = &node{op: Not, kids: []*node{n}, sure: true, from: from}
	}
	return n
}

func (p *parser) primary(depth int) *node {
	if p.at >= len(p.items) {
		return p.fail("the query ends in an operator")
	}
	it := &p.items[p.at]
	p.at++
	switch it.kind {
	case open:
		n := p.query(depth+1, false)
		if p.at >= len(p.items) || p.items[p.at].kind != shut {
			return p.fail("a parenthesis is not closed")
		}
		p.at++
		if len(n.kids) == 0 {
			return p.fail("there is nothing in parentheses")
		}
		return n
	case word, phrase:
		it.negated = p.odd
		it.asked = it.kind == phrase || it.field != nil
		p.positive = p.positive || !p.odd
		return &node{op: Leaf, item: it, sure: it.asked}
	}
	return p.fail(it.name() + " has nothing to join")
}

// name says what an operator is called.
func (it *item) name() string {
	switch it.kind {
	case and:
		return "AND"
	case or:
		return "OR"
	}
	return "a parenthesis"
}
