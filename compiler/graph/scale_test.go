package graph

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"kdd/compiler/markdown"
	"kdd/format/index"
)

// tree makes n documents with 5 references each: two links, two wiki links, an id in the text; a relation beside them.
func tree(n int) []*markdown.Document {
	docs := make([]*markdown.Document, n)
	for i := range docs {
		at := func(step int) int { return (i*7 + step*31) % n }
		text := fmt.Sprintf("---\nid: N-%d\ndepends_on: N-%d\n---\n# Node %d\n\nSee [the next](../%03d/node-%d.md) and [another](/%03d/node-%d#use).\n\n## Use\n\n"+
			"[[N-%d]], [[node-%d]] and N-%d.\n", i, at(1), i, at(2)%100, at(2), at(3)%100, at(3), at(4), at(5), at(6))
		docs[i] = markdown.Parse(fmt.Sprintf("%03d/node-%d.md", i%100, i), []byte(text))
	}
	return docs
}

func build(t testing.TB, docs []*markdown.Document, o Options) *Graph {
	t.Helper()
	g, err := Build(context.Background(), docs, o)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestHostileShapes builds trees in each of which something comes together in one place. What is quadratic anywhere
// takes minutes here; the limit is far above what is linear, and far below that.
func TestHostileShapes(t *testing.T) {
	const n = 10_000
	many := func(make func(i int) (string, string)) []*markdown.Document { return parseAll(n, make) }
	for _, shape := range []struct {
		name string
		docs func() []*markdown.Document
	}{
		{"one id", func() []*markdown.Document {
			return many(func(i int) (string, string) {
				return fmt.Sprintf("d%d/a%d.md", i%10, i), "---\nid: ADR-1\n---\n# T\n\n[[ADR-1]] and ADR-1\n"
			})
		}},
		{"one title in many folders", func() []*markdown.Document {
			return many(func(i int) (string, string) {
				return fmt.Sprintf("d%d/a.md", i), "# Overview\n\n[[Overview]] [[overview#x]]\n\n## Overview\n\n[[OVERVIEW]]\n"
			})
		}},
		{"ids but for case", func() []*markdown.Document {
			return many(func(i int) (string, string) {
				id := []byte("aaaaaaaaaaaaaa-1")
				for bit := range 14 {
					if i>>bit&1 == 1 {
						id[bit] = 'A'
					}
				}
				return fmt.Sprintf("x/%d.md", i), fmt.Sprintf("---\nid: %s\n---\n[[aaaaAAAAaaaaaa-1]] [[AaAaAaAaAaAaAa-1]] [[%s]]\n", id, id)
			})
		}},
		{"hub", func() []*markdown.Document {
			docs := parseAll(2*n, func(i int) (string, string) {
				return fmt.Sprintf("z/%d.md", i), "[[hub]] [a](../hub.md#one) [b](../hub.md#ONE)\n\nHUB-1\n"
			})
			return append([]*markdown.Document{markdown.Parse("hub.md", []byte("---\nid: HUB-1\n---\n# Hub\n\n## One\n"))}, docs...)
		}},
		{"broken links", func() []*markdown.Document {
			return many(func(i int) (string, string) {
				return fmt.Sprintf("z/some-name-%d.md", i), fmt.Sprintf("[[sume-name-%d]] [a](some-neme-%d.md) [b](#no-%d)\n", i, i, i)
			})
		}},
		{"relation table", func() []*markdown.Document {
			var b strings.Builder
			b.WriteString("---\nkind: entity\n---\n# Big\n\n## Relations\n\n| Relation | Cardinality | Target |\n|---|---|---|\n")
			for i := range 5000 {
				fmt.Fprintf(&b, "| has | 1:N | [[E%d]] |\n| owns | 1:N | E%d |\n", i, i)
			}
			docs := many(func(i int) (string, string) { return fmt.Sprintf("01-domain/entities/E%d.md", i), "# E\n" })
			return append(docs, markdown.Parse("01-domain/entities/big.md", []byte(b.String())))
		}},
		{"one long text", func() []*markdown.Document {
			var b strings.Builder
			for i := range 80_000 {
				fmt.Fprintf(&b, "ADR-%d aaa-bbb-ccc-ddd-eee-fff-ggg-hhh-iii ", i%n)
			}
			docs := many(func(i int) (string, string) { return fmt.Sprintf("adr/ADR-%d-x.md", i), "# A\n" })
			return append(docs, markdown.Parse("long.md", []byte(b.String())))
		}},
		{"many headings", func() []*markdown.Document {
			var b strings.Builder
			for i := range 20_000 {
				fmt.Fprintf(&b, "## Same\n\n[[Same]] [a](#same-%d)\n\n", i)
			}
			return []*markdown.Document{markdown.Parse("a.md", []byte(b.String())), markdown.Parse("b.md", []byte(b.String()))}
		}},
		{"domains", func() []*markdown.Document {
			return many(func(i int) (string, string) {
				return fmt.Sprintf("domains/d%d/01-domain/entities/User.md", i), fmt.Sprintf("# User\n\n[[User]] [[d%d::User]]\n", (i+1)%n)
			})
		}},
		{"deep folders", func() []*markdown.Document {
			return many(func(i int) (string, string) {
				return strings.Repeat("a/", 200) + fmt.Sprintf("%d.md", i), "[x](" + strings.Repeat("../", 300) + "y.md)\n"
			})
		}},
		{"relation table of one row", func() []*markdown.Document {
			const columns = 20_000
			r := strings.Repeat
			text := "---\nkind: entity\n---\n# Big\n\n## Relations\n\n" + r("| Target ", columns) + "|\n" + r("|-", columns) + "|\n" + r("| [E](E1.md) ", columns) + "|\n"
			return parseTree("01-domain/entities/E1.md", "# E\n", "01-domain/entities/big.md", text)
		}},
		{"tags on one line", func() []*markdown.Document {
			return parseTree("04-verification/examples/a.feature", strings.Repeat("@a ", 300_000)+"\nFeature: f\n\n"+strings.Repeat("@a ", 300_000)+"\n  Scenario: s\n    Given x\n")
		}},
		{"supersedes ring", func() []*markdown.Document {
			return many(func(i int) (string, string) {
				return fmt.Sprintf("adr/ADR-%d-x.md", i), fmt.Sprintf("---\nsupersedes: ADR-%d\ndepends_on: [ADR-%d, ADR-%d]\n---\n", (i+1)%n, (i+2)%n, i)
			})
		}},
	} {
		t.Run(shape.name, func(t *testing.T) {
			docs := shape.docs()
			start := time.Now()
			g := build(t, docs, Options{})
			if took := time.Since(start); took > time.Minute {
				t.Errorf("Build(%d documents) took %v, want under a minute", len(docs), took)
			}
			checkGraph(t, docs, g)
			t.Logf("%d documents, %d edges, %d diagnostics: %v", len(docs), len(g.Edges), len(g.Diags), time.Since(start))
		})
	}
}

func parseAll(n int, f func(i int) (string, string)) []*markdown.Document {
	docs := make([]*markdown.Document, n)
	for i := range docs {
		path, text := f(i)
		docs[i] = markdown.Parse(path, []byte(text))
	}
	return docs
}

// TestLinear doubles a tree: twice the work, as allocations show it. (Times are the benchmark's: other programs on the
// machine do not change them by half.)
func TestLinear(t *testing.T) {
	cost := func(n int) float64 {
		docs := tree(n)
		build(t, docs, Options{})
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		g := build(t, docs, Options{})
		runtime.ReadMemStats(&after)
		links := 0
		for i := range g.Edges {
			if g.Edges[i].Type != index.ContainsEdge {
				links++
			}
		}
		if links < 5*n {
			t.Fatalf("Build(%d documents) gave %d edges, want at least %d", n, links, 5*n)
		}
		return float64(after.Mallocs - before.Mallocs)
	}
	if small, large := cost(10_000), cost(20_000); large > 2.1*small {
		t.Errorf("20,000 documents take %.2f times the allocations of 10,000, want at most 2.1", large/small)
	}
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{10_000, 20_000} {
		docs := tree(n)
		b.Run(fmt.Sprintf("documents=%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if g := build(b, docs, Options{}); len(g.Edges) < 5*n {
					b.Fatalf("Build(%d documents) gave %d edges, want %d", n, len(g.Edges), 5*n)
				}
			}
		})
	}
}

