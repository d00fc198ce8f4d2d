package answers

import (
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"unicode"

	"kdd/format/index"
)

// maxSampled bounds how many documents, sections and words the vocabulary takes from an artifact.
const maxSampled = 2000

// vocabulary is what an artifact knows: the arguments that it can be asked with.
type vocabulary struct {
	paths, anchors []string // PATH; PATH#ANCHOR
	names          []string // node ids, ids, aliases, titles, headings
	words          []string
	globs          []string
	edges          []string
	facets         map[string][]string // values by field
	fields         [][2]string         // front matter
}

// learn reads the vocabulary of the artifact at path.
func learn(file string) (*vocabulary, error) {
	x, err := index.Open(file)
	if err != nil {
		return nil, err
	}
	defer x.File.Close()
	v := &vocabulary{facets: map[string][]string{}, globs: []string{"**", "**/*.md", "nowhere/**"}}
	for i := range min(maxSampled, x.Docs()) {
		d := index.DocID(i * x.Docs() / min(maxSampled, x.Docs()))
		v.paths = append(v.paths, x.DocPath(d))
		v.names = append(append(v.names, x.DocNodeID(d), x.DocTitle(d)), x.DocAliases(d)...)
		if id := x.DocFrontID(d); id != "" {
			v.names = append(v.names, id)
		}
		if folder := path.Dir(x.DocPath(d)); folder != "." {
			v.globs = append(v.globs, folder+"/*", strings.SplitN(folder, "/", 2)[0]+"/**")
		}
		for _, f := range x.FrontMatter(d) {
			v.fields = append(v.fields, [2]string{f.Name, f.Value})
		}
	}
	for i := range min(maxSampled, x.Sections()) {
		s := index.SectionID(i * x.Sections() / min(maxSampled, x.Sections()))
		if anchor := x.SectionAnchor(s); anchor != "" {
			v.anchors = append(v.anchors, x.DocPath(x.DocOfSection(s))+"#"+anchor)
			v.names = append(v.names, x.SectionHeading(s))
		}
	}
	terms := x.TermDict()
	for i := range min(4*maxSampled, terms.Len()) {
		word := strings.TrimFunc(terms.At(uint32(i*terms.Len()/min(4*maxSampled, terms.Len()))), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		if word != "" && !strings.ContainsFunc(word, unicode.IsControl) {
			v.words = append(v.words, word)
		}
	}
	for _, field := range []string{"kind", "domain", "status", "tag", "language"} {
		v.facets[field], _ = x.FacetValues(field)
	}
	for e := range min(maxSampled, x.Edges()) {
		if kind, ok := x.EdgeType(uint32(e * x.Edges() / min(maxSampled, x.Edges()))); ok {
			v.edges = append(v.edges, kind.Name)
		}
	}
	for _, list := range append(slices.Collect(maps.Values(v.facets)), v.paths, v.anchors, v.names, v.words, v.globs, v.edges) {
		for i := range list {
			list[i] = strings.Clone(list[i]) // they alias the mapping
		}
	}
	for i, f := range v.fields {
		v.fields[i] = [2]string{strings.Clone(f[0]), strings.Clone(f[1])}
	}
	return v, nil
}

// one returns any of a list, and otherwise where it is empty.
func one(r *rand.Rand, list []string, otherwise string) string {
	if len(list) == 0 {
		return otherwise
	}
	return list[r.IntN(len(list))]
}

// anything returns a name of something in the artifact.
func (v *vocabulary) anything(r *rand.Rand) string {
	switch r.IntN(4) {
	case 0:
		return one(r, v.paths, "a.md")
	case 1:
		return one(r, v.anchors, "a.md#b")
	}
	return one(r, v.names, "a")
}

// query returns one to six words, or a name.
func (v *vocabulary) query(r *rand.Rand) string {
	if r.IntN(4) == 0 {
		return one(r, v.names, "a")
	}
	words := make([]string, 1+r.IntN(6))
	for i := range words {
		words[i] = one(r, v.words, "a")
	}
	return strings.Join(words, " ")
}
