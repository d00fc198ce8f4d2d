package web

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// Get reads a whole file of at most so many bytes. path is relative to where the typed address led; "" is the typed
// address itself. fresh has no cache on the way answer. A body that comes compressed by gzip is read, since no range of
// it is asked for. Cost: one request, unless it fails.
func (c *Client) Get(ctx context.Context, path string, most int64, fresh bool) ([]byte, error) {
	var b []byte
	err := c.try(ctx, func() (int64, error) {
		var err error
		b, err = c.get(ctx, path, most, fresh)
		return 0, err
	})
	return b, err
}

// beside is the address of a file beside the typed one, or beside where that led; nil for "".
func (c *Client) beside(path string) (*url.URL, bool, error) {
	if path == "" {
		return nil, false, nil
	}
	l := c.whereTo()
	if l.to == nil {
		l.to = c.typed
	}
	u, err := l.to.Parse(path)
	return u, l.far, err
}

// get reads a file once.
func (c *Client) get(ctx context.Context, path string, most int64, fresh bool) ([]byte, error) {
	u, far, err := c.beside(path)
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	if fresh {
		header.Set("Cache-Control", "no-cache")
	}
	a, err := c.ask(ctx, u, far, header)
	if err != nil {
		return nil, err
	}
	defer a.close()
	if a.StatusCode != http.StatusOK {
		return nil, a.wrong("check the host", "%d %s to a request of the whole file, want 200", a.StatusCode, http.StatusText(a.StatusCode))
	}
	tooLong := func() error {
		return a.wrong("check what was published", "more than %d bytes", most)
	}
	switch e := encoding(a.Header); strings.ToLower(e) {
	case "":
		if a.ContentLength > most {
			return nil, tooLong()
		}
	case "gzip", "x-gzip":
		z, err := gzip.NewReader(a.Body)
		if err != nil {
			return nil, a.short(unzipped(err), 0, most)
		}
		a.bytes = z
	default:
		return nil, a.wrong("switch compression off for this file", "the file comes with Content-Encoding %q, which was not asked for", e)
	}
	b, err := a.more(nil, most+1)
	switch {
	case err == nil:
		return nil, tooLong()
	case err != io.EOF:
		return nil, a.short(unzipped(err), int64(len(b)), max(a.ContentLength, int64(len(b))+1))
	}
	return b, nil
}

// unzipped says of an error in a compressed body what it means.
func unzipped(err error) error {
	if err == gzip.ErrHeader || err == gzip.ErrChecksum {
		return fmt.Errorf("a compressed body that is damaged: %w", err)
	}
	return err
}
