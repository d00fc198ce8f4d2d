package oci

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strings"

	"kdd/runtime/wire"
)

// The media types of artifacts: of the manifest's artifactType and of its layer.
const (
	TypeV0 = "application/vnd.kdd.kddx.v0"
	TypeV1 = "application/vnd.kdd.kddx.v1"
)

// The annotations of kdd's own; others are those of the image specification.
const (
	AnnotationRoot  = "dev.kdd.root"  // the root hash, 64 hex digits
	AnnotationModel = "dev.kdd.model" // the embedding model's name
	AnnotationDirty = "dev.kdd.dirty" // "true": documents differed from the revision

	annotationTitle    = "org.opencontainers.image.title"
	annotationSource   = "org.opencontainers.image.source"
	annotationRevision = "org.opencontainers.image.revision"
	annotationCreated  = "org.opencontainers.image.created"
)

// Media types of manifests, indexes of them, and what ordinary container images have.
const (
	typeManifest     = "application/vnd.oci.image.manifest.v1+json"
	typeIndex        = "application/vnd.oci.image.index.v1+json"
	typeDocker       = "application/vnd.docker.distribution.manifest.v2+json"
	typeDockerList   = "application/vnd.docker.distribution.manifest.list.v2+json"
	typeImageConfig  = "application/vnd.oci.image.config.v1+json"
	typeDockerConfig = "application/vnd.docker.container.image.v1+json"
)

// Limits of what a registry may answer.
const (
	maxManifest   = 4 << 20 // bytes, as the distribution specification has it
	maxAnnotation = 1024    // bytes of an annotation that is told
	maxProbes     = 16      // layers of other media types that are looked into
)

// Artifact is what a manifest says of the .kddx that it describes.
type Artifact struct {
	Digest string // of the manifest
	Layer  Layer
	// What annotations say, "" where they do not. Root is checked for its form, the others for their length.
	Root, Model, Source, Revision, Created string
}

// Layer is a blob that a manifest names. Digest is well-formed and Size not negative.
type Layer struct {
	MediaType string
	Digest    string // sha256:…
	Size      int64
	Title     string // the file's name where it was pushed; hostile
}

// manifest is a manifest of an image or artifact, or an index of them.
type manifest struct {
	MediaType    string            `json:"mediaType"`
	ArtifactType string            `json:"artifactType"`
	Config       descriptor        `json:"config"`
	Layers       []descriptor      `json:"layers"`
	Manifests    []descriptor      `json:"manifests"`
	Annotations  map[string]string `json:"annotations"`
}

// descriptor is what one blob says of another.
type descriptor struct {
	MediaType    string            `json:"mediaType"`
	ArtifactType string            `json:"artifactType"`
	Digest       string            `json:"digest"`
	Size         int64             `json:"size"`
	Annotations  map[string]string `json:"annotations"`
}

// Resolve asks the registry for the manifest of the reference and finds the .kddx in it. An index that has one artifact is
// followed. Cost: one request, one more for an index and for each layer of an unknown media type.
func (r *Repository) Resolve(ctx context.Context) (*Artifact, error) {
	m, digest, err := r.manifest(ctx, r.Reference.wanted())
	if err != nil {
		return nil, err
	}
	if len(m.Manifests) > 0 {
		one, err := r.oneOf(m.Manifests)
		if err != nil {
			return nil, err
		}
		if m, digest, err = r.manifest(ctx, one.Digest); err != nil {
			return nil, err
		}
		if len(m.Manifests) > 0 {
			return nil, r.wrong(wire.CodeInvalidInput, "name the digest of the artifact itself", "an index of indexes")
		}
	}
	layer, err := r.layerOf(ctx, m)
	if err != nil {
		return nil, err
	}
	told := func(key string) string {
		if text := m.Annotations[key]; len(text) <= maxAnnotation {
			return text
		}
		return ""
	}
	a := &Artifact{Digest: digest, Layer: *layer, Root: told(AnnotationRoot), Model: told(AnnotationModel),
		Source: told(annotationSource), Revision: told(annotationRevision), Created: told(annotationCreated)}
	if raw, err := hex.DecodeString(a.Root); err != nil || a.Root != "" && len(raw) != sha256.Size {
		return nil, r.wrong(wire.CodeIndexUntrusted, "", "its manifest has %s %q, want 64 hex digits", AnnotationRoot, short(a.Root))
	}
	return a, nil
}

