package export

import (
	"bytes"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"kdd/compiler"
	"kdd/format/index"
)

func matches(pattern, text string) bool { return regexp.MustCompile(pattern).MatchString(text) }

// questions are those that the artifact of TestBEIR carries.
var questions = &compiler.Golden{Set: &index.QuestionSet{Name: "q.tsv", Questions: []index.Question{
	{ID: "q 1", Text: "how hot is tea", Group: "drinks", Relevant: []index.Relevant{
		{Place: index.Place{Path: "a", Anchor: "tea-hot"}, Gain: 2}, {Place: index.Place{Path: "a.md"}, Gain: 1}}},
	{ID: "q2", Text: "two", Exclude: []string{"a.md"}, Relevant: []index.Relevant{{Place: index.Place{Path: "b c#d.md", Anchor: "two-1"}, Gain: 1},
		{Place: index.Place{Path: "gone.md"}, Gain: 1}}},
}}}

// TestRoundTrip reads each format back and compares the rows, with vectors and without.
func TestRoundTrip(t *testing.T) {
	plain := compile(t, hard, nil)
	for name, path := range map[string]string{"without vectors": plain, "with vectors": withVectors(t, plain, true)} {
		want := rowsOf(t, path, true)
		readers := map[string]func(t *testing.T, file string) []Row{
			"jsonl": readLines, "opensearch": readOpenSearch, "vespa": readVespa, "qdrant": readQdrant, "pgvector": readPostgres,
			"sqlite": readSQLite, "parquet": readParquet,
		}
		for to, read := range readers {
			t.Run(to+" "+name, func(t *testing.T) {
				got := read(t, run(t, Options{Path: path, To: to}))
				rows := slices.Clone(want)
				if to == "opensearch" {
					rows[0].Vector = nil // zeros
				}
				if diff := cmp.Diff(rows, got); diff != "" {
					t.Errorf("rows differ (-want +got):\n%s", diff)
				}
			})
		}
	}
}

func jsonLines[T any](t *testing.T, file string) []T {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var list []T
	for line := range bytes.Lines(data) {
		var one T
		if err := json.Unmarshal(line, &one); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		list = append(list, one)
	}
	return list
}

func readLines(t *testing.T, file string) []Row { return jsonLines[Row](t, file) }

func readOpenSearch(t *testing.T, file string) []Row {
	var rows []Row
	raw := jsonLines[json.RawMessage](t, file)
	for i := 0; i+1 < len(raw); i += 2 {
		var row Row
		if err := json.Unmarshal(raw[i+1], &row); err != nil {
			t.Fatal(err)
		}
		if want := `{"index":{"_index":"chunks","_id":` + string(jsonOf(t, row.ID)) + `}}`; string(raw[i]) != want {
			t.Errorf("action %s, want %s", raw[i], want)
		}
		rows = append(rows, row)
	}
	return rows
}

func jsonOf(t *testing.T, v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSpace(b.Bytes())
}

func readVespa(t *testing.T, file string) []Row {
	var rows []Row
	for _, put := range jsonLines[struct {
		Put    string
		Fields struct {
			Chunk
			Vector struct{ Values []float32 }
		}
	}](t, file) {
		if put.Put != "id:chunks:chunks::"+put.Fields.ID {
			t.Errorf("put %q of the chunk %q", put.Put, put.Fields.ID)
		}
		rows = append(rows, Row{put.Fields.Chunk, put.Fields.Vector.Values})
	}
	return rows
}

