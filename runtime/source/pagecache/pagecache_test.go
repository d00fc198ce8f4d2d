package pagecache

import (
	"bytes"
	"encoding/hex"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"
)

func TestFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "pages")
	c := &Cache{Dir: dir, Limit: Limit}
	root := [32]byte{1}
	path := filepath.Join(dir, hex.EncodeToString(root[:])+pagesSuffix)
	f := c.File(root, 1<<20)
	if f == nil {
		t.Fatal("File = nil")
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.Size() != 1<<20 {
		t.Errorf("Stat = %v, %v, want 1 MiB", info, err)
	}
	f.WriteAt([]byte("page"), 4096)
	got := make([]byte, 4)
	again := c.File(root, 1<<20)
	if again == nil {
		t.Fatal("File = nil the second time")
	}
	defer again.Close()
	if again.ReadAt(got, 4096); !bytes.Equal(got, []byte("page")) {
		t.Errorf("the second reader sees %q", got)
	}
	if err := os.WriteFile(path, []byte("cut"), 0o600); err != nil {
		t.Fatal(err)
	}
	whole := c.File(root, 1<<20)
	if whole == nil {
		t.Fatal("File of a cut file = nil")
	}
	defer whole.Close()
	if info, err := whole.Stat(); err != nil || info.Size() != 1<<20 {
		t.Errorf("Stat after a cut = %v, %v, want 1 MiB", info, err)
	}
	for name, c := range map[string]*Cache{"no folder": {Limit: 1}, "nothing may be kept": {Dir: dir},
		"a file is there": {Dir: path, Limit: 1}} {
		if f := c.File([32]byte{9}, 10); f != nil {
			t.Errorf("%s: File = %v, want nil", name, f.Name())
		}
	}
}

// TestShrink opens files of 1 MiB under a limit of 2.5: the oldest goes, never the one that is opened.
func TestShrink(t *testing.T) {
	c := &Cache{Dir: t.TempDir(), Limit: 5 << 19}
	path := func(n byte) string {
		return filepath.Join(c.Dir, hex.EncodeToString(append([]byte{n}, make([]byte, 31)...))+pagesSuffix)
	}
	for n := range byte(3) {
		f := c.File([32]byte{n}, 1<<20)
		f.Write(bytes.Repeat([]byte{1}, 1<<20))
		f.Sync()
		f.Close()
		old := time.Now().Add(time.Duration(n)*time.Minute - time.Hour)
		if err := os.Chtimes(path(n), old, old); err != nil {
			t.Fatal(err)
		}
	}
	os.WriteFile(filepath.Join(c.Dir, "of another program"), nil, 0o600)
	c.File([32]byte{0}, 1<<20).Close() // the oldest, but it is asked for
	for name, want := range map[string]bool{path(0): true, path(1): false, path(2): true,
		filepath.Join(c.Dir, "of another program"): true} {
		if exists(name) != want {
			t.Errorf("%s is there: %t, want %t", filepath.Base(name)[:2], !want, want)
		}
	}
}

func TestRemember(t *testing.T) {
	c := &Cache{Dir: t.TempDir(), Limit: Limit}
	root := [32]byte{7}
	name := "https://host/docs.kddx"
	if _, _, ok := c.Recall(name); ok {
		t.Error("Recall before Remember")
	}
	v := Version{Name: name, Root: hex.EncodeToString(root[:]), Size: 100}
	c.Remember(name, v)
	if _, _, ok := c.Recall(name); ok {
		t.Error("Recall without the file's pages")
	}
	c.File(root, 90).Close()
	got, f, ok := c.Recall(name)
	if !ok || !reflect.DeepEqual(got, v) {
		t.Fatalf("Recall = %v, %t, want %v", got, ok, v)
	}
	f.Close()
	for what, text := range map[string]string{"no JSON": "{", "no root": `{"name":"x"}`, "a root that is a path": `{"name":"` + name + `","root":"../../x","size":1}`} {
		os.WriteFile(c.versionPath(name), []byte(text), 0o600)
		if _, _, ok := c.Recall(name); ok {
			t.Errorf("Recall of %s", what)
		}
	}
}
