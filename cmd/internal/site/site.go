package site

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"kdd/format/index"
)

// Options say what is written where.
type Options struct {
	Index  *index.Index // verified by the caller
	File   io.ReaderAt  // the artifact
	Size   int64        // its bytes
	Name   string       // of its file, without a folder
	Dir    string       // is made if it is not there
	Title  string       // of the site; without it that of the artifact
	Base   string       // the address where the site will be, for canonical links and the site map; "" for none
	Lang   string       // of the page's own words; "" is en
	Source string       // the address of the search's data below kdd/; without it the artifact's name, which is written there
	Inline int64        // artifacts of up to so many bytes are written as a script too, for pages opened from a folder
	Widget bool         // only the search
	Clean  bool         // remove what a former run wrote and this one does not
	DryRun bool
}

// Report is pages_report.v1: what was written.
type Report struct {
	SchemaVersion string   `json:"schema_version"`
	Dir           string   `json:"dir"`                // the folder
	Pages         int      `json:"pages"`              // of documents
	Files         int      `json:"files"`              // all files of the site
	Bytes         int64    `json:"bytes"`              // of all files
	Written       int      `json:"written"`            // files that are new or changed
	Removed       int      `json:"removed"`            // files of a former run
	Data          string   `json:"data,omitempty"`     // of a widget: the name of the artifact beside it
	Warnings      []string `json:"warnings,omitempty"` // what is not as its author wants it
	DryRun        bool     `json:"dry_run,omitempty"`  // nothing was written or removed
}

// site is what is being written.
type site struct {
	*folderWriter
	o     Options
	x     *index.Index
	plan  *plan
	docs  *documents
	kinds map[string]string // the pages of kinds
	tags  map[string]string
}

//go:embed page.html
var pageHTML string

//go:embed site.css
var siteCSS string

//go:embed site.js
var siteJS []byte

//go:embed icon.svg
var icon []byte

// Write writes a site. Cost: all documents are rendered, one after the other.
func Write(ctx context.Context, o Options) (*Report, error) {
	r := &Report{SchemaVersion: "pages_report.v1", Dir: o.Dir, DryRun: o.DryRun}
	w, err := openFolder(o.Dir, o.DryRun, o.Widget, r)
	if err != nil {
		return nil, err
	}
	defer w.close()
	s := &site{folderWriter: w, o: o, x: o.Index}
	if err := s.search(); err != nil {
		return nil, err
	}
	if !o.Widget {
		if err := s.pages(ctx); err != nil {
			return nil, err
		}
	}
	return r, w.finish(o.Clean)
}

// search writes the component and what it searches.
func (s *site) search() error {
	if err := s.widget(); err != nil {
		return err
	}
	if s.o.Source != "" {
		return nil
	}
	if s.o.Widget {
		s.report.Data = s.o.Name
	}
	if err := s.copy(s.at(s.o.Name), s.o.File, s.o.Size); err != nil {
		return err
	}
	if s.o.Size > s.o.Inline {
		return nil
	}
	data, err := io.ReadAll(io.NewSectionReader(s.o.File, 0, s.o.Size))
	if err != nil {
		return err
	}
	script, err := inlined(s.o.Name, data)
	if err != nil {
		return err
	}
	return s.put(s.at(s.o.Name+".js"), script)
}

// pages writes pages, lists, and what programs read.
func (s *site) pages(ctx context.Context) error {
	title := cmp.Or(s.o.Title, s.x.Meta.Title, strings.TrimSuffix(s.o.Name, ".kddx"))
	s.plan = newPlan(s.x, title)
	s.plan.root.title = title
	l := newLinks(s.x, s.plan)
	s.docs = newDocuments(s.x, l, s.o.Lang)
	s.kinds, s.tags = s.lists("kind", "kinds"), s.lists("tag", "tags")
	t, err := template.New("page").Parse(pageHTML)
	if err != nil {
		return err
	}
	for _, p := range s.plan.pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.document(t, p); err != nil {
			return err
		}
	}
	if err := s.listings(t); err != nil {
		return err
	}
	s.report.Pages = len(s.plan.pages)
	s.report.Warnings = append(s.report.Warnings, s.plan.warnings...)
	if l.missing > 0 {
		s.report.Warnings = append(
			s.report.Warnings,
			fmt.Sprintf(
				"%d links lead to documents that are not in the artifact: only their texts are shown",
				l.missing,
			),
		)
	}
	if s.docs.pictures > 0 {
		s.report.Warnings = append(
			s.report.Warnings,
			fmt.Sprintf(
				"documents show %d pictures by local paths: copy the pictures beside the pages, the artifact does not carry them",
				s.docs.pictures,
			),
		)
	}
	for _, f := range []struct {
		name string
		data []byte
	}{
		{own + "/site.css", []byte(siteCSS + codeStyles())}, {own + "/site.js", siteJS}, {own + "/icon.svg", icon}, {"llms.txt", s.llms(title)}, {"sitemap.xml", s.sitemap()},
	} {
		if f.data == nil {
			continue
		}
		if !s.plan.take(f.name, "the site") {
			s.report.Warnings = append(
				s.report.Warnings,
				fmt.Sprintf("%s is not written, as a document has its name", f.name),
			)
			continue
		}
		if err := s.put(f.name, f.data); err != nil {
			return err
		}
	}
	return nil
}

// llms is llms.txt (llmstxt.org): what there is, for programs that read pages.
func (s *site) llms(title string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(
		&b,
		"# %s\n\n%d documents. Each page has its markdown beside it, which the links name.\n",
		oneLine(title),
		len(s.plan.pages),
	)
	s.plan.root.walk(func(f *folder) {
		pages := f.pages
		if f.index != nil {
			pages = append([]*page{f.index}, pages...)
		}
		if len(pages) == 0 {
			return
		}
		fmt.Fprintf(&b, "\n## %s\n\n", oneLine(cmp.Or(f.path, title)))
		for _, p := range pages {
			at := reference("llms.txt", p.source)
			if s.o.Base != "" {
				at = s.o.Base + at
			}
			fmt.Fprintf(&b, "- [%s](%s)\n", strings.NewReplacer("[", "(", "]", ")").Replace(oneLine(p.title)), at)
		}
	})
	return b.Bytes()
}

// sitemap is sitemap.xml, where the site's address is known.
func (s *site) sitemap() []byte {
	if s.o.Base == "" {
		return nil
	}
	var b bytes.Buffer
	b.WriteString(
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n",
	)
	for _, p := range s.plan.pages {
		b.WriteString("<url><loc>")
		template.HTMLEscape(&b, []byte(s.o.Base+reference("sitemap.xml", p.file)))
		b.WriteString("</loc></url>\n")
	}
	b.WriteString("</urlset>\n")
	return b.Bytes()
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// walk calls do with a folder and all below it.
func (f *folder) walk(do func(*folder)) {
	do(f)
	for _, sub := range f.folders {
		sub.walk(do)
	}
}

// lists names the page of each value of a facet that several documents have.
func (s *site) lists(field, dir string) map[string]string {
	out := map[string]string{}
	values, counts := s.x.FacetValues(field)
	taken := map[string]bool{}
	for i, v := range values {
		if counts[i] > 1 && v != "" && v != "document" {
			name := slug(v, func(name string) bool { return taken[name] })
			taken[name] = true
			out[v] = own + "/" + dir + "/" + name + ".html"
		}
	}
	return out
}
