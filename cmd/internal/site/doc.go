// Package site writes the documents of an artifact as a web site that any static host can serve, and that opens from a
// folder too.
//
//	plan      each document gets a page, each folder without one a list, each kind and tag a list (pages.go)
//	render    markdown becomes HTML: anchors of the index, links between pages, notes, highlighted code; all of it is
//	          sanitised, since documents are hostile (render.go, prepare.go, links.go)
//	relate    what leads to a document, and the graph around it (relations.go)
//	write     files that changed, and what a former run wrote and this one does not (write.go)
//
// The search is <kdd-search> of package browser over the artifact, which lies beside the pages (widget.go).
//
// What the artifact does not carry is not there: pictures and other files that documents show.
package site
