package oci

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"kdd/runtime/source/ocitest"
)

// orchard are documents, in two versions of which one line differs.
func orchard() (before, after map[string]string) {
	before = map[string]string{}
	for d := range 120 {
		var b strings.Builder
		fmt.Fprintf(&b, "# Orchard %d\n\n", d)
		for line := range 30 {
			fmt.Fprintf(&b, "Row %d has trees of kind %x.\n\n", line, sha256.Sum256([]byte{byte(d), byte(line)}))
		}
		before[fmt.Sprintf("o%03d.md", d)] = b.String()
	}
	after = maps.Clone(before)
	after["o060.md"] += "Row of trees.\n"
	return before, after
}

// TestPullDelta pulls a version over an older one, of which most is taken, and over files that are of no use: the file is
// always what was pushed, and nothing else is left in the folder.
func TestPullDelta(t *testing.T) {
	before, after := orchard()
	old, file := bytesOf(t, artifact(t, before, "")), bytesOf(t, artifact(t, after, ""))
	noRanges := ocitest.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		r.Header.Del("Range")
		return false
	})
	lies := ocitest.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		if at := r.Header.Get("Range"); at != "" && !strings.HasPrefix(at, "bytes=0-") { // other bytes of the layer
			r.Header.Set("Range", "bytes=4096-"+strings.SplitN(at, "-", 2)[1])
		}
		return false
	})
	wrong := bytes.Clone(old)
	for i := 1 << 14; i < len(wrong); i += 100 {
		wrong[i] ^= 1
	}
	tests := []struct {
		name   string
		old    []byte
		fault  ocitest.Option
		reused bool
	}{
		{"an older version", old, nil, true},
		{"an older version, damaged", wrong, nil, false},
		{"an older version, cut", old[:len(old)/2], nil, false},
		{"no artifact", []byte("KDDX\r\n\x1a\nand something else"), nil, false},
		{"no ranges", old, noRanges, false},
		{"ranges that lie", old, lies, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var options []ocitest.Option
			if tt.fault != nil {
				options = append(options, tt.fault)
			}
			s := ocitest.New(options...)
			defer s.Close()
			reference := "oci://" + s.Host + "/docs:main"
			source := filepath.Join(t.TempDir(), "docs.kddx")
			if err := os.WriteFile(source, file, 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := Push(t.Context(), reference, source, PushOptions{Options: quick}); err != nil {
				t.Fatal(err)
			}
			out := filepath.Join(t.TempDir(), "out.kddx")
			if err := os.WriteFile(out, tt.old, 0o644); err != nil {
				t.Fatal(err)
			}
			report, err := Pull(t.Context(), []string{reference}, PullOptions{Options: quick, Output: out})
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(bytesOf(t, out), file) {
				t.Error("the file is not what was pushed")
			}
			alone(t, out)
			if reused := report.ReusedBytes > int64(len(file))/2; reused != tt.reused {
				t.Errorf("%d bytes of %d were taken, want most of them: %t", report.ReusedBytes, len(file), tt.reused)
			}
			if tt.reused && report.DownloadedBytes > int64(len(file))*3/10 {
				t.Errorf("%d bytes of %d were downloaded", report.DownloadedBytes, len(file))
			}
		})
	}
}

// TestPullDeltaStopped stops a pull over an older version in its middle: what was there stays, and the next run ends well.
func TestPullDeltaStopped(t *testing.T) {
	before, after := orchard()
	old, path := bytesOf(t, artifact(t, before, "")), artifact(t, after, "")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var ranges atomic.Int32
	s := ocitest.New(ocitest.Fault(func(w http.ResponseWriter, r *http.Request) bool {
		if ctx.Err() != nil || r.Method != http.MethodGet || !strings.Contains(r.URL.Path, "/blobs/") || ranges.Add(1) <= 2 {
			return false
		}
		stop()
		<-r.Context().Done()
		return true
	}))
	defer s.Close()
	reference := "oci://" + s.Host + "/docs:main"
	if _, err := Push(t.Context(), reference, path, PushOptions{Options: quick}); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out.kddx")
	if err := os.WriteFile(out, old, 0o644); err != nil {
		t.Fatal(err)
	}
	s.Seen()
	if _, err := Pull(ctx, []string{reference}, PullOptions{Options: quick, Output: out}); !errors.Is(err, context.Canceled) {
		t.Fatalf("a pull that is stopped: %v", err)
	}
	for _, request := range s.Seen() {
		if strings.Contains(request, "/blobs/") && !strings.Contains(request, "bytes=") {
			t.Errorf("the pull that was stopped asks for the whole layer: %s", request)
		}
	}
	if !bytes.Equal(bytesOf(t, out), old) {
		t.Error("the file that was there is not what it was")
	}
	report, err := Pull(t.Context(), []string{reference}, PullOptions{Options: quick, Output: out})
	if err != nil || !bytes.Equal(bytesOf(t, out), bytesOf(t, path)) || report.DownloadedBytes > report.FileBytes*3/10 {
		t.Errorf("the second pull: %+v, %v", report, err)
	}
	alone(t, out)
}

// TestPullDeltaKeepsPartial has a download that was stopped beside an old file of which nothing is taken: it goes on.
func TestPullDeltaKeepsPartial(t *testing.T) {
	_, after := orchard()
	path := artifact(t, after, "")
	file := bytesOf(t, path)
	s := ocitest.New()
	defer s.Close()
	reference := "oci://" + s.Host + "/docs:main"
	if _, err := Push(t.Context(), reference, path, PushOptions{Options: quick}); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out.kddx")
	sum := sha256.Sum256(file)
	partial := out + "." + hex.EncodeToString(sum[:])[:12] + ".partial"
	foreign := bytesOf(t, artifact(t, map[string]string{"x.md": "# X\n"}, ""))[:5000]
	if err := errors.Join(os.WriteFile(out, foreign, 0o644), os.WriteFile(partial, file[:300_000], 0o644)); err != nil {
		t.Fatal(err)
	}
	report, err := Pull(t.Context(), []string{reference}, PullOptions{Options: quick, Output: out})
	if err != nil || !bytes.Equal(bytesOf(t, out), file) || report.ResumedBytes != 300_000 {
		t.Errorf("pulled %+v, %v, want 300,000 bytes resumed", report, err)
	}
	alone(t, out)
}
