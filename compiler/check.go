package compiler

import (
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"kdd/compiler/markdown"
	"kdd/compiler/source"
	"kdd/format"
	"kdd/format/index"
)

// CheckReport is check_report.v1: whether an artifact is what its sources would compile to.
type CheckReport struct {
	SchemaVersion string `json:"schema_version"`
	Path          string `json:"path"`      // of the artifact
	IndexID       string `json:"index_id"`  // of the artifact
	Current       bool   `json:"current"`   // the sources give these documents with these options
	Documents     int    `json:"documents"` // in the artifact
	// Changes are what a build would change, documents by path and then options
	Changes []Change `json:"changes,omitempty"`
}

// Change is one thing that a build would change.
type Change struct {
	What string `json:"what"`           // added, changed, removed, renamed, option, program, sources
	Name string `json:"name"`           // path of a document, or the name of an option
	From string `json:"from,omitempty"` // path of a renamed document, or value of an option in the artifact
	To   string `json:"to,omitempty"`   // value of an option now
}

// The kinds of changes.
const (
	Added         = "added"
	Changed       = "changed"
	Removed       = "removed"
	Renamed       = "renamed"
	OptionChanged = "option"
	OtherProgram  = "program" // another version of kdd made the artifact
	OtherSources  = "sources" // of what is not compiled, such as drafts
)

// Check compares the artifact at path with o.Sources, without a model and without compiling: the bytes of each source,
// and the options. Options that given does not name are those of the artifact. What the source folder is called, and
// when its files were written, does not count; nor does the model, which is not opened. Cost: reading the sources.
func Check(ctx context.Context, o Options, path string, given func(flag string) bool) (*CheckReport, error) {
	x, err := index.Open(path)
	if err != nil {
		return nil, err
	}
	defer x.File.Close()
	r := &CheckReport{SchemaVersion: "check_report.v1", Path: path, IndexID: x.File.ID(), Documents: x.Docs()}
	err = format.Guard(func() error { return r.check(ctx, &o, x, path, given) })
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return r, err
}

func (r *CheckReport) check(ctx context.Context, o *Options, x *index.Index, path string, given func(flag string) bool) error {
	if err := o.likeShape(path, x, given); err != nil {
		return err
	}
	tree, err := source.Walk(ctx, o.walk())
	if err != nil {
		return err
	}
	files := openAssets(tree.Roots)
	sites, _ := findSites(o, tree, files)
	files.close()
	if _, err := expand(ctx, tree, sites); err != nil {
		return err
	}
	if hex.EncodeToString(tree.Hash[:]) != x.Meta.TreeHash {
		r.compareSources(o, x, tree)
		if len(r.Changes) == 0 {
			r.Changes = append(r.Changes, Change{What: OtherSources, Name: "drafts, or other files that are not compiled"})
		}
	}
	r.compareSites(x.Meta.Sites, siteRecords(sites))
	if m := x.Meta.Model; m != nil && m.Cut() == 0 && o.Dimensions == m.Dim {
		o.Dimensions = 0 // all that the model gives
	}
	if o.hash() != x.Meta.OptionsHash {
		r.compareOptions(o, x)
	}
	r.Current = len(r.Changes) == 0
	return nil
}

// compareSites lists the generators' configurations that are others than they were.
func (r *CheckReport) compareSites(old, now []index.Site) {
	was := map[string]index.Site{}
	for _, s := range old {
		was[s.Folder+"\x00"+s.Config] = s
	}
	for _, s := range now {
		key := s.Folder + "\x00" + s.Config
		before, there := was[key]
		delete(was, key)
		if before != s {
			change := Change{What: OptionChanged, Name: "dialect of " + cmp.Or(s.Folder, "."), To: s.Dialect}
			if there {
				change.From = before.Dialect
				if before.Dialect == s.Dialect {
					change.To += " with another " + cmp.Or(s.Config, "folder")
				}
			}
			r.Changes = append(r.Changes, change)
		}
	}
	for _, s := range old {
		if _, left := was[s.Folder+"\x00"+s.Config]; left {
			r.Changes = append(r.Changes, Change{What: OptionChanged, Name: "dialect of " + cmp.Or(s.Folder, "."), From: s.Dialect})
		}
	}
}

