package source

import "strings"

// compileClass reads the bracket expression that p begins with. It returns the set of bytes that match and the length
// of the expression; 0 if it does not end or names an unknown class, and so can match nothing.
func compileClass(p string) (set *[4]uint64, n int) {
	set = new([4]uint64)
	add := func(c byte) { set[c/64] |= 1 << (c % 64) }
	addRange := func(first, last byte) {
		for c := int(first); c <= int(last); c++ {
			add(byte(c))
		}
	}
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
			addRange(byte(previous), p[i])
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
			ranges, known := namedClasses[name]
			if !known {
				return nil, 0
			}
			for ; ranges != ""; ranges = ranges[2:] {
				addRange(ranges[0], ranges[1])
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

// namedClasses are the POSIX classes in the C locale: each a list of ranges, the first and the last byte of one.
var namedClasses = map[string]string{
	"alnum": "09AZaz", "alpha": "AZaz", "blank": "\t\t  ", "cntrl": "\x00\x1f\x7f\x7f", "digit": "09", "graph": "!~",
	"lower": "az", "print": " ~", "punct": "!/:@[`{~", "space": "\t\r  ", "upper": "AZ", "xdigit": "09AFaf",
}
