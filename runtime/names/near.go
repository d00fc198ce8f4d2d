package names

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kdd/format/index"
	"kdd/format/text"
)

// NearName is added to the class of a name that is only nearly what was asked for.
const NearName = 100

// NearMatch is a node whose name is spelled nearly like what was asked for.
type NearMatch struct {
	Match
	Distance int    // edits; 0 = but for the characters that join words
	Name     string // as it is written
}

// The bounds of Nearly: fewer characters than minNear have no near names, maxNear nodes are given.
const (
	minNear      = 3
	maxNear      = 8
	maxNearBytes = 512 // of what is asked for
)

// isJoint says whether a character only joins the words of a name: "use memo", "use-memo" and "useMemo" are one name.
func isJoint(r rune) bool { return strings.ContainsRune(" -_./:", r) }

// TrimMarks returns a name without the marks that stand around it in a sentence, in code or in markdown:
// "(`useMemo()`)?" is useMemo. Signs that names begin or end with stay, as in C++, C#, .NET, --flag and @scope.
func TrimMarks(name string) string {
	return strings.TrimSpace(strings.TrimFunc(name, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.In(r, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf) || strings.ContainsRune("\"'`´*~,;:!?…¿¡<>|/。、，；：！？؟،؛।", r)
	}))
}

// Nearly returns the nodes whose names are nearest to entity: those of the fewest edits, if they are no more than
// edits, among names of at most that class, and otherWord does not tell them apart. Case, accents and the characters
// that join words do not count as edits; a name that differs in nothing else has distance 0. Names that begin with the
// same character come before others; then the order is class and node.
//
// Cost: a walk over the dictionary of names.
func Nearly(x *index.Index, entity string, class index.NameClass, edits int) []NearMatch {
	want := strings.TrimFunc(text.Fold(strings.TrimSpace(entity)), isJoint)
	if len(want) > maxNearBytes || letters(want) < minNear {
		return nil
	}
	first, _ := utf8.DecodeRuneInString(want)
	found, _ := x.NameDict().Near(want, "", "", edits, isJoint)
	found = slices.DeleteFunc(found, func(n index.Near) bool { return n.Distance > 0 && otherWord(want, n.Key, edits) })
	type match struct {
		NearMatch
		other bool
		key   uint32
	}
	var list []match
	for _, n := range found {
		if len(list) > 0 && n.Distance > list[0].Distance {
			break
		}
		r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(n.Key, isJoint))
		for _, name := range x.Named(n.Ordinal) {
			if name.Class <= class {
				list = append(list, match{NearMatch{Match{name.Node, NearName + name.Class}, n.Distance, n.Key}, r != first, n.Ordinal})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b match) int {
		if a.other != b.other {
			if b.other {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Node, b.Node))
	})
	var nodes []NearMatch
	for _, m := range list {
		if len(nodes) == maxNear {
			break
		}
		if !slices.ContainsFunc(nodes, func(n NearMatch) bool { return n.Node == m.Node }) {
			m.Name = written(x, m.key, m.Name)
			nodes = append(nodes, m.NearMatch)
		}
	}
	return nodes
}

// otherWord says that two names of a few edits are two words and no misspelling: a Han character is a syllable with a
// meaning, so one that differs counts as two edits (安装 FastAPI is not 卸载 FastAPI); and where all that one of them has
// more is in another script than what stands beside it, that is a word (useState 훅).
func otherWord(a, b string, edits int) bool {
	drop := func(r rune) rune {
		if isJoint(r) {
			return -1
		}
		return r
	}
	x, y := []rune(strings.Map(drop, a)), []rune(strings.Map(drop, b))
	first := 0
	for first < len(x) && first < len(y) && x[first] == y[first] {
		first++
	}
	last := 0
	for last < len(x)-first && last < len(y)-first && x[len(x)-1-last] == y[len(y)-1-last] {
		last++
	}
	more, less := x[first:len(x)-last], y[first:len(y)-last]
	if len(more) < len(less) {
		x, more, less = y, less, more
	}
	han := 0
	for _, r := range more {
		if unicode.Is(unicode.Han, r) {
			han++
		}
	}
	if han > 0 && len(more)+han > edits {
		return true
	}
	if len(less) > 0 || len(more) == 0 {
		return false
	}
	end := first + len(more)
	return scriptOf(more[0]) != nil && (first == 0 || scriptOf(x[first-1]) != scriptOf(more[0])) && (end == len(x) || scriptOf(x[end]) != scriptOf(more[len(more)-1])) &&
		!slices.ContainsFunc(more, func(r rune) bool { return scriptOf(r) != scriptOf(more[0]) })
}

// scriptOf tells scripts apart that are written side by side: words in Latin, Cyrillic or Greek, and those of East
// Asia.
func scriptOf(r rune) *unicode.RangeTable {
	if r == 'ー' {
		return unicode.Katakana
	}
	for _, script := range [...]*unicode.RangeTable{unicode.Latin, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana, unicode.Cyrillic, unicode.Greek, unicode.Thai, unicode.Arabic} {
		if unicode.Is(script, r) {
			return script
		}
	}
	return nil
}

// letters counts the characters of a name that do not only join words.
func letters(name string) (n int) {
	for _, r := range name {
		if !isJoint(r) {
			n++
		}
	}
	return n
}

// Letters is how many characters of a name count for its edits.
func Letters(name string) int { return letters(text.Fold(name)) }
