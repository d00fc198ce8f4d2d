package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// forge stands in for the comments of GitHub and of GitLab on pull request 7 and merge request 7 of one repository.
type forge struct {
	mu       sync.Mutex
	comments []forgeComment
	readOnly bool
	asked    []string
}

type forgeComment struct {
	ID          int        `json:"id"`
	Body        string     `json:"body"`
	User        *forgeUser `json:"user,omitempty"`
	Association string     `json:"author_association,omitempty"`
}

type forgeUser struct {
	Type string `json:"type"`
}

// forges is the key of a script's forge.
type forges struct{}

// startForge starts one, until the script ends, whose token is "s3cret": forge URLVARIABLE [N]. N comments of others
// are there before, the first of them with the marker of a program. "forge readonly" takes the rights away, as a fork's
// pull request has none.
func startForge(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: forge URLVARIABLE [N] | readonly")
	}
	if args[0] == "readonly" {
		ts.Value(forges{}).(*forge).readOnly = true
		return
	}
	f := ts.Value(forges{}).(*forge)
	others := 0
	if len(args) > 1 {
		_, err := fmt.Sscan(args[1], &others)
		ts.Check(err)
	}
	for i := range others {
		body := "Looks good."
		if i == 0 {
			body = "<!-- kdd-ci: docs -->\nAll is well, says a stranger."
		}
		f.comments = append(f.comments, forgeComment{ID: i + 1, Body: body, User: &forgeUser{"User"}, Association: "NONE"})
	}
	s := httptest.NewServer(f)
	ts.Defer(s.Close)
	ts.Setenv(args[0], s.URL)
}

// writeComments writes the comments with the marker of a program to a file, and how often the forge was asked to write:
// comments FILE
func writeComments(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: comments FILE")
	}
	f := ts.Value(forges{}).(*forge)
	f.mu.Lock()
	defer f.mu.Unlock()
	text := strings.Join(f.asked, " ") + "\n"
	for _, c := range f.comments {
		if strings.HasPrefix(c.Body, "<!--") {
			text += fmt.Sprintf("[%d]\n%s\n", c.ID, c.Body)
		}
	}
	f.asked = nil
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

func (f *forge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r.Header.Get("Authorization") != "Bearer s3cret" && r.Header.Get("PRIVATE-TOKEN") != "s3cret" {
		http.Error(w, `{"message":"Bad credentials"}`, http.StatusUnauthorized)
		return
	}
	if r.Method != "GET" {
		f.asked = append(f.asked, r.Method)
		if f.readOnly {
			http.Error(w, `{"message":"Resource not accessible by integration"}`, http.StatusForbidden)
			return
		}
	}
	var c forgeComment
	if r.Method != "GET" {
		if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&c); err != nil || len(c.Body) > 65536 {
			http.Error(w, `{"message":"Validation Failed"}`, http.StatusUnprocessableEntity)
			return
		}
	}
	id := 0
	list := r.URL.Path == "/repos/you/docs/issues/7/comments" || r.URL.Path == "/projects/3/merge_requests/7/notes"
	switch {
	case r.Method == "GET" && list:
		page := 1
		fmt.Sscan(r.URL.Query().Get("page"), &page)
		from := min((page-1)*100, len(f.comments))
		json.NewEncoder(w).Encode(f.comments[from:min(from+100, len(f.comments))])
	case r.Method == "POST" && list:
		c.ID = len(f.comments) + 1
		if strings.HasPrefix(r.URL.Path, "/repos/") {
			c.User = &forgeUser{"Bot"}
		}
		f.comments = append(f.comments, c)
		w.WriteHeader(http.StatusCreated)
		json.NewEncoder(w).Encode(c)
	case r.Method == "PATCH" && scan(r.URL.Path, "/repos/you/docs/issues/comments/%d", &id) && id <= len(f.comments),
		r.Method == "PUT" && scan(r.URL.Path, "/projects/3/merge_requests/7/notes/%d", &id) && id <= len(f.comments):
		f.comments[id-1].Body = c.Body
		json.NewEncoder(w).Encode(f.comments[id-1])
	default:
		http.Error(w, `{"message":"Not Found"}`, http.StatusNotFound)
	}
}

func scan(text, format string, id *int) bool {
	n, err := fmt.Sscanf(text, format, id)
	return err == nil && n == 1 && *id > 0
}
