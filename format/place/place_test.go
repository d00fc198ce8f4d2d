package place_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"kdd/format/index"
	"kdd/format/place"
	"kdd/format/text"
)

// section is a section of a document of a tree: bare ones have no text of their own.
type section struct {
	level           int
	heading, anchor string
	bare            bool
}

// tree is a place.Names of documents by path, in order.
type tree struct {
	paths    []string
	sections [][]section
	names    map[string][]index.Name
}

func (x *tree) add(path string, names map[string]index.NameClass, sections ...section) {
	d := index.NodeID(len(x.paths))
	x.paths, x.sections = append(x.paths, path), append(x.sections, append([]section{{}}, sections...))
	for name, class := range names {
		x.names[name] = append(x.names[name], index.Name{Key: name, Class: class, Node: d})
	}
}

// headings gives each section its heading as a name, once all documents are there.
func (x *tree) headings() {
	for d := range x.sections {
		from, _ := x.DocSections(index.DocID(d))
		for i := 1; i < len(x.sections[d]); i++ {
			key := text.Fold(x.sections[d][i].heading)
			x.names[key] = append(x.names[key], index.Name{Key: key, Class: index.HeadingName, Node: x.NodeOfSection(from + index.SectionID(i))})
		}
	}
}

func (x *tree) at(s index.SectionID) (d, i int) {
	for int(s) >= len(x.sections[d]) {
		s -= index.SectionID(len(x.sections[d]))
		d++
	}
	return d, int(s)
}

func (x *tree) of(s index.SectionID) section {
	d, i := x.at(s)
	return x.sections[d][i]
}

func (x *tree) Docs() int { return len(x.paths) }
func (x *tree) FindDoc(path string) (index.DocID, bool) {
	d := slices.Index(x.paths, path)
	return index.DocID(d), d >= 0
}
func (x *tree) FindName(key string) []index.Name     { return x.names[key] }
func (x *tree) DocPath(d index.DocID) string         { return x.paths[d] }
func (x *tree) NodeIsDoc(n index.NodeID) bool        { return int(n) < len(x.paths) }
func (x *tree) NodeOfDoc(d index.DocID) index.NodeID { return index.NodeID(d) }
func (x *tree) NodeOfSection(s index.SectionID) index.NodeID {
	return index.NodeID(len(x.paths)) + index.NodeID(s)
}
func (x *tree) NodeDoc(n index.NodeID) index.DocID {
	if x.NodeIsDoc(n) {
		return index.DocID(n)
	}
	d, _ := x.at(x.NodeSection(n))
	return index.DocID(d)
}
func (x *tree) NodeSection(n index.NodeID) index.SectionID {
	if x.NodeIsDoc(n) {
		s, _ := x.DocSections(index.DocID(n))
		return s
	}
	return index.SectionID(int(n) - len(x.paths))
}
func (x *tree) DocSections(d index.DocID) (from, to index.SectionID) {
	for i := range d {
		from += index.SectionID(len(x.sections[i]))
	}
	return from, from + index.SectionID(len(x.sections[d]))
}
func (x *tree) SectionAnchor(s index.SectionID) string  { return x.of(s).anchor }
func (x *tree) SectionHeading(s index.SectionID) string { return x.of(s).heading }
func (x *tree) SectionLevel(s index.SectionID) int      { return x.of(s).level }
func (x *tree) SectionChunks(s index.SectionID) (from, to index.ChunkID) {
	if x.of(s).bare {
		return 0, 0
	}
	return 0, 1
}

func documents() *tree {
	x := &tree{names: map[string][]index.Name{}}
	x.add("fruit.md", map[string]index.NameClass{"fruit": index.StemName},
		section{1, "Fruit", "fruit", false}, section{2, "All", "all", true}, section{3, "Fruit trees", "fruit-trees", false}, section{2, "None", "none", true})
	x.add("keys/rotation.md", map[string]index.NameClass{"rotation": index.StemName, "key-1": index.IDName, "key change": index.AliasName},
		section{1, "Rotation of keys", "rotation-of-keys", false}, section{2, "Rotating keys", "rotating", false}, section{2, "Größe", "größe", false})
	x.add("old/rotation.md", map[string]index.NameClass{"rotation": index.StemName}, section{1, "Old", "old", false})
	x.add("a#b.md", nil, section{1, "Sharp", "sharp", false})
	x.headings()
	return x
}

