package remote

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"kdd/mcpserver"
)

// The cache holds the lists of servers as DIR/HASH.json. HASH is SHA-256 over the server's whole entry with its
// variables filled in, and for a child process over its working folder and its program's size and time. So another
// token, argument, folder or version of a program is another server. A change of a script that an interpreter runs is
// not seen for an hour.

const (
	cacheFormat = "1"
	// maxCacheAge is how long a listing is used. The tools of a server change only with its version.
	maxCacheAge = time.Hour
)

// cache is the folder; "" = none.
type cache struct {
	dir string
	now func() time.Time
}

// key names the listing of a server.
func (r *resolved) key(version string) string {
	dir, program := r.Dir, ""
	if r.Transport == Stdio {
		if abs, err := filepath.Abs(dir); err == nil {
			dir = abs
		}
		if path, err := r.program(); err == nil {
			if info, err := os.Stat(path); err == nil {
				program = fmt.Sprint(path, info.Size(), info.ModTime().UnixNano())
			}
		}
	}
	data, err := json.Marshal(struct {
		Format, Version, Dir, Program string
		Server                        Server
	}{cacheFormat, version, dir, program, r.Server})
	if err != nil {
		panic(err) // strings only
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// load returns the listing of that key, nil if there is no usable one.
func (c cache) load(key string) *catalog {
	if c.dir == "" {
		return nil
	}
	path := filepath.Join(c.dir, key+".json")
	info, err := os.Stat(path)
	if err != nil || info.Size() > 2*maxCatalogBytes {
		return nil
	}
	if age := c.now().Sub(info.ModTime()); age < -time.Minute || age > maxCacheAge {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil || mcpserver.CheckFrame(data) != nil {
		return nil
	}
	var got catalog
	if json.Unmarshal(data, &got) != nil || got.incomplete() {
		return nil
	}
	return &got
}

// incomplete says that a list has a null, or a tool without a name: kdd did not write such a file.
func (c *catalog) incomplete() bool {
	return slices.ContainsFunc(c.Tools, func(t *mcp.Tool) bool { return t == nil || t.Name == "" }) ||
		slices.Contains(c.Resources, nil) || slices.Contains(c.Templates, nil) ||
		slices.ContainsFunc(c.Prompts, func(p *mcp.Prompt) bool { return p == nil || slices.Contains(p.Arguments, nil) })
}

// store writes a listing, unless it has a secret of the entry. Failures to write are ignored.
func (c cache) store(r *resolved, key string, got *catalog) {
	if c.dir == "" {
		return
	}
	data, err := json.Marshal(got)
	if err != nil {
		return
	}
	for _, secret := range r.secrets {
		quoted, _ := json.Marshal(secret)
		if bytes.Contains(data, quoted[1:len(quoted)-1]) {
			return
		}
	}
	if os.MkdirAll(c.dir, 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(c.dir, "new-*") // mode 0600
	if err != nil {
		return
	}
	_, err = f.Write(data)
	if closed := f.Close(); err == nil && closed == nil {
		err = os.Rename(f.Name(), filepath.Join(c.dir, key+".json"))
	}
	if err != nil {
		os.Remove(f.Name())
	}
}
