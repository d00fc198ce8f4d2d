package search

import (
	"github.com/RoaringBitmap/roaring/v2"

	"kdd/runtime/artifact"
	"kdd/runtime/search/query"
	"kdd/runtime/wire"
)

// admit returns, for each artifact, the documents that a filter admits (nil for all). It also returns warnings if the
// filter admits none: they name values that no document has, or say that no document has all of them together.
//
// Errors: invalid_input for a malformed filter. Cost: a bitmap per value; a path glob and a date look at every
// document.
func admit(set *artifact.Set, f *wire.Filter) (admitted []*roaring.Bitmap, warnings []string, err error) {
	xs := set.Indexes()
	none := true
	for i := range set.Artifacts {
		docs, err := query.Filter(xs[i], f)
		if err != nil {
			return nil, nil, err
		}
		admitted = append(admitted, docs)
		none = none && docs != nil && docs.IsEmpty()
	}
	warnings = query.Unknown(xs, f)
	if none && len(warnings) == 0 {
		warnings = append(warnings, "no document has all that the filters ask for: "+query.Asks(f))
	}
	return admitted, warnings, nil
}
