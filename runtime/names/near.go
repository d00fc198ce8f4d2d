package names

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kdd/format/index"
	"kdd/format/place"
	"kdd/format/text"
)

// NearName is added to the class of a name that is similar but not equal to the requested one.
const NearName = 100

// NearMatch is a node whose name is spelled nearly like the requested one.
type NearMatch struct {
	place.Match
	Distance int    // edits; 0 = only the characters that join words differ
	Name     string // as the documents write it
}

// nearly is the match of a name that is similar.
func nearly(name index.Name) place.Match {
	return place.Match{Node: name.Node, Class: NearName + name.Class}
}

// The bounds of Nearly.
const (
	minNear      = 3   // characters of a name that near names are looked for
	maxNear      = 8   // nodes
	maxNearBytes = 512 // of the requested name
)

// isJoint says whether a character only joins the words of a name: "use memo", "use-memo" and "useMemo" are one name.
func isJoint(r rune) bool { return strings.ContainsRune(" -_./:", r) }

// TrimMarks returns a name without the punctuation and markup around it: "(`useMemo()`)?" is useMemo. Signs that names
// begin or end with stay, as in C++, C#, .NET, --flag and @scope.
func TrimMarks(name string) string {
	return strings.TrimSpace(strings.TrimFunc(name, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.In(r, unicode.Ps, unicode.Pe, unicode.Pi, unicode.Pf) || strings.ContainsRune("\"'`´*~,;:!?…¿¡<>|/。、，；：！？؟،؛।", r)
	}))
}

// Nearly returns the nodes whose names differ from entity by the fewest edits, at most the number given. It leaves out
// names of a higher class, and names that are another word (see otherWord). Case, accents and the characters that join
// words do not count as edits. Names that begin with the same character come first; then the order is class and node.
//
// Cost: a walk over the dictionary of names, but for a text longer than all of them. Of a large file that lies elsewhere
// only names with the same first character are found.
func Nearly(x *index.Index, entity string, class index.NameClass, edits int) []NearMatch {
	want := strings.TrimFunc(text.Fold(strings.TrimSpace(entity)), isJoint)
	n, longest := letters(want), x.Meta.LongestName
	if len(want) > maxNearBytes || n < minNear || longest > 0 && class < index.HeadingName && n-edits > longest {
		return nil
	}
	first, _ := utf8.DecodeRuneInString(want)
	from, to := "", ""
	if x.NamesByPage() {
		from, to = string(first), string(first+1)
	}
	found, _ := x.NameDict().Near(want, from, to, edits, isJoint)
	found = slices.DeleteFunc(found, func(n index.Near) bool { return n.Distance > 0 && otherWord(want, n.Key, edits) })
	type match struct {
		NearMatch
		other int // 1 if it begins with another character
		key   uint32
	}
	var list []match
	for _, n := range found {
		if len(list) > 0 && n.Distance > list[0].Distance {
			break
		}
		other := 0
		if r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(n.Key, isJoint)); r != first {
			other = 1
		}
		for _, name := range x.Named(n.Ordinal) {
			if name.Class <= class {
				near := NearMatch{Match: nearly(name), Distance: n.Distance, Name: n.Key}
				list = append(list, match{near, other, n.Ordinal})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.other, b.other), cmp.Compare(a.Class, b.Class), cmp.Compare(a.Node, b.Node))
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

// otherWord says that two names are different words although they differ by few edits only. A Han character is a
// syllable with a meaning, so a different one counts as two edits (安装 FastAPI is not 卸载 FastAPI). And if the only
// difference is an addition in another script than the text beside it, the addition is a word (useState 훅).
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

// scriptOf returns the script of a letter, among those whose words are often written side by side; nil for others.
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

// Letters returns how many characters of a name count for edits.
func Letters(name string) int { return letters(text.Fold(name)) }
