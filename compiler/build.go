package compiler

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"kdd/compiler/chunk"
	"kdd/compiler/diag"
	"kdd/compiler/duplicate"
	"kdd/compiler/graph"
	"kdd/compiler/lexicon"
	"kdd/compiler/markdown"
	"kdd/compiler/source"
	"kdd/format/index"
)

// ErrFindings is returned by Build where Strict is set and there is a warning or an error: nothing is written.
var ErrFindings = errors.New("findings in a strict build")

// Build compiles o.Sources into o.Output.
//
// The file is written under a temporary name beside its place, synced and renamed, so a failure or a cancelled ctx
// leaves what was there before. Whether it can be written is seen before anything is embedded. The report is returned
// with ErrFindings too. Once ctx is done, its cause is the error. Cost: linear in the bytes of the sources.
func Build(ctx context.Context, o Options) (*Report, error) {
	r, err := build(ctx, &o, false)
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return r, err
}

// build builds; with absentOnly only where nothing lies, else errPresent is the error.
func build(ctx context.Context, o *Options, absentOnly bool) (*Report, error) {
	clock := newPhases()
	if err := o.check(); err != nil {
		return nil, err
	}
	limit := chunk.Words
	var enc *embedder
	if !o.NoVectors {
		clock.begin("model")
		var err error
		if enc, err = openEmbedder(ctx, o); err != nil {
			return nil, err
		}
		defer enc.close()
		limit = enc.limit()
		if err := wordsFirst(ctx, o); err != nil {
			return nil, err
		}
	}
	l, g, r, err := gather(ctx, o, limit, clock)
	if err != nil {
		return nil, err
	}
	out, err := newOutput(artifactOutput, o.name(l.tree.Roots), l.tree)
	if err != nil {
		return nil, outputError{err}
	}
	if absentOnly && out.mode != 0 {
		return nil, errPresent
	}
	if o.Strict && worst(r.Diags) >= diag.Warning {
		r.Seconds = clock.end()
		return r, ErrFindings
	}
	trailer, err := provenance(ctx, o, l.tree)
	if err != nil {
		return nil, err
	}
	if r.made = o.made(l.tree, trailer); r.repeats(o.Before) {
		r.Seconds = clock.end()
		return r, nil
	}
	content, err := makeContent(ctx, o, l, g, r.Diags, limit, clock)
	if err != nil {
		return nil, err
	}
	r.Counts.Terms = len(content.Terms)
	if enc != nil {
		if r.Reused, err = addVectors(ctx, o, enc, l, out.real, content, clock); err != nil {
			return nil, err
		}
		if advice := content.Meta.ModelAdvice(); advice != "" && o.Notice != nil {
			o.Notice(advice)
		}
		r.Counts.Vectors, r.Given, r.Embedded = len(content.Chunks), enc.given, enc.made
	}
	golden, err := o.Golden.blocks()
	if err != nil {
		return nil, err
	}
	if content.Extra = append(content.Extra, golden...); len(golden) > 0 {
		r.Counts.Questions = len(o.Golden.Set.Questions)
	}
	clock.begin("encode")
	o.progress().Phase("write", 0)
	image, err := index.Encode(content)
	if err != nil {
		return nil, err
	}
	clock.begin("write")
	if err := out.write(ctx, image, trailer); err != nil {
		return nil, outputError{err}
	}
	root := image.RootHash()
	r.IndexID, r.Path, r.FileBytes = hex.EncodeToString(root[:8]), out.path, image.Bytes()+int64(len(trailer))
	for _, e := range image.Entries() {
		r.Blocks = append(r.Blocks, ReportBlock{Tag: e.Tag.String(), Bytes: int64(e.Length), Rows: int64(e.Rows)})
	}
	r.Seconds = clock.end()
	return r, nil
}

// errPresent is the error of a build that was to write only where nothing lies.
var errPresent = errors.New("there is an artifact already")

// wordsFirst writes an artifact without vectors where nothing lies yet, if that is wanted: a first search need not wait
// until all is embedded. What findings make of a strict build, the build itself says.
func wordsFirst(ctx context.Context, o *Options) error {
	if o.WordsFirst == nil {
		return nil
	}
	words := *o
	words.NoVectors = true
	words.EncoderFrom, words.Memory, words.Before = "", nil, nil
	r, err := build(ctx, &words, true)
	switch {
	case err == nil:
		o.WordsFirst(r)
	case !errors.Is(err, errPresent) && !errors.Is(err, ErrFindings):
		return err
	}
	return nil
}

// List walks, parses and links without writing: what `kdd build --list` shows. It needs no model, so chunks are counted
// as a build without vectors cuts them.
func List(ctx context.Context, o Options) (*Report, error) {
	r, err := list(ctx, &o)
	if err != nil && ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return r, err
}

func list(ctx context.Context, o *Options) (*Report, error) {
	clock := newPhases()
	o.NoVectors, o.KeepGoing = true, true // what cannot be read is listed, and nothing is written
	if err := o.check(); err != nil {
		return nil, err
	}
	l, g, r, err := gather(ctx, o, chunk.Words, clock)
	if err != nil {
		return nil, err
	}
	for i, u := range l.units {
		r.Listing = append(r.Listing, Listed{Path: u.file.Path, Status: "compiled", Kind: g.Docs[i].Kind, Bytes: u.file.Size, Chunks: len(u.chunks)})
	}
	included := map[string]bool{}
	for i := range l.tree.Included {
		f := &l.tree.Included[i]
		included[f.Path] = true
		if _, document := slices.BinarySearchFunc(l.units, f.Path, compareUnit); !document {
			r.Listing = append(r.Listing, Listed{Path: f.Path, Status: "included", Bytes: f.Size})
		}
	}
	for _, s := range l.skipped {
		if !included[s.Path] {
			r.Listing = append(r.Listing, Listed{Path: s.Path, Status: "skipped", Reason: s.Reason})
		}
	}
	r.Seconds = clock.end()
	return r, nil
}

