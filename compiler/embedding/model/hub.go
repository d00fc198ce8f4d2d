package model

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"kdd/compiler/diag"
	"kdd/compiler/stall"
)

// HubVariable is the environment variable with the hub's address, as other tools have it.
const HubVariable = "HF_ENDPOINT"

// defaultHub is the hub's address where the environment has none.
const defaultHub = "https://huggingface.co"

// ErrHub marks what went wrong between here and the hub.
var ErrHub = errors.New("model hub")

// hubError is an ErrHub with a text of its own.
func hubError(format string, args ...any) error {
	return &textError{fmt.Sprintf(format, args...), ErrHub}
}

// goOn is a hubError behind which a download goes on where it stopped.
func goOn(format string, args ...any) error {
	return diag.Cure("run the command again to go on", "%w", hubError(format, args...))
}

// hub downloads the files of one model.
type hub struct {
	client   *http.Client
	endpoint string
	token    string
	progress Progress
	stall    time.Duration
}

var (
	hubIDPattern    = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,95}(/[A-Za-z0-9][A-Za-z0-9._-]{0,95})?$`)
	revisionPattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$`)
	commitPattern   = regexp.MustCompile(`^[0-9a-f]{40}$`)
)

// ParseID splits "ID" or "ID@REVISION"; the revision is "main" if there is none.
func ParseID(s string) (id, revision string, err error) {
	id, revision, found := strings.Cut(s, "@")
	if !found {
		revision = "main"
	}
	if !hubIDPattern.MatchString(id) || strings.Contains(id, "..") {
		return "", "", fmt.Errorf("model id %q, want OWNER/NAME or OWNER/NAME@REVISION", s)
	}
	if !revisionPattern.MatchString(revision) || strings.Contains(revision, "..") {
		return "", "", fmt.Errorf("revision %q, want a branch, a tag or a commit", revision)
	}
	return id, revision, nil
}

// newHub reads the environment.
func newHub(o *PullOptions) (*hub, error) {
	h := &hub{
		client:   cmp.Or(o.Client, http.DefaultClient),
		endpoint: cmp.Or(o.Endpoint, os.Getenv(HubVariable), defaultHub),
		token:    os.Getenv("HF_TOKEN"),
		progress: o.Progress,
		stall:    stall.Limit,
	}
	u, err := url.Parse(h.endpoint)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		return nil, hubError("hub address %q, want https://HOST (%s)", h.endpoint, HubVariable)
	}
	if h.token != "" && u.Scheme == "http" && !loopback(u.Hostname()) {
		return nil, hubError("HF_TOKEN would go to %s in the clear: use https, or unset it", u.Host)
	}
	h.endpoint = strings.TrimRight(h.endpoint, "/")
	return h, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// listing is what the hub says about a revision.
type listing struct {
	commit  string
	files   []string
	licence string
}

// list resolves a revision to a commit and its files.
func (h *hub) list(ctx context.Context, id, revision string) (*listing, error) {
	address := h.endpoint + "/api/models/" + id + "/revision/" + url.PathEscape(revision)
	resp, err := h.get(ctx, address, 0)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if err := refuse(resp, id+"@"+revision); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxConfigBytes*8))
	if err != nil {
		return nil, hubError("%s@%s: %v", id, revision, err)
	}
	var v struct {
		SHA      string
		Siblings []struct {
			Name string `json:"rfilename"`
		}
		CardData struct {
			License json.RawMessage
		} `json:"cardData"`
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return nil, hubError("%s@%s: the hub's answer is not the JSON of a model: %v", id, revision, err)
	}
	if !commitPattern.MatchString(v.SHA) {
		return nil, hubError("%s@%s: the hub's answer has commit %q, want 40 hex digits", id, revision, v.SHA)
	}
	l := &listing{commit: v.SHA}
	_ = json.Unmarshal(v.CardData.License, &l.licence) // a list of licences stays unnamed
	for _, f := range v.Siblings {
		l.files = append(l.files, f.Name)
	}
	return l, nil
}

