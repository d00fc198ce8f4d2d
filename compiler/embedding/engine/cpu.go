package engine

import (
	goruntime "runtime"

	"golang.org/x/sys/cpu"
)

// cpuLevel names the instructions that decide which kernels ONNX Runtime takes, and with that the last bits of its
// results: "amd64-avx512vnni", "arm64-i8mm". Machines of one level give the same vectors.
func cpuLevel() string {
	level := "base"
	switch goruntime.GOARCH {
	case "amd64":
		switch x := &cpu.X86; {
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
