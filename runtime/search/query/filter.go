package query

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/bmatcuk/doublestar/v4"

	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/wire"
)

// Filter returns the documents that f admits; nil means all. Values compare folded: case and accents do not matter.
//
// Errors: invalid_input for a malformed glob or date. Cost: a bitmap per value; a path glob and a date look at every
// document.
func Filter(x *index.Index, f *wire.Filter) (*roaring.Bitmap, error) {
	var allowed *roaring.Bitmap
	and := func(set *roaring.Bitmap) {
		if allowed == nil {
			allowed = set
		} else {
			allowed.And(set)
		}
	}
	for _, field := range facetFields {
		if values := field.values(f); len(values) > 0 {
			and(union(x, field.name, values))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Where)) {
		and(union(x, "."+text.Fold(name), f.Where[name]))
	}
	if f.PathGlob != "" {
		if !doublestar.ValidatePattern(f.PathGlob) {
			return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("path_glob: %s is no valid glob", quote(f.PathGlob)), "write for example guides/**/*.md").With("field", "path_glob")
		}
		if n := alternatives(f.PathGlob); n > maxAlternatives || len(f.PathGlob) > maxGlob {
			return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("path_glob: %s has too many alternatives or is too long", quote(f.PathGlob)),
				fmt.Sprintf("it takes %d bytes and %d ways to choose among {a,b}", maxGlob, maxAlternatives)).With("field", "path_glob")
		}
		if !affordable(f.PathGlob, x.Docs()) {
			return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("path_glob: %s takes too long to compare with %d paths", quote(f.PathGlob), x.Docs()),
				"use fewer of {a,b}, * and [abc]; kinds, tags and domains narrow too").With("field", "path_glob")
		}
		and(documents(x, func(d index.DocID) bool { return doublestar.MatchUnvalidated(f.PathGlob, x.DocPath(d)) }))
	}
	if f.Since != "" {
		if !isDate(f.Since) {
			return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("since: %s is no date", quote(f.Since)), "write 2006-01-02, 2006-01 or 2006").With("field", "since")
		}
		and(documents(x, func(d index.DocID) bool { return notBefore(x.DocDate(d), f.Since) }))
	}
	return allowed, nil
}

// documents returns the documents that are as is says. Cost: each is looked at.
func documents(x *index.Index, is func(d index.DocID) bool) *roaring.Bitmap {
	set := roaring.New()
	for d := range index.DocID(x.Docs()) {
		if is(d) {
			set.Add(uint32(d))
		}
	}
	return set
}

func union(x *index.Index, field string, values []string) *roaring.Bitmap {
	set := roaring.New()
	for _, v := range values {
		set.Or(x.Facet(field, text.Fold(v)))
	}
	return set
}

