package compiler

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/modeldir/checkout"
	"kdd/format/index"
)

// sameBytesOut names the file that TestSameBytesBuild, run by TestSameBytes as a process of its own, writes.
const sameBytesOut = "KDD_TEST_SAME_BYTES"

// sameBytesOptions builds some documents with vectors and query encoder of a small model.
func sameBytesOptions(dir, small, out string) Options {
	o := withVectors(dir, small)
	o.Output, o.CacheDir, o.Engine = out, "-", string(engine.Go)
	return o
}

// TestSameBytes builds one corpus by ONNX Runtime and by the Go transformer, with its kernels for AVX2 and without: the
// files are the same to the byte, and a build takes the vectors of one that another engine made.
func TestSameBytes(t *testing.T) {
	checkout.Use()
	parent := t.TempDir()
	dir, small := filepath.Join(parent, "docs"), smallModel(t, 1, "")
	newCorpus(11, 60).write(t, dir)
	o := sameBytesOptions(dir, small, filepath.Join(parent, "go.kddx"))
	r, want := mustBuild(t, o)
	if r.Counts.Chunks < 100 {
		t.Fatalf("%d chunks, want enough that some are near a tie", r.Counts.Chunks)
	}
	x, err := index.Open(o.Output)
	if err != nil {
		t.Fatal(err)
	}
	if m := x.Meta.Model; m.Engine != "any 1 cpu" || m.Graph != "" {
		t.Errorf("engine %q and graph %q, want any and none", m.Engine, m.Graph)
	}
	x.File.Close()

	if runtime.GOARCH == "amd64" {
		portable := filepath.Join(parent, "portable.kddx")
		c := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestSameBytesBuild$")
		c.Env = append(os.Environ(), "GODEBUG=cpu.avx2=off,cpu.fma=off", sameBytesOut+"="+strings.Join([]string{dir, small, portable}, string(os.PathListSeparator)))
		if text, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, text)
		}
		got, err := os.ReadFile(portable)
		if err != nil {
			t.Fatal(err)
		}
		sameBytes(t, "without AVX2", got, want)
	}

	if _, err := engine.FindLibrary(""); err != nil || !engine.Supported {
		t.Skipf("ONNX Runtime is absent: %v", err)
	}
	o.Engine, o.Output = string(engine.ONNX), filepath.Join(parent, "onnx.kddx")
	_, got := mustBuild(t, o)
	sameBytes(t, "by ONNX Runtime", got, want)
	o.Output = filepath.Join(parent, "go.kddx")
	if r, got := mustBuild(t, o); r.Reused != r.Counts.Chunks {
		t.Errorf("%d of %d vectors of another engine reused", r.Reused, r.Counts.Chunks)
	} else {
		sameBytes(t, "over another engine's", got, want)
	}

	// Rows of float32 have last bits that depend on the engine, which the file then names.
	o.Floats = true
	_, got = mustBuild(t, o)
	o.Engine = string(engine.Go)
	if r, other := mustBuild(t, o); r.Reused != 0 || bytes.Equal(got, other) {
		t.Errorf("with float32 rows %d vectors of another engine reused, want none and another file", r.Reused)
	}
}

// TestSameBytesBuild is the process that TestSameBytes runs without AVX2; by itself it only checks that it is told what to
// build.
func TestSameBytesBuild(t *testing.T) {
	list := filepath.SplitList(os.Getenv(sameBytesOut))
	if len(list) == 0 {
		return
	}
	if len(list) != 3 {
		t.Fatalf("%s = %q, want three paths", sameBytesOut, list)
	}
	mustBuild(t, sameBytesOptions(list[0], list[1], list[2]))
}
