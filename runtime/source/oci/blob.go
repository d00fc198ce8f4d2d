package oci

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"kdd/format"
	"kdd/runtime/wire"
)

// magicBytes is how much of a layer tells whether it is a .kddx.
const magicBytes = 8

// Fetch returns the bytes of a layer from byte at on, until its end. from is where they begin: at, or 0 if the registry
// has no ranges. The caller closes body, and compares all of it with the layer's digest; no more than Size bytes come.
func (r *Repository) Fetch(ctx context.Context, l Layer, at int64) (body io.ReadCloser, from int64, err error) {
	return r.fetch(ctx, l, at, l.Size)
}

// fetch returns the bytes [at, end) of a layer, or all of it where the registry has no ranges.
func (r *Repository) fetch(ctx context.Context, l Layer, at, end int64) (body io.ReadCloser, from int64, err error) {
	resp, err := r.get(ctx, "/blobs/"+l.Digest, func(h http.Header) {
		if at > 0 || end < l.Size {
			h.Set("Range", fmt.Sprintf("bytes=%d-%d", at, end-1))
		}
	})
	if err != nil {
		return nil, 0, err
	}
	want := int64(0)
	switch resp.StatusCode {
	case http.StatusOK:
		from, want = 0, l.Size
	case http.StatusPartialContent:
		from, want = at, end-at
		if got, ask := resp.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-%d/%d", at, end-1, l.Size); got != ask {
			resp.Body.Close()
			return nil, 0, r.wrong(wire.CodeIndexUntrusted, "", "the registry sent the range %q of the layer, want %q", short(got), ask)
		}
	case http.StatusNotFound:
		resp.Body.Close()
		return nil, 0, r.gone(l)
	default:
		return nil, 0, r.refused(resp)
	}
	if coding := resp.Header.Get("Content-Encoding"); coding != "" && coding != "identity" {
		resp.Body.Close()
		return nil, 0, r.wrong(wire.CodeIndexUntrusted, "", "the registry sent the layer packed (%s)", short(coding))
	}
	if n := resp.ContentLength; n >= 0 && n != want {
		resp.Body.Close()
		return nil, 0, r.wrong(wire.CodeIndexUntrusted, "", "the registry sent %d bytes of the layer, its manifest says %d", n, want)
	}
	return struct {
		io.Reader
		io.Closer
	}{io.LimitReader(resp.Body, want), resp.Body}, from, nil
}

// gone is the error for a layer that the registry has not.
func (r *Repository) gone(l Layer) error {
	return r.wrong(wire.CodeNotFound, "push it again, or name a mirror", "the registry has the manifest but not its layer %s", l.Digest)
}

// beginsAsArtifact says whether a layer begins as a .kddx does.
func (r *Repository) beginsAsArtifact(ctx context.Context, l *Layer) (bool, error) {
	if l.Size < magicBytes {
		return false, nil
	}
	body, _, err := r.fetch(ctx, *l, 0, magicBytes)
	if err != nil {
		return false, err
	}
	defer body.Close()
	var head [magicBytes]byte
	if _, err := io.ReadFull(body, head[:]); err != nil {
		return false, r.failed(ctx, err)
	}
	return format.Begins(head[:]), nil
}
