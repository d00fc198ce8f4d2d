package search

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// The nDCG@10 of docs/QUALITY.md are those of the runs that it links to.
func TestQualityFigures(t *testing.T) {
	docs := filepath.Join("..", "..", "..", "docs")
	raw, err := os.ReadFile(filepath.Join(docs, "QUALITY.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, text, _ := strings.Cut(string(raw), "\n## Quality\n")
	var kept [2]string // as sets have it, as people ask
	for i, pattern := range []string{`\(\[run\]\(([^)]+)\)`, `\[as people ask\]\(([^)]+)\)`} {
		m := regexp.MustCompile(pattern).FindStringSubmatch(text)
		if m == nil {
			t.Fatalf("QUALITY.md has no link %s", pattern)
		}
		run, err := os.ReadFile(filepath.Join(docs, filepath.FromSlash(m[1])))
		if err != nil {
			t.Fatal(err)
		}
		kept[i] = string(run)
	}
	compared := 0
	for _, row := range tableRows(text) {
		name, section := strings.CutSuffix(row[0], ", right section")
		name, asked := strings.CutSuffix(name, ", as people ask")
		run, part := kept[0], "## By document"
		if asked {
			name, _, _ = strings.Cut(name, " (")
			run, name = kept[1], name+"-asked"
		}
		if section {
			part = "## By section"
		}
		_, part, _ = strings.Cut(run, part)
		rows := tableRows(part)
		if len(rows) == 0 {
			t.Fatalf("the run of %s has no table", row[0])
		}
		column := 0
		for i, cell := range rows[0] {
			if cell == name {
				column = i
			}
		}
		if column == 0 {
			if row[1] != "keyword grep" { // the head of QUALITY.md's table
				t.Errorf("the run has no set %q", name)
			}
			continue
		}
		for i, system := range []string{"keyword grep", "BM25", "vector, exact encoder", "kdd, words only", "kdd, distilled encoder", "kdd, exact encoder"} {
			said, err := strconv.ParseFloat(row[i+1], 64)
			if err != nil {
				continue // a dash
			}
			found := false
			for _, r := range rows {
				if r[0] == system {
					got, err := strconv.ParseFloat(r[column], 64)
					found = err == nil && math.Abs(got-said) <= 0.00051
				}
			}
			if !found {
				t.Errorf("QUALITY.md has %s for %s, %s: not what the run has", row[i+1], row[0], system)
			}
			compared++
		}
	}
	if compared < 50 {
		t.Errorf("%d figures, want those of the table", compared)
	}
}

// tableRows returns the cells of the first Markdown table in text, without its line of dashes.
func tableRows(text string) [][]string {
	var rows [][]string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			if rows != nil {
				break
			}
			continue
		}
		var cells []string
		for cell := range strings.SplitSeq(strings.Trim(strings.TrimSpace(line), "|"), "|") {
			cells = append(cells, strings.TrimSpace(cell))
		}
		if !strings.HasPrefix(cells[0], "---") {
			rows = append(rows, cells)
		}
	}
	return rows
}
