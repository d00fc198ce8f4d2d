package oci

import (
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"time"

	"github.com/opencontainers/go-digest"
	"github.com/opencontainers/image-spec/specs-go"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/source/oci"
)

// mediaTypes are the types of an artifact and its layer, by version of the format.
var mediaTypes = [...]string{oci.TypeV0, oci.TypeV1}

// described is what of a file goes into its manifest.
type described struct {
	layer       ocispec.Descriptor
	annotations map[string]string
	indexID     string
}

// describe reads the annotations of an artifact. source is where its sources are; "" leaves that out.
func describe(x *index.Index, path string, size int64, sum digest.Digest, source string) *described {
	root := x.File.RootHash()
	d := &described{
		layer: ocispec.Descriptor{MediaType: mediaTypes[format.Version], Digest: sum, Size: size,
			Annotations: map[string]string{ocispec.AnnotationTitle: filepath.Base(path)}},
		annotations: map[string]string{oci.AnnotationRoot: hex.EncodeToString(root[:])},
		indexID:     x.File.ID(),
	}
	set := func(key, value string) {
		if value != "" {
			d.annotations[key] = value
		}
	}
	set(ocispec.AnnotationSource, source)
	if m := x.Meta.Model; m != nil {
		set(oci.AnnotationModel, m.Name)
	}
	p := x.File.Provenance()
	set(ocispec.AnnotationRevision, p.Commit)
	if _, err := time.Parse(time.RFC3339, p.Date); err == nil {
		set(ocispec.AnnotationCreated, p.Date)
	}
	if p.Dirty {
		set(oci.AnnotationDirty, "true")
	}
	return d
}

// manifest returns the manifest: of the same file always the same bytes.
func (d *described) manifest() ([]byte, error) {
	return json.Marshal(ocispec.Manifest{
		Versioned:    specs.Versioned{SchemaVersion: 2},
		MediaType:    ocispec.MediaTypeImageManifest,
		ArtifactType: d.layer.MediaType,
		Config:       ocispec.DescriptorEmptyJSON,
		Layers:       []ocispec.Descriptor{d.layer},
		Annotations:  d.annotations,
	})
}
