package runtime

import (
	"context"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/compare"
	"kdd/runtime/wire"
)

// DiffRequest says what Diff compares.
type DiffRequest struct {
	Old, New  string             // artifacts: paths of files
	Questions *index.QuestionSet // asked of both; nil = those that the new artifact carries, or the old one
	FailOn    []string           // names of compare.Rules
}

// Diff compares two artifacts, mostly builds of the same sources: documents, sections, chunks, findings, options, and what
// the same questions find.
//
// Errors: those of opening a file. Cost: a hash of all text, and two searches for each question.
func Diff(ctx context.Context, c Config, q DiffRequest) (r *wire.DiffReport, err error) {
	c.Trust.Environ, c.Trust.Log, c.Trust.Compare = c.Environ, c.Log, true
	policy, err := c.Trust.Policy()
	if err != nil {
		return nil, err
	}
	old, err := artifact.Open(q.Old, policy)
	if err != nil {
		return nil, artifact.FileError(q.Old, err)
	}
	defer old.File.Close()
	now, err := artifact.Open(q.New, policy)
	if err != nil {
		return nil, artifact.FileError(q.New, err)
	}
	defer now.File.Close()
	err = format.Guard(func() (err error) {
		r = compare.Artifacts(old, now)
		if q.Questions == nil {
			if q.Questions, err = now.Golden(); err == nil && q.Questions == nil {
				q.Questions, err = old.Golden()
			}
		}
		return err
	})
	if err != nil {
		return nil, artifact.FileError(q.Old+" or "+q.New, err)
	}
	r.Old.Path, r.New.Path = q.Old, q.New
	if q.Questions != nil && !r.Same {
		if r.Questions, err = diffQuestions(ctx, c, &q); err != nil {
			return nil, err
		}
	}
	r.Failed = compare.Failed(r, q.FailOn)
	return r, nil
}

// diffQuestions asks both artifacts the same questions, and compares the documents that they find.
func diffQuestions(ctx context.Context, c Config, q *DiffRequest) (*wire.EvalDifference, error) {
	c.Index = []string{"old=" + q.Old, "new=" + q.New}
	s := New(c)
	defer s.Close()
	report, err := s.Eval(ctx, wire.EvalRequest{Questions: q.Questions, Group: "none",
		Sides: []wire.EvalSide{{Name: "old", Index: "old"}, {Name: "new", Index: "new"}}})
	if err != nil {
		return nil, err
	}
	for i := range report.Differences {
		if d := &report.Differences[i]; d.System == "new" && d.Less == "old" && d.Level == "document" && d.Group == "" {
			return d, nil
		}
	}
	return nil, nil
}