// isDate accepts 2006, 2006-01 and 2006-01-02.
func isDate(s string) bool {
	for _, layout := range []string{time.DateOnly, "2006-01", "2006"} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

// notBefore compares a document's date with another as far as both are known: a document of 2024 is not before 2024-06.
// A date that does not begin with a year is none.
func notBefore(date, since string) bool {
	if len(date) < 4 || !isDate(date[:4]) {
		return false
	}
	n := min(len(date), len(since))
	return date[:n] >= since[:n]
}

// quote shows a value of the user's in a message.
func quote(s string) string { return `"` + wire.Clean(wire.Shorten(s, 80)) + `"` }

const chunkType = "chunk_type"

// facetFields are the fields of a filter that are facets: the facet's name, which messages show too, what its values
// are called, and how a filter gives them. A facet ".NAME" is a field of the front matter.
var facetFields = []struct {
	name, many string
	values     func(f *wire.Filter) []string
}{
	{"kind", "kinds", func(f *wire.Filter) []string { return f.Kinds }},
	{chunkType, "chunk types", func(f *wire.Filter) []string { return f.ChunkTypes }},
	{"domain", "domains", func(f *wire.Filter) []string { return f.Domains }},
	{"tag", "tags", func(f *wire.Filter) []string { return f.Tags }},
	{"status", "statuses", func(f *wire.Filter) []string { return f.Status }},
	{"language", "languages", func(f *wire.Filter) []string { return codes(f.Languages) }},
}

// codes returns languages as documents have them: pt-BR is pt, and nb no.
func codes(languages []string) []string {
	list := make([]string, len(languages))
	for i, l := range languages {
		if list[i] = string(text.ParseLang(l)); list[i] == "" {
			list[i] = l
		}
	}
	return list
}

// maxWarnings bounds what Unknown says, maxNamed the values that each warning names, maxKinds those of a field that
// usually has few.
const (
	maxWarnings = 5
	maxNamed    = 8
	maxKinds    = 32
)

// Unknown says which values of f no document of the artifacts has, and what there is instead. A filter of such values
// is no error: it admits nothing.
func Unknown(xs []*index.Index, f *wire.Filter) []string {
	var warnings []string
	check := func(field, what, many string, values []string) {
		for _, v := range values {
			if len(warnings) == maxWarnings || slices.ContainsFunc(xs, func(x *index.Index) bool { return !x.Facet(field, text.Fold(v)).IsEmpty() }) {
				continue
			}
			warnings = append(warnings, fmt.Sprintf("no document has %s %s", what, quote(v))+instead(xs, field, many, v))
		}
	}
	for _, field := range facetFields {
		check(field.name, strings.ReplaceAll(field.name, "_", " "), field.many, field.values(f))
	}
	for _, name := range slices.Sorted(maps.Keys(f.Where)) {
		field := "." + text.Fold(name)
		var fields []string
		for _, x := range xs {
			fields = append(fields, x.FacetFields()...)
		}
		if slices.Contains(fields, field) {
			check(field, clip(name), "values", f.Where[name])
			continue
		}
		fields = slices.DeleteFunc(fields, func(s string) bool { return s[0] != '.' })
		for i := range fields {
			fields[i] = fields[i][1:]
		}
		slices.Sort(fields)
		if len(warnings) < maxWarnings {
			warnings = append(warnings, "no document's front matter has the field "+quote(name)+among("fields", slices.Compact(fields), name, maxNamed))
		}
	}
	for _, warning := range []string{noPath(xs, f.PathGlob), noDate(xs, f.Since)} {
		if warning != "" && len(warnings) < maxWarnings {
			warnings = append(warnings, warning)
		}
	}
	return warnings
}

// Asks names what a filter asks of a document, as parts that all have to hold.
func Asks(f *wire.Filter) string {
	var parts []string
	part := func(name string, values []string) {
		if len(values) > 0 {
			parts = append(parts, name+" "+strings.Join(firstOf(values, maxNamed), " or "))
		}
	}
	for _, field := range facetFields {
		part(strings.ReplaceAll(field.name, "_", " "), field.values(f))
	}
	for _, name := range slices.Sorted(maps.Keys(f.Where)) {
		part(clip(name), f.Where[name])
	}
	if f.PathGlob != "" {
		parts = append(parts, "a path like "+clip(f.PathGlob))
	}
	if f.Since != "" {
		parts = append(parts, "a date from "+clip(f.Since)+" on")
	}
	return strings.Join(parts[:min(len(parts), maxNamed)], ", ")
}

// firstOf returns the first values, most at most, clipped as a text names them.
func firstOf(values []string, most int) []string {
	list := make([]string, 0, min(len(values), most))
	for _, v := range values[:min(len(values), most)] {
		list = append(list, clip(v))
	}
	return list
}

func clip(s string) string { return wire.Clean(wire.Shorten(s, 40)) }

// instead names the values that a field has, the most frequent first.
func instead(xs []*index.Index, field, many, asked string) string {
	docs := map[string]int{}
	for _, x := range xs {
		values, n := x.FacetValues(field)
		for i, v := range values {
			if field == chunkType {
				v = strings.ToUpper(v) // as flags take it: facets are folded
			}
			docs[v] += n[i]
		}
	}
	most := maxKinds
	if field == "tag" || field[0] == '.' {
		most = maxNamed
	}
	return among(many, wire.ByCount(docs), asked, most)
}

// among ends a warning: what was probably meant, and what there is; of more than most values, those that are like the
// asked one come first.
func among(many string, values []string, asked string, most int) string {
	if len(values) == 0 {
		return "; there are no " + many
	}
	if asked = text.Fold(asked); len(values) > most && len(asked) <= maxAlike {
		slices.SortStableFunc(values, func(a, b string) int { return alike(asked, b) - alike(asked, a) })
	}
	near := ""
	if n := wire.Nearest(asked, values); n != "" {
		near = "; did you mean " + quote(n) + "?"
	}
	list := firstOf(values, most)
	text := "; " + many + " are " + strings.Join(list, ", ")
	if more := len(values) - len(list); more > 0 {
		text = fmt.Sprintf("%s and %d more", text, more)
	}
	return near + text
}

// maxAlike is the longest value that others are compared with, in bytes.
const maxAlike = 64

// alike is the percentage of the pairs of bytes that two values share, 0 below a third: sharing few says nothing.
func alike(asked, value string) int {
	n := 0
	for i := range len(value) - 1 {
		if strings.Contains(asked, value[i:i+2]) {
			n += 200
		}
	}
	if n /= max(1, len(asked)+len(value)-2); n >= 33 {
		return n
	}
	return 0
}
