package embedding

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"kdd/bench/internal/harness"
)

// setting is how a bare loop runs.
type setting struct {
	name           string
	threads        int    // of one evaluation
	workers        int    // evaluations at once
	batch          int    // texts of one length that are evaluated together at most
	pieces         int    // wordpieces that they have together at most, unless there is one; 0 = any
	level          string // of the rewriting of the graph
	pattern, arena bool   // memory
	longest        bool   // the longest texts first, else in their order
	entries        [][2]string
}

// levels of the rewriting of a graph.
var levels = []string{"none", "basic", "extended", "all"}

// engineSetting is that of kdd's engine.
func engineSetting(workers int) setting {
	return setting{name: "bare loop", threads: 1, workers: workers, batch: 1, level: "basic", arena: true, longest: true,
		entries: [][2]string{{"session.use_device_allocator_for_initializers", "1"}}}
}

// parseSetting reads what differs from the engine's setting: "threads=2,workers=1". A name with a dot is an entry of
// ONNX Runtime's session configuration.
func parseSetting(text string, workers int) (setting, error) {
	s := engineSetting(workers)
	s.name = text
	for item := range strings.SplitSeq(text, ",") {
		name, value, _ := strings.Cut(item, "=")
		var err error
		number := func(dst *int) {
			if *dst, err = strconv.Atoi(value); err == nil && *dst < 1 {
				err = strconv.ErrRange
			}
		}
		switch {
		case name == "threads":
			number(&s.threads)
		case name == "workers":
			number(&s.workers)
		case name == "batch":
			number(&s.batch)
		case name == "pieces":
			number(&s.pieces)
		case name == "pattern":
			s.pattern, err = strconv.ParseBool(value)
		case name == "arena":
			s.arena, err = strconv.ParseBool(value)
		case name == "longest":
			s.longest, err = strconv.ParseBool(value)
		case name == "level" && slices.Contains(levels, value):
			s.level = value
		case strings.Contains(name, ".") && value != "":
			s.entries = append(s.entries, [2]string{name, value})
		default:
			err = strconv.ErrSyntax
		}
		if err != nil {
			return s, harness.Wrong("-try: got %q, want threads, workers, batch or pieces with a number from 1, pattern,"+
				" arena or longest with true or false, level=%s, or an entry of ONNX Runtime's session",
				item, strings.Join(levels, "|"))
		}
	}
	return s, nil
}

// batches returns the indices of the texts in the order and the company in which they are evaluated.
func (s *setting) batches(texts [][]int32) [][]int {
	order := make([]int, len(texts))
	for i := range order {
		order[i] = i
	}
	if s.longest {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(len(texts[b]), len(texts[a])) })
	}
	var all [][]int
	for _, i := range order {
		k, n := len(all)-1, len(texts[i])
		if k >= 0 && len(texts[all[k][0]]) == n && len(all[k]) < s.batch && (s.pieces == 0 || n*(len(all[k])+1) <= s.pieces) {
			all[k] = append(all[k], i)
		} else {
			all = append(all, []int{i})
		}
	}
	return all
}
