// Package feedback keeps what people say about answers: one JSON object a line, appended to a file.
//
// A Log writes. Each record is on the disk before Add returns, and equal records are kept once. A file that has grown
// too large is renamed to FILE.1, which replaces the older FILE.1, so that the size of both is bounded. Read reads both
// files; it counts and leaves out lines that were cut off by a crash or are no records. Summarize counts the records,
// and Export makes questions of them, in the form that kdd eval reads.
//
// The package knows nothing of artifacts: the caller that adds a record says which places the answer cited.
package feedback
