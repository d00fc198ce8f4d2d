package export

import "io"

// openSearch writes pairs of lines for the _bulk API: an index action and the row.
type openSearch struct {
	*lineWriter
	name string
}

func newOpenSearch(w io.Writer, j *job) (sink, error) {
	return openSearch{newLineWriter(w), j.name}, nil
}

// Write writes an action and a row. A vector of zeros is left out: it has no cosine, and the index would refuse it.
func (o openSearch) Write(row *Row) error {
	type action struct {
		Index string `json:"_index"`
		ID    string `json:"_id"`
	}
	if err := o.add(map[string]action{"index": {o.name, row.ID}}); err != nil {
		return err
	}
	shown := *row
	if isZero(row.Vector) {
		shown.Vector = nil
	}
	return o.write(&shown)
}

// Close does nothing: lines have no end.
func (o openSearch) Close() error { return nil }

func isZero(v []float32) bool {
	for _, x := range v {
		if x != 0 {
			return false
		}
	}
	return true
}

type object = map[string]any

// openSearchSchema prints the body of the request that makes the index.
func openSearchSchema(w io.Writer, j *job) error {
	text, number := object{"type": "text"}, object{"type": "integer"}
	keyword := object{"type": "keyword", "ignore_above": 8191} // characters; a term has at most 32,766 bytes
	words := object{"type": "text", "fields": object{"keyword": keyword}}
	properties := object{
		"id": keyword, "path": keyword, "anchor": keyword, "url": keyword, "title": words, "heading_path": words,
		"text": text, "first_line": number, "last_line": number, "kind": keyword, "type": keyword, "domain": keyword,
		"status": keyword, "stale": object{"type": "boolean"}, "language": keyword, "date": keyword, "tags": keyword,
		"aliases": keyword, "sha256": keyword,
		"front_matter": object{"type": "nested", "properties": object{"name": keyword, "value": keyword}},
		"links": object{"type": "nested", "properties": object{
			"type": keyword, "from": keyword, "to": keyword, "relation": keyword, "line": number}},
	}
	settings := object{}
	if dim := j.about.dim(); dim > 0 {
		settings["index"] = object{"knn": true}
		properties["vector"] = object{"type": "knn_vector", "dimension": dim,
			"method": object{"name": "hnsw", "engine": "lucene", "space_type": "cosinesimil"}}
	}
	return writeIndented(w, object{"settings": settings, "mappings": object{
		"_meta": object{"kdd": j.about}, "dynamic": "strict", "properties": properties}})
}
