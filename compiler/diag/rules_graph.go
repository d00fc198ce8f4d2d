package diag

import "kdd/format/index"

// Rules about what links documents: links, names, kinds, relations and layers: KDD200 to KDD299.
var (
	BrokenLink   = rule(201, "broken-link", Warning, "a link leads to a document that does not exist", "")
	BrokenAnchor = rule(202, "broken-anchor", Warning,
		"a link leads to an anchor that its document does not have", "")
	AmbiguousTarget = rule(203, "ambiguous-target", Warning, "a link names several documents alike",
		"name the path, the id, or the domain as in [[domain::Name]]")
	MovedLink      = rule(204, "moved-link", Note, "a link's path is wrong, but only one document can be meant", "")
	OrphanWikiLink = rule(205, "orphan-wiki-link", Warning, "a wiki link names nothing that exists", "")
	ForeignLink    = rule(210, index.ForeignRule, Note, "a wiki link leads to another artifact",
		"name both in kdd.lock, so that they are asked together; or correct the domain")
	OutsideRoot = rule(206, "outside-root", Note, "links lead to what is not among the sources",
		"compile a folder further up, or link to the published URLs, if they are meant to lead to documents")
	BrokenRelation = rule(207, "broken-relation", Warning,
		"a relation in the front matter names nothing that exists", "")
	MissingAsset = rule(208, "missing-asset", Note,
		"a link leads to an image or another file that does not exist", "")
	GeneratorConfig = rule(209, "generator-config", Note,
		"a generator's configuration cannot be read in full, so that its defaults are taken",
		"name the dialect in kdd.yaml if it is another")
	DuplicateID = rule(211, "duplicate-id", Warning,
		"two documents have the same id", "give each document an id of its own")
	IDCase = rule(212, "id-case", Warning,
		"two ids differ only in case or accents", "rename one, or write both alike if one is meant")
	DuplicateTitle = rule(213, "duplicate-title", Note, "two documents of one folder have the same title", "")
	WrongFolder    = rule(221, "wrong-folder", Warning, "a document lies in a folder that is not its kind's", "")
	SharedFolder   = rule(222, "shared-folder", Warning,
		"a folder is shared by several kinds and nothing tells which this document is",
		"give the kind in the front matter")
	UnknownKind = rule(223, "unknown-kind", Warning, "the front matter names a kind that no rule knows",
		"correct it, or add the kind to kdd.yaml")
	KindMismatch  = rule(224, "kind-mismatch", Warning, "a document's id does not fit its kind", "")
	MissingField  = rule(225, "missing-field", Note, "the front matter lacks a field that its kind asks for", "")
	UnknownStatus = rule(226, "unknown-status", Note, "a document's status is none of its kind's", "")
	UnreadDate    = rule(227, "unread-date", Note,
		"the front matter gives a date that cannot be read: the document has none", "write it as 2006-01-02")
	LayerViolation = rule(231, "layer-violation", Note,
		"a document refers to a higher layer", "turn the reference round, or move what is referred to down")
	SupersededInUse = rule(232, "superseded-in-use", Warning, "a document depends on one that is superseded",
		"depend on its successor")
	UnreachableDoc = rule(233, "unreachable-document", Note, "no other document leads to this one", "")
	CoverageHole   = rule(234, "coverage-hole", Note,
		"a document lacks relations that its kind should have",
		"add them, or turn the row off in kdd.yaml, under coverage of graph, with off: true")
)
