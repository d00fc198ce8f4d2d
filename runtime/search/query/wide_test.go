package query

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kdd/compiler/corpustest"
	"kdd/format/index"
	"kdd/runtime/wire"
)

// Of a query with too many postings the words that stand in most chunks are left out of the score, down to one word.
func TestWideQueriesAreScoredInPart(t *testing.T) {
	docs := map[string]string{}
	for i := range 8 {
		docs[fmt.Sprintf("d%d.md", i)] = "---\nlanguage: en\n---\n# D\n\nalpha " + strings.Repeat("beta ", i%2) + strings.Repeat("gamma ", i/7) + "the\n"
	}
	x := corpustest.Index(t, docs)
	for _, tt := range []struct {
		name, query string
		most        uint64
		left        []string
		note        string
	}{
		{"within the bound", "alpha beta gamma", 13, nil, ""},
		{"one word", "alpha beta gamma", 12, []string{"alpha"}, `the query is wide: "alpha" is not scored, since it stands in too many sections`},
		{"two words", "alpha beta gamma", 4, []string{"alpha", "beta"}, `the query is wide: "alpha" and 1 more words are not scored, since they stand in too many sections`},
		{"one has to stay", "alpha beta gamma", 0, []string{"alpha", "beta"}, `the query is wide: "alpha" and 1 more words are not scored, since they stand in too many sections`},
		{"a word counts once", "alpha alpha alpha beta", 12, nil, ""},
		{"a single word", "alpha", 0, nil, ""},
		{"stop words are not scored anyway", "the alpha the beta the gamma", 13, nil, ""},
		{"unknown words", "zzyzx qqfoo", 0, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newParse([]*index.Index{x}, tt.query)
			defer p.a.Return()
			var left []string
			for w := range p.unscored(Parse(p.xs, tt.query), false, tt.most) {
				left = append(left, w)
			}
			slices.Sort(left)
			if !slices.Equal(left, tt.left) || strings.Join(p.notes, "|") != tt.note {
				t.Errorf("left out of %q: %q, notes %q, want %q and %q", tt.query, left, p.notes, tt.left, tt.note)
			}
		})
	}
}

// TestCapsAreNoted: whatever is left out of a query, a note says so, and says it once.
func TestCapsAreNoted(t *testing.T) {
	var terms []string
	for i := range 26 * 200 {
		terms = append(terms, fmt.Sprintf("%c%c%c%03d", 'a'+i%26, 'a'+i/26%26, 'a'+i/26%26, i))
	}
	x := corpustest.Index(t, map[string]string{"a.md": "# A\n\n" + strings.Join(terms, " ") + " planet orbit gravity comet meteor nebula\n"})
	var prefixes []string
	for c := 'a'; c <= 'z'; c++ {
		prefixes = append(prefixes, string(c)+"*")
	}
	for _, tt := range []struct{ name, query, note string }{
		{"prefixes that meet every term", strings.Join(prefixes, " "), fmt.Sprintf("%d more words with * stand for too many words", 26-maxWide)},
		{"misspelt words", "planett orbbit gravitty commet meteeor nebulla", "the first 4 words that are unknown or end in ~ are read as similar words too, the others as they stand"},
		{"fuzzy words", "planet~ orbit~ gravity~ comet~ meteor~", "the first 4 words that are unknown or end in ~ are read as similar words too, the others as they stand"},
		{"words", strings.Repeat("planet orbit ", maxWords/2+1), fmt.Sprintf("the query has more than %d words, the first ones are read", maxWords)},
		{"a phrase", `+"` + strings.Repeat("planet orbit ", maxPhrase/2+1) + `"`, fmt.Sprintf("a phrase has more than %d words, the first ones are looked for", maxPhrase)},
		{"operators", strings.Repeat("+planet ", maxItems), "the query has too many operators and words: it is read as plain words"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			q := Read([]*index.Index{x}, tt.query, Options{})[0]
			n := 0
			for _, note := range q.Notes {
				if note == tt.note {
					n++
				}
			}
			if n != 1 || len(q.Notes) > maxWide+2 {
				t.Errorf("notes %q, want %q once", q.Notes, tt.note)
			}
			if len(q.All) > maxWords || len(q.Words) == 0 {
				t.Errorf("%d words, %d of them scored, want at most %d and some", len(q.All), len(q.Words), maxWords)
			}
		})
	}
	// Words that nothing is like are told by what searches for them: nothing was expected of a walk.
	if q := Read([]*index.Index{x}, "xylophone wombats zeppelin yurt quuxes zebras", Options{})[0]; len(q.Notes) > 0 {
		t.Errorf("notes %q, want none", q.Notes)
	}
}

func TestEffort(t *testing.T) {
	for _, tt := range []struct {
		name, glob string
		want       int
	}{
		{"text", "a/b.md", 1}, {"stars", "**/*.md", 4}, {"alternatives", "{a,b,c}/*", 6}, {"class", "[ab]*", 1 + 3*16 + 1}, {"escaped", `\*\[a`, 1}, {"star in a class", "[*]", 1 + 2*16},
	} {
		if got := effort(tt.glob); got != tt.want {
			t.Errorf("%s: effort(%s) = %d, want %d", tt.name, tt.glob, got, tt.want)
		}
	}
}

// A glob that takes too long for so many documents is refused as a filter, and read as text in a query.
func TestGlobsOfTooMuchEffort(t *testing.T) {
	docs := map[string]string{}
	for i := range 20 {
		docs[fmt.Sprintf("dir/a%d.md", i)] = "# A\n"
	}
	x := corpustest.Index(t, docs)
	wide := strings.Repeat("{*,*}", 6) + "*[" + strings.Repeat("a", 3900) + "]"
	if !usable(wide) || affordable(wide, x.Docs()) {
		t.Fatalf("a glob of effort %d is affordable, want it usable and not affordable", effort(wide))
	}
	if _, err := Filter(x, &wire.Filter{PathGlob: wide}); err == nil || wire.AsError(err).Code != wire.CodeInvalidInput || !strings.Contains(err.Error(), "takes too long to compare with 20 paths") {
		t.Errorf("Filter = %v, want a glob that takes too long", err)
	}
	q := Read([]*index.Index{x}, "a path:"+strings.Replace(wide, strings.Repeat("a", 900), "", 1), Options{})[0]
	if !slices.ContainsFunc(q.Notes, func(n string) bool {
		return strings.HasSuffix(n, "is no glob that can be used; it is looked for as text")
	}) {
		t.Errorf("notes %q, want that the glob is looked for as text", q.Notes)
	}
	for _, glob := range []string{"**/*.md", "{guides,api,reference}/**/*.{md,mdx}", "**/[0-9][0-9][0-9][0-9]-*.md", "**/*" + strings.Repeat("?", 200)} {
		if !affordable(glob, 100_000) {
			t.Errorf("%s is too much for 100,000 documents, want it affordable", glob)
		}
	}
}
