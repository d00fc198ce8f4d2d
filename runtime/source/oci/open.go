package oci

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"sync"

	"kdd/runtime/source"
	"kdd/runtime/source/web"
	"kdd/runtime/wire"
)

// Blob is the layer of an artifact, read by range. What it returns is hostile: the digest is of the whole layer, so that
// pages are compared with the root hash that Artifact.Root has.
type Blob struct {
	repo  *Repository
	found *Artifact
	o     Options

	mu  sync.Mutex
	web *web.Source
}

var _ source.Source = (*Blob)(nil)

// Open opens the artifact of a reference, or of the first of o.Mirrors that answers, and says what its manifest says. A
// registry without ranges is read whole, if the layer has at most o.WholeLimit bytes, and compared with the digest.
//
// Cost: a request of the manifest and one of the first 64 KiB; where the registry wants a token, two more.
func Open(ctx context.Context, reference string, o Options) (*Blob, *Artifact, error) {
	ref, err := Parse(reference)
	if err != nil {
		return nil, nil, err
	}
	refs := []Reference{ref}
	for _, text := range o.Mirrors {
		mirror, err := Parse(text)
		if err != nil {
			return nil, nil, err
		}
		refs = append(refs, mirror)
	}
	var first error
	for i, ref := range refs {
		b, err := open(ctx, ref, o)
		if err == nil {
			return b, b.found, nil
		}
		if ctx.Err() != nil {
			return nil, nil, context.Cause(ctx)
		}
		if first == nil {
			first = err
		}
		if i < len(refs)-1 && o.Notice != nil {
			o.Notice(err.Error() + "; trying " + refs[i+1].String())
		}
	}
	return nil, nil, first
}

// open opens the artifact in one registry.
func open(ctx context.Context, ref Reference, o Options) (*Blob, error) {
	repo, err := Connect(ctx, ref, o)
	if err != nil {
		return nil, err
	}
	found, err := repo.Resolve(ctx)
	if err != nil {
		return nil, err
	}
	b := &Blob{repo: repo, found: found, o: o}
	if err := b.open(ctx); err != nil {
		return nil, err
	}
	if !b.web.Whole() {
		return b, nil
	}
	all, err := b.web.ReadRange(ctx, 0, b.web.Size())
	if err == nil {
		err = b.check(all)
	}
	if err != nil {
		b.Close()
		return nil, err
	}
	return b, nil
}

// ByRange opens the layer of an artifact that Resolve found. A registry without ranges is an error.
func (r *Repository) ByRange(ctx context.Context, found *Artifact) (*Blob, error) {
	b := &Blob{repo: r, found: found, o: Options{WholeLimit: -1}}
	return b, b.open(ctx)
}

// open opens the layer with what the registry took last.
func (b *Blob) open(ctx context.Context) error {
	sent := b.repo.access.current()
	o := web.Options{WholeLimit: b.o.WholeLimit, FirstWait: b.o.Wait}
	if token, found := strings.CutPrefix(sent, "Bearer "); found {
		o.Credentials.Token = token
	} else if pair, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(sent, "Basic ")); err == nil {
		o.Credentials.User, o.Credentials.Password, _ = strings.Cut(string(pair), ":")
	}
	w, err := web.Open(ctx, b.repo.base+"/blobs/"+b.found.Layer.Digest, o)
	if err != nil {
		return b.failed(err)
	}
	if w.Size() != b.found.Layer.Size {
		w.Close()
		return b.repo.wrong(wire.CodeIndexUntrusted, "", "the registry has %d bytes of the layer, its manifest says %d", w.Size(), b.found.Layer.Size)
	}
	b.web = w
	return nil
}

// failed makes an error of the reader's.
func (b *Blob) failed(err error) error {
	switch {
	case errors.Is(err, source.ErrUnauthorized):
		return b.repo.Status(http.StatusUnauthorized, "")
	case errors.Is(err, source.ErrNotFound):
		return b.repo.gone(b.found.Layer)
	}
	return err
}

// check compares the whole layer with its digest.
func (b *Blob) check(all []byte) error {
	sum := sha256.Sum256(all)
	if got := "sha256:" + hex.EncodeToString(sum[:]); got != b.found.Layer.Digest {
		return b.repo.wrong(wire.CodeIndexUntrusted, "name a mirror, or ask who runs the registry", "the registry sent bytes of digest %s, want %s", got, b.found.Layer.Digest)
	}
	return nil
}

// Name is the reference, by the digest of the manifest.
func (b *Blob) Name() string {
	ref := b.repo.Reference
	ref.Tag, ref.Digest = "", b.found.Digest
	return ref.String()
}

// Size is the number of bytes of the layer.
func (b *Blob) Size() int64 { return b.found.Layer.Size }

// ReadRange returns the n bytes from byte at on. Cost: as web.Source has it; a token that has run out is one more request
// for all reads that wait for it.
func (b *Blob) ReadRange(ctx context.Context, at, n int64) ([]byte, error) {
	w := b.current()
	data, err := w.ReadRange(ctx, at, n)
	if !errors.Is(err, source.ErrUnauthorized) {
		return data, err
	}
	if w, err = b.renewed(ctx, w); err != nil {
		return nil, err
	}
	if data, err = w.ReadRange(ctx, at, n); err != nil {
		return nil, b.failed(err)
	}
	return data, nil
}

func (b *Blob) current() *web.Source {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.web
}

// renewed returns a reader with a new token; old is the one whose token was refused.
func (b *Blob) renewed(ctx context.Context, old *web.Source) (*web.Source, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.web != old { // another read was quicker
		return b.web, nil
	}
	body, _, err := b.repo.fetch(ctx, b.found.Layer, 0, min(magicBytes, b.found.Layer.Size)) // asks for a token
	if err != nil {
		return nil, err
	}
	body.Close()
	if err := b.open(ctx); err != nil {
		return nil, err
	}
	old.Close()
	return b.web, nil
}

// Changed says whether the reference names another artifact now: a tag that was moved. Cost: one request, none for
// a reference by digest.
func (b *Blob) Changed(ctx context.Context) (bool, error) {
	if b.repo.Reference.Digest != "" {
		return false, nil
	}
	now, err := b.repo.Resolve(ctx)
	if err != nil {
		return false, err
	}
	return now.Layer.Digest != b.found.Layer.Digest, nil
}

// Stats counts the requests of the layer until now, since the last token.
func (b *Blob) Stats() web.Stats { return b.current().Stats() }

// Close gives up the connections.
func (b *Blob) Close() error {
	b.repo.client.CloseIdleConnections()
	return b.current().Close()
}
