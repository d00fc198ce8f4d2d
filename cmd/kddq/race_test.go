//go:build race

package main

// mostMemory is what a process that a test starts may take at most, in kB. It is the test's own program, which the race
// detector makes two to three times as large (120 to 138 MB for 50 to 58).
const mostMemory = 256 << 10
