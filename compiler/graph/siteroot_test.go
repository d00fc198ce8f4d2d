package graph

import (
	"slices"
	"strings"
	"testing"

	"kdd/compiler/diag"
)

// TestSiteLinks follows links as generators of sites write them.
func TestSiteLinks(t *testing.T) {
	pages := []string{
		"README.md", "# Home\n",
		"_posts/2024-05-06-new-valve.md", "# New valve\n\n> quoted ^fact-1\n",
		"_tools/gauge.md", "# Gauge\n",
		"adr/ADR-7-new-name.md", "# New name\n",
		"docs/01-intro.md", "# Intro\n\n## 1. Install\n\n## Set up {#first}\n",
		"docs/02-parts/03-valve.md", "# Valve\n\n<details>\n<summary>Which size?</summary>\n\nBig.\n</details>\n",
		"site/en/_index.md", "# Site\n",
		"site/en/guide/Fill.md", "# Fill\n\nPressure\n: What pushes.\n",
		"site/en/guide/02-tap.md", "# Tap\n",
		"site/en/guide/page.md", "",
		"site/en/other/fill.md", "# Other\n",
		"versions/version-2.1/intro.md", "# Old intro\n",
	}
	const here = "site/en/guide/page.md"
	// want: path#anchor, "moved " before it; "url", "broken", "ambiguous" or "asset"
	for _, tt := range []struct{ target, want string }{
		{"/guide/Fill", "site/en/guide/Fill.md"},
		{"/guide/Fill.md", "site/en/guide/Fill.md"},
		{"/guide/fill/", "site/en/guide/Fill.md"},
		{"/guide/fill.md", "moved site/en/guide/Fill.md"},
		{"/guide/Fill#pressure", "site/en/guide/Fill.md#fill"},
		{"/en/guide/Fill", "site/en/guide/Fill.md"},
		{"/docs/intro", "docs/01-intro.md"},
		{"/docs/01-intro/", "docs/01-intro.md"},
		{"/docs/intro#set-up", "docs/01-intro.md#first"},
		{"/adr/ADR-7-old-name.md", "moved adr/ADR-7-new-name.md"},
		{"/guide/tap", "site/en/guide/02-tap.md"},
		{"/guide/", "url"},
		{"/guides/", "broken"},
		{"/docs/parts/valve/#which-size", "docs/02-parts/03-valve.md#valve"},
		{"/docs/intro#id-1.-install", "docs/01-intro.md#1-install"},
		{"/docs/intro#fn:1", "docs/01-intro.md"},
		{"/tools/gauge/", "_tools/gauge.md"},
		{"/news/2024/05/06/new-valve.html", "_posts/2024-05-06-new-valve.md"},
		{"/_posts/2024-05-06-new-valve", "_posts/2024-05-06-new-valve.md"},
		{"/2024/05/07/new-valve", "outside"},
		{"/fr/guide/Fill", "outside"}, // no folder is called so,
		{"/base/docs/01-intro", "moved docs/01-intro.md"},
		{"/docs/next/01-intro", "moved docs/01-intro.md"},
		{"docs/01-intro.md", "moved docs/01-intro.md"},
		{"./docs/05-intros.md", "broken"},
		{"../../../../api/index.html", "outside"},
		{"{{ site.repository }}/issues/1", "url"},
		{"{{ site.baseurl }}/guide/Fill", "site/en/guide/Fill.md"},
		{"@site/docs/01-intro.md", "docs/01-intro.md"},
		{"/", "README.md"},
	} {
		i := slices.Index(pages, here)
		pages[i+1] = "# Page\n\n[x](" + tt.target + ")\n"
		g, err := Build(t.Context(), parseTree(pages...), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := outcomeOf(g, pages, here); got != tt.want {
			t.Errorf("[x](%s) in %s: %s, want %s", tt.target, here, got, tt.want)
		}
	}
	for target, want := range map[string]string{
		"2024-05-06-new-valve#^fact-1": "_posts/2024-05-06-new-valve.md#new-valve",
		"docs/intro":                   "docs/01-intro.md", // from the top
		"docs/intro#Set up":            "docs/01-intro.md#first",
		"docs/01-intro#Set up":         "docs/01-intro.md#first",
		"docs/01-intro.md#Set%20up":    "docs/01-intro.md#first",
		"01-intro#Set up":              "docs/01-intro.md#first",
		"./Fill#Pressure":              "site/en/guide/Fill.md#fill",
		"docs/01-intro#No such":        "broken",
		"docs/intros":                  "url",
	} {
		pages[slices.Index(pages, here)+1] = "# Page\n\n[[" + target + "]]\n"
		g, err := Build(t.Context(), parseTree(pages...), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := outcomeOf(g, pages, here); got != want {
			t.Errorf("[[%s]]: %s, want %s", target, got, want)
		}
	}
}

func TestPublicPath(t *testing.T) {
	for in, want := range map[string]string{
		"docs/01-intro": "docs/intro", "docs/02_parts/3. valve": "docs/parts/valve", "2fa": "2fa", "intro": "intro", "01-": "01-", "1-2-3": "1-2-3",
		"12345-a": "12345-a", "_tools/gauge": "tools/gauge", "docs/_part": "docs/_part", "_/a": "_/a",
		"_posts/2024-05-06-new": "posts/new", "2024-05-06": "2024-05-06", "2024-05-06-": "2024-05-06-", "2024-05x06-new": "2024-05x06-new",
	} {
		if got := publicPath(in); got != want {
			t.Errorf("publicPath(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestSiteAmbiguity has links for which the pages of a site compete: what is nearer to what is written wins, and of two
// alike none.
func TestSiteAmbiguity(t *testing.T) {
	for _, tt := range []struct{ name, target, want string }{
		{"the source root is first", "/top", "top.md"},
		{"two roots", "/intro", "ambiguous"},
		{"two roots, with extension", "/intro.md", "ambiguous"},
		{"two roots, relative", "guide/intro", "ambiguous"},
		{"a file before an address", "/fill", "a/b/fill.md"},
		{"small letters before a number", "/valve", "Valve.md"},
		{"an address of the source root before others", "/note", "01-note.md"},
		{"two addresses", "/pipe", "ambiguous"},
		{"a file's name is no address", "note.md", "moved 01-note.md"},
		{"a folder is no base path", "/a/top", "broken"},
		{"a folder is no version", "/a/v2/fill", "broken"},
	} {
		pages := []string{
			"01-note.md", "# N\n", "02-valve.md", "# V\n", "Valve.md", "# W\n", "top.md", "# T\n",
			"a/intro.md", "# A\n", "a/b/intro.md", "# B\n", "a/guide/intro.md", "# C\n", "a/b/guide/intro.md", "# D\n",
			"a/01-fill.md", "# E\n", "a/b/fill.md", "# F\n", "a/02-note.md", "# G\n", "a/03-pipe.md", "# H\n", "a/b/01-pipe.md", "# I\n",
			"a/v2/x.md", "# J\n", "x/fill.md", "# K\n", "x/top.md", "# L\n",
			"a/b/c/page.md", "# Page\n\n[x](" + tt.target + ")\n",
		}
		for range 3 {
			g, err := Build(t.Context(), parseTree(pages...), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := outcomeOf(g, pages, "a/b/c/page.md"); got != tt.want {
				t.Errorf("%s: [x](%s): %s, want %s", tt.name, tt.target, got, tt.want)
			}
		}
	}
}

// outcomeOf says where the only link of a page leads.
func outcomeOf(g *Graph, pages []string, from string) string {
	out := ""
	for _, d := range g.Diags {
		switch {
		case d.Path != from:
		case d.Rule == "moved-link":
			out = "moved "
		case d.Rule == "ambiguous-target":
			return "ambiguous"
		case d.Rule == "broken-link" || d.Rule == "broken-anchor":
			return "broken"
		}
	}
	docs := parseTree(pages...)
	for _, e := range g.Edges {
		if docs[e.Doc].Path == from && (e.Type == Link || e.Type == WikiLink) {
			doc, section := g.Place(e.To)
			if out += docs[doc].Path; section > 0 {
				out += "#" + docs[doc].Sections[section].Anchor
			}
			return out
		}
	}
	switch {
	case g.Stats.Outside > 0:
		return "outside"
	case g.Stats.Assets > 0:
		return "asset"
	}
	return "url"
}

// TestSiteAssets looks for files where generators have them.
func TestSiteAssets(t *testing.T) {
	files := []string{"static", "static/img", "static/img/a.png", "site", "site/public", "site/public/b.png", "site/img", "img", "img/c.png"}
	for target, there := range map[string]bool{
		"/img/a.png": true, "/b.png": true, "/img/c.png": true, "/img/d.png": false, "/files/d.png": true, "d.png": false, "../img/c.png": true,
	} {
		g, err := Build(t.Context(), parseTree("site/page.md", "# Page\n\n![x]("+target+")\n"), Options{
			Exists: func(path string) bool { return slices.Contains(files, path) },
		})
		if err != nil {
			t.Fatal(err)
		}
		noted := slices.ContainsFunc(g.Diags, func(d diag.Diagnostic) bool { return strings.HasPrefix(d.Text, "no such file") })
		if noted == there {
			t.Errorf("![x](%s): noted as missing %t, want %t", target, noted, !there)
		}
	}
}

// TestEditions has one id in several versions and languages of a site, which are no duplicates, and in two of its
// parts.
func TestEditions(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		same bool
	}{
		{"docs/text.md", "versioned_docs/version-2.1/text.md", true},
		{"versioned_docs/version-2.0/text.md", "versioned_docs/version-2.1/text.md", true},
		{"docs/text.md", "docs/es/text.md", true},
		{"docs/pt-br/text.md", "docs/text.md", true},
		{"v2/text.md", "v3/text.md", true},
		{"docs/text.md", "v2/other.md", false},
		{"docs/text.md", "other/text.md", false},
		{"docs/text.md", "2024/text.md", false},
		{"es/text.md", "pt-br/text.md", true},
		{"docs/es/text.md", "docs/fr/text.md", true},
		{"docs/es/text.md", "other/text.md", false},
		{"ui/text.md", "db/text.md", false},
		{"docs/text.md", "ui/text.md", false},
	} {
		docs := []string{tt.a, "---\nid: text\n---\n# A\n", tt.b, "---\nid: text\n---\n# B\n"}
		g, err := Build(t.Context(), parseTree(docs...), Options{})
		if err != nil {
			t.Fatal(err)
		}
		reported := slices.ContainsFunc(g.Diags, func(d diag.Diagnostic) bool { return d.Rule == "duplicate-id" })
		if reported == tt.same {
			t.Errorf("id of %s and %s: reported as duplicate %t, want %t", tt.a, tt.b, reported, !tt.same)
		}
	}
}
