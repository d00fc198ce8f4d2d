package asked

import (
	"fmt"
	"os"
	"regexp"
	"strings"
)

// question is a line of a file of questions over the documents of a source.
type question struct {
	id, source, language, kind string

	expected []string       // sections that each answer it, as path or path#anchor; none if no document does
	pattern  *regexp.Regexp // met by every good answer; nil if no document answers it
	text     string
}

// The kinds of questions that the documents do not answer.
const (
	absent     = "absent"      // near what the documents are about
	otherTopic = "other-topic" // and far from it
)

// kinds are those that the documents answer, and then those that they do not.
var kinds = []string{"how-to", "definition", "value", "error", "identifier", "paraphrase", "yes-no", "comparison",
	absent, otherTopic}

// answerable says that the documents answer a question.
func (q *question) answerable() bool { return q.kind != absent && q.kind != otherTopic }

// columns are those of a file of questions.
var columns = []string{"id", "source", "language", "kind", "expected", "answer", "question"}

// readQuestions returns the questions of a file: lines of columns parted by tabs, and of comments, which begin with #.
// The error names the line that is wrong.
func readQuestions(path string) ([]question, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var list []question
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		if line = strings.TrimRight(line, "\r\n"); line == "" || line[0] == '#' {
			continue
		}
		q, err := parseQuestion(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, number, err)
		}
		list = append(list, q)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no questions", path)
	}
	return list, nil
}

// readSets returns the questions of files, which are named with commas between.
func readSets(sets string) (all []question, err error) {
	for set := range strings.SplitSeq(sets, ",") {
		list, err := readQuestions(set)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// parseQuestion reads a line.
func parseQuestion(line string) (q question, err error) {
	c := strings.Split(line, "\t")
	if len(c) != len(columns) {
		return q, fmt.Errorf("got %d columns, want %d: %s", len(c), len(columns), strings.Join(columns, " · "))
	}
	q = question{id: c[0], source: c[1], language: c[2], kind: c[3], text: c[6]}
	if !q.answerable() {
		if c[4] != "-" || c[5] != "-" {
			return q, fmt.Errorf("a question of kind %s: got place %q and answer %q, want - and -", q.kind, c[4], c[5])
		}
		return q, nil
	}
	q.expected = strings.Split(c[4], ";")
	if q.pattern, err = regexp.Compile("(?is)" + c[5]); err != nil {
		return q, err
	}
	if c[5] == "" || c[5] == "-" || q.pattern.MatchString("") {
		return q, fmt.Errorf("answer %q is met by an empty answer; want a pattern of good ones", c[5])
	}
	return q, nil
}