func readQdrant(t *testing.T, file string) []Row {
	var rows []Row
	ids := map[string]bool{}
	for _, line := range jsonLines[struct {
		Points []struct {
			ID      string
			Vector  json.RawMessage
			Payload Chunk
		}
	}](t, file) {
		for _, p := range line.Points {
			if !matches(`^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`, p.ID) || ids[p.ID] {
				t.Errorf("point %q: want a UUID of its own", p.ID)
			}
			ids[p.ID] = true
			row := Row{Chunk: p.Payload}
			if string(p.Vector) != "{}" {
				if err := json.Unmarshal(p.Vector, &row.Vector); err != nil {
					t.Fatal(err)
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// readPostgres reads the rows of the script's second COPY.
func readPostgres(t *testing.T, file string) []Row {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(data), "COPY \"chunks\" (")
	_, rest, begun := strings.Cut(rest, ") FROM stdin;\n")
	body, end, ended := strings.Cut(rest, "\n\\.\n")
	if !ok || !begun || !ended || end != "COMMIT;\n" {
		t.Fatalf("no rows, or %q behind them", end)
	}
	var rows []Row
	for line := range strings.SplitSeq(body, "\n") {
		cells := strings.Split(line, "\t")
		for i := range cells {
			cells[i] = strings.NewReplacer(`\\`, `\`, `\t`, "\t", `\n`, "\n", `\r`, "\r").Replace(cells[i])
		}
		rows = append(rows, rowOf(t, cells, arrayOf))
		if len(cells) > 21 {
			if err := json.Unmarshal([]byte(cells[21]), &rows[len(rows)-1].Vector); err != nil {
				t.Fatal(err)
			}
		}
	}
	return rows
}

// arrayOf reads an array of quoted elements in PostgreSQL's text form.
func arrayOf(t *testing.T, text string) []string {
	list := []string{}
	for _, m := range regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`).FindAllStringSubmatch(text, -1) {
		list = append(list, regexp.MustCompile(`(?s)\\(.)`).ReplaceAllString(m[1], "$1"))
	}
	if text[0] != '{' || text[len(text)-1] != '}' {
		t.Errorf("array %s", text)
	}
	return list
}

// rowOf makes a row of its cells as text, in the order of the columns.
func rowOf(t *testing.T, c []string, list func(*testing.T, string) []string) Row {
	t.Helper()
	number := func(text string) int32 {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		return int32(n)
	}
	row := Row{Chunk: Chunk{ID: c[0], Path: c[1], Anchor: c[2], URL: c[3], Title: c[4], HeadingPath: list(t, c[5]), Text: c[6],
		FirstLine: number(c[7]), LastLine: number(c[8]), Kind: c[9], Type: c[10], Domain: c[11], Status: c[12],
		Stale: c[13] == "true" || c[13] == "1", Language: c[14], Date: c[15], Tags: list(t, c[16]), Aliases: list(t, c[17]), SHA256: c[20]}}
	for i, to := range []any{&row.FrontMatter, &row.Links} {
		if err := json.Unmarshal([]byte(c[18+i]), to); err != nil {
			t.Fatal(err)
		}
	}
	return row
}

func readSQLite(t *testing.T, file string) []Row {
	db, err := sql.Open("sqlite", file)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	found, err := db.Query("SELECT * FROM chunks ORDER BY rowid")
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	columns, err := found.Columns()
	if err != nil {
		t.Fatal(err)
	}
	var rows []Row
	for found.Next() {
		cells, to := make([]string, len(columns)), make([]any, len(columns))
		for i := range cells {
			to[i] = &cells[i]
		}
		if err := found.Scan(to...); err != nil {
			t.Fatal(err)
		}
		row := rowOf(t, cells, func(t *testing.T, text string) (list []string) {
			if err := json.Unmarshal([]byte(text), &list); err != nil {
				t.Fatal(err)
			}
			return list
		})
		if len(cells) > 21 {
			for b := []byte(cells[21]); len(b) > 0; b = b[4:] {
				row.Vector = append(row.Vector, math.Float32frombits(binary.LittleEndian.Uint32(b)))
			}
		}
		rows = append(rows, row)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	var ok string
	if err := db.QueryRow("PRAGMA integrity_check").Scan(&ok); err != nil || ok != "ok" {
		t.Errorf("integrity check: %q, %v", ok, err)
	}
	return rows
}

func readParquet(t *testing.T, file string) []Row {
	rows, err := parquet.ReadFile[Row](file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range rows { // the library makes nil of an empty list, and an empty list of a column that is not there
		if len(rows[i].Vector) == 0 {
			rows[i].Vector = nil
		}
		r := reflect.ValueOf(&rows[i].Chunk).Elem()
		for k := range r.NumField() {
			if f := r.Field(k); f.Kind() == reflect.Slice && f.IsNil() {
				f.Set(reflect.MakeSlice(f.Type(), 0, 0))
			}
		}
	}
	return rows
}

// TestParquetMetadata checks that the file names the model, in the order of About.
func TestParquetMetadata(t *testing.T) {
	file := run(t, Options{Path: withVectors(t, compile(t, hard, nil), false), To: "parquet"})
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		t.Fatal(err)
	}
	p, err := parquet.OpenFile(f, info.Size())
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{"kdd.model.name": "random", "kdd.model.dim": "4", "kdd.model.normalize": "true",
		"kdd.model.query_prefix": "query: ", "kdd.model.pooling": "mean", "kdd.vectors": VectorsInt8} {
		if got, ok := p.Lookup(key); !ok || got != want {
			t.Errorf("metadata %s = %q, want %q", key, got, want)
		}
	}
}

// TestBEIR checks the three files.
func TestBEIR(t *testing.T) {
	path := compile(t, hard, questions)
	got := files(t, run(t, Options{Path: path, To: "beir"}))
	if n := strings.Count(got["corpus.jsonl"], "\n"); n != len(rowsOf(t, path, false)) {
		t.Errorf("%d documents in the corpus, want the chunks", n)
	}
	wantQueries := `{"_id":"q%201","text":"how hot is tea","metadata":{"group":"drinks"}}
{"_id":"q2","text":"two","metadata":{"exclude":["a.md"]}}
`
	if got["queries.jsonl"] != wantQueries {
		t.Errorf("queries\n%s\nwant\n%s", got["queries.jsonl"], wantQueries)
	}
	want := "query-id\tcorpus-id\tscore\nq%201\ta.md#tea-hot\t2\n"
	for _, row := range rowsOf(t, path, false) {
		if row.Path == "a.md" && row.Anchor != "tea-hot" {
			want += "q%201\t" + row.ID + "\t1\n"
		}
	}
	want += "q2\tb%20c%23d.md#two-1\t1\n"
	if got["qrels/test.tsv"] != want {
		t.Errorf("qrels\n%s\nwant\n%s", got["qrels/test.tsv"], want)
	}
}

// TestColumns checks that each table of columns names those of Chunk, in their order.
func TestColumns(t *testing.T) {
	var want []string
	chunk := reflect.TypeFor[Chunk]()
	for i := range chunk.NumField() {
		want = append(want, chunk.Field(i).Tag.Get("json"))
	}
	compare := func(what string, got []string) {
		if !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", what, got, want)
		}
	}
	var inVespa, inPostgres, inSQLite, inParquet []string
	for _, f := range vespaFields {
		inVespa = append(inVespa, f[0])
	}
	for _, c := range postgresColumns {
		inPostgres = append(inPostgres, c[0])
	}
	for column := range strings.SplitSeq(sqliteColumns, ",") {
		name, _, _ := strings.Cut(strings.TrimSpace(column), " ")
		inSQLite = append(inSQLite, name)
	}
	for _, c := range parquet.SchemaOf(Chunk{}).Fields() {
		inParquet = append(inParquet, c.Name())
	}
	compare("vespaFields", inVespa)
	compare("postgresColumns", inPostgres)
	compare("sqliteColumns", inSQLite)
	compare("the Parquet schema", inParquet)

	var b bytes.Buffer
	if err := openSearchSchema(&b, &job{}); err != nil {
		t.Fatal(err)
	}
	var mapping struct {
		Mappings struct {
			Properties map[string]any
		}
	}
	if err := json.Unmarshal(b.Bytes(), &mapping); err != nil {
		t.Fatal(err)
	}
	for _, name := range want {
		if mapping.Mappings.Properties[name] == nil {
			t.Errorf("the mapping lacks %s", name)
		}
	}
	if len(mapping.Mappings.Properties) != len(want) {
		t.Errorf("the mapping has %d properties, want %d", len(mapping.Mappings.Properties), len(want))
	}
}

// TestGolden compares schemas and the beginning of exports with what was looked at by people.
func TestGolden(t *testing.T) {
	path := withVectors(t, compile(t, map[string]string{
		"docs/tea.md": "---\ntags: [drink]\n---\n# Tea\n\nServed hot, see [coffee](coffee.md).\n", "docs/coffee.md": "# Coffee\n\nHot too.\n"},
		nil), true)
	for i := range targets {
		to := targets[i].name
		var b bytes.Buffer
		if targets[i].schema != nil {
			b.WriteString("== --schema ==\n")
			if err := Schema(Options{Path: path, To: to, Name: ""}, &b); err != nil {
				t.Fatal(err)
			}
		}
		if to == "parquet" || to == "sqlite" {
			continue
		}
		made := files(t, run(t, Options{Path: path, To: to}))
		for _, name := range slices.Sorted(maps.Keys(made)) {
			b.WriteString("== " + name + " ==\n" + made[name])
		}
		text := regexp.MustCompile(`"(index_id|tree_hash|sha256)": ?"[0-9a-f]+"|(index_id|tree_hash)(: "|\t)[0-9a-f]+`).ReplaceAllString(b.String(), "#")
		file := filepath.Join("testdata", to+".txt")
		if *update {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), text); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
}
