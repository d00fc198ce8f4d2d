package export

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// postgresHead begins each script.
const postgresHead = "-- kdd export: PostgreSQL"

// postgresColumns are the columns of a chunk and their types.
var postgresColumns = [...][2]string{
	{"id", "text PRIMARY KEY"}, {"path", "text NOT NULL"}, {"anchor", "text NOT NULL"}, {"url", "text NOT NULL"},
	{"title", "text NOT NULL"}, {"heading_path", "text[] NOT NULL"}, {"text", "text NOT NULL"},
	{"first_line", "integer NOT NULL"}, {"last_line", "integer NOT NULL"}, {"kind", "text NOT NULL"},
	{"type", "text NOT NULL"}, {"domain", "text NOT NULL"}, {"status", "text NOT NULL"}, {"stale", "boolean NOT NULL"},
	{"language", "text NOT NULL"}, {"date", "text NOT NULL"}, {"tags", "text[] NOT NULL"},
	{"aliases", "text[] NOT NULL"}, {"front_matter", "jsonb NOT NULL"}, {"links", "jsonb NOT NULL"},
	{"sha256", "text NOT NULL"},
}

// postgres writes a script for psql: tables of About and of the chunks, and the rows as COPY reads them. All of it is
// one transaction.
type postgres struct {
	w    io.Writer
	line []byte
}

func newPostgres(w io.Writer, j *job) (sink, error) {
	if err := postgresBegin(w, j, "psql -v ON_ERROR_STOP=1 -f"); err != nil {
		return nil, err
	}
	columns := make([]string, 0, len(postgresColumns)+1)
	for _, c := range postgresColumns {
		columns = append(columns, strconv.Quote(c[0]))
	}
	if j.about.dim() > 0 {
		columns = append(columns, `"vector"`)
	}
	_, err := fmt.Fprintf(w, "COPY %q (%s) FROM stdin;\n", j.name, strings.Join(columns, ", "))
	return &postgres{w: w}, err
}

// postgresSchema prints the script without rows.
func postgresSchema(w io.Writer, j *job) error {
	if err := postgresBegin(w, j, "the tables alone; psql -f"); err != nil {
		return err
	}
	_, err := io.WriteString(w, "COMMIT;\n")
	return err
}

func postgresBegin(w io.Writer, j *job, how string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s)\n\\set ON_ERROR_STOP on\nSET client_encoding = 'UTF8';\nSET standard_conforming_strings = on;\nBEGIN;\n", postgresHead, how)
	dim := j.about.dim()
	if dim > 0 {
		b.WriteString("CREATE EXTENSION IF NOT EXISTS vector;\n")
	}
	fmt.Fprintf(&b, "CREATE TABLE %q (\"key\" text PRIMARY KEY, \"value\" text NOT NULL);\n", j.name+"_about")
	fmt.Fprintf(&b, "COPY %q FROM stdin;\n", j.name+"_about")
	for _, p := range j.about.pairs() {
		b.Write(append(appendCopy(append(appendCopy(nil, p.key), '\t'), p.value), '\n'))
	}
	fmt.Fprintf(&b, "\\.\nCREATE TABLE %q (\n", j.name)
	for i, c := range postgresColumns {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, "  %q %s", c[0], c[1])
	}
	if dim > 0 {
		fmt.Fprintf(&b, ",\n  \"vector\" vector(%d) NOT NULL", dim)
	}
	b.WriteString("\n);\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// Write writes a row as COPY's text format has it.
func (p *postgres) Write(row *Row) error {
	b := p.line[:0]
	text := func(values ...string) {
		for _, v := range values {
			b = append(appendCopy(b, v), '\t')
		}
	}
	number := func(n int32) { b = append(strconv.AppendInt(b, int64(n), 10), '\t') }
	list := func(values []string) { text(arrayText(values)) }
	text(row.ID, row.Path, row.Anchor, row.URL, row.Title)
	list(row.HeadingPath)
	text(row.Text)
	number(row.FirstLine)
	number(row.LastLine)
	text(row.Kind, row.Type, row.Domain, row.Status, strconv.FormatBool(row.Stale), row.Language, row.Date)
	list(row.Tags)
	list(row.Aliases)
	frontMatter, links, err := jsonTexts(row)
	if err != nil {
		return err
	}
	text(frontMatter, links)
	b = appendCopy(b, row.SHA256)
	if row.Vector != nil {
		b = append(b, '\t')
		b = appendVector(b, row.Vector)
	}
	b = append(b, '\n')
	p.line = b
	_, err = p.w.Write(b)
	return err
}

// Close ends the rows and the transaction.
func (p *postgres) Close() error {
	_, err := io.WriteString(p.w, "\\.\nCOMMIT;\n")
	return err
}

// jsonTexts returns front matter and links as JSON.
func jsonTexts(row *Row) (frontMatter, links string, err error) {
	a, err := json.Marshal(row.FrontMatter)
	if err != nil {
		return "", "", err
	}
	b, err := json.Marshal(row.Links)
	return string(a), string(b), err
}

// appendCopy adds a value as COPY's text format has it.
func appendCopy(dst []byte, value string) []byte {
	for i := range len(value) {
		switch c := value[i]; c {
		case '\\':
			dst = append(dst, `\\`...)
		case '\t':
			dst = append(dst, `\t`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

// arrayText returns an array as PostgreSQL's text form has it, every element quoted.
func arrayText(values []string) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(v) + `"`
	}
	return "{" + strings.Join(quoted, ",") + "}"
}

// appendVector adds a vector as pgvector's text form has it.
func appendVector(dst []byte, v []float32) []byte {
	dst = append(dst, '[')
	for i, x := range v {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendFloat(dst, float64(x), 'g', -1, 32)
	}
	return append(dst, ']')
}