// What a judgement names, and what is nearest to what it does not.
func TestFindAndNearest(t *testing.T) {
	for _, tt := range []struct {
		path, anchor, want string // want is path#anchor; "" where err is not nil
		err                error
		nearest            string
	}{
		{"fruit.md", "", "fruit.md#", nil, "fruit.md#"},
		{"fruit", "", "fruit.md#", nil, "fruit.md#"},
		{"./fruit.md", "fruit-trees", "fruit.md#fruit-trees", nil, "fruit.md#fruit-trees"},
		{"fruit.md#fruit-trees", "", "fruit.md#fruit-trees", nil, "fruit.md#fruit-trees"},
		{"fruit.md", "#Fruit Trees", "fruit.md#fruit-trees", nil, "fruit.md#fruit-trees"},
		{"keys/rotation.md", "rotating-keys", "keys/rotation.md#rotating", nil, "keys/rotation.md#rotating"}, // GitHub's
		{"keys/rotation.md", "gr%C3%B6sse", "keys/rotation.md#größe", nil, "keys/rotation.md#größe"},         // folded
		{"keys/rotation.md", "gr%C3%B6%C3%9Fe", "keys/rotation.md#größe", nil, "keys/rotation.md#größe"},
		{"KEY-1", "rotating", "keys/rotation.md#rotating", nil, "keys/rotation.md#rotating"},
		{"Key Change", "", "keys/rotation.md#", nil, "keys/rotation.md#"},
		{"Rotating keys", "", "keys/rotation.md#rotating", nil, "keys/rotation.md#rotating"},
		{"a#b.md", "sharp", "a#b.md#sharp", nil, "a#b.md#sharp"},

		{"rotation", "", "", place.ErrSeveral, "keys/rotation.md#"},
		{"keys/rotation.md", "rotatin-keys", "", place.ErrSection, "keys/rotation.md#rotating"},
		{"keys/rotation.md", "about-rotating-keys", "", place.ErrSection, "keys/rotation.md#rotating"},
		{"keys/rotation.md", "fruit-trees", "", place.ErrSection, "fruit.md#fruit-trees"},
		{"keys/rotation.md", "weather", "", place.ErrSection, "keys/rotation.md#"},
		{"fruit.md", "all", "", place.ErrNoText, "fruit.md#fruit-trees"},
		{"fruit.md", "none", "", place.ErrNoText, "fruit.md#"},
		{"moved/old/rotation.md", "old", "", place.ErrDocument, "old/rotation.md#old"},
		{"moved/rotations.md", "rotating", "", place.ErrDocument, "keys/rotation.md#rotating"},
		{"nowhere.md", "fruit-trees", "", place.ErrDocument, "fruit.md#fruit-trees"},
		{"nowhere.md", "", "", place.ErrDocument, ""},
		{"", "", "", place.ErrDocument, ""},
		{"/", "#", "", place.ErrDocument, ""},
		{strings.Repeat("#", 20_000), strings.Repeat("-", 20_000), "", place.ErrDocument, ""},
	} {
		x := documents()
		d, s, err := place.Find(x, tt.path, tt.anchor)
		got := ""
		if err == nil {
			got = x.DocPath(d) + "#" + x.SectionAnchor(s)
		}
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("Find(%.40q, %.40q) = %q, %v, want %q, %v", tt.path, tt.anchor, got, err, tt.want, tt.err)
		}
		near := ""
		if path, anchor, ok := place.Nearest(x, tt.path, tt.anchor); ok {
			near = path + "#" + anchor
		}
		if near != tt.nearest {
			t.Errorf("Nearest(%.40q, %.40q) = %q, want %q", tt.path, tt.anchor, near, tt.nearest)
		}
	}
}

// Of what a name means only the strongest counts, and documents before what is in them.
func TestStrongest(t *testing.T) {
	x := documents()
	doc, other := x.NodeOfDoc(0), x.NodeOfDoc(1)
	part := x.NodeOfSection(2)
	for _, tt := range []struct {
		name       string
		list, want []place.Match
	}{
		{"none", nil, nil},
		{"one", []place.Match{{Node: part, Class: index.HeadingName}}, []place.Match{{Node: part, Class: index.HeadingName}}},
		{"classes", []place.Match{{Node: doc, Class: index.IDName}, {Node: other, Class: index.TitleName}}, []place.Match{{Node: doc, Class: index.IDName}}},
		{"a document first", []place.Match{{Node: doc, Class: index.TitleName}, {Node: part, Class: index.TitleName}}, []place.Match{{Node: doc, Class: index.TitleName}}},
		{"a document last", []place.Match{{Node: part, Class: index.TitleName}, {Node: other, Class: index.TitleName}}, []place.Match{{Node: other, Class: index.TitleName}}},
		{"two", []place.Match{{Node: doc, Class: index.AliasName}, {Node: other, Class: index.AliasName}}, []place.Match{{Node: doc, Class: index.AliasName}, {Node: other, Class: index.AliasName}}},
	} {
		if got := place.Strongest(x, tt.list); !slices.Equal(got, tt.want) {
			t.Errorf("%s: Strongest = %v, want %v", tt.name, got, tt.want)
		}
	}
}
