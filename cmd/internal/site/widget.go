package site

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"

	"kdd/format/text"
	"kdd/runtime/browser"
)

// widget writes the component and the reader; stemmers of the languages that the documents are in only.
func (s *site) widget() error {
	known := map[string]bool{}
	for _, l := range s.x.Meta.Languages {
		known[l.Language] = true
	}
	return fs.WalkDir(browser.Files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if code, ok := strings.CutPrefix(name, "stem/"); ok && !known[strings.TrimSuffix(code, ".js")] {
			return nil
		}
		data, err := browser.Files.ReadFile(name)
		if err != nil {
			return err
		}
		return s.put(s.at(name), data)
	})
}

// at is the place of a file of the search: below kdd/ in a site, in the folder itself where the search is all.
func (s *site) at(name string) string {
	if s.o.Widget {
		return name
	}
	return own + "/" + name
}

// inlined is the artifact as a script, for pages that are opened from a folder. A string of JSON is one of JavaScript,
// whatever the name has; one of Go is not always.
func inlined(name string, data []byte) ([]byte, error) {
	quoted, err := json.Marshal(name)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "kddxData(%s, \"%s\");\n", quoted, base64.StdEncoding.EncodeToString(data)), nil
}

// slug is a name as a file's.
func slug(value string, taken func(string) bool) string {
	name := text.Slug(text.Fold(value))
	if name == "" || !usable(name) {
		name = "other"
	}
	at := name
	for i := 2; taken(at); i++ {
		at = fmt.Sprintf("%s-%d", name, i)
	}
	return at
}
