// Package answertest reads the questions of testdata/relevance that have an answer, or none for a reason.
//
//	list, err := answertest.Read("testdata/relevance/ask/natural.tsv")
//
// It is used by tests and benchmarks only.
package answertest

import (
	"fmt"
	"os"
	"strings"
)

// Question is one line of a file of questions as people ask them, testdata/relevance/ask and asked.
type Question struct {
	ID       string
	Half     string // who wrote it, or which part of a set it is
	Corpus   string
	Language string
	Kind     string // Answerable, or why it has no answer
	Expected string // path, or path#anchor, that answers it; "-" for none
	Text     string
}

// Answerable is the kind of the questions that have an answer.
const Answerable = "answerable"

// Read returns the questions of a file: lines of seven columns parted by tabs, and of comments, which begin with #. The
// error names the line that has others.
func Read(path string) ([]Question, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var list []Question
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		line = strings.TrimRight(line, "\r\n")
		if line == "" || line[0] == '#' {
			continue
		}
		c := strings.Split(line, "\t")
		if len(c) != 7 {
			return nil, fmt.Errorf("%s:%d: got %d columns, want 7: %s", path, number, len(c), line)
		}
		list = append(list, Question{c[0], c[1], c[2], c[3], c[4], c[5], c[6]})
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no questions", path)
	}
	return list, nil
}
