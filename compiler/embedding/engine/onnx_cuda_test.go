//go:build cgo && linux

package engine

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"kdd/compiler/embedding/onnx"
)

// cudaStandIn builds a library that is the real ONNX Runtime but for its CUDA provider: it takes the provider's options,
// notes them in a file, and leaves the work to the processor.
func cudaStandIn(t *testing.T, real, notes string) string {
	t.Helper()
	header, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/yalue/onnxruntime_go").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	dir := t.TempDir()
	source, library := filepath.Join(dir, "cuda.c"), filepath.Join(dir, "libonnxruntime.so")
	code := `
#include <dlfcn.h>
#include <stdio.h>
#include "onnxruntime_c_api.h"
static OrtApi api;
static const OrtApiBase *real;
static void note(const char *a, const char *b) {
	FILE *f = fopen("` + notes + `", "a");
	fprintf(f, "%s %s\n", a, b);
	fclose(f);
}
static OrtStatusPtr create(OrtCUDAProviderOptionsV2 **o) { *o = (void *)&api; note("create", ""); return 0; }
static OrtStatusPtr update(OrtCUDAProviderOptionsV2 *o, const char *const *keys, const char *const *values, size_t n) {
	for (size_t i = 0; i < n; i++) note(keys[i], values[i]);
	return 0;
}
static void release(OrtCUDAProviderOptionsV2 *o) { note("release", ""); }
static OrtStatusPtr append(OrtSessionOptions *s, const OrtCUDAProviderOptionsV2 *o) { note("append", ""); return 0; }
static const OrtApi *get(uint32_t version) {
	const OrtApi *a = real->GetApi(version);
	if (!a) return 0;
	api = *a;
	api.CreateCUDAProviderOptions = create;
	api.UpdateCUDAProviderOptions = update;
	api.ReleaseCUDAProviderOptions = release;
	api.SessionOptionsAppendExecutionProvider_CUDA_V2 = append;
	return &api;
}
static const char *version(void) { return real->GetVersionString(); }
static const OrtApiBase base = { get, version };
const OrtApiBase *OrtGetApiBase(void) {
	void *l = dlopen("` + real + `", RTLD_NOW);
	if (!l) return 0;
	real = ((const OrtApiBase *(*)(void))dlsym(l, "OrtGetApiBase"))();
	return &base;
}
`
	if err := os.WriteFile(source, []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	compile(t, "-shared", "-fPIC", "-w", "-I", strings.TrimSpace(string(header)), "-o", library, source, "-ldl")
	return library
}

// TestCUDA opens a model for a GPU: with a library that has the provider it gets the options, and the engine says that
// its vectors are a GPU's; with one that has not, the error says so.
func TestCUDA(t *testing.T) {
	needLibrary(t)
	real, err := FindLibrary("")
	if err != nil {
		t.Fatal(err)
	}
	notes := filepath.Join(t.TempDir(), "notes")
	src := writeGraph(t, small, onnx.Fused)
	want := openInChild(t, src, Options{Library: real.Path})
	got := openInChild(t, src, Options{Library: cudaStandIn(t, real.Path, notes), Device: CUDA})
	id, vector, _ := strings.Cut(want, " [")
	if id = id[:strings.LastIndexByte(id, ' ')] + " cuda"; got != id+" ["+vector {
		t.Errorf("on the stand-in: %s, want %s and the same vector", got, id)
	}
	said, err := os.ReadFile(notes)
	if err != nil {
		t.Fatal(err)
	}
	lines := string(said)
	for _, line := range []string{"create", "device_id 0\n", "use_tf32 0\n", "append", "release"} {
		if strings.Count(lines, line) != 1 {
			t.Errorf("the provider was told %q, want %q once", lines, line)
		}
	}
	if strings.Index(lines, "append") < strings.Index(lines, "use_tf32") {
		t.Errorf("the provider was told %q, want the options before it is added", lines)
	}

	got = openInChild(t, src, Options{Library: real.Path, Device: CUDA})
	if strings.Contains(got, " cuda [") {
		return // this machine has a GPU
	}
	if !strings.HasPrefix(got, "true "+real.Path+": no CUDA: ") ||
		!strings.HasSuffix(got, "; install ONNX Runtime for GPUs with the CUDA that it wants, or use --device cpu") {
		t.Errorf("Open = %s, want %v that says what to install", got, ErrLibrary)
	}
}
