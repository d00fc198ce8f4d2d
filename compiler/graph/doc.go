// Package graph finds out what documents are and how they hang together: kinds, names, edges, and what is wrong with
// them.
//
// Build works in phases, each over all documents:
//
//	info      kind, id, domain, layer, dates of every document, by rules that are data (builtin.yaml, kdd.yaml)
//	names     every name that leads to a node, folded; complete before anything is resolved
//	edges     links, wiki links, front matter, ids in running text, headings with a meaning; in parallel by document
//	findings  what only all documents together show: two alike ids, nothing leads here, superseded but needed
//
// A target is looked up in hash tables; a name that thousands of documents share has its candidates counted by domain
// and folder beforehand, so the cost is linear in the documents, their links and their text.
//
//	g, err := graph.Build(ctx, docs, graph.Options{})
//	for _, e := range g.Edges {
//		doc, section := g.Place(e.To)
//		fmt.Println(e.Type, docs[doc].Path, docs[doc].Sections[section].Heading)
//	}
//
// # Structure
//
// A document contains its top headings, and a heading the headings below it. A heading that only repeats the title is
// passed over: what is below it counts as the document's own. So one step from a document leads to the headings that a
// table of contents would begin with, a second step to the next level, and there is one CONTAINS edge per heading. The
// section 0 of a document is the document: no edge touches its node. A scenario of a .feature file takes the place of
// its section.
//
// # Links
//
// On the site of a generator (compiler/dialect) a path is followed as the generator does: to a file, to the address of a
// page, by a redirect, to a file that is published as it is, to the page in the default language. A target that begins
// with "/" leads to an address of the site or nowhere.
//
// Elsewhere a path leads to the first of these that there is:
//
//	a document    with that path, or with that and an extension, or the index of that folder; by a slug or former URL
//	a folder      of documents
//	below itself  on many sites a page's URL is a folder: what "../other" means from there
//	site's root   from each folder above the page: for a target that begins with "/", and for one that begins with no dot
//	              and is not beside the page
//	an address    of one document: in small letters, or as Jekyll, Docusaurus and Hugo make it of
//	              "_posts/2024-05-06-name" or "01-name"
//	less a base   without a first segment for which there is no folder, or without a version behind the first: "/base/a",
//	              "/docs/next/a"
//	what is meant the one document with these last two segments, this stem or this id
//
// What would lead to none of them, and whose first folder is neither one of the sources nor of a page's address, is
// outside the sources: it is counted, and told once for all of them.
//
// For a target that begins with "/" a file from a folder above comes before an address from the source root, and that
// before an address from a folder above. Several documents on one of these steps are never chosen from: below the
// site's root they make the link ambiguous, on other steps the next one counts. What is found by the last two steps, by
// leaving a "/" out, or by an address although the link names a file, is reported as moved.
//
// A wiki link is looked up as a name first (wikiTarget, nameTable): the whole, then what stands before "#"; as written,
// then folded; of several documents with the name the one in the asker's domain, then in its folder. Only then it is
// taken for a path.
//
// The package reads nothing but the documents: no file is opened, no URL fetched. Names are matched by text.Fold of
// their text, cut to 256 bytes; whoever looks a name up must do the same.
package graph
