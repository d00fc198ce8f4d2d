package web

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"kdd/runtime"
	"kdd/runtime/wire"
)

// operation answers GET /api/v1/NAME with the wire JSON of an operation, as the command line prints it.
func (s *Server) operation(o *runtime.Operation) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		args, err := arguments(r.URL.RawQuery)
		if err != nil {
			writeError(w, r, err)
			return
		}
		recordOf(r).query = question(o, args)
		answer, hit, err := s.render(r.Context(), o, args)
		if err != nil {
			writeError(w, r, s.said(err))
			return
		}
		w.Header().Set("X-Cache", map[bool]string{true: "hit", false: "miss"}[hit])
		answer.write(w, r, "application/json")
	}
}

// rendered is the JSON of an answer and its entity tag.
type rendered struct {
	body []byte
	tag  string
}

// entityTag returns the weak tag of an answer. lasting is the answer without the time that it took, so that equal
// answers have one tag.
func entityTag(lasting []byte) string {
	sum := sha256.Sum256(lasting)
	return `W/"` + hex.EncodeToString(sum[:12]) + `"`
}

// write answers with the body, or with 304 if the client has it. Clients may keep it but have to ask whether it is
// current.
func (a *rendered) write(w http.ResponseWriter, r *http.Request, kind string) {
	h := w.Header()
	h.Set("ETag", a.tag)
	h.Set("Cache-Control", "private, no-cache")
	h.Add("Vary", "Authorization")
	if matches(r.Header.Values("If-None-Match"), a.tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	write(w, r, http.StatusOK, kind, a.body)
}

// changing are the operations whose answers describe the present state: they are not cached.
var changing = []string{"stats", "doctor", "schema", "eval"}

// keeps says whether answers to these arguments are cached. Those of a conversation are not: they depend on earlier
// questions.
func (s *Server) keeps(o *runtime.Operation, args map[string]any) bool {
	return s.options.CacheBytes > 0 && !slices.Contains(changing, o.Name) && ownSession(textOf(args["session_id"])) == ""
}

// render runs an operation, or takes its answer from the cache. The key of an answer has the id of its index.
func (s *Server) render(ctx context.Context, o *runtime.Operation, args map[string]any) (answer *rendered, hit bool, err error) {
	request, err := o.Decode(args)
	if err != nil {
		return nil, false, err
	}
	keep := s.keeps(o, args)
	if keep {
		id, err := s.options.Service.Ready(ctx)
		if err != nil {
			return nil, false, err
		}
		if found, ok := s.cache.get(cacheKey(id, "GET "+o.Name, request)).(*rendered); ok {
			return found, true, nil
		}
	}
	v, err := within(ctx, func(ctx context.Context) (any, error) { return o.Do(ctx, s.options.Service, request) })
	if err != nil {
		return nil, false, err
	}
	body := append(wire.Encode(v), '\n')
	lasting := body
	if at := bytes.LastIndex(body, []byte(`,"time_ms":`)); at >= 0 {
		lasting = body[:at]
	}
	answer = &rendered{body, entityTag(lasting)}
	if told, ok := v.(*wire.AnswerResponse); ok && told.Fallback() {
		keep = false
	}
	if id := indexOf(v); keep && id != "" {
		s.cache.put(cacheKey(id, "GET "+o.Name, request), answer, len(body))
	}
	return answer, false, nil
}

// indexOf returns the index_id of an answer, "" if it has none.
func indexOf(answer any) string {
	if a, ok := answer.(interface{ AnsweredFrom() string }); ok {
		return a.AnsweredFrom()
	}
	return ""
}

// question returns the query, for the log.
func question(o *runtime.Operation, args map[string]any) string {
	p := o.Arg()
	if p == nil {
		return ""
	}
	text, _ := args[p.Name].(string)
	return text
}

// matches says whether an If-None-Match header names a tag (RFC 9110 §13.1.2, weak comparison).
func matches(headers []string, tag string) bool {
	for _, header := range headers {
		for part := range strings.SplitSeq(header, ",") {
			if part = strings.TrimSpace(part); part == "*" || strings.TrimPrefix(part, "W/") == strings.TrimPrefix(tag, "W/") {
				return true
			}
		}
	}
	return false
}

// arguments returns the parameters of a query string as Operation.Run takes them: each is a string, or a list if it is
// repeated. The operation reads the values.
func arguments(query string) (map[string]any, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, wire.NewError(wire.CodeInvalidInput, "query: "+wire.Clean(wire.Shorten(err.Error(), 200)), "write NAME=VALUE&..., with %XX for other characters")
	}
	args := make(map[string]any, len(values))
	for name, list := range values {
		if len(list) == 1 {
			args[name] = list[0]
		} else {
			args[name] = list
		}
	}
	return args, nil
}

// noOperation answers 404 for unknown paths below /api/v1/.
func (s *Server) noOperation(w http.ResponseWriter, r *http.Request) {
	var names []string
	for _, o := range s.operations() {
		names = append(names, o.Name)
	}
	slices.Sort(names)
	name := strings.TrimPrefix(r.URL.Path, "/api/v1/")
	e := wire.NewError(wire.CodeNotFound, fmt.Sprintf("no operation %q", wire.Clean(wire.Shorten(name, 60))), "there are "+strings.Join(names, ", "))
	if near := wire.Nearest(name, names); near != "" {
		e.Hint = fmt.Sprintf("did you mean /api/v1/%s? %s", near, e.Hint)
		e.With("suggestions", []string{near})
	}
	writeError(w, r, e)
}

// noRoute answers 404 for all other unknown paths.
func (s *Server) noRoute(w http.ResponseWriter, r *http.Request) {
	hint := "there are /mcp, /api/v1/OPERATION, /api/v1/mcp/tools/call, /openapi.json, /metrics, /healthz and /readyz"
	if s.options.Public {
		hint = "there are /, /api/v1/OPERATION, /api/v1/mcp/tools/call, /openapi.json, /healthz and /readyz"
	}
	writeError(w, r, wire.NewError(wire.CodeNotFound, fmt.Sprintf("no path %q", wire.Clean(wire.Shorten(r.URL.Path, 100))), hint))
}
