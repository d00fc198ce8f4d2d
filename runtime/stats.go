package runtime

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kdd/format"
	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// stats is the operation Stats; Service says what it does.
func stats(ctx context.Context, open artifact.Opener, q wire.StatsRequest) (resp *wire.StatsResponse, err error) {
	start := time.Now()
	set, err := open(ctx)
	if err != nil {
		return nil, err
	}
	defer set.Done(ctx, &err)
	pages, err := render.NewPages(set.ID(), "stats", q.Cursor, q)
	if err != nil {
		return nil, err
	}
	resp = &wire.StatsResponse{Envelope: set.Envelope("stats.v1"), Artifacts: []wire.ArtifactStats{}}
	for i, a := range set.Artifacts {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		if i >= pages.From {
			resp.Artifacts = append(resp.Artifacts, artifactStats(a, set.Where(a).Anew()))
		}
	}
	resp.TimeMS = wire.Milliseconds(time.Since(start))
	wire.FitStats(resp, pages.Budget(q.MaxBytes))
	return resp, nil
}

// maxSites is how many sites of an artifact are named.
const maxSites = 20

func artifactStats(a *artifact.Artifact, where *artifact.Locator) wire.ArtifactStats {
	m := a.Meta
	st := wire.ArtifactStats{
		Name: a.Name, IndexID: a.File.ID(), Title: m.Title, FileBytes: a.File.Bytes(), SourceBytes: int64(m.SourceBytes), FormatVersion: format.Version,
		MadeBy: m.MadeBy, Analyzer: m.Analyzer, Encoder: m.Encoder, EncoderAdvice: advice(m), Blocks: []wire.BlockBytes{},
		Counts:    wire.Counts{Documents: a.Docs(), Sections: a.Sections(), Chunks: a.Chunks(), Terms: a.Terms(), Nodes: a.Nodes(), Edges: a.Edges(), Findings: a.Findings()},
		Languages: map[string]int{}, Kinds: map[string]int{}, Edges: map[string]int{}, Findings: map[string]int{},
		Source: wire.SourceStats{TreeHash: m.TreeHash},
	}
	for _, s := range m.Sites[:min(len(m.Sites), maxSites)] {
		st.Sites = append(st.Sites, wire.SiteStats{Dialect: s.Dialect, Folder: s.Folder, Config: s.Config})
	}
	for _, l := range m.Languages {
		name := l.Language
		if name == "" {
			name = "unknown"
		}
		st.Languages[name] = l.Documents
	}
	values, docs := a.FacetValues("kind")
	for i, v := range values {
		st.Kinds[v] = docs[i]
	}
	for e := range uint32(a.Index.Edges()) {
		kind, _ := a.EdgeType(e)
		st.Edges[kind.Name]++
	}
	for i := range uint32(a.Index.Findings()) {
		st.Findings[m.Severities[a.Finding(i).Severity]]++
	}
	for _, e := range a.File.Entries() {
		st.Blocks = append(st.Blocks, wire.BlockBytes{Tag: e.Tag.String(), Name: index.BlockName(e.Tag), Bytes: int64(e.Length), Rows: int64(e.Rows)})
	}
	if v, err := a.Vectors(); err == nil && v != nil {
		st.Counts.Vectors = v.Count
	}
	if b := a.File.Block(index.TagGolden); b != nil {
		st.Counts.Questions = int(b.Rows)
	}
	st.Model = modelStats(m.Model)
	for i := range m.Roots {
		st.Source.Roots = append(st.Source.Roots, a.RootHint(i))
	}
	p := a.File.Provenance()
	st.Source.Commit, st.Source.Date, st.Source.Dirty = p.Commit, p.Date, p.Dirty
	compareSources(a, &st.Source, where)
	return st
}

// advice says where the vectors of an artifact fall short: of documents in languages that the model does not know, and of
// questions.
func advice(m *index.Meta) string {
	both := slices.DeleteFunc([]string{m.ModelAdvice(), m.EncoderAdvice()}, func(s string) bool { return s == "" })
	return strings.Join(both, "; ")
}

// compareSources counts, in the source folders that are found, the documents whose source has another size or is gone,
// and the files that are new.
func compareSources(a *artifact.Artifact, st *wire.SourceStats, where *artifact.Locator) {
	known := map[string]bool{}
	for d := range index.DocID(a.Docs()) {
		file, stale, ok := where.SourceFile(d, a.DocPath(d))
		switch {
		case ok:
			known[file] = true
			if stale {
				st.Changed++
			}
		case where.SourceFolder(a.DocRoot(d)) != "":
			st.Vanished++
		}
	}
	for i := range uint32(a.Includes()) {
		if _, ok := a.FindDoc(a.IncludedPath(i)); ok {
			continue // counted above
		}
		switch _, stale, ok := where.IncludedFile(i); {
		case stale:
			st.Changed++
		case !ok && where.SourceFolder(a.IncludedRoot(i)) != "":
			st.Vanished++
		}
	}
	for root, r := range a.Meta.Roots {
		folder := where.SourceFolder(root)
		if folder == "" {
			continue
		}
		st.Checked = true
		if d, ok := a.FindDoc(r.Base); ok && a.DocRoot(d) == root {
			continue // the source was this one file
		}
		st.Appeared += appeared(folder, known)
	}
}

// maxLooked bounds the files that appeared looks at.
const maxLooked = 200_000

// appeared counts the unknown files with a document's extension below a source folder. It knows no ignore rules: it
// only leaves out names that the compiler never takes.
func appeared(folder string, known map[string]bool) int {
	n, looked := 0, 0
	filepath.WalkDir(folder, func(path string, e os.DirEntry, err error) error {
		if looked++; looked > maxLooked {
			return filepath.SkipAll
		}
		if err != nil { // a folder that cannot be read
			return nil
		}
		name := e.Name()
		if e.IsDir() {
			if path != folder && (name[0] == '.' || name == "node_modules" || name == "vendor") {
				return filepath.SkipDir
			}
			return nil
		}
		switch strings.ToLower(filepath.Ext(name)) {
		case ".md", ".mdx", ".markdown", ".feature":
			if name[0] != '.' && e.Type().IsRegular() && !known[path] {
				n++
			}
		}
		return nil
	})
	return n
}
