package index

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"

	"kdd/format"
)

// Place is a document, or with an anchor a section of it.
type Place struct {
	Path   string `json:"path"`
	Anchor string `json:"anchor,omitempty"`
}

// Relevant is a place that answers a question, and how well.
type Relevant struct {
	Place
	Gain int `json:"gain"` // above 0
}

// Question is one question of a set.
type Question struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Group string `json:"group,omitempty"`
	// paths that are neither found nor relevant: the question's words come from there
	Exclude  []string   `json:"exclude,omitempty"`
	Relevant []Relevant `json:"relevant,omitempty"`
}

// QuestionSet is questions with what answers them, FORMAT.md §11.1.
type QuestionSet struct {
	Name      string     `json:"name"` // of the file that it was read from
	Questions []Question `json:"questions"`
}

// JudgedExtensions are what a judgement may leave out of a document's path: question sets of other makers name
// documents without an extension.
var JudgedExtensions = []string{"", ".md", ".mdx", ".markdown", ".feature"}

// The limits of a question set.
const (
	MaxGoldenBytes = 64 << 20
	MaxGain        = 1 << 20
)

// GoldenBlock encodes a question set as the optional block GOLD: JSON, in the order of the fields. The error is
// ErrTooBig.
func GoldenBlock(set *QuestionSet) (format.RawBlock, error) {
	data, err := json.Marshal(set)
	if err == nil && len(data) > MaxGoldenBytes {
		err = fmt.Errorf("%w: a question set of %d bytes, at most %d", format.ErrTooBig, len(data), MaxGoldenBytes)
	}
	return format.RawBlock{Tag: TagGolden, Rows: uint64(len(set.Questions)), Data: data}, err
}

// Golden returns the question set of x, nil if it has none. Cost: the whole block is decoded.
func (x *Index) Golden() (*QuestionSet, error) {
	b := x.File.Block(TagGolden)
	if b == nil {
		return nil, nil
	}
	return parseGolden(b.All(), b.Rows)
}

// parseGolden decodes and checks a question set that has rows questions. The error is a CorruptError.
func parseGolden(data []byte, rows uint64) (*QuestionSet, error) {
	bad := func(reason string, args ...any) error {
		return format.Corrupt(TagGolden, reason, args...)
	}
	if len(data) > MaxGoldenBytes {
		return nil, bad("%d bytes, at most %d", len(data), MaxGoldenBytes)
	}
	set := new(QuestionSet)
	if err := json.Unmarshal(data, set); err != nil {
		return nil, bad("%s", err)
	}
	if uint64(len(set.Questions)) != rows {
		return nil, bad("%d questions, the directory says %d", len(set.Questions), rows)
	}
	if rows == 0 {
		return nil, bad("there is no question")
	}
	ids := make(map[string]bool, len(set.Questions))
	for i := range set.Questions {
		q := &set.Questions[i]
		switch {
		case q.ID == "" || q.Text == "":
			return nil, bad("question %d has no id or no text", i)
		case ids[q.ID]:
			return nil, bad("question %q is there twice", q.ID)
		}
		ids[q.ID] = true
		for _, r := range q.Relevant {
			if r.Path == "" || r.Gain <= 0 || r.Gain > MaxGain {
				return nil, bad("question %q: %q with gain %d, want a path and 1 to %d", q.ID, r.Path, r.Gain, MaxGain)
			}
		}
	}
	if again, err := json.Marshal(set); err != nil || !bytes.Equal(again, data) || !utf8.Valid(data) {
		return nil, bad("it is not JSON in the writer's form")
	}
	return set, nil
}

// golden checks the question set.
func (v *verifier) golden() {
	if _, err := v.x.Golden(); err != nil {
		v.AddError(TagGolden, err)
	}
}

// golden prints the question set.
func (d *dumper) golden(b *format.Block) error {
	set, err := parseGolden(b.All(), b.Rows)
	if err != nil {
		return err
	}
	d.Line(b.Offset, b.Offset+b.Length, "JSON")
	d.Printf("set %q\n", clip(set.Name))
	shown := d.Rows(len(set.Questions))
	for i := range set.Questions[:shown] {
		q := &set.Questions[i]
		d.Printf("question %d, %q: %q\n", i, clip(q.ID), clip(q.Text))
		if q.Group != "" {
			d.Printf("  group %q\n", clip(q.Group))
		}
		if len(q.Exclude) > 0 {
			d.Printf("  not counted: %q\n", q.Exclude[:d.Rows(len(q.Exclude))])
		}
		for _, r := range q.Relevant[:d.Rows(len(q.Relevant))] {
			d.Printf("  %q anchor %q gain %d\n", clip(r.Path), clip(r.Anchor), r.Gain)
		}
	}
	d.Left(shown, len(set.Questions), "questions")
	return nil
}