// TestSuggestionsAreBounded has a thousand links that no anchor answers beside two thousand long ones that resemble
// them: what is compared ends at a bound, and the first of them still get their suggestions.
func TestSuggestionsAreBounded(t *testing.T) {
	var text strings.Builder
	for i := range maxAnchorList {
		fmt.Fprintf(&text, "## %s%d\n\n[x](#%sx%d)\n\n", strings.Repeat("h", 100), i, strings.Repeat("h", 100), i)
	}
	b := newBuilder(parseTree("a.md", text.String()), Options{})
	if err := b.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if b.nearWork == 0 || b.nearWork > maxNearWork {
		t.Errorf("suggestions compare %d pairs of bytes, want at most %d", b.nearWork, maxNearWork)
	}
	if first := b.g.Diags[0]; first.Hint == "" {
		t.Errorf("%+v has no hint", first)
	}
}

// TestTagsInAFeature has tags before lines of a description, which no keyword follows: they are the document's, and not
// each of the scenarios' below.
func TestTagsInAFeature(t *testing.T) {
	const n = 1000
	docs := parseTree("04-verification/examples/a.feature", "@RF-1\nFeature: f\n"+strings.Repeat("@RF-1\ntext\n", n)+strings.Repeat("Scenario: s\nGiven x\n", n), "05/b.md", "---\nid: RF-1\nkind: requirement\n---\n# B\n")
	g := build(t, docs, Options{})
	checkGraph(t, docs, g)
	mentions := 0
	for _, e := range g.Edges {
		if e.Text == "RF-1" {
			mentions++
		}
	}
	if mentions < n || mentions > 3*n {
		t.Errorf("%d edges of tags, want one for each scenario and at most one for each line", mentions)
	}
}
