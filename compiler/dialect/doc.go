// Package dialect knows what generators of sites make of markdown: where a page's address comes from, what an anchor
// is, which links are the site's own.
//
// A Dialect is one generator. Find looks for the configuration files of generators among the sources, and reads of each
// what is a plain value: that is a Site. Nothing is run, and nothing is read but below the sources.
//
//	sites, diags := dialect.Find(files, paths, nil)
//	site, tree := sites.Of("docs/guide/setup.md")
//	site.Addresses(tree, page)            // "guide/setup"
//	site.Slug("Set-up & go")              // "set-up--go"
//
// Each generator has a file of its own, which names the pages of the generator's documentation that its rules are
// from. Documents that no configuration covers are of the plain dialect: links are paths of files, and anchors are
// GitHub's.
//
// An address is a path from the top of the site in its normal form (Normal): without "/" at its ends, without "index",
// ".html" and the like, folded. So "/guide/", "guide/index.html" and "Guide" are one address.
package dialect
