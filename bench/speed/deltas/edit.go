package deltas

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"kdd/bench/internal/harness"
)

// Edit is a change of one line of one document.
type Edit struct {
	Path string `json:"path"`
	Line int    `json:"line"` // from 1
	Kind string `json:"kind"`
	Text string `json:"text"` // what stands there then
}

// The kinds of edits, which take turns.
const (
	oneWord     = "another word"
	oneSentence = "a sentence more"
	oneLine     = "a paragraph more"
	oneName     = "a new name" // a heading and an identifier in it that no document has, so that terms are numbered anew
)

var kinds = []string{oneSentence, oneWord, oneLine, oneName}

// longLine is how many bytes a line has at least that is taken for prose.
const longLine = 60

// Plan returns n edits of the markdown files below a folder, each in another one. The same folder, n and seed give the
// same edits.
func Plan(folder string, n int, seed uint64) ([]Edit, error) {
	type document struct {
		path  string
		lines []string
		prose []int
	}
	var all []document
	var words []string
	var everything strings.Builder
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		everything.WriteString(strings.ToLower(string(text)))
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		d := document{path: filepath.ToSlash(name), lines: strings.Split(string(text), "\n")}
		if d.prose = prose(d.lines); len(d.prose) > 0 {
			all = append(all, d)
		}
		for _, i := range d.prose {
			words = append(words, plainWords(d.lines[i])...)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(all) < n || len(words) == 0 {
		return nil, harness.Wrong("%s has %d documents with a line of prose, want %d", folder, len(all), n)
	}
	r := rand.New(rand.NewPCG(seed, seed))
	some := func(k int) string {
		list := make([]string, k)
		for i := range list {
			list[i] = words[r.IntN(len(words))]
		}
		return strings.Join(list, " ")
	}
	texts := everything.String()
	var edits []Edit
	for k, i := range r.Perm(len(all))[:n] {
		d := all[i]
		at := d.prose[r.IntN(len(d.prose))]
		e := Edit{Path: d.path, Line: at + 1, Kind: kinds[k%len(kinds)]}
		switch line := d.lines[at]; e.Kind {
		case oneSentence:
			e.Text = strings.TrimRight(line, " ") + " Note that " + some(7) + "."
		case oneWord:
			fields := strings.Fields(line)
			fields[1+r.IntN(len(fields)-1)] = some(1)
			e.Text = strings.Join(fields, " ")
			if e.Text == line { // the same word was drawn
				e.Text += " " + some(1)
			}
		case oneLine:
			e.Text = line + "\n\nNote that " + some(9) + ".\n"
		case oneName:
			name := newName(r, texts)
			e.Text = line + "\n\n## " + name + "\n\n`" + name + "` is for " + some(7) + ".\n"
		}
		edits = append(edits, e)
	}
	return edits, nil
}

// newName returns an identifier of two parts, neither of which is in texts, which are in lower case.
func newName(r *rand.Rand, texts string) string {
	for {
		var b strings.Builder
		for range 6 {
			b.WriteByte("bcdfghjklmnpqrstvwxz"[r.IntN(20)])
			b.WriteByte("aeiou"[r.IntN(5)])
		}
		first, second := b.String()[:6], b.String()[6:]
		if !strings.Contains(texts, first) && !strings.Contains(texts, second) {
			return first + strings.ToUpper(second[:1]) + second[1:]
		}
	}
}

// prose returns the lines that look like prose: long, beginning with a letter, outside of front matter and code.
func prose(lines []string) []int {
	var found []int
	fence, front := "", len(lines) > 0 && strings.TrimRight(lines[0], "\r ") == "---"
	for i, line := range lines {
		text := strings.TrimSpace(line)
		switch {
		case front:
			front = i == 0 || text != "---"
		case fence != "":
			if strings.HasPrefix(text, fence) {
				fence = ""
			}
		case strings.HasPrefix(text, "```"), strings.HasPrefix(text, "~~~"):
			fence = text[:3]
		case len(line) >= longLine && (line[0]|0x20 >= 'a' && line[0]|0x20 <= 'z') && len(plainWords(line)) >= 5:
			found = append(found, i)
		}
	}
	return found
}

// plainWords returns the words of a line that are ASCII letters only.
func plainWords(line string) []string {
	var found []string
	for _, word := range strings.Fields(line) {
		if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
			found = append(found, strings.ToLower(word))
		}
	}
	return found
}

// apply makes the edit in the copy of the folder.
func (e *Edit) apply(folder string) error {
	path := filepath.Join(folder, filepath.FromSlash(e.Path))
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	lines := strings.Split(string(text), "\n")
	if e.Line > len(lines) {
		return fmt.Errorf("%s has %d lines, want %d", e.Path, len(lines), e.Line)
	}
	lines[e.Line-1] = e.Text
	return os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o644)
}