// gather reads and links the sources, and reports on them.
func gather(ctx context.Context, o *Options, limit chunk.Limit, clock *phases) (*loaded, *graph.Graph, *Report, error) {
	l, err := load(ctx, o, limit, clock)
	if err != nil {
		return nil, nil, nil, err
	}
	g, err := link(ctx, o, l, clock)
	if err != nil {
		return nil, nil, nil, err
	}
	l.placeFindings(g.Diags)
	l.diags = append(l.diags, o.Golden.findings(l, g)...)
	r := report(l, g)
	if o.Memory != nil {
		r.included = l.includedFiles()
	}
	return l, g, r, nil
}

// link makes the graph of what was loaded, by the rules that kdd.yaml may add to.
func link(ctx context.Context, o *Options, l *loaded, clock *phases) (*graph.Graph, error) {
	clock.begin("graph")
	o.progress().Phase("link", 0)
	docs := make([]*markdown.Document, len(l.units))
	for i := range l.units {
		docs[i] = l.units[i].doc
	}
	defer l.files.close()
	g, err := graph.Build(ctx, docs, graph.Options{Rules: l.rules, SiteURL: o.SiteURL, Sites: l.sites, Exists: l.exists})
	for _, doc := range docs {
		doc.ReleaseReferences()
	}
	return g, err
}

// makeContent makes the lexicon and puts all that is known so far into the file's shapes.
func makeContent(ctx context.Context, o *Options, l *loaded, g *graph.Graph, diags []diag.Diagnostic, limit chunk.Limit, clock *phases) (*index.Content, error) {
	clock.begin("lexicon")
	o.progress().Phase("index", 0)
	sources := l.packSources()
	// Duplicates come first: what finding them needs is free again when the lexicon is made.
	texts := l.chunkTexts()
	duplicates, err := duplicate.Groups[index.ChunkID](ctx, len(texts), texts.at)
	if err != nil {
		return nil, err
	}
	docs := lexiconInput(l.units)
	if o.NoVectors {
		l.releaseTexts()
	}
	lx, err := lexicon.Build(ctx, docs, linkTexts(g, l.units))
	if err != nil {
		return nil, err
	}
	content := assemble(o, l, g, l.rules, lx, sources, diags, limit)
	content.Duplicates = duplicates
	content.Meta.OptionsHash, content.Meta.Options = o.hash(), o.recorded()
	return content, nil
}

func worst(diags []diag.Diagnostic) diag.Severity {
	var s diag.Severity
	for _, d := range diags {
		s = max(s, d.Severity)
	}
	return s
}

// report counts what was loaded and linked.
func report(l *loaded, g *graph.Graph) *Report {
	diags := diag.Sort(slices.Concat(l.diags, g.Diags))
	r := &Report{SchemaVersion: "build_report.v1", SourceBytes: l.bytes, Skipped: map[string]int{}, Severities: map[string]int{}, Diags: diags, Diagnostics: diag.ListJSON(diags)}
	r.Counts.Documents, r.Counts.Edges = len(l.units), len(g.Edges)
	r.Counts.Links, r.Counts.Resolved, r.Counts.Outside = g.Stats.Links, g.Stats.Resolved, g.Stats.Outside
	r.Sites = l.records()
	for _, u := range l.units {
		if u.included != nil {
			r.Counts.Included += u.included.Found
			r.Counts.Includes += u.included.Found + u.included.Missed
		}
		r.Counts.Sections += len(u.doc.Sections)
		r.Counts.Chunks += len(u.chunks)
	}
	for _, c := range source.SkipCounts(l.skipped) {
		r.Skipped[c.Reason] = c.N
	}
	for _, d := range diags {
		r.Severities[d.Severity.String()]++
	}
	return r
}

// hash covers every option that shapes the artifact, but not where it goes or how the build is shown.
func (o *Options) hash() string {
	shaping := struct {
		Drafts, FollowLinks              bool
		Include, Exclude                 []string
		Dialects                         []string `json:",omitempty"`
		SiteURL, BaseURL, Title, Lang, V string
		NoVectors, Floats                bool
		Encoder                          string
		Dimensions                       int `json:",omitempty"`
		Rules                            []byte
		Golden                           *index.QuestionSet `json:",omitempty"`
	}{
		o.Drafts, o.FollowLinks, o.Include, o.Exclude, o.Dialects, o.SiteURL, strings.TrimSuffix(o.BaseURL, "/"), o.Title, o.Language, o.Version,
		o.NoVectors, false, "", 0, nil, nil,
	}
	if !o.NoVectors {
		shaping.Floats, shaping.Encoder = o.Floats, cmp.Or(o.Encoder, EncoderDistilled)
		shaping.Dimensions = o.Dimensions
	}
	if o.Config != nil {
		shaping.Rules = bytes.TrimSpace(o.Config.Rules) // the lines before the part are only for messages
	}
	if o.Golden != nil {
		shaping.Golden = o.Golden.Set
	}
	b, err := json.Marshal(&shaping)
	if err != nil {
		panic(err) // plain strings and booleans
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
