package compiler

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"

	"kdd/compiler/chunk"
	"kdd/compiler/diag"
	"kdd/compiler/graph"
	"kdd/compiler/lexicon"
	"kdd/compiler/markdown"
	"kdd/compiler/source"
	"kdd/format"
)

// ErrFindings is returned by Build where Strict is set and there is a warning or an error: nothing is written.
var ErrFindings = errors.New("findings in a strict build")

// Build compiles o.Sources into o.Output.
//
// The file is written under a temporary name beside its place, synced and renamed, so a failure or a cancelled ctx
// leaves what was there before. The report is returned with ErrFindings too. Cost: linear in the bytes of the sources.
func Build(ctx context.Context, o Options) (*Report, error) {
	clock := newPhases()
	limit := chunk.Words
	var enc *encoder
	if !o.NoVectors {
		clock.begin("model")
		var err error
		if enc, err = openEncoder(&o); err != nil {
			return nil, err
		}
		defer enc.close()
		limit = enc.limit()
	}
	l, g, rules, diags, err := understand(ctx, &o, limit, clock)
	if err != nil {
		return nil, err
	}
	r := report(l, g, diags)
	if o.Strict && worst(diags) >= diag.Warning {
		r.Seconds = clock.end()
		return r, ErrFindings
	}
	clock.begin("lexicon")
	o.progress().Phase("index", 0)
	lx, err := lexicon.Build(ctx, lexiconInput(l.units), linkTexts(g, l.units))
	if err != nil {
		return nil, err
	}
	content := assemble(&o, l, g, rules, lx, diags, limit)
	content.Meta.OptionsHash = o.hash()
	if enc != nil {
		if r.Reused, err = addVectors(ctx, &o, enc, l, content, clock); err != nil {
			return nil, err
		}
		r.Counts.Vectors = len(content.Chunks)
	}
	clock.begin("encode")
	o.progress().Phase("write", 0)
	image, err := format.Encode(content)
	if err != nil {
		return nil, err
	}
	trailer, err := provenance(ctx, &o, l.tree.Roots)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	clock.begin("write")
	path := o.output(l.tree.Roots)
	if err := write(ctx, path, image, trailer); err != nil {
		return nil, err
	}
	root := image.RootHash()
	r.IndexID, r.Path, r.FileBytes = hex.EncodeToString(root[:8]), path, image.Bytes()+int64(len(trailer))
	r.Counts.Terms = len(lx.Terms)
	for _, e := range image.Entries() {
		r.Blocks = append(r.Blocks, ReportBlock{Tag: e.Tag.String(), Bytes: int64(e.Length), Rows: int64(e.Rows)})
	}
	r.Seconds = clock.end()
	return r, nil
}

// List walks and parses without writing: what `kdd build --list` shows.
func List(ctx context.Context, o Options) (*Report, error) {
	clock := newPhases()
	l, g, _, diags, err := understand(ctx, &o, chunk.Words, clock)
	if err != nil {
		return nil, err
	}
	r := report(l, g, diags)
	for i, u := range l.units {
		r.Listing = append(r.Listing, Listed{Path: u.file.Path, Status: "compiled", Kind: g.Docs[i].Kind, Bytes: u.file.Size, Chunks: len(u.chunks)})
	}
	for _, s := range l.skipped {
		r.Listing = append(r.Listing, Listed{Path: s.Path, Status: "skipped", Reason: s.Reason})
	}
	r.Seconds = clock.end()
	return r, nil
}

// understand loads the sources and builds the graph: everything that finds something to say about them.
func understand(ctx context.Context, o *Options, limit chunk.Limit, clock *phases) (*loaded, *graph.Graph, *graph.Rules, []diag.Diagnostic, error) {
	l, err := load(ctx, o, limit, clock)
	if err != nil {
		return nil, nil, nil, nil, err
	}
	clock.begin("graph")
	o.progress().Phase("link", 0)
	docs := make([]*markdown.Document, len(l.units))
	for i := range l.units {
		docs[i] = l.units[i].doc
	}
	rules := graph.Default()
	if o.Config != nil && len(o.Config.Rules) > 0 {
		if rules, err = graph.ParseRules(o.Config.Rules, o.Config.Path); err != nil {
			return nil, nil, nil, nil, err
		}
	}
	g, err := graph.Build(ctx, docs, graph.Options{Rules: rules, SiteURL: o.SiteURL})
	if err != nil {
		return nil, nil, nil, nil, err
	}
	return l, g, rules, diag.Sort(slices.Concat(l.diags, g.Diags)), nil
}

func worst(diags []diag.Diagnostic) diag.Severity {
	var s diag.Severity
	for _, d := range diags {
		s = max(s, d.Severity)
	}
	return s
}

func report(l *loaded, g *graph.Graph, diags []diag.Diagnostic) *Report {
	r := &Report{SchemaVersion: "build_report.v1", SourceBytes: l.bytes, Skipped: map[string]int{}, Severities: map[string]int{}, Diags: diags, Diagnostics: diag.ListJSON(diags)}
	r.Counts.Documents, r.Counts.Edges = len(l.units), len(g.Edges)
	r.Counts.Links, r.Counts.Resolved = g.Stats.Links, g.Stats.Resolved
	for _, u := range l.units {
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

// output returns where the artifact goes: as told, else the first source's base name in the working folder.
func (o *Options) output(roots []source.Root) string {
	if o.Output != "" {
		return o.Output
	}
	base := roots[0].Base
	if roots[0].File {
		base = base[:len(base)-len(filepath.Ext(base))]
	}
	return base + ".kddx"
}

// hash covers every option that shapes the artifact, but not where it goes or how the build is shown.
func (o *Options) hash() string {
	shaping := struct {
		Drafts, FollowLinks              bool
		Include, Exclude                 []string
		SiteURL, BaseURL, Title, Lang, V string
		NoVectors, Floats                bool
		Precision, Encoder               string
		Rules                            []byte
	}{
		o.Drafts, o.FollowLinks, o.Include, o.Exclude, o.SiteURL, o.BaseURL, o.Title, o.Language, o.Version,
		o.NoVectors, o.Floats, orElse(o.Precision, PrecisionFloat32), orElse(o.Encoder, EncoderDistilled), nil,
	}
	if o.Config != nil {
		shaping.Rules = o.Config.Rules
	}
	b, err := json.Marshal(&shaping)
	if err != nil {
		panic(err) // plain strings and booleans
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
