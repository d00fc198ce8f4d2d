//go:build !race

package runtime

// raced says whether the race detector slows the tests down.
const raced = false