// compareSources lists documents by path. A document that is gone and another one with the same bytes are one that was
// renamed.
func (r *CheckReport) compareSources(o *Options, x *index.Index, tree *source.Tree) {
	old := map[string][32]byte{}
	for d := range index.DocID(x.Docs()) {
		old[x.DocPath(d)] = x.DocSHA256(d)
	}
	var added, removed []string
	hashes := map[string][32]byte{}
	for i := range tree.Files {
		f := &tree.Files[i]
		hash, there := old[f.Path]
		delete(old, f.Path)
		switch {
		case there && hash != f.SHA256:
			r.Changes = append(r.Changes, Change{What: Changed, Name: f.Path})
		case !there && (o.Drafts || !markdown.Parse(f.Path, f.Data).Draft):
			added, hashes[f.Path] = append(added, f.Path), f.SHA256
		}
	}
	for path := range old {
		removed = append(removed, path)
	}
	r.compareIncluded(x, tree)
	slices.Sort(removed)
	for _, path := range removed {
		to := slices.IndexFunc(added, func(p string) bool { return hashes[p] == old[path] })
		if to < 0 {
			r.Changes = append(r.Changes, Change{What: Removed, Name: path})
			continue
		}
		r.Changes = append(r.Changes, Change{What: Renamed, Name: added[to], From: path})
		added = slices.Delete(added, to, to+1)
	}
	for _, path := range added {
		r.Changes = append(r.Changes, Change{What: Added, Name: path})
	}
	slices.SortStableFunc(r.Changes, func(a, b Change) int { return cmp.Compare(a.Name, b.Name) })
}

// compareIncluded lists the files that documents include and that are no documents themselves. One that is no longer
// included is listed where no document says why.
func (r *CheckReport) compareIncluded(x *index.Index, tree *source.Tree) {
	now := map[string][32]byte{}
	for i := range tree.Included {
		now[tree.Included[i].Path] = tree.Included[i].SHA256
	}
	for i := range uint32(x.Includes()) {
		path := x.IncludedPath(i)
		if _, ok := x.FindDoc(path); ok {
			continue
		}
		switch hash, there := now[path]; {
		case there && hash != x.IncludedSHA256(i):
			r.Changes = append(r.Changes, Change{What: Changed, Name: path})
		case !there && len(r.Changes) == 0:
			r.Changes = append(r.Changes, Change{What: Removed, Name: path})
		}
	}
}

// compareOptions lists the options that differ from those of the artifact.
func (r *CheckReport) compareOptions(o *Options, x *index.Index) {
	m, n := x.Meta, o.recorded()
	before := len(r.Changes)
	option := func(name, was, is string) {
		if was != is {
			r.Changes = append(r.Changes, Change{What: OptionChanged, Name: name, From: was, To: is})
		}
	}
	list := func(globs []string) string { return strings.Join(globs, " ") }
	option("drafts", fmt.Sprint(m.Options.Drafts), fmt.Sprint(n.Drafts))
	option("follow-links", fmt.Sprint(m.Options.FollowLinks), fmt.Sprint(n.FollowLinks))
	option("include", list(m.Options.Include), list(n.Include))
	option("exclude", list(m.Options.Exclude), list(n.Exclude))
	option("site-url", m.Options.SiteURL, n.SiteURL)
	option("dialect", list(m.Options.Dialects), list(n.Dialects))
	option("language", m.Options.Language, n.Language)
	option(GraphOption, m.Options.Graph, n.Graph)
	option("title", m.Title, o.Title)
	option("base-url", m.BaseURL, strings.TrimSuffix(o.BaseURL, "/"))
	option("no-vectors", fmt.Sprint(m.Model == nil), fmt.Sprint(o.NoVectors))
	if m.Model != nil && !o.NoVectors {
		option("encoder", m.Encoder, cmp.Or(o.Encoder, index.EncoderDistilled))
		option("dimensions", fmt.Sprint(m.Model.Cut()), fmt.Sprint(o.Dimensions))
		option("stored-vectors", stored(x.File.Block(index.TagFloats) != nil), stored(o.Floats))
	}
	if now := "kdd " + o.Version; m.MadeBy != now {
		r.Changes = append(r.Changes, Change{What: OtherProgram, Name: "kdd", From: m.MadeBy, To: now})
	}
	if len(r.Changes) == before {
		r.Changes = append(r.Changes, Change{What: OptionChanged, Name: "golden"}) // what else the hash is over
	}
}

func stored(floats bool) string {
	if floats {
		return "float32"
	}
	return "int8"
}
