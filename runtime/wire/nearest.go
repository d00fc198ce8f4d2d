package wire

import (
	"strings"
	"unicode"

	"kdd/format/text"
)

// Nearest returns the one of names that a reader most likely meant by name, or "".
//
// Case, "-", "_" and spaces do not count. A name is near if it is the same but for those, if one begins with the other
// (three letters at least), or if at most two letters have to be changed, added or dropped (one in names of four
// letters and less), and one stays. The nearest wins, then the first in names.
func Nearest(name string, names []string) string {
	const longest = 64 // nothing that is asked for is longer; keeps the distance cheap on hostile input
	got := fold(name)
	if got == "" || len(got) > longest {
		return ""
	}
	best, bestCost := "", 4
	for _, n := range names {
		want := fold(n)
		cost := 4
		switch {
		case want == got:
			cost = 0
		case len(got) >= 3 && (strings.HasPrefix(want, got) || len(want) >= 3 && strings.HasPrefix(got, want)):
			cost = 2
		}
		most := 2
		switch {
		case len(got) == 1:
			most = 0 // every letter is one edit from every other
		case len(got) <= 4:
			most = 1
		}
		if d := text.Distance([]rune(got), []rune(want), most, text.NoSwaps); d <= most && d < max(len(got), len(want)) {
			cost = min(cost, d)
		}
		if cost < bestCost {
			best, bestCost = n, cost
		}
	}
	return best
}

// fold drops what spellings of one name differ in.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// Alternatives joins names as a sentence does: "a, b or c".
func Alternatives(names []string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}
