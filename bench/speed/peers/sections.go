package peers

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"kdd/format/index"
)

// section is what every engine is given of one chunk: its title, the headings above it and its text.
type section struct {
	ID   int    `json:"id"`
	Path string `json:"path"`
	Text string `json:"text"`
}

// writeSections writes the chunks of an artifact, one a line.
func writeSections(x *index.Index, file string) (err error) {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() {
		if e := out.Close(); err == nil {
			err = e
		}
	}()
	buffered := bufio.NewWriterSize(out, 1<<20)
	encoder := json.NewEncoder(buffered)
	reader := x.Text.Reader()
	for d := range index.DocID(x.Docs()) {
		from, to := x.DocChunks(d)
		for c := from; c < to; c++ {
			row := x.Chunk(c)
			parts := []string{x.DocTitle(d)}
			for s := x.SectionOfChunk(c); ; {
				if heading := x.SectionHeading(s); heading != "" {
					parts = append(parts, heading)
				}
				up, ok := x.SectionParent(s)
				if !ok {
					break
				}
				s = up
			}
			parts = append(parts, string(x.AppendText(nil, reader, d, row.Start, row.End)))
			if err := encoder.Encode(section{int(c), x.DocPath(d), strings.Join(parts, "\n")}); err != nil {
				return err
			}
		}
	}
	return buffered.Flush()
}

// writeQueries writes the queries to queries.jsonl.
func writeQueries(queries []string, file string) error {
	var b strings.Builder
	for _, q := range queries {
		line, err := json.Marshal(map[string]string{"text": q})
		if err != nil {
			return err
		}
		b.Write(line)
		b.WriteByte('\n')
	}
	return os.WriteFile(file, []byte(b.String()), 0o644)
}

// readQueries reads what writeQueries wrote.
func readQueries(folder string) ([]string, error) {
	f, err := os.Open(filepath.Join(folder, "queries.jsonl"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var queries []string
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var row struct{ Text string }
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, err
		}
		queries = append(queries, row.Text)
	}
	return queries, nil
}
