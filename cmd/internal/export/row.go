package export

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Chunk is what an export says of a chunk, its vector aside. A list that is empty is written as empty, never as null,
// and a text that the document does not give is "".
type Chunk struct {
	ID          string   `json:"id" parquet:"id"` // unique in the artifact; see chunkID
	Path        string   `json:"path" parquet:"path,dict"`
	Anchor      string   `json:"anchor" parquet:"anchor"`                  // of the section; "" for what stands above the first heading
	URL         string   `json:"url" parquet:"url"`                        // on the published site; "" without a base address
	Title       string   `json:"title" parquet:"title,dict"`               // of the document
	HeadingPath []string `json:"heading_path" parquet:"heading_path,list"` // from the top down to the section's own
	Text        string   `json:"text" parquet:"text"`                      // as in the source, markdown and all
	FirstLine   int32    `json:"first_line" parquet:"first_line"`          // of the source, from 1
	LastLine    int32    `json:"last_line" parquet:"last_line"`            // inclusive
	Kind        string   `json:"kind" parquet:"kind,dict"`
	Type        string   `json:"type" parquet:"type,dict"` // of the chunk: ENTITY, RULE …
	Domain      string   `json:"domain" parquet:"domain,dict"`
	Status      string   `json:"status" parquet:"status,dict"`
	Stale       bool     `json:"stale" parquet:"stale"` // the document is no longer in force
	Language    string   `json:"language" parquet:"language,dict"`
	Date        string   `json:"date" parquet:"date,dict"` // as the front matter has it
	Tags        []string `json:"tags" parquet:"tags,list"`
	Aliases     []string `json:"aliases" parquet:"aliases,list"`
	FrontMatter []Field  `json:"front_matter" parquet:"front_matter,list"` // of the document, in source order
	Links       []Link   `json:"links" parquet:"links,list"`
	SHA256      string   `json:"sha256" parquet:"sha256"` // of the text that was embedded: headings and plain text
}

// Row is a chunk with its vector, which is nil where the export has none.
type Row struct {
	Chunk
	Vector []float32 `json:"vector,omitempty" parquet:"vector,list"`
}

// Field is one value of the front matter.
type Field struct {
	Name  string `json:"name" parquet:"name"` // names of nested keys are joined by dots
	Value string `json:"value" parquet:"value"`
}

// Link is an edge of the graph that is written in the chunk's lines. An edge of the front matter is with the first chunk
// of the document, so that each edge of a document with text is in the export once. The edges from a document to its
// sections are left out: paths and anchors say the same.
type Link struct {
	Type     string `json:"type" parquet:"type"`         // of the edge: REFERENCES, IMPLEMENTS …
	From     string `json:"from" parquet:"from"`         // path, path#anchor, or the id of what documents name
	To       string `json:"to" parquet:"to"`             // likewise
	Relation string `json:"relation" parquet:"relation"` // what the source calls it, or ""
	Line     int32  `json:"line" parquet:"line"`
}

// chunkID names a chunk: its path, # and anchor, and from the second chunk of a section on # and its number there. So a
// chunk keeps its id while text is added elsewhere. What would make ids ambiguous, or break formats that are cut at white
// space, is percent-encoded in path and anchor: %, #, white space and control characters. An id of more than maxID bytes
// is the SHA-256 of it instead.
func chunkID(path, anchor string, number int) string {
	id := escapeID(path)
	if anchor != "" || number > 1 {
		id += "#" + escapeID(anchor)
	}
	if number > 1 {
		id += fmt.Sprintf("#%d", number)
	}
	if len(id) > maxID {
		return fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(id)))
	}
	return id
}

// maxID is how many bytes an id may have: 512 are what OpenSearch takes.
const maxID = 512

func escapeID(text string) string {
	var out strings.Builder
	for _, r := range text {
		if r <= ' ' || r == 0x7f || r == '%' || r == '#' {
			fmt.Fprintf(&out, "%%%02X", r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

// clean makes text what every target takes: valid UTF-8 without control characters (tab and line ends stay) and without
// noncharacters. U+FFFD stands for what is wrong. PostgreSQL refuses NUL, Vespa the rest.
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < ' ' && r != '\t' && r != '\n' && r != '\r', r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe:
			return utf8.RuneError
		}
		return r
	}, text)
}

func cleanAll(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = clean(t)
	}
	return out
}
