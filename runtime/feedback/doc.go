// Package feedback keeps what people say about answers: one JSON object a line, appended to a file.
//
// A Log writes: each record is on the disk before Add returns, the same record twice is kept once, and a file that has
// grown too large becomes FILE.1, in the place of the one before it, so that both together are bounded. Read reads both
// files; a line that was cut off by a crash, or that is no record, is counted and left out. Summarize counts the
// records, and Export makes questions of them, in the form that kdd eval reads.
//
// It knows nothing of artifacts: which places an answer cited is said by who adds the record.
package feedback
