package oci

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"time"

	"github.com/opencontainers/go-digest"
	ocispec "github.com/opencontainers/image-spec/specs-go/v1"
	"oras.land/oras-go/v2/content"
	"oras.land/oras-go/v2/errdef"
	"oras.land/oras-go/v2/registry"
	"oras.land/oras-go/v2/registry/remote"
	"oras.land/oras-go/v2/registry/remote/errcode"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/source/oci"
	"kdd/runtime/wire"
)

// Progress is told how far a step is.
type Progress func(step string, done, total int64)

// PushOptions says what Push does besides.
type PushOptions struct {
	oci.Options
	Tags     []string // beside the reference's
	Source   string   // where the sources are, a URL; "" = not told
	Progress Progress // may be nil
}

// PushReport is push_report.v1.
type PushReport struct {
	SchemaVersion string   `json:"schema_version"`
	IndexID       string   `json:"index_id"`
	Path          string   `json:"path"`      // of the file
	Reference     string   `json:"reference"` // with the digest of the manifest: what stays the same artifact
	Digest        string   `json:"digest"`    // of the manifest
	Tags          []string `json:"tags"`
	Layer         string   `json:"layer"`      // digest of the file
	FileBytes     int64    `json:"file_bytes"` // of the file
	// the file, the empty config and manifests that were sent; 0: the registry had it all
	UploadedBytes int64              `json:"uploaded_bytes"`
	Annotations   map[string]string  `json:"annotations"` // of the manifest
	Seconds       map[string]float64 `json:"seconds"`     // total
}

// uploads is how often the upload of a file is begun before Push gives up.
const uploads = 3

// Push uploads the artifact at path under the tags, unless the registry has it.
func Push(ctx context.Context, reference, path string, o PushOptions) (*PushReport, error) {
	begun := time.Now()
	ref, err := oci.Parse(reference)
	if err != nil {
		return nil, err
	}
	tags, err := pushedTags(ref, o.Tags)
	if err != nil {
		return nil, err
	}
	f, d, err := read(path, o.Source)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	manifest, err := d.manifest()
	if err != nil {
		return nil, err
	}
	o.Push = true
	repo, err := oci.Connect(ctx, ref, o.Options)
	if err != nil {
		return nil, err
	}
	p := &pusher{ctx: ctx, repo: repo, progress: o.Progress, target: &remote.Repository{Client: repo, PlainHTTP: repo.Plain(),
		Reference: registry.Reference{Registry: ref.Host, Repository: ref.Name}}}
	if err := p.push(d, f, manifest, tags); err != nil {
		return nil, p.explain(err)
	}
	sum := digest.FromBytes(manifest).String()
	ref.Tag, ref.Digest = "", sum
	return &PushReport{SchemaVersion: "push_report.v1", IndexID: d.indexID, Path: path, Reference: ref.String(), Digest: sum,
		Tags: tags, Layer: d.layer.Digest.String(), FileBytes: d.layer.Size, UploadedBytes: p.uploaded, Annotations: d.annotations,
		Seconds: map[string]float64{"total": time.Since(begun).Seconds()}}, nil
}

// pushedTags returns the tags of a reference and those beside it.
func pushedTags(ref oci.Reference, more []string) ([]string, error) {
	if ref.Digest != "" {
		return nil, wire.NewError(wire.CodeInvalidInput, ref.String()+": what is pushed gets its digest from what it is", "name a tag")
	}
	if ref.Tag == "" {
		return nil, wire.NewError(wire.CodeInvalidInput, ref.String()+": no tag to push to", "name one, such as "+ref.String()+":latest")
	}
	tags := []string{ref.Tag}
	for _, tag := range more {
		other := oci.Reference{Host: ref.Host, Name: ref.Name, Tag: tag}
		if parsed, err := oci.Parse(other.String()); err != nil || parsed != other {
			return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("the tag %q: want at most 128 letters, digits, dots, - and _", tag), "")
		}
		if !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	return tags, nil
}

