// Package sign checks who vouches for an artifact.
//
// What is signed is a [Statement], one short text with the artifact's root hash, so that the programs that make
// signatures (minisign, signify, ssh-keygen) check it as any other file. Signatures stand in the artifact's SIGN trailer,
// FORMAT.md §5, or in files beside it. Trailers lie outside of the root hash: another signature does not change the
// artifact.
package sign
