// Package lexicon builds the inverted index: dictionary, posting lists by field, and the texts of links.
//
// Documents are cut into runs, one per worker and a few more; each run is inverted on its own with rows that ascend,
// and the runs' lists are joined in order. So the result does not depend on how many workers there were.
//
// Every word gives two terms: its folded form, and its stem marked with the language of the document; and one with
// accents a third, as it is written. Identifiers give their parts and the whole; the whole has a folded form only and
// does not count towards a field's length.
//
// Pairs of neighbouring terms are counted too, by hash: what word order weighs follows from their number of chunks.
package lexicon
