package main

import (
	"bytes"
	"crypto/x509"
	"encoding/pem"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"golang.org/x/crypto/x509roots/fallback/bundle"

	"kdd/cmd/internal/release/pack"
)

// The user of the containers: nobody's in the systems that run them, as distroless images have it.
const (
	userID = "65532"
	passwd = "root:x:0:0:root:/:/sbin/nologin\nkdd:x:65532:65532:kdd:/data:/sbin/nologin\n"
	groups = "root:x:0:\nkdd:x:65532:\n"
)

// images writes an image of each program for the processors that Linux runs on, from scratch, as an OCI layout in a tar
// archive. No daemon takes part. kdd's is the one that needs no C library.
func (r *release) images() error {
	for _, program := range programs {
		var index v1.ImageIndex = mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
		var made int
		for _, b := range r.builds {
			if b.program != program || b.os != "linux" || b.cgo || program == "kdd" && !b.static {
				continue
			}
			image, err := r.image(b)
			if err != nil {
				return err
			}
			index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image,
				Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: b.os, Architecture: b.arch}}})
			made++
		}
		if made == 0 {
			continue
		}
		files, err := layoutFiles(index, r.version)
		if err != nil {
			return err
		}
		name := program + "-" + r.version + "-image.tar"
		if err := r.file(name, func(w io.Writer) error { return pack.Tar(w, files) }); err != nil {
			return err
		}
	}
	return nil
}

// image is that of one build.
func (r *release) image(b *build) (v1.Image, error) {
	program, err := os.ReadFile(b.path)
	if err != nil {
		return nil, err
	}
	roots, err := certificates()
	if err != nil {
		return nil, err
	}
	files := []pack.File{
		{Name: "usr/bin/" + b.program, Data: program, Executable: true},
		{Name: "etc/ssl/certs/ca-certificates.crt", Data: roots},
		{Name: "etc/passwd", Data: []byte(passwd)},
		{Name: "etc/group", Data: []byte(groups)},
	}
	for _, l := range r.licences {
		files = append(files, pack.File{Name: "usr/share/doc/" + b.program + "/" + l.Name, Data: l.Data})
	}
	var data, plain bytes.Buffer
	if err := pack.TarGz(&data, files); err != nil {
		return nil, err
	}
	if err := pack.Tar(&plain, files); err != nil {
		return nil, err
	}
	content, _, err := v1.SHA256(&plain)
	if err != nil {
		return nil, err
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	image, err = mutate.ConfigFile(image, &v1.ConfigFile{
		OS: b.os, Architecture: b.arch, Created: v1.Time{Time: pack.Time}, Config: r.config(b.program),
		RootFS: v1.RootFS{Type: "layers"},
	})
	if err != nil {
		return nil, err
	}
	return mutate.Append(image, mutate.Addendum{
		Layer:   &layer{static.NewLayer(data.Bytes(), types.OCILayer), content},
		History: v1.History{Created: v1.Time{Time: pack.Time}, CreatedBy: b.program + " " + r.version},
	})
}

// layer is a compressed one that knows what it holds.
type layer struct {
	v1.Layer
	content v1.Hash
}

// DiffID is the checksum of the uncompressed layer.
func (l *layer) DiffID() (v1.Hash, error) { return l.content, nil }

// config is how a container runs: kddq serves the artifact in /data to whoever has the token, kdd takes a command.
// HOME is where programs keep what they have fetched; where it cannot be written, nothing is kept.
func (r *release) config(program string) v1.Config {
	c := v1.Config{
		User: userID + ":" + userID, WorkingDir: "/data", Env: []string{"PATH=/usr/bin", "HOME=/tmp"},
		Entrypoint: []string{"/usr/bin/" + program},
		Labels: map[string]string{
			"org.opencontainers.image.title": program, "org.opencontainers.image.version": r.version,
			"org.opencontainers.image.description": about[program], "org.opencontainers.image.licenses": "Apache-2.0",
		},
	}
	if program == "kddq" {
		c.Cmd = []string{"serve", "--host", "0.0.0.0"}
		c.ExposedPorts = map[string]struct{}{"8765/tcp": {}}
	}
	return c
}

// certificates returns Mozilla's roots as a file of PEM, but for those that are trusted under conditions which no file
// can say.
func certificates() ([]byte, error) {
	var out bytes.Buffer
	for root := range bundle.Roots() {
		if root.Constraint != nil {
			continue
		}
		c, err := x509.ParseCertificate(root.Certificate)
		if err != nil {
			return nil, err
		}
		out.WriteString("# " + c.Subject.String() + "\n")
		if err := pem.Encode(&out, &pem.Block{Type: "CERTIFICATE", Bytes: root.Certificate}); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}

// layoutFiles are those of an OCI image layout that holds index under the name of a version.
func layoutFiles(index v1.ImageIndex, version string) ([]pack.File, error) {
	dir, err := os.MkdirTemp("", "kdd-image-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	at, err := layout.Write(dir, empty.Index)
	if err != nil {
		return nil, err
	}
	name := layout.WithAnnotations(map[string]string{"org.opencontainers.image.ref.name": version})
	if err := at.AppendIndex(index, name); err != nil {
		return nil, err
	}
	var files []pack.File
	err = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(dir, path)
		files = append(files, pack.File{Name: filepath.ToSlash(relative), Data: data})
		return err
	})
	return files, err
}
