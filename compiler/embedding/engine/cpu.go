package engine

import (
	goruntime "runtime"

	"golang.org/x/sys/cpu"
)

// cpuLevel names the instructions that decide which kernels ONNX Runtime takes, and with that the last bits of its
// results: "amd64-avx512vnni", "arm64-i8mm". Machines of one level give the same vectors. Kernels of float32 are the same
// with AMX, VNNI and AVX-512 alone; those of int8 are not.
func cpuLevel(int8 bool) string {
	level := "base"
	switch goruntime.GOARCH {
	case "amd64":
		switch x := &cpu.X86; {
		case !int8 && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL:
			level = "avx512"
		case !int8 && !x.HasAVX512F && x.HasAVX2 && x.HasFMA:
			level = "avx2"
		case x.HasAMXInt8:
			level = "amx"
		case x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512VNNI:
			level = "avx512vnni"
		case x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL:
			level = "avx512"
		case x.HasAVX512F:
			level = "avx512f"
		case x.HasAVXVNNI:
			level = "avxvnni"
		case x.HasAVX2 && x.HasFMA:
			level = "avx2"
		case x.HasAVX:
			level = "avx"
		}
	case "arm64":
		switch a := &cpu.ARM64; {
		case a.HasI8MM:
			level = "i8mm"
		case a.HasASIMDDP:
			level = "dotprod"
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
