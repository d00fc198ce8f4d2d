package compiler

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"kdd/compiler/source"
	"kdd/compiler/watch"
)

// WatchOptions say what Watch builds.
type WatchOptions struct {
	// Next returns the options of the next build: kdd.yaml has a say in them and may have changed. Where it fails, the
	// sources of the build before are watched on.
	Next func() (Options, error)
	// Built hears of each build, but for an error that ends Watch. An error of its own ends Watch too.
	Built func(*Report, error) error
	// Poll looks at the folders so often instead of waiting for the system to tell; 0 = do not.
	Poll   time.Duration
	Notice func(string) // hears what the user should know; nil = nobody
}

// Watch builds, and again whenever the sources or kdd.yaml have changed, until ctx ends: then its cause is the error.
// Builds do not overlap. One that fails leaves the artifact as it was and is tried again after the next change; but an
// error that no change of the sources can mend ends Watch if nothing was built yet.
//
// From the second build on, the table of the query encoder is that of the artifact before (Options.EncoderFrom) where it
// can be: to learn it takes longer than all the rest. Documents stay in memory, parsed.
func Watch(ctx context.Context, o WatchOptions) error {
	w := watching{WatchOptions: o, included: map[string]bool{}}
	defer w.memory.Close()
	about := watch.Options{Sources: w.sources, Included: w.files, Poll: o.Poll, Notice: o.Notice}
	return watch.Run(ctx, about, w.build)
}

// watching is a Watch at work.
type watching struct {
	WatchOptions
	options Options // of the next build
	err     error   // in place of them
	memory  Memory
	last    *Report // of the last build that succeeded
	// files that documents included in any build so far: one that has gone may come back
	included map[string]bool
}

// files lists the included files.
func (w *watching) files() []string { return slices.Sorted(maps.Keys(w.included)) }

// sources asks for the options of the next build.
func (w *watching) sources() source.Options {
	next, err := w.Next()
	if w.err = err; err == nil {
		w.options = next
	}
	return w.options.walk()
}

// build builds once.
func (w *watching) build(ctx context.Context) error {
	report, err := (*Report)(nil), w.err
	if err == nil {
		report, err = w.compile(ctx)
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err != nil && w.last == nil && !mendable(err) {
		return err
	}
	if report != nil {
		for _, file := range report.included {
			w.included[file] = true
		}
	}
	if err == nil {
		w.last = report
	}
	return w.Built(report, err)
}

// compile builds, with the query encoder of the build before if that can be taken.
func (w *watching) compile(ctx context.Context) (*Report, error) {
	o := w.options
	o.Memory, o.Before = &w.memory, w.last
	o.Fresh = o.Fresh && w.last == nil
	if w.last == nil || w.last.Counts.Vectors == 0 || o.NoVectors || o.EncoderFrom != "" || cmp.Or(o.Encoder, EncoderDistilled) != EncoderDistilled {
		return Build(ctx, o)
	}
	o.EncoderFrom = w.last.Path
	report, err := Build(ctx, o)
	if errors.Is(err, errEncoderFrom) {
		o.EncoderFrom = ""
		return Build(ctx, o)
	}
	return report, err
}

// mendable says whether a change of the sources or of kdd.yaml may mend an error.
func mendable(err error) bool {
	return errors.Is(err, ErrFindings) || errors.Is(err, source.ErrEmpty) || errors.Is(err, source.ErrIncomplete)
}
