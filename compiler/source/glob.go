package source

import "strings"

// glob is a compiled pattern of an ignore file. It matches bytes, as git does.
//
// Matching follows all states of the pattern at once, without backtracking: it costs at most length of pattern × length
// of subject. A pattern that asks for more bytes than the subject has, or for bytes that it lacks, is turned down
// first: some nanoseconds instead of microseconds, for each pattern of an ignore file and each file.
type glob struct {
	prefix string // the subject begins with this
	tokens []token
	least  int    // bytes that the tokens match at least
	needle string // the longest run of bytes among the tokens: what follows the prefix holds it
	order  string // its single bytes: what follows the prefix holds them in this order
	suffix bool   // the tokens are one "*" and then bytes: tail, without "/"
	tail   string
	never  bool // the pattern is malformed, and matches nothing
}

type tokenKind uint8

const (
	literal  tokenKind = iota // one byte
	one                       // "?": any byte but "/"
	class                     // "[…]": a byte of the set, never "/"
	star                      // "*": any bytes but "/"
	anything                  // "**": any bytes
	folders                   // before "**/": nothing at all (three tokens further), or the "**" and "/" that follow
)

type token struct {
	kind tokenKind
	b    byte
	set  *[4]uint64 // of a class: bit c%64 of word c/64 is set if byte c matches
}

// compileGlob compiles a pattern without the "!", leading and trailing "/" that parseRule takes off.
func compileGlob(pattern string) glob {
	// Like git, compare what comes before the first special character as it is, and begin the glob proper after it. So
	// "a**/b" matches "a/x/b" and "ax/b", though the manual says that "**" is only special between slashes.
	special := strings.IndexAny(pattern, `*?[\`)
	if special < 0 {
		return glob{prefix: pattern}
	}
	g := glob{prefix: pattern[:special]}
	p := pattern[special:]
	for i := 0; i < len(p); {
		switch p[i] {
		case '\\':
			if i+1 == len(p) {
				return glob{never: true}
			}
			g.tokens = append(g.tokens, token{kind: literal, b: p[i+1]})
			i += 2
		case '?':
			g.tokens = append(g.tokens, token{kind: one})
			i++
		case '[':
			set, n := compileClass(p[i:])
			if n == 0 {
				return glob{never: true}
			}
			g.tokens = append(g.tokens, token{kind: class, set: set})
			i += n
		case '*':
			end := i
			for end < len(p) && p[end] == '*' {
				end++
			}
			opens := i == 0 || p[i-1] == '/'
			closes := end == len(p) || p[end] == '/' || strings.HasPrefix(p[end:], `\/`)
			switch {
			case end-i < 2 || !opens || !closes:
				g.tokens = append(g.tokens, token{kind: star})
			case end < len(p) && p[end] == '/':
				end++
				for strings.HasPrefix(p[end:], "**/") { // "**/**/" says no more than "**/"
					end += len("**/")
				}
				g.tokens = append(g.tokens, token{kind: folders}, token{kind: anything}, token{kind: literal, b: '/'})
			default:
				g.tokens = append(g.tokens, token{kind: anything})
			}
			i = end
		default:
			g.tokens = append(g.tokens, token{kind: literal, b: p[i]})
			i++
		}
	}
	g.findDemands()
	g.findSuffix()
	return g
}

// findDemands gathers what every match has: the "/" of a "**/" is no part of it.
func (g *glob) findDemands() {
	var order []byte
	run := 0 // where the run begins in order
	for i, t := range g.tokens {
		demanded := t.kind <= class && (i < 2 || g.tokens[i-2].kind != folders)
		if demanded {
			g.least++
		}
		if !demanded || t.kind != literal {
			run = len(order)
			continue
		}
		order = append(order, t.b)
		if len(order)-run > len(g.needle) {
			g.needle = string(order[run:])
		}
	}
	g.order = string(order)
}

// inOrder reports whether the bytes of want are in s, in that order.
func inOrder(want, s string) bool {
	for i := range len(want) {
		at := strings.IndexByte(s, want[i])
		if at < 0 {
			return false
		}
		s = s[at+1:]
	}
	return true
}

// findSuffix recognises "*.ext", by far the most frequent pattern.
func (g *glob) findSuffix() {
	if g.tokens[0].kind != star {
		return
	}
	var tail []byte
	for _, t := range g.tokens[1:] {
		if t.kind != literal || t.b == '/' {
			return
		}
		tail = append(tail, t.b)
	}
	g.suffix, g.tail = true, string(tail)
}

// match reports whether the whole subject matches.
func (g *glob) match(subject string) bool {
	if g.never {
		return false
	}
	rest, ok := strings.CutPrefix(subject, g.prefix)
	switch {
	case !ok:
		return false
	case len(g.tokens) == 0:
		return rest == ""
	case g.suffix:
		return strings.HasSuffix(rest, g.tail) && strings.IndexByte(rest, '/') < 0
	}
	return len(rest) >= g.least && strings.Contains(rest, g.needle) && inOrder(g.order, rest) && g.run(rest)
}

// run follows the states through the subject. State i stands before token i; the last one accepts.
func (g *glob) run(subject string) bool {
	n := len(g.tokens)
	var space [2 * 64]bool
	states := space[:]
	if 2*(n+1) > len(states) {
		states = make([]bool, 2*(n+1))
	}
	now, after := states[:n+1], states[n+1:2*(n+1)]
	g.enter(now, 0)
	for i := range len(subject) {
		c := subject[i]
		clear(after)
		alive := false
		for s := range n {
			if !now[s] {
				continue
			}
			t := &g.tokens[s]
			hit, next := true, s+1
			switch t.kind {
			case literal:
				hit = c == t.b
			case one:
				hit = c != '/'
			case class:
				hit = t.set[c/64]>>(c%64)&1 != 0
			case star:
				hit, next = c != '/', s
			case anything:
				next = s
			case folders:
				hit = false
			}
			if hit {
				g.enter(after, next)
				alive = true
			}
		}
		if !alive {
			return false
		}
		now, after = after, now
	}
	return now[n]
}

// enter sets state s and those that follow it without a byte.
func (g *glob) enter(states []bool, s int) {
	for ; !states[s]; s++ {
		states[s] = true
		if s == len(g.tokens) {
			return
		}
		switch g.tokens[s].kind {
		case folders:
			g.enter(states, s+3)
		case star, anything:
		default:
			return
		}
	}
}
