package main

import (
	"crypto/sha1"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// hubCommit is the commit of each model of a script's hub.
const hubCommit = "0123456789abcdef0123456789abcdef01234567"

// startHub starts a hub of the models DIR/OWNER/NAME, all under the licence mit, until the script ends:
// hub URLVARIABLE DIR
func startHub(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: hub URLVARIABLE DIR")
	}
	models, top, files := os.DirFS(ts.MkAbs(args[1])), http.NewServeMux(), http.NewServeMux()
	top.HandleFunc("GET /api/models/{owner}/{name}/revision/main", func(w http.ResponseWriter, r *http.Request) {
		var siblings []map[string]string
		folder := r.PathValue("owner") + "/" + r.PathValue("name")
		err := fs.WalkDir(models, folder, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				siblings = append(siblings, map[string]string{"rfilename": strings.TrimPrefix(path, folder+"/")})
			}
			return err
		})
		if err != nil {
			http.NotFound(w, r)
			return
		}
		json.NewEncoder(w).Encode(map[string]any{
			"sha": hubCommit, "siblings": siblings, "cardData": map[string]string{"license": "mit"}})
	})
	files.HandleFunc("GET /{owner}/{name}/resolve/"+hubCommit+"/{file...}", func(w http.ResponseWriter, r *http.Request) {
		data, err := fs.ReadFile(models, r.PathValue("owner")+"/"+r.PathValue("name")+"/"+r.PathValue("file"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		sum := sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(data), data)) // of git's object
		w.Header().Set("ETag", `"`+hex.EncodeToString(sum[:])+`"`)
		w.Write(data)
	})
	top.Handle("/", files) // the patterns of the two overlap
	s := httptest.NewServer(top)
	ts.Defer(s.Close)
	ts.Setenv(args[0], s.URL)
}
