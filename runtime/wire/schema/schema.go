// Package schema holds the JSON Schemas of the wire: one for each response of package wire (search_response.v1.json),
// and one for the arguments of each tool (kdd_search.input.json), besides those of what only kdd says (build_report.v1.json). They are
// generated from the structs, whose comments become the descriptions, and from the table of operations, by cmd/internal/schemas, which
// may know the compiler; a test fails where they are not current.
package schema

import (
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
)

//go:generate go run ../../../cmd/internal/schemas

// packed is all files in one: the program would else be 0.1 MB larger.
//
//go:embed schemas.json.zst
var packed []byte

// files are the texts of the schemas by name, without ".json". Cost: under a millisecond, once.
var files = sync.OnceValue(func() map[string]string {
	all, err := Unpack(packed)
	if err != nil {
		panic("schema: " + err.Error()) // the pack is in the program
	}
	return all
})

// Pack puts the texts of schemas, by name, into one file.
func Pack(all map[string]string) ([]byte, error) {
	data, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	return w.EncodeAll(data, nil), nil
}

// Unpack is the inverse of Pack.
func Unpack(pack []byte) (all map[string]string, err error) {
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(16<<20))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := r.DecodeAll(pack, nil)
	if err != nil {
		return nil, err
	}
	return all, json.Unmarshal(data, &all)
}

// Response returns the schema of a response or error by its schema_version, such as "search_response.v1"; nil if there
// is none.
func Response(version string) json.RawMessage { return read(version) }

// Input returns the schema of a tool's arguments by the tool's name, such as "kdd_search"; nil if there is none.
func Input(tool string) json.RawMessage { return read(tool + ".input") }

func read(name string) json.RawMessage {
	text, ok := files()[name]
	if !ok {
		return nil
	}
	return json.RawMessage(text)
}

// Names returns the names of all schemas, sorted, without ".json".
func Names() []string { return slices.Sorted(maps.Keys(files())) }
