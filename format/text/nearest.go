package text

import (
	"strings"
	"unicode"
)

// Nearest returns the one of names that was most likely meant by name, or "".
//
// Case, "-", "_" and spaces do not count. A name is near if it is equal, if one begins with the other (three letters at
// least), or if they differ by at most two edits (one edit in names of up to four letters) and share a letter. The
// nearest name wins, the first of several.
func Nearest(name string, names []string) string {
	const maxBytes = 64 // no name is longer; keeps the distance cheap on hostile input
	got := normalize(name)
	if got == "" || len(got) > maxBytes {
		return ""
	}
	maxEdits := 2
	switch {
	case len(got) == 1:
		maxEdits = 0 // every letter is one edit from every other
	case len(got) <= 4:
		maxEdits = 1
	}
	best, bestCost := "", 4
	for _, n := range names {
		want := normalize(n)
		cost := 4
		switch {
		case want == got:
			cost = 0
		case len(got) >= 3 && (strings.HasPrefix(want, got) || len(want) >= 3 && strings.HasPrefix(got, want)):
			cost = 2
		}
		if d := Distance([]rune(got), []rune(want), maxEdits, NoSwaps); d <= maxEdits && d < max(len(got), len(want)) {
			cost = min(cost, d)
		}
		if cost < bestCost {
			best, bestCost = n, cost
		}
	}
	return best
}

// normalize drops the differences between spellings of one name: case, "-", "_" and spaces.
func normalize(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || unicode.IsSpace(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}