// get sends a request, from an offset if that is not 0. Each answer on the way, redirects included, is seen.
func (h *hub) get(ctx context.Context, address string, from int64, see ...func(*http.Response)) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, hubError("%v", err)
	}
	req.Header.Set("User-Agent", "kdd")
	// Packed transfer would count packed bytes, which ranges do not.
	req.Header.Set("Accept-Encoding", "identity")
	if h.token != "" {
		req.Header.Set("Authorization", "Bearer "+h.token)
	}
	if from > 0 {
		req.Header.Set("Range", "bytes="+strconv.FormatInt(from, 10)+"-")
	}
	client := *h.client
	client.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		if len(via) >= 10 {
			return errors.New("more than 10 redirects")
		}
		if via[0].URL.Scheme == "https" && next.URL.Scheme != "https" {
			return errors.New("redirect from https to " + next.URL.Scheme)
		}
		if next.URL.Scheme != via[0].URL.Scheme || next.URL.Host != via[0].URL.Host {
			next.Header.Del("Authorization") // net/http passes it on to other ports and to names below the hub's
		}
		for _, f := range see {
			f(next.Response)
		}
		return nil
	}
	resp, err := client.Do(req)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return nil, cause
		}
		return nil, diag.Cure("check the network and "+HubVariable+", or import a folder: kdd model import", "%w", hubError("%v", err))
	}
	for _, f := range see {
		f(resp)
	}
	return resp, nil
}

// refuse turns an answer that is not the file into an error.
func refuse(resp *http.Response, what string) error {
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	switch code := resp.StatusCode; {
	case code == http.StatusUnauthorized || code == http.StatusForbidden:
		return diag.Cure("check the id, accept its terms there, set HF_TOKEN", "%w", hubError("%s: the hub says %s: no such model, or one that needs a login", what, resp.Status))
	case code == http.StatusNotFound:
		return diag.Cure("check the id", "%w", hubError("%s: the hub says %s: no such model, revision or file", what, resp.Status))
	case code == http.StatusTooManyRequests:
		return diag.Cure("wait, and run the command again to go on", "%w", hubError("%s: the hub says %s", what, resp.Status))
	case code != http.StatusOK && code != http.StatusPartialContent:
		return hubError("%s: the hub says %s", what, resp.Status)
	case kind == "text/html":
		return diag.Cure("a proxy or a login page may be between, or "+HubVariable+" is wrong", "%w", hubError("%s: the hub answered with a web page, not the file", what))
	}
	return nil
}

// checksum reads the sha256 (a large file's) or the git object id (a small file's) that an answer of the hub gives.
// Storage behind the hub has entity tags too, but of its own making.
func (h *hub) checksum(resp *http.Response) string {
	if !strings.HasPrefix(h.endpoint+"/", resp.Request.URL.Scheme+"://"+resp.Request.URL.Host+"/") {
		return ""
	}
	for _, key := range []string{"X-Linked-Etag", "Etag"} {
		v := strings.Trim(strings.TrimPrefix(resp.Header.Get(key), "W/"), `"`)
		if sha256Pattern.MatchString(v) || commitPattern.MatchString(v) {
			return v
		}
	}
	return ""
}

// choose returns the files of a listing that an import reads: small ones, and the weights in one form.
func choose(files []string) ([]string, error) {
	var chosen []string
	have := map[string]bool{}
	for _, f := range files {
		have[f] = true
	}
	// The modules of a router's routes, and a table, have folders of their own, which only the files in them name.
	routed := slices.ContainsFunc(files, func(f string) bool {
		return path.Base(f) == "router_config.json" || strings.Contains(f, "_Asym/") || strings.Contains(f, "_"+staticKind+"/")
	})
	for _, f := range files {
		if _, ok := wanted(f); !ok || strings.Count(f, "/") > maxDepth || path.Clean(f) != f || strings.HasPrefix(f, "/") || strings.ContainsAny(f, "\\:\x00") {
			continue
		}
		dir, base := path.Split(f)
		switch {
		case routed && base != "model.onnx" && !strings.HasPrefix(f, "onnx/"):
		case base == "model.onnx":
			if have["model.safetensors"] || dir == "" && have["onnx/model.onnx"] {
				continue
			}
		case base == "model.safetensors" && strings.HasSuffix(dir, "_Dense/"):
		case base == "model.safetensors" && dir != "":
			continue
		case strings.Count(f, "/") > 1, dir != "" && base != "config.json":
			continue
		}
		chosen = append(chosen, f)
	}
	if !routed && !have["model.safetensors"] && !have["onnx/model.onnx"] && !have["model.onnx"] {
		return nil, sourceError("the model has neither model.safetensors nor an ONNX file")
	}
	return chosen, nil
}
