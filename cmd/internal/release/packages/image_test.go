package main

import (
	"bytes"
	"encoding/json"
	"encoding/pem"
	"os"
	"path/filepath"
	"slices"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// TestImages opens the layouts as a client of registries does.
func TestImages(t *testing.T) {
	dir := dist(t, nil)
	made(t, dir)
	for _, program := range programs {
		files, _ := members(t, read(t, dir, program+"-1.2.3-rc.1-image.tar"))
		at := t.TempDir()
		for name, data := range files {
			path := filepath.Join(at, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		root, err := layout.ImageIndexFromPath(at)
		if err != nil {
			t.Fatal(err)
		}
		top, err := root.IndexManifest()
		if err != nil || len(top.Manifests) != 1 || top.Manifests[0].Annotations["org.opencontainers.image.ref.name"] != "1.2.3-rc.1" {
			t.Fatalf("%s: index %v, %v", program, top, err)
		}
		index, err := root.ImageIndex(top.Manifests[0].Digest)
		if err != nil {
			t.Fatal(err)
		}
		if err := validate.Index(index); err != nil {
			t.Error(err)
		}
		manifest, err := index.IndexManifest()
		if err != nil || len(manifest.Manifests) != 2 {
			t.Fatalf("%s: %v, %v", program, manifest, err)
		}
		for i, arch := range []string{"amd64", "arm64"} {
			if p := manifest.Manifests[i].Platform; p.OS != "linux" || p.Architecture != arch {
				t.Errorf("%s: image %d is for %v", program, i, p)
			}
			image, err := index.Image(manifest.Manifests[i].Digest)
			if err != nil {
				t.Fatal(err)
			}
			checkImage(t, image, program, arch)
		}
	}
}

// checkImage holds what an image runs, as whom, and what is in it.
func checkImage(t *testing.T, image v1.Image, program, arch string) {
	t.Helper()
	config, err := image.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	c := config.Config
	want := []string{"serve", "--host", "0.0.0.0"}
	if program == "kdd" {
		want = nil
	}
	if c.User != "65532:65532" || !slices.Equal(c.Entrypoint, []string{"/usr/bin/" + program}) || !slices.Equal(c.Cmd, want) || c.WorkingDir != "/data" {
		text, _ := json.Marshal(c)
		t.Errorf("%s on %s runs as %s", program, arch, text)
	}
	layers, err := image.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("%d layers, %v", len(layers), err)
	}
	packed, err := layers[0].Compressed()
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	var data bytes.Buffer
	if _, err := data.ReadFrom(packed); err != nil {
		t.Fatal(err)
	}
	files, modes := members(t, data.Bytes())
	b := build{program: program, os: "linux", arch: arch, static: program == "kdd"}
	if !bytes.Equal(files["usr/bin/"+program], fake(b.label("1.2.3-rc.1"))) || modes["usr/bin/"+program] != 0o755 {
		t.Errorf("%s on %s is %q", program, arch, files["usr/bin/"+program])
	}
	count := 0
	for rest := files["etc/ssl/certs/ca-certificates.crt"]; ; count++ {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
	}
	if count < 100 {
		t.Errorf("%d certificates, want those of Mozilla", count)
	}
	if len(files) != 6 {
		t.Errorf("the layer holds %d files", len(files))
	}
}
