package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"kdd/runtime"
	"kdd/runtime/shape"
)

// operation answers GET /api/v1/NAME with the wire JSON of an operation, as the command line prints it.
func (s *Server) operation(o *runtime.Operation) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		args, err := arguments(r.URL.RawQuery)
		if err != nil {
			writeError(w, r, err)
			return
		}
		answer, err := o.Run(r.Context(), s.options.Service, args)
		if err != nil {
			writeError(w, r, err)
			return
		}
		writeJSON(w, r, http.StatusOK, answer)
	}
}

// arguments returns the parameters of a query as Operation.Run takes them: a string, or where a parameter is repeated the
// list of its values. What the values mean is the operation's to say.
func arguments(query string) (map[string]any, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil, shape.NewError(shape.CodeInvalidInput, "query: "+shape.Clean(shape.Shorten(err.Error(), 200)), "write NAME=VALUE&..., with %XX for other characters")
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

// noOperation answers for paths below /api/v1/ that are no operation.
func noOperation(w http.ResponseWriter, r *http.Request) {
	var names []string
	for _, o := range runtime.Operations() {
		names = append(names, o.Name)
	}
	slices.Sort(names)
	name := strings.TrimPrefix(r.URL.Path, "/api/v1/")
	e := shape.NewError(shape.CodeNotFound, fmt.Sprintf("no operation %q", shape.Clean(shape.Shorten(name, 60))), "there are "+strings.Join(names, ", "))
	if near := shape.Nearest(name, names); near != "" {
		e.Hint = fmt.Sprintf("did you mean /api/v1/%s? %s", near, e.Hint)
		e.With("suggestions", []string{near})
	}
	writeError(w, r, e)
}

// noRoute answers for paths that are none.
func noRoute(w http.ResponseWriter, r *http.Request) {
	writeError(w, r, shape.NewError(shape.CodeNotFound, fmt.Sprintf("no path %q", shape.Clean(shape.Shorten(r.URL.Path, 100))),
		"there are /mcp, /api/v1/OPERATION, /healthz and /readyz"))
}