// read opens the artifact at path, checks all of it and describes it.
func read(path, source string) (*os.File, *described, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	d, err := check(f, path, source)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, d, nil
}

func check(f *os.File, path, source string) (d *described, err error) {
	x, err := index.Open(path)
	if err != nil {
		return nil, err
	}
	defer x.File.Close()
	report, err := format.Verify(path)
	if err != nil {
		return nil, err
	}
	if len(report.Problems) > 0 {
		return nil, fmt.Errorf("%w: %s", format.ErrCorrupt, report.Problems[0])
	}
	sum := digest.SHA256.Digester()
	size, err := io.Copy(sum.Hash(), f)
	if err != nil {
		return nil, err
	}
	if size != x.File.Bytes() {
		return nil, wire.NewError(wire.CodeIO, path+": it was replaced while it was read", "run the command again")
	}
	err = format.Guard(func() error {
		d = describe(x, path, size, sum.Digest(), source)
		return nil
	})
	return d, err
}

// pusher uploads one artifact.
type pusher struct {
	ctx      context.Context
	repo     *oci.Repository
	target   *remote.Repository
	progress Progress
	uploaded int64
}

// push uploads what the registry lacks: the layer, the config, and the manifest under each tag.
func (p *pusher) push(d *described, f io.ReaderAt, manifest []byte, tags []string) error {
	whole := content.NewDescriptorFromBytes(ocispec.MediaTypeImageManifest, manifest)
	var missing []string
	for _, tag := range tags {
		there, err := p.target.Manifests().Resolve(p.ctx, tag)
		if err != nil && !errors.Is(err, errdef.ErrNotFound) {
			return err
		}
		if err != nil || there.Digest != whole.Digest {
			missing = append(missing, tag)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	if err := p.layer(d.layer, f); err != nil {
		return err
	}
	if err := p.config(); err != nil {
		return err
	}
	for _, tag := range missing {
		if err := p.target.Manifests().PushReference(p.ctx, whole, bytes.NewReader(manifest), tag); err != nil {
			return err
		}
		p.uploaded += whole.Size
	}
	return nil
}

// config uploads the empty config.
func (p *pusher) config() error {
	empty := ocispec.DescriptorEmptyJSON
	there, err := p.target.Blobs().Exists(p.ctx, empty)
	if err != nil || there {
		return err
	}
	p.uploaded += empty.Size
	return p.target.Blobs().Push(p.ctx, empty, bytes.NewReader(empty.Data))
}

// layer uploads the file.
func (p *pusher) layer(layer ocispec.Descriptor, f io.ReaderAt) (err error) {
	there, err := p.target.Blobs().Exists(p.ctx, layer)
	if err != nil || there {
		return err
	}
	for range uploads {
		// ReadCloser hides the reader's other methods: the client would close or rewind it.
		r := io.NopCloser(&meter{r: io.NewSectionReader(f, 0, layer.Size), total: layer.Size, tell: p.progress})
		if err = p.target.Blobs().Push(p.ctx, layer, r); err == nil {
			p.uploaded += layer.Size
			return nil
		}
		var answer *errcode.ErrorResponse
		if refused := errors.As(err, &answer) && answer.StatusCode < http.StatusInternalServerError; refused || p.ctx.Err() != nil {
			break
		}
	}
	return err
}

// explain makes an error of package wire of one of oras-go's.
func (p *pusher) explain(err error) error {
	var answer *errcode.ErrorResponse
	if !errors.As(err, &answer) {
		return p.repo.Explain(p.ctx, err)
	}
	says := ""
	if len(answer.Errors) > 0 {
		says = answer.Errors.Error()
	}
	return p.repo.Status(answer.StatusCode, says)
}

// meter tells how many bytes have passed.
type meter struct {
	r           io.Reader
	done, total int64
	tell        Progress
}

// Read reads from r; the error is r's.
func (m *meter) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	m.done += int64(n)
	if m.tell != nil {
		m.tell("push", m.done, m.total)
	}
	return n, err
}
