package query

import (
	"slices"

	"github.com/bmatcuk/doublestar/v4"

	"kdd/format/index"
)

// These bound a glob: matching tries each way to choose among its {a,b}, and reads to the end of all braces for each
// that is open.
const (
	maxGlob         = 4096 // bytes
	maxAlternatives = 64
	maxBraces       = 8 // within each other
)

// maxGlobSteps bounds what one glob takes for all documents, in steps of about a nanosecond (see effort): a glob of 32
// stars and 64 alternatives still fits 15,000 documents.
const maxGlobSteps = 1 << 25

// usable says whether a glob can be matched: it is valid, and not too long or with too many ways to choose.
func usable(glob string) bool {
	return doublestar.ValidatePattern(glob) && len(glob) <= maxGlob && alternatives(glob) <= maxAlternatives
}

// affordable says whether a glob can be compared with so many paths.
func affordable(glob string, paths int) bool { return effort(glob)*paths <= maxGlobSteps }

// effort estimates the steps of matching one path: each way to choose among {a,b} tries each wildcard behind it, and a
// class reads all of its bytes at each place of the path.
func effort(glob string) int {
	const classByte = 16
	n, class := 1, false
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case c == '\\':
			i++
		case class:
			class, n = c != ']', n+classByte
		case c == '[':
			class = true
		case c == '*' || c == '?':
			n++
		}
	}
	return n * alternatives(glob)
}

// alternatives returns how many ways there are to choose among the {a,b} of a glob, or a number above maxAlternatives;
// that too if braces are too deep.
func alternatives(glob string) int {
	ways := 1
	var open []int // by brace that is open: its alternatives
	for i := 0; i < len(glob) && ways <= maxAlternatives; i++ {
		switch last := len(open) - 1; glob[i] {
		case '\\':
			i++
		case '{':
			if open = append(open, 1); len(open) > maxBraces {
				return maxAlternatives + 1
			}
		case ',':
			if last >= 0 {
				open[last]++
			}
		case '}':
			if last >= 0 {
				ways *= open[last]
				open = open[:last]
			}
		}
	}
	return ways
}

// anyPath says whether a document has a path that a glob matches.
func anyPath(xs []*index.Index, glob string) bool {
	return slices.ContainsFunc(xs, func(x *index.Index) bool {
		for d := range index.DocID(x.Docs()) {
			if doublestar.MatchUnvalidated(glob, x.DocPath(d)) {
				return true
			}
		}
		return false
	})
}
