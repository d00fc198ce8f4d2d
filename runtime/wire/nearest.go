package wire

import (
	"strings"
	"unicode"
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
		if d := distance(got, want, most); d <= most && d < max(len(got), len(want)) {
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

// distance is the Levenshtein distance of a and b in runes, or most+1 as soon as it is known to be larger than most.
func distance(a, b string, most int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > most || len(y)-len(x) > most {
		return most + 1
	}
	row := make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		diagonal, least := row[0], i+1
		row[0] = i + 1
		for j := range y {
			cost := diagonal
			if x[i] != y[j] {
				cost = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], cost
			least = min(least, cost)
		}
		if least > most {
			return most + 1
		}
	}
	return row[len(y)]
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
