package engine

import (
	goruntime "runtime"

	"golang.org/x/sys/cpu"
)

// cpuLevel names the instructions that decide which kernels of float32 ONNX Runtime takes, and with that the last bits of
// its results: "amd64-avx512", "arm64-base".
func cpuLevel() string {
	level := "base"
	if goruntime.GOARCH == "amd64" {
		switch x := &cpu.X86; {
		case x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL:
			level = "avx512"
		case x.HasAVX512F:
			level = "avx512f"
		case x.HasAVX2 && x.HasFMA:
			level = "avx2"
		case x.HasAVX:
			level = "avx"
		}
	}
	return goruntime.GOARCH + "-" + level
}

// goLevel is cpuLevel of the Go transformer, which has kernels for AVX2 and FMA alone.
func goLevel() string {
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		return goruntime.GOARCH + "-avx2"
	}
	return goruntime.GOARCH + "-base"
}
