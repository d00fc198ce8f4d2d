package compare

import "kdd/runtime/wire"

// rules say when a difference is a failure.
var rules = []struct {
	name   string
	broken func(*wire.DiffReport) bool
}{
	{"removed-documents", func(r *wire.DiffReport) bool { return len(r.Documents.Removed) > 0 }},
	{"removed-sections", func(r *wire.DiffReport) bool { return len(r.Sections.Removed) > 0 }},
	{"broken-links", func(r *wire.DiffReport) bool { return len(r.Links.New) > 0 }},
	{"new-findings", func(r *wire.DiffReport) bool { return len(r.Findings.New) > 0 }},
	{"changed-options", func(r *wire.DiffReport) bool { return len(r.Options) > 0 }},
	{"lost-questions", func(r *wire.DiffReport) bool { return r.Questions != nil && r.Questions.Lost > 0 }},
	{"worse-answers", func(r *wire.DiffReport) bool { return r.Questions != nil && r.Questions.High < 0 }},
	{"any", func(r *wire.DiffReport) bool { return !r.Same }},
}

// Rules returns the names of all rules.
func Rules() (names []string) {
	for _, rule := range rules {
		names = append(names, rule.name)
	}
	return names
}

// Failed returns those of the named rules that the report breaks.
func Failed(r *wire.DiffReport, names []string) (failed []string) {
	for _, name := range names {
		for _, rule := range rules {
			if rule.name == name && rule.broken(r) {
				failed = append(failed, name)
			}
		}
	}
	return failed
}
