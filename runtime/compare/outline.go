package compare

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"kdd/format/index"
	"kdd/runtime/wire"
)

// WriteOutline writes what an artifact holds as lines of text, for programs that compare texts: title, model and options,
// counts, then each document with its sections and the findings. A line depends on nothing but what it names, so a change
// of one section changes its own line, that of its document, and counts; a section's line ends in a hash of its text.
// Nothing of it depends on lines, ids or places in the file. Cost: a hash of all text; memory is that of one document.
func WriteOutline(w io.Writer, x *index.Index) error {
	out := bufio.NewWriterSize(w, 64<<10)
	writeHead(out, x)
	findings := map[string][]index.Finding{}
	for i := range uint32(x.Findings()) {
		f := x.Finding(i)
		findings[f.Path] = append(findings[f.Path], f)
	}
	c := newReader(x)
	for d := range index.DocID(x.Docs()) {
		path := x.DocPath(d)
		fmt.Fprintf(out, "\n%s\n", wire.Clean(path))
		for _, row := range [][2]string{{"title", x.DocTitle(d)}, {"kind", x.DocKind(d)}, {"status", x.DocStatus(d)}, {"date", x.DocDate(d)},
			{"language", x.DocLanguage(d)}, {"tags", strings.Join(x.DocTags(d), " ")}, {"aliases", strings.Join(x.DocAliases(d), ", ")}} {
			writeRow(out, "  ", row[0], row[1])
		}
		c.sections(d, func(s index.Section, own []byte) {
			words, hash := len(bytes.Fields(own)), sha256.Sum256(bytes.TrimSpace(own))
			if s.Anchor == "" {
				if words > 0 {
					fmt.Fprintf(out, "  before the first heading, %d words, %.4x\n", words, hash)
				}
				return
			}
			fmt.Fprintf(out, "  #%s, %q, %d words, %.4x\n", wire.Clean(s.Anchor), wire.Clean(s.Heading), words, hash)
		})
		writeFindings(out, findings[path])
		delete(findings, path)
	}
	for _, path := range slices.Sorted(maps.Keys(findings)) { // of files that are no documents
		fmt.Fprintf(out, "\n%s\n", wire.Clean(path))
		writeFindings(out, findings[path])
	}
	return out.Flush()
}

func writeFindings(out io.Writer, list []index.Finding) {
	for _, f := range list {
		fmt.Fprintf(out, "  finding: %s (%s)\n", wire.Clean(f.Text), wire.Clean(f.Rule))
	}
}

// writeHead writes what is said of the whole artifact.
func writeHead(out io.Writer, x *index.Index) {
	fmt.Fprintln(out, "kdd artifact")
	for _, row := range optionRows(x.Meta) {
		if row[0] == "graph" { // a part of kdd.yaml
			for line := range strings.Lines(row[1]) {
				writeRow(out, "", "graph", strings.TrimRight(line, "\r\n"))
			}
			continue
		}
		writeRow(out, "", row[0], row[1])
	}
	fmt.Fprintf(out, "documents: %d\nsections: %d\nchunks: %d\nlinks: %d\nfindings: %d\n", x.Docs(), x.Sections(), x.Chunks(), x.Edges(),
		x.Findings())
	if b := x.File.Block(index.TagGolden); b != nil {
		fmt.Fprintf(out, "questions: %d\n", b.Rows)
	}
	for _, l := range x.Meta.Languages {
		writeRow(out, "", "language "+cmp.Or(l.Language, "unknown"), fmt.Sprint(l.Documents))
	}
}

// writeRow writes a name and its value, unless there is none.
func writeRow(out io.Writer, indent, name, value string) {
	if value != "" {
		fmt.Fprintf(out, "%s%s: %s\n", indent, name, wire.Clean(value))
	}
}
