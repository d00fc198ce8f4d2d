//go:build !amd64

package embed

func withKernels(_ bool, f func()) { f() }
