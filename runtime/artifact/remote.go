package artifact

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/source"
	"kdd/runtime/source/oci"
	"kdd/runtime/source/pagecache"
	"kdd/runtime/source/parts"
	"kdd/runtime/source/web"
	"kdd/runtime/wire"
)

// The variables that say how artifacts are read that lie elsewhere; package web has those of credentials.
const (
	cacheVariable = "KDD_CACHE"       // folder for what was read; "off" = none
	limitVariable = "KDD_CACHE_LIMIT" // megabytes that it may hold
	wholeVariable = "KDD_WHOLE_LIMIT" // megabytes of a file that is read whole, where its host has no ranges
)

// RemoteVariables are the environment variables that say how artifacts are read that lie elsewhere.
var RemoteVariables = []string{cacheVariable, limitVariable, wholeVariable, web.UserVariable, web.PasswordVariable,
	web.TokenVariable}

const (
	openTime  = 2 * time.Minute // for the first request, with all its tries
	readTime  = 5 * time.Minute // for one range
	checkTime = 5 * time.Second // for the question whether the file was replaced
	// checkEvery is how often that question is asked at most.
	checkEvery = time.Minute
)

// IsURL says whether an artifact is named by a URL, and not by a path.
func IsURL(name string) bool {
	scheme, _, ok := strings.Cut(name, "://")
	return ok && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http") || inRegistry(name))
}

// inRegistry says whether a URL is that of an artifact in an OCI registry.
func inRegistry(url string) bool { return strings.HasPrefix(strings.ToLower(url), "oci://") }

// remote opens artifacts that lie elsewhere.
type remote struct {
	cache   pagecache.Cache
	options web.Options
	log     *slog.Logger
}

// remote returns what opens artifacts that lie elsewhere, as the environment says.
func (s *Store) remote() (*remote, error) {
	env := s.config.Environ
	r := &remote{cache: pagecache.Cache{Limit: pagecache.Limit}, log: s.config.Log}
	if r.log == nil {
		r.log = slog.Default()
	}
	r.options = web.Options{Credentials: web.CredentialsOf(func(name string) string { return env[name] }),
		Notice: func(text string) { r.log.Warn(text) }}
	for variable, to := range map[string]*int64{limitVariable: &r.cache.Limit, wholeVariable: &r.options.WholeLimit} {
		text := env[variable]
		if text == "" {
			continue
		}
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 0 {
			return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("%s is %s", variable, wire.Quote(text)),
				"want a number of megabytes, 0 or more").With("field", variable)
		}
		if *to = n << 20; n == 0 {
			*to = -1
		}
	}
	if dir := cacheFolder(env); dir != "" {
		r.cache.Dir = filepath.Join(dir, "pages")
	}
	return r, nil
}

// open opens the artifact at a URL, and reads what each call needs of it; with meaning also what the comparison of
// meanings needs. If its host does not answer, it opens what is kept of it. accept, if not nil, is asked before any of
// it is used.
func (r *remote) open(url string, meaning bool, accept func(*format.File) error) (*index.Index, error) {
	ctx, cancel := context.WithTimeout(context.Background(), openTime)
	defer cancel()
	src, named, err := openSource(ctx, url, r.options)
	if err != nil {
		kept := r.kept(url, err)
		if kept == nil {
			return nil, err
		}
		src = kept
	}
	watch := &watch{Source: src, asked: time.Now()}
	f, err := format.OpenRemote(format.Remote{Name: src.Name(), Size: src.Size(), Read: watch.read, Changed: watch.changed,
		Cache: r.cache.File, Close: src.Close})
	if err != nil {
		return nil, errors.Join(err, src.Close())
	}
	root := f.RootHash()
	if named.root != "" && named.root != hex.EncodeToString(root[:]) {
		f.Close()
		return nil, misnamed(src, named.root, f)
	}
	var trailers []byte
	if accept != nil {
		if err := format.Guard(func() error {
			for _, t := range f.Trailers() {
				trailers = format.AppendTrailer(trailers, t.Tag, t.Payload)
			}
			return accept(f)
		}); err != nil {
			f.Close()
			return nil, err
		}
	}
	r.adopt(f, url)
	if err := index.FetchHot(f, meaning); err != nil {
		f.Close()
		return nil, err
	}
	x, err := index.New(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	if _, offline := src.(*keptSource); !offline {
		r.cache.Remember(url, pagecache.Version{Name: src.Name(), Root: hex.EncodeToString(root[:]), Size: src.Size(),
			Seen: time.Now().UTC().Format(time.RFC3339), Trailers: trailers})
	}
	return x, nil
}

// The bounds of what is spent on an older version: bytes of TREE that are read for it, and pages that are looked for
// where they may have moved.
const (
	mostTree  = 1 << 20
	mostMoved = 1 << 15
)

// adopt takes from the version of an artifact that was read before what the new one has too.
func (r *remote) adopt(f *format.File, url string) {
	version, old, ok := r.cache.Recall(url)
	if !ok {
		return
	}
	defer old.Close()
	root, tree := f.RootHash(), f.Block(format.TagTree)
	if version.Root != hex.EncodeToString(root[:]) && tree.Len() <= mostTree {
		f.Adopt(old, version.Size, mostMoved) // what fails is read again where it is needed
	}
}

// said is what a host says of an artifact; "" = nothing.
type said struct {
	root     string // the root hash that it should have, 64 hex digits
	resolved string // what the URL stands for at the moment, by a name that never moves
}

// openSource opens what a URL names.
func openSource(ctx context.Context, url string, o web.Options) (source.Source, said, error) {
	if inRegistry(url) {
		blob, about, err := oci.Open(ctx, url, oci.Options{WholeLimit: o.WholeLimit, Notice: o.Notice})
		if err != nil {
			return nil, said{}, err
		}
		ref, err := oci.Parse(url)
		if err != nil {
			return nil, said{}, errors.Join(err, blob.Close())
		}
		ref.Tag, ref.Digest = "", about.Digest
		return blob, said{about.Root, ref.String()}, nil
	}
	if parts.IsAddress(url) {
		p, err := parts.Open(ctx, url, o)
		if err != nil {
			return nil, said{}, err
		}
		return p, said{root: p.Root()}, nil
	}
	w, err := web.Open(ctx, url, o)
	if err != nil {
		return nil, said{}, err
	}
	return w, said{}, nil
}

// watch passes reads on and notes that the file was replaced.
type watch struct {
	source.Source
	replaced atomic.Bool
	mu       sync.Mutex
	asked    time.Time // when the host last said that the file is the same
}

func (w *watch) read(at, n int64) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), readTime)
	defer cancel()
	b, err := w.ReadRange(ctx, at, n)
	if errors.Is(err, source.ErrChanged) {
		w.replaced.Store(true)
	}
	return b, err
}

