package source

import "strings"

// compileClass reads the bracket expression that p begins with. It returns the set of bytes that match and the length
// of the expression; 0 if it does not end or names an unknown class, and so can match nothing.
func compileClass(p string) (set *[4]uint64, n int) {
	set = new([4]uint64)
	add := func(c byte) { set[c/64] |= 1 << (c % 64) }
	i := 1
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	previous := -1 // the byte that a range could begin with
	for first := true; ; first = false {
		if i >= len(p) {
			return nil, 0
		}
		c := p[i]
		switch {
		case c == ']' && !first:
			if negated {
				for w := range set {
					set[w] = ^set[w]
				}
			}
			set['/'/64] &^= 1 << ('/' % 64)
			return set, i + 1
		case c == '\\':
			i++
			if i >= len(p) {
				return nil, 0
			}
			add(p[i])
			previous = int(p[i])
		case c == '-' && previous >= 0 && i+1 < len(p) && p[i+1] != ']':
			i++
			if p[i] == '\\' {
				i++
				if i >= len(p) {
					return nil, 0
				}
			}
			for b := previous; b <= int(p[i]); b++ {
				add(byte(b))
			}
			previous = -1
		case c == '[' && i+1 < len(p) && p[i+1] == ':':
			end := strings.IndexByte(p[i+2:], ']')
			if end < 0 {
				return nil, 0
			}
			name, closed := strings.CutSuffix(p[i+2:i+2+end], ":")
			if !closed {
				add('[') // not ":]": an ordinary bracket
				previous = '['
				break
			}
			in := namedClass(name)
			if in == nil {
				return nil, 0
			}
			for b := range 256 {
				if in(byte(b)) {
					add(byte(b))
				}
			}
			previous = -1
			i += 2 + end
		default:
			add(c)
			previous = int(c)
		}
		i++
	}
}

// namedClass returns the membership of a POSIX class in the C locale; nil if there is none of that name.
func namedClass(name string) func(byte) bool {
	between := func(low, high byte) func(byte) bool { return func(c byte) bool { return low <= c && c <= high } }
	lower, upper, digit := between('a', 'z'), between('A', 'Z'), between('0', '9')
	alpha := func(c byte) bool { return lower(c) || upper(c) }
	alnum := func(c byte) bool { return alpha(c) || digit(c) }
	graph := between('!', '~')
	switch name {
	case "alnum":
		return alnum
	case "alpha":
		return alpha
	case "blank":
		return func(c byte) bool { return c == ' ' || c == '\t' }
	case "cntrl":
		return func(c byte) bool { return c < ' ' || c == 0x7f }
	case "digit":
		return digit
	case "graph":
		return graph
	case "lower":
		return lower
	case "print":
		return between(' ', '~')
	case "punct":
		return func(c byte) bool { return graph(c) && !alnum(c) }
	case "space":
		return func(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }
	case "upper":
		return upper
	case "xdigit":
		return func(c byte) bool { return digit(c) || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F' }
	}
	return nil
}
