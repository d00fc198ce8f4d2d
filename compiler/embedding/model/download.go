package model

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"kdd/compiler/diag"
	"kdd/compiler/stall"
)

// download brings one file of a commit into dir, going on where an earlier attempt stopped.
func (h *hub) download(ctx context.Context, dir, id, commit, name string) error {
	limit, _ := wanted(name)
	target := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	if _, err := os.Stat(target); err == nil {
		return nil // whole and checked: it got its name afterwards
	}
	address := h.endpoint + "/" + id + "/resolve/" + commit + "/" + name
	part := target + ".part"
	have := int64(0)
	if info, err := os.Stat(part); err == nil {
		have = info.Size()
	}
	ctx, watch := stall.Start(ctx, h.stall, func() error { return goOn("%s: no data for %v", name, h.stall) })
	defer watch.Stop()
	var sum string
	resp, err := h.get(ctx, address, have, func(r *http.Response) {
		// The hub's own answer has the checksum; the storage that it redirects to need not.
		if sum == "" {
			sum = h.checksum(r)
		}
	})
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusRequestedRangeNotSatisfiable && have > 0 {
		// The part is as long as the file, or longer: check it, and if it is wrong the next attempt starts over.
		return keep(part, target, sum, name)
	}
	if err := refuse(resp, id+"/"+name); err != nil {
		return err
	}
	flags := os.O_WRONLY | os.O_CREATE | os.O_APPEND
	if resp.StatusCode != http.StatusPartialContent || !strings.HasPrefix(resp.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", have)) {
		if resp.StatusCode == http.StatusPartialContent {
			return hubError("%s: the hub sent %q, want bytes from %d", name, resp.Header.Get("Content-Range"), have)
		}
		have, flags = 0, os.O_WRONLY|os.O_CREATE|os.O_TRUNC
	}
	total := int64(-1)
	if resp.ContentLength >= 0 {
		total = have + resp.ContentLength
	}
	if total > limit {
		return hubError("%s: %d bytes, want at most %d", name, total, limit)
	}
	f, err := os.OpenFile(part, flags, 0o644)
	if err != nil {
		return err
	}
	n, err := io.Copy(f, watch.Reader(io.LimitReader(resp.Body, limit-have+1), func(n int64) {
		if h.progress != nil {
			h.progress("download "+name, have+n, total)
		}
	}))
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return cause
	}
	if err != nil {
		return goOn("%s: %v after %d bytes", name, err, have+n)
	}
	if total >= 0 && have+n != total {
		return goOn("%s: %d bytes, want %d", name, have+n, total)
	}
	if have+n > limit {
		os.Remove(part)
		return hubError("%s: more than %d bytes", name, limit)
	}
	return keep(part, target, sum, name)
}

// keep gives a whole download its name if its checksum is right, and removes it if not.
func keep(part, target, sum, name string) error {
	if err := verifyPart(part, sum, name); err != nil {
		os.Remove(part)
		return err
	}
	return os.Rename(part, target)
}

// verifyPart compares a whole download with the hub's checksum, where it gave one.
func verifyPart(part, want, name string) error {
	if want == "" {
		return nil
	}
	f, err := os.Open(part)
	if err != nil {
		return err
	}
	defer f.Close()
	var sum hash.Hash = sha256.New()
	if len(want) == 40 {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		sum = sha1.New() // git's object id; the hub has no other checksum for small files
		fmt.Fprintf(sum, "blob %d\x00", info.Size())
	}
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	if got := hex.EncodeToString(sum.Sum(nil)); got != want {
		return diag.Cure("run the command again", "%w", hubError("%s: checksum %s, want the hub's %s", name, got, want))
	}
	return nil
}
