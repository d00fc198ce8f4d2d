// Package source finds the documents of a build: it walks the source folders and reads every document once.
//
// Walk works in three phases. First each source is resolved: what it is called, where its repository begins, what to
// say if it is not there. Then folders are listed, one after the other, and every entry is either taken or skipped for
// a reason; ignore files are read on the way. Last the files that were taken are read, hashed and classified in
// parallel.
//
//	tree, err := source.Walk(ctx, source.Options{Dirs: []string{"docs"}})
//	for _, f := range tree.Files {
//		doc := markdown.Parse(f.Path, f.Data)
//		…
//	}
//
// All access goes through os.Root, so nothing outside a source folder is read unless FollowLinks asks for it. The
// result depends on names and bytes below the source folders only: not on the working folder, the clock, the order of
// folder entries, or the number of processors.
//
// # What is skipped
//
// Names that begin with ".", folders called node_modules and vendor, what .gitignore and .kddignore inside the source
// folder say (with git's rules), names without a document's extension, what Include and Exclude leave out, symbolic
// links, pipes and devices, binary and oversized files. Patterns of .kddignore count before those of .gitignore, and
// one that begins with "!" brings back a hidden name or a vendor folder too. A file that is named as a source itself is
// always taken.
//
// The package knows nothing of markdown or front matter: drafts are left out later.
package source
