package web

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"path"
	"strings"
	"sync"

	"kdd/runtime/browser"
)

// asset is a file of the page, as it is and by gzip.
type asset struct{ plain, packed *rendered }

// assets are the files of the page by name, made with the first request of one.
var assets = sync.OnceValue(func() map[string]asset {
	all := map[string]asset{}
	for _, dir := range []string{".", "texts"} {
		entries, err := browser.Page.ReadDir(dir)
		if err != nil {
			panic(err) // part of the program
		}
		for _, e := range entries {
			if e.IsDir() {
				continue
			}
			name := path.Join(dir, e.Name())
			body, err := browser.Page.ReadFile(name)
			if err != nil {
				panic(err)
			}
			var b bytes.Buffer
			z := gzip.NewWriter(&b)
			if _, err := z.Write(body); err != nil || z.Close() != nil {
				panic("gzip into memory") // a buffer takes all
			}
			all[name] = asset{&rendered{body, entityTag(body)}, &rendered{b.Bytes(), entityTag(body)}}
		}
	}
	return all
})

// asset answers GET /ui/NAME: a script of the page.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	a, ok := assets()[strings.TrimPrefix(r.URL.Path, "/ui/")]
	if !ok {
		s.noRoute(w, r)
		return
	}
	h := w.Header()
	h.Add("Vary", "Accept-Encoding")
	if acceptsGzip(r) {
		h.Set("Content-Encoding", "gzip")
		a.packed.write(w, r, "text/javascript; charset=utf-8")
		return
	}
	a.plain.write(w, r, "text/javascript; charset=utf-8")
}

// acceptsGzip says whether a client takes gzip: it names it, and not with q=0 (RFC 9110, section 12.5.3).
func acceptsGzip(r *http.Request) bool {
	for _, part := range strings.Split(strings.Join(r.Header.Values("Accept-Encoding"), ","), ",") {
		coding, q, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			weight := strings.TrimPrefix(strings.ReplaceAll(strings.ToLower(q), " ", ""), "q=")
			return weight == "" || strings.Trim(weight, "0.") != ""
		}
	}
	return false
}
