package engine

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kdd/compiler/embedding/modeldir"
)

// writeWheel writes an archive with these members, each with the data.
func writeWheel(t *testing.T, data []byte, members ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "onnxruntime.whl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	for _, name := range members {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(z.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

// A library that is imported is found from then on; one that is not pinned, and one of another system, is refused and
// leaves what was there.
func TestImportLibrary(t *testing.T) {
	name, data := fakeLibrary(modeldir.LibraryVersion)
	if data == nil {
		return // no head of a library is known for this system
	}
	sum := sha256.Sum256(data)
	pinned[hex.EncodeToString(sum[:])] = "of this test"
	defer delete(pinned, hex.EncodeToString(sum[:]))
	models := t.TempDir()
	t.Setenv(modeldir.Variable, models)
	t.Setenv(LibraryVariable, "")
	t.Setenv("LD_LIBRARY_PATH", "")

	wheel := writeWheel(t, data, "onnxruntime/capi/"+name, "onnxruntime/LICENSE", "onnxruntime/capi/other.so", "onnxruntime/x/LICENSE")
	if !IsLibraryArchive(wheel) {
		t.Error("IsLibraryArchive = false, want true")
	}
	want := filepath.Join(models, modeldir.LibraryFolder, modeldir.LibraryVersion, name)
	for range 2 { // the second takes the first's place
		if got, err := ImportLibrary(wheel, models); err != nil || got != want {
			t.Fatalf("ImportLibrary = %q, %v, want %q", got, err, want)
		}
	}
	for _, tt := range []struct {
		name    string
		wheel   string
		archive bool
		want    string
	}{
		{"another library", writeWheel(t, append(data, 0), "onnxruntime/capi/"+name), true, "only releases that kdd knows"},
		{"another system", writeWheel(t, data, "onnxruntime/capi/onnxruntime.dll"), true, "no library for this system"},
		{"two", writeWheel(t, data, "onnxruntime/capi/"+name, "onnxruntime/capi/"+name), true, "two libraries"},
		{"no library", writeWheel(t, data, "onnxruntime/LICENSE"), false, "no library for this system"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := IsLibraryArchive(tt.wheel); got != tt.archive {
				t.Errorf("IsLibraryArchive = %t, want %t", got, tt.archive)
			}
			_, err := ImportLibrary(tt.wheel, models)
			if !errors.Is(err, ErrLibrary) || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "want release ") {
				t.Errorf("ImportLibrary = %v, want %v with %q and the release", err, ErrLibrary, tt.want)
			}
		})
	}
	if got, err := FindLibrary(""); err != nil || got.Path != want || got.From != modeldir.FromVariable {
		t.Errorf("FindLibrary = %+v, %v, want %s", got, err, want)
	}
	beside, err := os.ReadDir(filepath.Join(models, modeldir.LibraryFolder))
	if err != nil || len(beside) != 1 {
		t.Errorf("%v, %v in the folder, want one release and nothing left over", beside, err)
	}
	if _, err := ImportLibrary(filepath.Join(models, "none.whl"), models); err == nil {
		t.Error("ImportLibrary took a file that is not there")
	}
}
