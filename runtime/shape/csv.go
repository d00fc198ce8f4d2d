package shape

import (
	"encoding/csv"
	"strconv"
	"strings"
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
			row[j] = harmless(oneLine(cell(i, j)))
		}
		w.Write(row)
	}
	w.Flush()
	return b.String()
}

// harmless returns a cell that no spreadsheet takes for a formula.
func harmless(cell string) string {
	if cell != "" && strings.IndexByte("=+-@", cell[0]) >= 0 {
		return "'" + cell
	}
	return cell
}

var searchColumns = []column[Hit]{
	{"rank", func(h *Hit) string { return strconv.Itoa(h.Rank) }},
	{"score", func(h *Hit) string { return strconv.FormatFloat(h.Score, 'f', -1, 64) }},
	{"index", func(h *Hit) string { return h.Index }},
	{"path", func(h *Hit) string { return h.Path }},
	{"anchor", func(h *Hit) string { return h.Anchor }},
	{"first_line", func(h *Hit) string { return strconv.Itoa(h.Lines[0]) }},
	{"last_line", func(h *Hit) string { return strconv.Itoa(h.Lines[1]) }},
	{"title", func(h *Hit) string { return h.Title }},
	{"section", func(h *Hit) string { return h.Section }},
	{"type", func(h *Hit) string { return h.Type }},
	{"kind", func(h *Hit) string { return h.Kind }},
	{"domain", func(h *Hit) string { return h.Domain }},
	{"status", func(h *Hit) string { return h.Status }},
	{"date", func(h *Hit) string { return h.Date }},
	{"version", func(h *Hit) string { return h.Version }},
	{"superseded_by", func(h *Hit) string { return strings.Join(h.SupersededBy, " ") }},
	{"duplicates", func(h *Hit) string { return strings.Join(h.Duplicates, " ") }},
	{"node_id", func(h *Hit) string { return h.NodeID }},
	{"match", func(h *Hit) string { return strings.Join(h.Match, " ") }},
	{"url", func(h *Hit) string { return h.URL }},
	{"snippet", func(h *Hit) string { return h.Snippet }},
}

var relatedColumns = []column[Relative]{
	{"direction", func(r *Relative) string { return r.Direction }},
	{"relation", func(r *Relative) string { return r.Relation }},
	{"distance", func(r *Relative) string { return strconv.Itoa(r.Distance) }},
	{"name", func(r *Relative) string { return r.Name }},
	{"node_id", func(r *Relative) string { return r.NodeID }},
	{"type", func(r *Relative) string { return r.Type }},
	{"kind", func(r *Relative) string { return r.Kind }},
	{"index", func(r *Relative) string { return r.Index }},
	{"path", func(r *Relative) string { return r.Path }},
	{"anchor", func(r *Relative) string { return r.Anchor }},
	{"first_line", func(r *Relative) string { return strconv.Itoa(r.Lines[0]) }},
	{"last_line", func(r *Relative) string { return strconv.Itoa(r.Lines[1]) }},
	{"source_url", func(r *Relative) string { return r.SourceURL }},
	{"found_by", func(r *Relative) string { return r.FoundBy }},
}

var listColumns = []column[Listed]{
	{"index", func(d *Listed) string { return d.Index }},
	{"path", func(d *Listed) string { return d.Path }},
	{"title", func(d *Listed) string { return d.Title }},
	{"kind", func(d *Listed) string { return d.Kind }},
	{"domain", func(d *Listed) string { return d.Domain }},
	{"status", func(d *Listed) string { return d.Status }},
	{"tags", func(d *Listed) string { return strings.Join(d.Tags, " ") }},
	{"date", func(d *Listed) string { return d.Date }},
	{"version", func(d *Listed) string { return d.Version }},
	{"superseded_by", func(d *Listed) string { return strings.Join(d.SupersededBy, " ") }},
	{"language", func(d *Listed) string { return d.Language }},
	{"chunks", func(d *Listed) string { return strconv.Itoa(d.Chunks) }},
	{"entities", func(d *Listed) string { return strconv.Itoa(d.Entities) }},
	{"node_id", func(d *Listed) string { return d.NodeID }},
	{"url", func(d *Listed) string { return d.URL }},
}
