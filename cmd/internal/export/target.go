package export

import (
	"bytes"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"kdd/format/index"
)

// target is a format that an artifact is exported in. It has one of stream, file and folder.
type target struct {
	name, about string
	extensions  []string // that name it, where --to does not

	stream func(w io.Writer, j *job) (sink, error)
	file   func(path string, j *job) (sink, error) // of an empty file; the format is no stream
	folder func(dir string, j *job) (sink, error)  // of an empty folder

	// schema writes what the engine has to be told before it takes rows; nil where the export says it itself.
	schema func(w io.Writer, j *job) error
	named  bool                   // the export has the name of a table, index or collection in it
	ours   func(head []byte) bool // of a file that is there: it is an export in this format; nil for folders
}

// job is what a sink knows beside the rows.
type job struct {
	about     About
	name      string             // of the table, index, collection or document type
	questions *index.QuestionSet // that the artifact carries; nil without
}

// sink writes rows in one format. Write does not keep the row; Close writes what comes behind the last one.
type sink interface {
	Write(row *Row) error
	Close() error
}

// targets are all formats, in the order of the help.
var targets = [...]target{
	{name: "parquet", about: "Parquet: DuckDB, LanceDB, Spark, pandas …", extensions: []string{".parquet"},
		stream: newParquet, ours: begins("PAR1")},
	{name: "jsonl", about: "a line of JSON for each chunk", extensions: []string{".jsonl", ".ndjson"},
		stream: newLines, schema: linesSchema, ours: begins(`{"id":"`)},
	{name: "sqlite", about: "an SQLite database", extensions: []string{".sqlite", ".sqlite3", ".db"},
		file: newSQLite, named: true, ours: isSQLiteExport},
	{name: "pgvector", about: "a script for psql: CREATE TABLE and COPY", extensions: []string{".sql"},
		stream: newPostgres, schema: postgresSchema, named: true, ours: begins(postgresHead)},
	{name: "opensearch", about: "lines for the _bulk API", stream: newOpenSearch, schema: openSearchSchema, named: true,
		ours: begins(`{"index":{"_index":"`)},
	{name: "vespa", about: "put operations for vespa feed", stream: newVespa, schema: vespaSchema, named: true,
		ours: begins(`{"put":"id:`)},
	{name: "qdrant", about: "a line for each upsert of points", stream: newQdrant, schema: qdrantSchema, named: true,
		ours: begins(`{"points":[`)},
	{name: "beir", about: "a folder of corpus, queries and qrels", folder: newBEIR},
}

// Targets returns the names of all formats.
func Targets() []string {
	names := make([]string, len(targets))
	for i := range targets {
		names[i] = targets[i].name
	}
	return names
}

// TargetOf returns the format that the extension of a file's name stands for, "" if it stands for none.
func TargetOf(output string) string {
	extension := strings.ToLower(filepath.Ext(output))
	for i := range targets {
		if slices.Contains(targets[i].extensions, extension) {
			return targets[i].name
		}
	}
	return ""
}

// findTarget returns the format of a name, nil if there is none.
func findTarget(name string) *target {
	for i := range targets {
		if targets[i].name == name {
			return &targets[i]
		}
	}
	return nil
}

func begins(with string) func([]byte) bool {
	return func(head []byte) bool { return bytes.HasPrefix(head, []byte(with)) }
}
