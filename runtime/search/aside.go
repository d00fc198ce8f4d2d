package search

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/RoaringBitmap/roaring/v2"

	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/artifact"
)

// markAsides tells the signals of each artifact which documents and sections stand behind the rest: none of a kind that
// the query asks for, and no documents if all are asides. A filter has no say in it: it changes no score.
func markAsides(set *artifact.Set, r *Ranking) {
	query := plainWords(r.Queries[0].Text)
	if dated.MatchString(r.Queries[0].Text) {
		return
	}
	docs, rest := make([]*roaring.Bitmap, len(set.Artifacts)), false
	for i, a := range set.Artifacts {
		all := roaring.New()
		docs[i] = roaring.New()
		sections := map[string][]string{} // headings by kind
		for _, aside := range a.Meta.Asides {
			var of *roaring.Bitmap
			if len(aside.Headings) == 0 {
				of = a.Facet("kind", text.Fold(aside.Kind))
				all.Or(of)
			}
			asked := slices.ContainsFunc(slices.Concat([]string{aside.Kind}, aside.Asked, aside.Headings), func(words string) bool {
				return strings.Contains(query, plainWords(words))
			})
			switch {
			case asked:
			case of != nil:
				docs[i].Or(of)
			default:
				sections[aside.Kind] = aside.Headings
			}
		}
		rest = rest || all.GetCardinality() < uint64(a.Docs())
		if len(sections) > 0 {
			r.Scored[i].Signals.AsideSection = func(d index.DocID, s index.SectionID) bool {
				headings := sections[a.DocKind(d)]
				if headings == nil {
					return false
				}
				_, found := slices.BinarySearch(headings, text.Fold(a.SectionHeading(s)))
				return found
			}
		}
	}
	for i, s := range r.Scored {
		if rest && !docs[i].IsEmpty() {
			s.Signals.Aside = func(d index.DocID) bool { return docs[i].Contains(uint32(d)) }
		}
	}
}

// dated finds a version of two numbers or more, or a year, in a query: of these tell changelogs, posts and minutes
// rather than the documentation of today.
var dated = regexp.MustCompile(`\bv?[0-9]+\.[0-9]+(\.[0-9]+)*\b|\b(19|20)[0-9]{2}\b`)

// plainWords returns the words of a text, folded, with one space before and behind each.
func plainWords(s string) string {
	words := strings.FieldsFunc(text.Fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) })
	return " " + strings.Join(words, " ") + " "
}
