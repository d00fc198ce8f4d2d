package graph

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"kdd/compiler/dialect"
	"kdd/compiler/markdown"
)

// siteFiles are the files of a tree, as dialect.Find and Options.Exists ask for them.
type siteFiles []txtar.File

func (s siteFiles) Names(dir string) (names []string) {
	for _, f := range s {
		if below, ok := strings.CutPrefix("/"+f.Name, strings.TrimSuffix("/"+dir, "/")+"/"); ok {
			name, _, _ := strings.Cut(below, "/")
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (s siteFiles) Read(file string, _ int64) ([]byte, error) {
	for _, f := range s {
		if f.Name == file {
			return f.Data, nil
		}
	}
	return nil, fs.ErrNotExist
}

func (s siteFiles) exists(name string) bool {
	return slices.Contains(s.Names(strings.Trim(path.Dir("/"+name), "/")), path.Base(name))
}

// TestSiteFindings has what links of a site's pages lead to, and what is found of them.
func TestSiteFindings(t *testing.T) {
	for _, tt := range []struct{ name, tree, want string }{
		{"a page that shows a component may have any anchor, another page has its headings'", `
-- .vitepress/config.js --
export default {}
-- a.md --
# A
[1](/list#one) [2](/mixed#one) [3](/own#one)
-- list.md --
# List
<ItemList kind="all" />
-- mixed.md --
# Mixed
## Two
<ItemList />
-- own.md --
# Own
` + "```\n<ItemList />\n```\n", `
a.md: note: link "/list#one": list.md has no anchor "one"; <ItemList> may make it, which is not run
a.md: warning: link "/mixed#one": mixed.md has no anchor "one"
a.md: warning: link "/own#one": own.md has no anchor "one"
`},
		{"a page that is one shortcode", `
-- hugo.toml --
baseURL = "https://example.com/"
-- content/_index.md --
[1](/words/#matrix) [2](/plain/#matrix)
-- content/words.md --
{{% words %}}
-- content/plain.md --
Not {{% words %}} alone.
`, `
content/_index.md: note: link "/words/#matrix": content/words.md has no anchor "matrix"; shortcode words may make it, which is not run
content/_index.md: warning: link "/plain/#matrix": content/plain.md has no anchor "matrix"
`},
		{"a comment that a hook reads makes the anchor that it names", `
-- mkdocs.yml --
hooks: [a.py]
-- docs/index.md --
# A
[1](b.md#+tool.speed) [2](b.md#+tool.size)
-- docs/b.md --
# B
## Options
<!-- md:option tool.speed -->
`, `
docs/index.md: note: link "b.md#+tool.speed": docs/b.md has no anchor "+tool.speed"; the comment <!-- md:option tool.speed --> may make it, which is not run
docs/index.md: warning: link "b.md#+tool.size": docs/b.md has no anchor "+tool.size"
`},
		{"without a hook a comment makes nothing", `
-- mkdocs.yml --
site_name: x
-- docs/index.md --
# A
[1](#+tool.speed)
<!-- md:option tool.speed -->
`, `
docs/index.md: warning: link "#+tool.speed": docs/index.md has no anchor "+tool.speed"
`},
		{"of two definitions of a label Python-Markdown takes the last", `
-- mkdocs.yml --
site_name: x
-- docs/index.md --
# A
[One]

[One]: b.md#gone
[One]: b.md#b
-- docs/b.md --
# B
-- other/c.md --
[One]

[One]: ../docs/b.md#b
[One]: ../docs/b.md#gone
`, "\n\n"},
		{"the end of a path means more than aliases, and headings of a name are no documents", `
-- .obsidian/app.json --
{}
-- en/Plugins/Templates.md --
# T
-- de/Vorlagen.md --
---
aliases: [Plugins/Templates]
---
# T
## Example
-- fr/Modeles.md --
---
aliases: [Plugins/Templates]
---
# T
## Example
-- en/Home.md --
[[Plugins/Templates]] [[Example]]
`, `
en/Home.md: warning: [[Example]] may mean any of 2 headings, and no document has this name
`},
		{"objects, where the plugin for them is named", `
-- mkdocs.yml --
plugins: [search, {mkdocstrings: {}}]
-- docs/index.md --
# A
[1](api.md#pump.Valve.open) [2](api.md#tap.Valve)
-- docs/api.md --
# API
## Valves
::: pump.Valve
`, `
docs/index.md: note: link "api.md#pump.Valve.open": docs/api.md has no anchor "pump.Valve.open"; object pump.Valve may make it, which is not run
docs/index.md: warning: link "api.md#tap.Valve": docs/api.md has no anchor "tap.Valve"
`},
		{"a page has the headings of the documents that it imports, and theirs", `
-- docusaurus.config.js --
export default {presets: [['classic', {}]]}
-- docs/a.md --
# A
[1](b.mdx#first) [2](b.mdx#deep) [3](b.mdx#none)
-- docs/b.mdx --
import Part from './_part.mdx';

<Part />
-- docs/_part.mdx --
import Deep from '@site/docs/_deep.md'

## First
<Deep />
-- docs/_deep.md --
import Part from './_part.mdx'

## Deep
`, `
docs/a.md → docs/_deep.md#deep
docs/a.md → docs/_part.mdx#first
docs/a.md → docs/b.mdx
docs/a.md: warning: link "b.mdx#none": docs/b.mdx has no anchor "none"
`},
		{"the page of its folder has the folder's address, whatever its id", `
-- docusaurus.config.js --
export default {presets: [['classic', {}]], trailingSlash: false}
-- docs/parts/parts.md --
---
id: overview
---
[1](./parts/valve) [2](./parts/pump)
-- docs/parts/valve.md --
# Valve
`, `
docs/parts/parts.md → docs/parts/valve.md
docs/parts/parts.md: warning: link "./parts/pump": no such document
`},
		{"beside pages whose place nothing tells may lie those of another site", `
-- SUMMARY.md --
# Summary
-- a.md --
[1](other.html) [2](b.html) [3](other.md)
-- b.md --
# B
`, `
a.md → b.md
a.md: warning: link "other.md": no such document
note: 1 link leads outside the sources: other.html (1)
`},
		{"files beside a site's pages, which its programs may show, and redirects of all below an address", `
-- site/docusaurus.config.js --
export default {presets: [['classic', {}]]}
-- site/static/_redirects --
/docs/en/* /docs/:splat 301
/docs/usage/old/ /docs/tool-a
-- site/docs/a.md --
---
id: tool-a
---
# A
-- site/data/a.md --
[1](/docs/tool-a) [2](/docs/en/tool-a) [3](/docs/usage/old/) [4](/docs/tool-b)
`, `
note: 1 link leads outside the sources: /docs (1)
site/data/a.md → site/docs/a.md
site/data/a.md → site/docs/a.md
site/data/a.md → site/docs/a.md
`},
		{"with a configuration they are missing", `
-- book.toml --
-- src/a.md --
[1](other.html)
`, `
src/a.md: warning: link "other.html": no such document
`},
		{"pages in HTML that name their address, and files without an extension", `
-- _config.yml --
title: x
-- a.md --
[1](/show/) [2](/was/) [3](/none/) [4](LICENSE) [5](LICENCE)
-- pages/show.html --
---
permalink: /show/
redirect_from: [/was/]
---
-- pages/none.html --
<p>no front matter</p>
-- LICENSE --
MIT
`, `
a.md: warning: link "/none/": no such document
a.md: warning: link "LICENCE": no such document
`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			files := siteFiles(txtar.Parse([]byte(strings.TrimPrefix(tt.tree, "\n"))).Files)
			var paths []string
			for _, f := range files {
				if e := path.Ext(f.Name); e == ".md" || e == ".mdx" {
					paths = append(paths, f.Name)
				}
			}
			slices.Sort(paths)
			sites, _ := dialect.Find(files, paths, nil)
			var docs []*markdown.Document
			for _, p := range paths {
				data, _ := files.Read(p, 0)
				site, _ := sites.Of(p)
				docs = append(docs, markdown.ParseWith(p, data, markdown.Options{
					Slug: site.Slug(), Joint: site.Joint, LastDefinition: site.LastDefinition, SmartDashes: site.SmartDashes,
				}))
			}
			g, err := Build(t.Context(), docs, Options{Sites: sites, Exists: files.exists})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, e := range g.Edges {
				if e.Type == Link && strings.Contains(tt.want, " → ") {
					from, _ := g.Place(e.From)
					to, section := g.Place(e.To)
					where := docs[to].Path
					if section > 0 {
						where += "#" + docs[to].Sections[section].Anchor
					}
					got = append(got, docs[from].Path+" → "+where)
				}
			}
			for _, d := range g.Diags {
				if d.Rule == "unreachable-document" || d.Rule == "missing-asset" {
					continue
				}
				line := fmt.Sprintf("%s: %s: %s", d.Path, d.Severity, d.Text)
				if d.Path == "" {
					line = fmt.Sprintf("%s: %s", d.Severity, d.Text)
				}
				if d.Severity.String() == "note" && d.Path != "" {
					line += "; " + d.Hint
				}
				got = append(got, line)
			}
			slices.Sort(got)
			if all := "\n" + strings.Join(got, "\n") + "\n"; all != tt.want {
				t.Errorf("got %s want %s", all, tt.want)
			}
		})
	}
}
