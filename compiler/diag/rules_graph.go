package diag

// Rules about what links documents: links, names, kinds, relations and layers: KDD200 to KDD299.
const (
	BrokenLink      Rule = 201 // KDD201, and so on
	BrokenAnchor    Rule = 202
	AmbiguousTarget Rule = 203
	MovedLink       Rule = 204
	OrphanWikiLink  Rule = 205
	OutsideRoot     Rule = 206
	BrokenRelation  Rule = 207
	MissingAsset    Rule = 208
	DuplicateID     Rule = 211
	IDCase          Rule = 212
	DuplicateTitle  Rule = 213
	WrongFolder     Rule = 221
	SharedFolder    Rule = 222
	UnknownKind     Rule = 223
	KindMismatch    Rule = 224
	MissingField    Rule = 225
	UnknownStatus   Rule = 226
	UnreadDate      Rule = 227
	LayerViolation  Rule = 231
	SupersededInUse Rule = 232
	UnreachableDoc  Rule = 233
	CoverageHole    Rule = 234
)

var graphRules = []RuleInfo{
	{BrokenLink, "broken-link", Warning, "a link leads to a document that does not exist", ""},
	{BrokenAnchor, "broken-anchor", Warning, "a link leads to an anchor that its document does not have", ""},
	{AmbiguousTarget, "ambiguous-target", Warning, "a link names several documents alike",
		"name the path, the id, or the domain as in [[domain::Name]]"},
	{MovedLink, "moved-link", Note, "a link's path is wrong, but only one document can be meant", ""},
	{OrphanWikiLink, "orphan-wiki-link", Warning, "a wiki link names nothing that exists", ""},
	{OutsideRoot, "outside-root", Warning, "a link's path leaves the source folder",
		"link to the published URL instead, or compile a folder further up"},
	{BrokenRelation, "broken-relation", Warning, "a relation in the front matter names nothing that exists", ""},
	{MissingAsset, "missing-asset", Note, "a link leads to an image or another file that does not exist", ""},
	{DuplicateID, "duplicate-id", Warning, "two documents have the same id", "give each document an id of its own"},
	{IDCase, "id-case", Warning, "two ids differ only in case or accents", "rename one, or write both alike if one is meant"},
	{DuplicateTitle, "duplicate-title", Note, "two documents of one folder have the same title", ""},
	{WrongFolder, "wrong-folder", Warning, "a document lies in a folder that is not its kind's", ""},
	{SharedFolder, "shared-folder", Warning, "a folder is shared by several kinds and nothing tells which this document is",
		"give the kind in the front matter"},
	{UnknownKind, "unknown-kind", Warning, "the front matter names a kind that no rule knows",
		"correct it, or add the kind to kdd.yaml"},
	{KindMismatch, "kind-mismatch", Warning, "a document's id does not fit its kind", ""},
	{MissingField, "missing-field", Note, "the front matter lacks a field that its kind asks for", ""},
	{UnknownStatus, "unknown-status", Note, "a document's status is none of its kind's", ""},
	{UnreadDate, "unread-date", Note, "the front matter gives a date that cannot be read: the document has none", "write it as 2006-01-02"},
	{LayerViolation, "layer-violation", Note, "a document refers to a higher layer", "turn the reference round, or move what is referred to down"},
	{SupersededInUse, "superseded-in-use", Warning, "a document depends on one that is superseded",
		"depend on its successor"},
	{UnreachableDoc, "unreachable-document", Note, "no other document leads to this one", ""},
	{CoverageHole, "coverage-hole", Note, "a document lacks relations that its kind should have", "add them, or turn the row off in kdd.yaml, under coverage of graph, with off: true"},
}
