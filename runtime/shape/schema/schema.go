// Package schema holds the JSON Schemas of the wire: one for each response of package shape (search_response.v1.json),
// and one for the arguments of each tool (kdd_search.input.json). They are generated from the structs, whose comments
// become the descriptions, and from the table of operations; a test fails where they are not current.
package schema

import (
	"embed"
	"encoding/json"
	"io/fs"
	"strings"
)

//go:generate go run ./gen

//go:embed *.json
var files embed.FS

// Response returns the schema of a response or error by its schema_version, such as "search_response.v1"; nil if there
// is none.
func Response(version string) json.RawMessage { return read(version + ".json") }

// Input returns the schema of a tool's arguments by the tool's name, such as "kdd_search"; nil if there is none.
func Input(tool string) json.RawMessage { return read(tool + ".input.json") }

func read(name string) json.RawMessage {
	data, err := files.ReadFile(name)
	if err != nil {
		return nil
	}
	return data
}

// Names returns the names of all schemas, sorted, without ".json".
func Names() []string {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		panic("schema: " + err.Error()) // the files are in the program
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = strings.TrimSuffix(e.Name(), ".json")
	}
	return names
}
