package diag

// Rules about chunks, lexicon, vectors and the question set: KDD300 to KDD399.
var (
	GoldenTarget = rule(301, "golden-target", Warning,
		"a question set names a document or section that is not compiled",
		"correct the path or anchor in the question set, or take the line out")
)
