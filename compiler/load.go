package compiler

import (
	"context"
	"runtime"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"kdd/compiler/chunk"
	"kdd/compiler/diag"
	"kdd/compiler/markdown"
	"kdd/compiler/source"
	"kdd/runtime/analyze"
)

// unit is one document on its way through the phases.
type unit struct {
	file     *source.File
	doc      *markdown.Document
	language analyze.Lang
	chunks   []chunk.Chunk
}

// loaded is what walking and parsing found.
type loaded struct {
	tree    *source.Tree
	units   []unit // sorted by path
	skipped []source.Skip
	diags   []diag.Diagnostic
	bytes   int64 // of the sources compiled
}

func (o *Options) progress() Progress {
	if o.Progress == nil {
		return silent{}
	}
	return o.Progress
}

type silent struct{}

func (silent) Phase(string, int) {}
func (silent) Step(int)          {}

// stepper serialises the calls of a Progress.
type stepper struct {
	mu sync.Mutex
	p  Progress
}

func (s *stepper) step(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.p.Step(n)
}

// load walks the sources and parses and splits every document, in parallel and in path order.
func load(ctx context.Context, o *Options, limit chunk.Limit, clock *phases) (*loaded, error) {
	clock.begin("walk")
	o.progress().Phase("read", 0)
	tree, err := source.Walk(ctx, source.Options{Dirs: o.Sources, FollowLinks: o.FollowLinks, Include: o.Include, Exclude: o.Exclude})
	if err != nil {
		return nil, err
	}
	clock.begin("parse")
	o.progress().Phase("parse", len(tree.Files))
	steps := stepper{p: o.progress()}
	all := make([]unit, len(tree.Files))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range tree.Files {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			u := &all[i]
			u.file = &tree.Files[i]
			u.doc = markdown.Parse(u.file.Path, u.file.Data)
			if u.doc.Draft && !o.Drafts {
				return nil
			}
			u.language = languageOf(u.doc, analyze.Lang(o.Language))
			u.chunks = chunk.Split(u.doc, limit)
			steps.step(1)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	l := &loaded{tree: tree, skipped: tree.Skipped, diags: tree.Diags}
	for _, u := range all {
		if u.doc.Draft && !o.Drafts {
			l.skipped = append(l.skipped, source.Skip{Path: u.file.Path, Reason: source.ReasonDraft})
			continue
		}
		l.diags = append(l.diags, u.doc.Diags...)
		l.bytes += u.file.Size
		l.units = append(l.units, u)
	}
	return l, nil
}

// languageOf reads a document's language from its front matter, else from its text.
func languageOf(doc *markdown.Document, otherwise analyze.Lang) analyze.Lang {
	for _, name := range []string{"lang", "language", "locale"} {
		if f := doc.FrontMatter.Get(name); f != nil && len(f.Values) > 0 {
			if lang := analyze.ParseLang(f.Values[0]); lang != "" {
				return lang
			}
		}
	}
	// Code says nothing of the language that people write in.
	var text strings.Builder
	for _, s := range doc.Sections {
		text.WriteString(s.Heading)
		text.WriteString("\n")
		for _, b := range s.Blocks {
			if b.Kind != markdown.Code && text.Len() < detectBytes {
				text.WriteString(b.Text)
				text.WriteString("\n")
			}
		}
		if text.Len() >= detectBytes {
			break
		}
	}
	if lang := analyze.Detect(text.String()); lang != "" {
		return lang
	}
	return otherwise
}

// detectBytes is as much text as the language is told from.
const detectBytes = 64 << 10
