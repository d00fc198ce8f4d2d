package export

import (
	"fmt"
	"io"
	"strings"
)

// vespa writes put operations, one a line, for documents of the type that vespaSchema prints.
type vespa struct {
	*lineWriter
	name string
}

func newVespa(w io.Writer, j *job) (sink, error) { return vespa{newLineWriter(w), j.name}, nil }

// Write writes a put operation.
func (v vespa) Write(row *Row) error {
	type values struct {
		Values []float32 `json:"values"`
	}
	type fields struct {
		*Chunk
		Vector *values `json:"vector,omitempty"`
	}
	put := struct {
		Put    string `json:"put"`
		Fields fields `json:"fields"`
	}{fmt.Sprintf("id:%s:%s::%s", v.name, v.name, row.ID), fields{Chunk: &row.Chunk}}
	if row.Vector != nil {
		put.Fields.Vector = &values{row.Vector}
	}
	return v.write(put)
}

// Close does nothing: lines have no end.
func (v vespa) Close() error { return nil }

// vespaFields are the fields of a chunk: name, type and how it is indexed.
var vespaFields = [...][3]string{
	{"id", "string", "attribute | summary"},
	{"path", "string", "attribute | summary"},
	{"anchor", "string", "attribute | summary"},
	{"url", "string", "attribute | summary"},
	{"title", "string", "index | summary"},
	{"heading_path", "array<string>", "index | summary"},
	{"text", "string", "index | summary"},
	{"first_line", "int", "attribute | summary"},
	{"last_line", "int", "attribute | summary"},
	{"kind", "string", "attribute | summary"},
	{"type", "string", "attribute | summary"},
	{"domain", "string", "attribute | summary"},
	{"status", "string", "attribute | summary"},
	{"stale", "bool", "attribute | summary"},
	{"language", "string", "attribute | summary"},
	{"date", "string", "attribute | summary"},
	{"tags", "array<string>", "attribute | summary"},
	{"aliases", "array<string>", "attribute | summary"},
	{"front_matter", "array<field_value>", "summary"},
	{"links", "array<link>", "summary"},
	{"sha256", "string", "attribute | summary"},
}

// vespaSchema prints the schema, schemas/NAME.sd of an application package.
func vespaSchema(w io.Writer, j *job) error {
	var b strings.Builder
	for _, p := range j.about.pairs() {
		fmt.Fprintf(&b, "# %s: %q\n", p.key, p.value)
	}
	fmt.Fprintf(&b, "schema %s {\n  document %s {\n", j.name, j.name)
	b.WriteString("    struct field_value {\n      field name type string {}\n      field value type string {}\n    }\n")
	b.WriteString("    struct link {\n      field type type string {}\n      field from type string {}\n" +
		"      field to type string {}\n      field relation type string {}\n      field line type int {}\n    }\n")
	for _, f := range vespaFields {
		fmt.Fprintf(&b, "    field %s type %s {\n      indexing: %s\n", f[0], f[1], f[2])
		if strings.HasPrefix(f[2], "index") {
			b.WriteString("      index: enable-bm25\n")
		}
		b.WriteString("    }\n")
	}
	dim := j.about.dim()
	if dim > 0 {
		fmt.Fprintf(&b, "    field vector type tensor<float>(x[%d]) {\n      indexing: attribute | index\n"+
			"      attribute {\n        distance-metric: angular\n      }\n    }\n", dim)
	}
	b.WriteString("  }\n  fieldset default {\n    fields: title, heading_path, text\n  }\n" +
		"  rank-profile words {\n    first-phase {\n" +
		"      expression: 2 * bm25(title) + bm25(heading_path) + bm25(text)\n    }\n  }\n")
	if dim > 0 {
		fmt.Fprintf(&b, "  rank-profile meaning {\n    inputs {\n      query(q) tensor<float>(x[%d])\n    }\n"+
			"    first-phase {\n      expression: closeness(field, vector)\n    }\n  }\n", dim)
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}