// manifest fetches a manifest by tag or digest and returns it with its digest.
func (r *Repository) manifest(ctx context.Context, wanted string) (*manifest, string, error) {
	resp, err := r.get(ctx, "/manifests/"+wanted, func(h http.Header) {
		h.Set("Accept", strings.Join([]string{typeManifest, typeIndex, typeDocker, typeDockerList}, ", "))
	})
	if err != nil {
		return nil, "", err
	}
	if resp.StatusCode == http.StatusNotFound {
		defer resp.Body.Close()
		return nil, "", r.missing(ctx, wanted)
	}
	if resp.StatusCode != http.StatusOK {
		return nil, "", r.refused(resp)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxManifest+1))
	if err != nil {
		return nil, "", r.failed(ctx, err)
	}
	if len(data) > maxManifest {
		return nil, "", r.wrong(wire.CodeTooLarge, "", "its manifest has more than %d bytes", maxManifest)
	}
	sum := sha256.Sum256(data)
	digest := "sha256:" + hex.EncodeToString(sum[:])
	if strings.Contains(wanted, ":") && digest != wanted {
		return nil, "", r.wrong(wire.CodeIndexUntrusted, "", "the registry sent a manifest of digest %s, want %s", digest, wanted)
	}
	var m manifest
	if err := json.NewDecoder(bytes.NewReader(data)).Decode(&m); err != nil {
		return nil, "", r.wrong(wire.CodeIO, "a proxy or a login page may be between, or the host is no registry",
			"the registry's answer is no manifest: %s", short(err.Error()))
	}
	if len(m.Manifests) > 0 && len(m.Layers) > 0 {
		return nil, "", r.wrong(wire.CodeIndexUntrusted, "", "its manifest is one of an index and of an artifact at once")
	}
	return &m, digest, nil
}

// get asks for something of the repository. The caller closes the answer, of whatever status.
func (r *Repository) get(ctx context.Context, path string, with func(http.Header)) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.base+path, nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept-Encoding", "identity") // packed, ranges would count packed bytes
	if with != nil {
		with(req.Header)
	}
	resp, err := r.Do(req)
	if err != nil {
		return nil, r.failed(ctx, err)
	}
	return resp, nil
}

// oneOf returns the manifest of an index that is an artifact of kdd; or the only one that there is.
func (r *Repository) oneOf(list []descriptor) (*descriptor, error) {
	var found, others []*descriptor
	for i := range list {
		switch d := &list[i]; {
		case d.ArtifactType == TypeV0, d.ArtifactType == TypeV1:
			found = append(found, d)
		case d.Annotations["vnd.docker.reference.type"] == "": // else it says something of another
			others = append(others, d)
		}
	}
	if len(found) == 0 {
		found = others
	}
	if len(found) != 1 {
		return nil, r.wrong(wire.CodeInvalidInput, "name the digest of one, @sha256:…", "an index of %d images, want one artifact", len(list))
	}
	if !digestPattern().MatchString(found[0].Digest) {
		return nil, r.wrong(wire.CodeIndexUntrusted, "", "its index has the digest %q, want sha256: and 64 hex digits", short(found[0].Digest))
	}
	return found[0], nil
}

// layerOf returns the layer of a manifest that is a .kddx: the one of kdd's media types, else the one that begins as
// a .kddx does.
func (r *Repository) layerOf(ctx context.Context, m *manifest) (*Layer, error) {
	var found []*Layer
	var others []string
	for i := range m.Layers {
		d := &m.Layers[i]
		if d.MediaType != TypeV0 && d.MediaType != TypeV1 {
			others = append(others, d.MediaType)
			continue
		}
		l, err := r.layer(d)
		if err != nil {
			return nil, err
		}
		found = append(found, l)
	}
	image := m.Config.MediaType == typeImageConfig || m.Config.MediaType == typeDockerConfig
	if len(found) == 0 && !(image && allPacked(others)) && len(m.Layers) <= maxProbes {
		for i := range m.Layers {
			l, err := r.layer(&m.Layers[i])
			if err != nil {
				return nil, err
			}
			is, err := r.beginsAsArtifact(ctx, l)
			if err != nil {
				return nil, err
			}
			if is {
				found = append(found, l)
			}
		}
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return nil, r.wrong(wire.CodeInvalidInput, "push each file under a tag of its own", "%d layers are .kddx files, want one", len(found))
	case image:
		return nil, r.wrong(wire.CodeInvalidInput, `push a .kddx with "kdd push"`, "a container image of %s, not a .kddx", count(len(m.Layers), "layer"))
	}
	what := "something without a type"
	if m.ArtifactType != "" {
		what = "an artifact of type " + short(m.ArtifactType)
	} else if m.Config.MediaType != "" {
		what = "an artifact with a config of type " + short(m.Config.MediaType)
	}
	return nil, r.wrong(wire.CodeInvalidInput, `push a .kddx with "kdd push"`, "%s with %s, none of them a .kddx", what, count(len(m.Layers), "layer"))
}

// allPacked says whether media types are those of packed archives, as the layers of container images are.
func allPacked(types []string) bool {
	for _, t := range types {
		if !strings.HasSuffix(t, "gzip") && !strings.HasSuffix(t, "zstd") {
			return false
		}
	}
	return true
}

// layer checks a descriptor.
func (r *Repository) layer(d *descriptor) (*Layer, error) {
	if !digestPattern().MatchString(d.Digest) {
		return nil, r.wrong(wire.CodeIndexUntrusted, "", "a layer has the digest %q, want sha256: and 64 hex digits", short(d.Digest))
	}
	if d.Size < 0 || d.Size > math.MaxInt64/2 {
		return nil, r.wrong(wire.CodeIndexUntrusted, "", "a layer has %d bytes", d.Size)
	}
	return &Layer{MediaType: d.MediaType, Digest: d.Digest, Size: d.Size, Title: d.Annotations[annotationTitle]}, nil
}

// count is "1 layer", "2 layers".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
