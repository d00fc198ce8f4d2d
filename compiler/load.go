package compiler

import (
	"cmp"
	"context"
	"crypto/sha256"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"kdd/compiler/chunk"
	"kdd/compiler/diag"
	"kdd/compiler/dialect"
	"kdd/compiler/graph"
	"kdd/compiler/include"
	"kdd/compiler/markdown"
	"kdd/compiler/source"
	"kdd/compiler/units"
	"kdd/format/index"
	"kdd/format/text"
)

// unit is one document on its way through the phases.
type unit struct {
	file     *source.File
	included *include.Text // nil if it includes nothing
	doc      *markdown.Document
	hidden   []markdown.Span // parts of the source that are no text of the document
	language text.Lang
	chunks   []chunk.Chunk
	hashes   [][32]byte // of the embedded texts, by chunk
	answers  [][]byte   // units that can stand in answers, by chunk, as the file has them
	lines    uint32     // of the text
}

// text returns what is embedded of a chunk. It is made anew each time: all of them would be another copy of the
// sources.
func (u *unit) text(i int) string { return chunk.Embedded(u.doc, u.chunks[i]) }

// chunkTexts are the embedded texts of all chunks, by id.
type chunkTexts []chunkPlace

// chunkPlace is a chunk of a document.
type chunkPlace struct {
	unit  *unit
	chunk int
}

// at makes the text of a chunk; several goroutines may call it.
func (t chunkTexts) at(i int) string { return t[i].unit.text(t[i].chunk) }

// hash is that of a chunk's text.
func (t chunkTexts) hash(i int) []byte { return t[i].unit.hashes[t[i].chunk][:] }

func (l *loaded) chunkTexts() chunkTexts {
	n := 0
	for i := range l.units {
		n += len(l.units[i].chunks)
	}
	texts := make(chunkTexts, 0, n)
	for i := range l.units {
		for k := range l.units[i].chunks {
			texts = append(texts, chunkPlace{&l.units[i], k})
		}
	}
	return texts
}

// releaseTexts forgets the texts of chunks, which are all indexed.
func (l *loaded) releaseTexts() {
	for i := range l.units {
		for k := range l.units[i].chunks {
			l.units[i].chunks[k].Text, l.units[i].chunks[k].Lead = "", ""
		}
	}
}

// packSources packs the sources of all documents, which nothing reads once they are linked, and forgets them.
func (l *loaded) packSources() *index.Texts {
	sources := make([][]byte, len(l.units))
	for i := range l.units {
		u := &l.units[i]
		sources[i] = u.doc.Source
		u.doc.Source, u.file.Data = nil, nil
		if u.included != nil {
			u.included.Data = nil
		}
	}
	return index.PackTexts(sources)
}

// draft says that a document is left out as one.
func (u *unit) draft(o *Options) bool { return u.doc.Draft && !o.Drafts }

// loaded is what walking and parsing found.
type loaded struct {
	rules    *graph.Rules
	tree     *source.Tree
	files    *assets        // what lies below the sources; closed once they are linked
	sites    *dialect.Sites // that generators make of the documents
	includes *expanded      // what the documents include
	units    []unit         // sorted by path
	skipped  []source.Skip
	diags    []diag.Diagnostic
	bytes    int64 // of the sources compiled
}

func (o *Options) progress() Progress {
	if o.Progress == nil {
		return silent{}
	}
	return o.Progress
}

type silent struct{}

// Phase shows nothing.
func (silent) Phase(string, int) {}

// Step shows nothing.
func (silent) Step(int) {}

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
//
// Errors: what source.Walk returns, also a *source.EmptyError where all documents are drafts.
func load(ctx context.Context, o *Options, limit chunk.Limit, clock *phases) (l *loaded, err error) {
	rules, err := o.rules()
	if err != nil {
		return nil, err
	}
	clock.begin("walk")
	o.progress().Phase("read", 0)
	tree, err := source.Walk(ctx, o.walk())
	if err != nil {
		return nil, err
	}
	files := openAssets(tree.Roots)
	sites, found := findSites(o, tree, files)
	includes, err := expand(ctx, tree, sites)
	if err != nil {
		files.close()
		return nil, err
	}
	l, err = o.parse(ctx, &loaded{rules: rules, tree: tree, files: files, sites: sites, includes: includes, skipped: tree.Skipped,
		diags: slices.Concat(tree.Diags, found)}, limit, clock)
	if err != nil {
		files.close()
	}
	return l, err
}

// exists reports whether a file or folder is there, or is left out by .gitignore: a program makes it.
func (l *loaded) exists(name string) bool { return l.files.exists(name) || l.tree.Made(name) }

