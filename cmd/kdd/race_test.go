//go:build race

package main

// raced says that the tests are built with the race detector.
const raced = true
