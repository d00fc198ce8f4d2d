package render

import (
	"encoding/csv"
	"strconv"
	"strings"

	"kdd/runtime/wire"
)

// column is one column of a CSV form.
type column[T any] struct {
	name string
	cell func(*T) string
}

// table prints items as RFC 4180 CSV with a header row.
func table[T any](items []T, columns []column[T]) string {
	header := make([]string, len(columns))
	for i, c := range columns {
		header[i] = c.name
	}
	return rows(header, len(items), func(i, j int) string { return columns[j].cell(&items[i]) })
}

// rows prints a header and the cells of n rows.
func rows(header []string, n int, cell func(i, j int) string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	w.Write(header) // a strings.Builder takes everything
	row := make([]string, len(header))
	for i := range n {
		for j := range row {
			row[j] = harmless(wire.OneLine(cell(i, j)))
		}
		w.Write(row)
	}
	w.Flush()
	return b.String()
}

// harmless returns a cell that no spreadsheet evaluates as a formula.
func harmless(cell string) string {
	if cell != "" && strings.IndexByte("=+-@", cell[0]) >= 0 {
		return "'" + cell
	}
	return cell
}

var hitColumns = []column[wire.Hit]{
	{"rank", func(h *wire.Hit) string { return strconv.Itoa(h.Rank) }},
	{"score", func(h *wire.Hit) string { return strconv.FormatFloat(h.Score, 'f', -1, 64) }},
	{"index", func(h *wire.Hit) string { return h.Index }},
	{"path", func(h *wire.Hit) string { return h.Path }},
	{"anchor", func(h *wire.Hit) string { return h.Anchor }},
	{"first_line", func(h *wire.Hit) string { return strconv.Itoa(h.Lines[0]) }},
	{"last_line", func(h *wire.Hit) string { return strconv.Itoa(h.Lines[1]) }},
	{"title", func(h *wire.Hit) string { return h.Title }},
	{"section", func(h *wire.Hit) string { return h.Section }},
	{"type", func(h *wire.Hit) string { return h.Type }},
	{"kind", func(h *wire.Hit) string { return h.Kind }},
	{"domain", func(h *wire.Hit) string { return h.Domain }},
	{"status", func(h *wire.Hit) string { return h.Status }},
	{"date", func(h *wire.Hit) string { return h.Date }},
	{"version", func(h *wire.Hit) string { return h.Version }},
	{"superseded_by", func(h *wire.Hit) string { return strings.Join(h.SupersededBy, " ") }},
	{"duplicates", func(h *wire.Hit) string { return strings.Join(h.Duplicates, " ") }},
	{"more", func(h *wire.Hit) string { return moreCount(h) }},
	{"more_sections", func(h *wire.Hit) string { return strings.Join(moreAddresses(h), " ") }},
	{"node_id", func(h *wire.Hit) string { return h.NodeID }},
	{"match", func(h *wire.Hit) string { return strings.Join(h.Match, " ") }},
	{"url", func(h *wire.Hit) string { return h.URL }},
	{"snippet", func(h *wire.Hit) string { return h.Snippet }},
}

var relatedColumns = []column[wire.Relative]{
	{"direction", func(r *wire.Relative) string { return r.Direction }},
	{"relation", func(r *wire.Relative) string { return r.Relation }},
	{"distance", func(r *wire.Relative) string { return strconv.Itoa(r.Distance) }},
	{"name", func(r *wire.Relative) string { return r.Name }},
	{"node_id", func(r *wire.Relative) string { return r.NodeID }},
	{"type", func(r *wire.Relative) string { return r.Type }},
	{"kind", func(r *wire.Relative) string { return r.Kind }},
	{"index", func(r *wire.Relative) string { return r.Index }},
	{"path", func(r *wire.Relative) string { return r.Path }},
	{"anchor", func(r *wire.Relative) string { return r.Anchor }},
	{"first_line", func(r *wire.Relative) string { return strconv.Itoa(r.Lines[0]) }},
	{"last_line", func(r *wire.Relative) string { return strconv.Itoa(r.Lines[1]) }},
	{"source_url", func(r *wire.Relative) string { return r.SourceURL }},
	{"found_by", func(r *wire.Relative) string { return r.FoundBy }},
}

var listColumns = []column[wire.Listed]{
	{"index", func(d *wire.Listed) string { return d.Index }},
	{"path", func(d *wire.Listed) string { return d.Path }},
	{"title", func(d *wire.Listed) string { return d.Title }},
	{"kind", func(d *wire.Listed) string { return d.Kind }},
	{"domain", func(d *wire.Listed) string { return d.Domain }},
	{"status", func(d *wire.Listed) string { return d.Status }},
	{"tags", func(d *wire.Listed) string { return strings.Join(d.Tags, " ") }},
	{"date", func(d *wire.Listed) string { return d.Date }},
	{"version", func(d *wire.Listed) string { return d.Version }},
	{"superseded_by", func(d *wire.Listed) string { return strings.Join(d.SupersededBy, " ") }},
	{"language", func(d *wire.Listed) string { return d.Language }},
	{"chunks", func(d *wire.Listed) string { return strconv.Itoa(d.Chunks) }},
	{"entities", func(d *wire.Listed) string { return strconv.Itoa(d.Entities) }},
	{"node_id", func(d *wire.Listed) string { return d.NodeID }},
	{"url", func(d *wire.Listed) string { return d.URL }},
}
