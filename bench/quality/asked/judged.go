package asked

import (
	"slices"

	"kdd/format/index"
	"kdd/runtime/eval"
)

// Judged returns the questions of a file over a source that its documents answer, with the sections that do.
func Judged(path, source string) (list []eval.Question, err error) {
	all, err := readQuestions(path)
	if err != nil {
		return nil, err
	}
	for _, q := range all {
		if q.source != source || !q.answerable() {
			continue
		}
		judged := eval.Question{ID: q.id, Text: q.text, Group: q.kind}
		slices.Sort(q.expected)
		for _, place := range slices.Compact(q.expected) {
			judged.Relevant = append(judged.Relevant, index.Relevant{Place: eval.SplitAnchor(place), Gain: 1})
		}
		list = append(list, judged)
	}
	return list, nil
}
