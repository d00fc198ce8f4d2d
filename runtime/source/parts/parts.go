// Package parts reads an artifact that lies on a web host as small files: see format/parts.
//
// Each part is compared with the hash that is its name, so it does not matter what served it. A part is read whole, and
// the last ones stay in memory.
package parts

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/singleflight"

	format "kdd/format/parts"
	"kdd/runtime/source"
	"kdd/runtime/source/web"
)

// Limits of what is read and kept.
const (
	keptParts = 32 // in memory: 8 MiB as kdd writes them, 32 MiB at most
	requests  = 8  // of one read that run at a time
)

// Source is an artifact of parts.
type Source struct {
	client   *web.Client
	manifest *format.Manifest
	kept     *lru.Cache[string, []byte] // by the part's hash
	flights  singleflight.Group
	ctx      context.Context // of the requests, which several reads may wait for
	cancel   context.CancelFunc
}

var _ source.Source = (*Source)(nil)

// IsAddress says whether a URL is that of a manifest, by its path.
func IsAddress(address string) bool {
	address, _, _ = strings.Cut(address, "?")
	return strings.HasSuffix(address, format.Extension)
}

// Open reads the manifest at a URL. Errors are those of the host, as *source.Error, or ctx's.
func Open(ctx context.Context, address string, o web.Options) (*Source, error) {
	c, err := web.NewClient(address, o)
	if err != nil {
		return nil, err
	}
	m, err := readManifest(ctx, c, false)
	if err != nil {
		c.Close()
		return nil, err
	}
	s := &Source{client: c, manifest: m}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	if s.kept, err = lru.New[string, []byte](keptParts); err != nil {
		return nil, err
	}
	return s, nil
}

func readManifest(ctx context.Context, c *web.Client, fresh bool) (*format.Manifest, error) {
	data, err := c.Get(ctx, "", format.MaxManifestBytes, fresh)
	if err != nil {
		return nil, err
	}
	m, err := format.Parse(data)
	if err != nil {
		return nil, &source.Error{Place: c.Name(), Wrong: err.Error(), Hint: `publish it again with "kdd site --parts"`}
	}
	return m, nil
}

// Name is the manifest's address without user, password and query.
func (s *Source) Name() string { return s.client.Name() }

// Size is the number of bytes of the artifact.
func (s *Source) Size() int64 { return s.manifest.Bytes }

// Root is the root hash that the manifest names, 64 hex digits.
func (s *Source) Root() string { return s.manifest.Root }

// Stats counts the requests until now.
func (s *Source) Stats() web.Stats { return s.client.Stats() }

// Close ends what is under way and gives up the connections.
func (s *Source) Close() error {
	s.cancel()
	return s.client.Close()
}

// ReadRange returns the n bytes from byte at on. Cost: a request for each part that is not kept, several at a time.
// Errors: source.ErrChanged if a part is gone and the manifest is another one now, others as Open has them.
func (s *Source) ReadRange(ctx context.Context, at, n int64) ([]byte, error) {
	m := s.manifest
	if at < 0 || n < 0 || at > m.Bytes || n > m.Bytes-at {
		return nil, &source.Error{Place: s.Name(), Wrong: fmt.Sprintf("%d bytes from byte %d on of a file of %d bytes", n, at, m.Bytes)}
	}
	b := make([]byte, n) // no more than the manifest has hashes for
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(requests)
	for i := at / m.PartBytes; i*m.PartBytes < at+n; i++ {
		group.Go(func() error {
			part, err := s.part(ctx, int(i))
			if err != nil {
				return err
			}
			begin := i * m.PartBytes
			copy(b[max(0, begin-at):], part[max(0, at-begin):])
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return b, nil
}

// part returns a part's bytes, which are shared: read them only.
func (s *Source) part(ctx context.Context, i int) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	name := s.manifest.Parts[i]
	if part, ok := s.kept.Get(name); ok {
		return part, nil
	}
	// Reads that want the same part wait for one request, which does not end with the first of them.
	answer := s.flights.DoChan(name, func() (any, error) { return s.fetch(i) })
	select {
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case r := <-answer:
		if r.Err != nil {
			return nil, r.Err
		}
		return r.Val.([]byte), nil
	}
}

// fetch reads a part from the host. One with other bytes is asked for once more, past any cache.
func (s *Source) fetch(i int) ([]byte, error) {
	name, size := s.manifest.Parts[i], s.manifest.Size(i)
	for fresh := false; ; fresh = true {
		part, err := s.client.Get(s.ctx, format.Path(name), size, fresh)
		switch {
		case errors.Is(err, source.ErrNotFound), errors.Is(err, source.ErrUnauthorized): // buckets say 403 of what they lack
			return nil, s.missing(i, err)
		case err != nil:
			return nil, err
		}
		if sum := sha256.Sum256(part); hex.EncodeToString(sum[:]) == name {
			s.kept.Add(name, part)
			return part, nil
		} else if fresh {
			return nil, &source.Error{Place: s.Name(),
				Wrong: fmt.Sprintf("part %d of %d has %d bytes with the hash %x…, want %d bytes with the hash %.8s…", i+1, len(s.manifest.Parts), len(part), sum[:4], size, name),
				Hint:  `publish it again with "kdd site --parts"`}
		}
	}
}

// missing is the error of a part that is not there: the artifact was replaced, or published by halves.
func (s *Source) missing(i int, err error) error {
	now, errNow := readManifest(s.ctx, s.client, true)
	switch {
	case errNow != nil:
		return errNow
	case now.Root != s.manifest.Root:
		return &source.Error{Place: s.Name(), Wrong: source.ErrChanged.Error() + ", and a part of the one that was opened is gone",
			Hint: "ask again", Kind: source.ErrChanged}
	}
	return &source.Error{Place: s.Name(), Wrong: fmt.Sprintf("part %d of %d is missing (%s)", i+1, len(s.manifest.Parts), format.Path(s.manifest.Parts[i])),
		Hint: `publish it again with "kdd site --parts"; parts come before the manifest`, Kind: err}
}
