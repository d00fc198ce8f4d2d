package encoder

// withKernels runs f with the assembly kernels, or with the portable loops.
func withKernels(on bool, f func()) {
	defer func(was bool) { useAVX2 = was }(useAVX2)
	useAVX2 = on
	f()
}
