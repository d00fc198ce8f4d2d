package diag

// indexRules are about chunks, lexicon, vectors and the file: KDD300 to KDD399.
var indexRules []RuleInfo
