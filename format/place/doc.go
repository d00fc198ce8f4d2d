// Package place finds the document and the section that a text names: a path, an id, a file name, an alias, a title, a
// heading, each with or without an anchor. It looks in an artifact, or in documents that are being compiled, so that
// what "read" opens, what "eval" judges and what a build says of a question set are the same place.
//
//	d, s, err := place.Find(index, "security/auth.md", "Refresh tokens")
//
// Addresses, lines and chunks of a document, and names over several artifacts, are the business of kdd/runtime/names.
package place
