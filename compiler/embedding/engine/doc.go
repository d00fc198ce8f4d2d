// Package engine evaluates a document encoder: wordpiece ids in, a vector out.
//
// There are two engines. ONNX Runtime, a shared library found at run time, is the fast one and needs a binary built
// with cgo. The Go transformer of format/encoder needs nothing and is the reference for the other; the two agree to
// a cosine of 0.9999 or better. Open chooses.
//
// Agreed makes an engine whose vectors, once rounded, are those of every engine: it evaluates again in float64 what lies
// near a tie.
//
// An engine takes one text per call on one thread, and many goroutines call it: a vector then depends on its text
// alone, not on what it was batched with, and no time goes into padding. A Batcher takes texts of one length too, where
// last bits may depend on that.
//
// ONNX Runtime is code that runs inside this process, so where it comes from matters. Files named by the user or
// belonging to the system are taken as they are. One below a .cache folder above the working folder could have come
// with a checkout; it is loaded only if it is one of the releases that this package knows by their sha256.
package engine
