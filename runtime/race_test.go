//go:build race

package runtime

// raced says that the race detector slows the tests down, five to ten times: comparisons with a naive reference then
// ask each query in some ways only, and every way of some queries, which start the same goroutines.
const raced = true
