// Package sets finds retrieval sets in folders, builds their artifacts and asks them; kdd/runtime/eval reads and
// scores.
//
// A set is a folder:
//
//	corpus/       the markdown; or corpus.path, one line with a folder relative to the set
//	queries.tsv   query id, text, excluded paths separated by ";" (may be absent)
//	qrels.tsv     query id, path below the corpus, anchor or "-", gain
//
// and, if the same questions were also put as sentences, queries.sent.tsv in the form of queries.tsv.
//
//	set, err := sets.Load("sets/docs")
//	for _, q := range set.Queries("queries.tsv") { ... }
package sets
