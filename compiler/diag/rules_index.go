package diag

// Rules about chunks, lexicon, vectors and the question set: KDD300 to KDD399.
const (
	GoldenRow    Rule = 300
	GoldenTarget Rule = 301
)

var indexRules = []RuleInfo{
	{GoldenRow, "golden-row", Error, "a line of a question set cannot be read; it is left out",
		"write id, tab, text; judgements as id, path, anchor or \"-\", gain"},
	{GoldenTarget, "golden-target", Warning, "a question set names a document or section that is not compiled",
		"correct the path or anchor in the question set, or take the line out"},
}