// findSites finds the dialect of each folder of the sources: what kdd.yaml says, else what configuration files show.
func findSites(o *Options, tree *source.Tree, files *assets) (*dialect.Sites, []diag.Diagnostic) {
	paths := make([]string, len(tree.Files))
	for i := range tree.Files {
		paths[i] = tree.Files[i].Path
	}
	return dialect.Find(files, paths, o.dialects())
}

// parse parses and splits every document of l.tree.
func (o *Options) parse(ctx context.Context, l *loaded, limit chunk.Limit, clock *phases) (*loaded, error) {
	clock.begin("parse")
	tree := l.tree
	o.progress().Phase("parse", len(tree.Files))
	steps := stepper{p: o.progress()}
	o.Memory.begin(o, l.records(), limit)
	all := make([]unit, len(tree.Files))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i := range tree.Files {
		group.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			var known bool
			if all[i], known = o.Memory.find(&tree.Files[i], l.includes.texts[i]); !known {
				all[i].read(o, l, &tree.Files[i], l.includes.texts[i], limit)
				o.Memory.keep(&all[i])
			}
			steps.step(1)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	o.Memory.end()
	for _, u := range all {
		if u.draft(o) {
			l.skipped = append(l.skipped, source.Skip{Path: u.file.Path, Reason: source.ReasonDraft})
			continue
		}
		l.diags = append(l.diags, u.doc.Diags...)
		l.includes.place(u.included, l.diags[len(l.diags)-len(u.doc.Diags):])
		if u.included != nil {
			l.diags = append(l.diags, u.included.Diags...)
		}
		l.bytes += u.file.Size
		l.units = append(l.units, u)
	}
	slices.SortStableFunc(l.skipped, func(a, b source.Skip) int { return cmp.Compare(a.Path, b.Path) })
	if len(l.units) == 0 {
		return nil, &source.EmptyError{Dirs: slices.Clone(o.Sources), Extensions: source.DefaultExtensions(), Skipped: l.skipped, Diags: diag.Sort(l.diags)}
	}
	return l, nil
}

// read parses a file and splits it into chunks.
func (u *unit) read(o *Options, l *loaded, file *source.File, included *include.Text, limit chunk.Limit) {
	u.file, u.included, u.hidden = file, included, hidden(included)
	site, _ := l.sites.Of(file.Path)
	u.doc = markdown.ParseWith(file.Path, textOf(file, included), markdown.Options{
		HeadingComments: l.rules.HeadingComments(), Slug: site.Slug(), Joint: site.Joint, Hidden: u.hidden,
		LastDefinition: site.LastDefinition, SmartDashes: site.SmartDashes,
		Tab: site.TabOf, TabBelow: site.TabBelow,
	})
	if u.draft(o) {
		return
	}
	u.language = languageOf(u.doc, text.ParseLang(o.Language))
	u.chunks = slices.Clone(chunk.Split(u.doc, limit)) // without the room that it grew into
	u.hashes = make([][32]byte, len(u.chunks))
	for i := range u.chunks {
		u.hashes[i] = sha256.Sum256([]byte(u.text(i)))
	}
	u.answers = units.Encode(u.doc.Source, u.chunks)
	u.lines = lines(u.doc.Source)
	u.doc.ReleaseText()
}

// languageOf reads a document's language from its front matter, else from its text.
func languageOf(doc *markdown.Document, otherwise text.Lang) text.Lang {
	for _, name := range []string{"lang", "language", "locale"} {
		if f := doc.FrontMatter.Get(name); f != nil && len(f.Values) > 0 {
			if lang := text.ParseLang(f.Values[0]); lang != "" {
				return lang
			}
		}
	}
	// Code says nothing of the language that people write in.
	var raw strings.Builder
	add := func(part string) {
		raw.WriteString(part[:min(len(part), detectBytes-raw.Len())]) // a character cut in two tells nothing
		if raw.Len() < detectBytes {
			raw.WriteByte('\n')
		}
	}
	for i := 0; i < len(doc.Sections) && raw.Len() < detectBytes; i++ {
		s := &doc.Sections[i]
		add(s.Heading)
		for k := 0; k < len(s.Blocks) && raw.Len() < detectBytes; k++ {
			if s.Blocks[k].Kind != markdown.Code {
				add(s.Blocks[k].Text)
			}
		}
	}
	if lang := text.Detect(raw.String()); lang != "" {
		return lang
	}
	return otherwise
}

// detectBytes is as much text as the language is told from.
const detectBytes = 64 << 10
