// Package gitmerge is git's merge driver for artifacts. An artifact cannot be merged as bytes, and neither side is right
// once the sources are merged, so the driver takes neither: it compiles the merged sources.
//
// git runs a driver before it writes the merged files, so the working tree has those of one side only. The driver has git
// merge the two commits once more, without touching index or working tree (git merge-tree, git 2.38 or newer), and writes
// the sources of that tree to a temporary folder. Options are those of the side that changed them.
//
// Where that cannot be done the artifact stays in conflict, and the error says why and what to do: sources in conflict,
// options that both sides changed, more than two sides, and rebases and cherry-picks, in which git does not say what is
// merged.
package gitmerge