// changed says whether the file was replaced. It asks the host, but not often. A host that does not answer has not
// replaced it.
func (w *watch) changed() bool {
	w.mu.Lock()
	ask := time.Since(w.asked) > checkEvery
	if ask {
		w.asked = time.Now()
	}
	w.mu.Unlock()
	if ask && !w.replaced.Load() {
		ctx, cancel := context.WithTimeout(context.Background(), checkTime)
		defer cancel()
		if w.moved(ctx) {
			w.replaced.Store(true)
		}
	}
	return w.replaced.Load()
}

// moved asks the host whether the file was replaced.
func (w *watch) moved(ctx context.Context) bool {
	if named, ok := w.Source.(interface {
		Changed(ctx context.Context) (bool, error) // a name that may stand for another file now, such as a tag
	}); ok {
		changed, err := named.Changed(ctx)
		return err == nil && changed
	}
	_, err := w.ReadRange(ctx, w.Size()-1, 1)
	return errors.Is(err, source.ErrChanged)
}

// kept returns what is kept of an artifact whose host does not answer, nil if there is nothing or the host said no.
func (r *remote) kept(url string, why error) source.Source {
	var said *wire.Error
	if !errors.Is(why, source.ErrUnreachable) && !(errors.As(why, &said) && said.Code == wire.CodeIO) {
		return nil
	}
	version, file, ok := r.cache.Recall(url)
	if !ok {
		return nil
	}
	r.log.Warn("the host does not answer: this comes from what was read before", "index", version.Name, "read", version.Seen)
	return &keptSource{file: file, version: version, why: why}
}

// keptSource has the first bytes of an artifact; its pages come from the cache beside it.
type keptSource struct {
	file    *os.File
	version pagecache.Version
	why     error
}

// Name is what the version calls itself.
func (k *keptSource) Name() string { return k.version.Name }

// Size is that of the whole file.
func (k *keptSource) Size() int64 { return k.version.Size }

// Close closes the file of first bytes.
func (k *keptSource) Close() error { return k.file.Close() }

// ReadRange returns the beginning of the file, which says what pages there are, or its trailers, and an error for any
// other range: the cache was asked for it before.
func (k *keptSource) ReadRange(_ context.Context, at, n int64) ([]byte, error) {
	if end := int64(len(k.version.Trailers)); n == end && at == k.version.Size-end {
		return k.version.Trailers, nil
	}
	if at == 0 {
		b := make([]byte, n)
		if _, err := k.file.ReadAt(b, 0); err == nil {
			return b, nil
		}
	}
	return nil, &source.Error{Place: k.version.Name, Wrong: "a part that this needs was never read, and the host does not answer",
		Hint: "ask again with a network, or ask what was asked before", Kind: source.ErrUnreachable}
}

// urlStem returns the name of an artifact that has only a URL.
func urlStem(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	rest, _, _ = strings.Cut(rest, "?")
	rest, _, _ = strings.Cut(rest, "#")
	base := path.Base(strings.TrimSuffix(rest, "/"))
	base = strings.TrimSuffix(strings.TrimSuffix(base, ".json"), ".kddx")
	if base == "" || base == "." || base == "/" {
		return "index"
	}
	if i := strings.IndexAny(base, ":@"); i > 0 { // a tag or digest
		base = base[:i]
	}
	return strings.ReplaceAll(base, ",", "-")
}
