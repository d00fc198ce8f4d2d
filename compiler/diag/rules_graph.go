package diag

// graphRules are about links between documents, kinds, relations and layers: KDD200 to KDD299.
var graphRules []RuleInfo
