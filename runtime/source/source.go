// Package source reads artifacts that do not lie on this machine: by range from a web server or a registry.
//
// What a source returns is hostile: package format checks it against the tree of hashes under the artifact's root.
package source

import "context"

// Source is one version of an artifact that lies elsewhere. It is safe for concurrent use.
type Source interface {
	// Name says where it lies, for messages: a URL without user, password and query.
	Name() string
	// Size is the number of bytes of the file, trailers included.
	Size() int64
	// ReadRange returns the n bytes from byte at on, all of them or an error. The error is ErrChanged if the host now
	// has another version. Cost: one request, unless the source has the bytes.
	ReadRange(ctx context.Context, at, n int64) ([]byte, error)
	// Close gives up connections and temporary files.
	Close() error
}
