package query

import (
	"fmt"
	"maps"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/bmatcuk/doublestar/v4"

	"kdd/format"
	"kdd/runtime/analyze"
	"kdd/runtime/shape"
)

// Filter returns the documents that f admits; nil means all. Values compare folded: case and accents do not matter.
//
// Errors: invalid_input for a malformed glob or date. Cost: a bitmap per value; a path glob and a date look at every
// document.
func Filter(x *format.Index, f *shape.Filter) (*roaring.Bitmap, error) {
	var allowed *roaring.Bitmap
	and := func(set *roaring.Bitmap) {
		if allowed == nil {
			allowed = set
		} else {
			allowed.And(set)
		}
	}
	for _, field := range []struct {
		name   string
		values []string
	}{{"kind", f.Kinds}, {"chunk_type", f.ChunkTypes}, {"domain", f.Domains}, {"tag", f.Tags}, {"status", f.Status}, {"language", f.Languages}} {
		if len(field.values) > 0 {
			and(union(x, field.name, field.values))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(f.Where)) {
		and(union(x, "."+analyze.Fold(name), f.Where[name]))
	}
	if f.PathGlob != "" {
		if !doublestar.ValidatePattern(f.PathGlob) {
			return nil, shape.NewError(shape.CodeInvalidInput, fmt.Sprintf("path_glob: %q is no valid glob", f.PathGlob), "write for example guides/**/*.md")
		}
		set := roaring.New()
		for d := range format.DocID(x.Docs()) {
			if ok, _ := doublestar.Match(f.PathGlob, x.DocPath(d)); ok {
				set.Add(uint32(d))
			}
		}
		and(set)
	}
	if f.Since != "" {
		if !dateLike(f.Since) {
			return nil, shape.NewError(shape.CodeInvalidInput, fmt.Sprintf("since: %q is no date", f.Since), "write 2006-01-02, 2006-01 or 2006")
		}
		set := roaring.New()
		for d := range format.DocID(x.Docs()) {
			if date := x.DocDate(d); date != "" && date >= f.Since {
				set.Add(uint32(d))
			}
		}
		and(set)
	}
	return allowed, nil
}

func union(x *format.Index, field string, values []string) *roaring.Bitmap {
	set := roaring.New()
	for _, v := range values {
		set.Or(x.Facet(field, analyze.Fold(v)))
	}
	return set
}

// dateLike accepts 2006, 2006-01 and 2006-01-02.
func dateLike(s string) bool {
	if len(s) != 4 && len(s) != 7 && len(s) != 10 {
		return false
	}
	for i := range len(s) {
		if dash := i == 4 || i == 7; dash != (s[i] == '-') || !dash && (s[i] < '0' || s[i] > '9') {
			return false
		}
	}
	return true
}
