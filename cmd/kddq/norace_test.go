//go:build !race

package main

// mostMemory is what a process that a test starts may take at most, in kB.
const mostMemory = 96 << 10
