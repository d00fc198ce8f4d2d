package index

import (
	"cmp"
	"unicode/utf8"

	"kdd/format"
	"kdd/format/internal/dict"
	"kdd/format/internal/table"
)

// Columns of the name nodes table, FORMAT.md §10.7.
const (
	nameClass = iota
	nameNode
)

// NameClass says what a name is to its node; smaller is stronger.
type NameClass uint8

// The classes of names, FORMAT.md §10.7.
const (
	NodeIDName NameClass = iota // the exact node id
	IDName                      // front-matter id
	StemName                    // file stem
	HeadName                    // the PREFIX-NNN head of a stem
	PathName
	AliasName
	TitleName
	HeadingName
)

func (e *encoder) names() {
	c := e.content
	var keys []string
	var starts []uint64
	for i, n := range c.Names {
		if i == 0 || c.Names[i-1].Key != n.Key {
			keys, starts = append(keys, n.Key), append(starts, uint64(i))
		}
	}
	starts = append(starts, uint64(len(c.Names)))
	names := dict.Encode(keys)
	e.block(tagNames, uint64(len(keys)), names)
	e.top(tagNameTop, tagNameTopPlace, keys, names, func(name int) uint64 { return starts[name] })
	s := table.New(len(starts))
	s.Rising(func(i int) uint64 { return starts[i] })
	e.block(tagNameStarts, uint64(len(keys)), s.Bytes())
	t := table.New(len(c.Names))
	t.Plain(func(i int) uint64 { return uint64(c.Names[i].Class) })
	t.Plain(func(i int) uint64 { return uint64(c.Names[i].Node) })
	e.block(tagNameNodes, uint64(len(c.Names)), t.Bytes())
}

// LongestName returns the characters of the longest name that is not only a heading.
func LongestName(names []Name) (longest int) {
	for _, n := range names {
		if n.Class < HeadingName {
			longest = max(longest, utf8.RuneCountInString(n.Key))
		}
	}
	return longest
}

// longestName is LongestName of the file's names.
func (x *Index) longestName() (longest int) {
	for i := range uint32(x.names.Len()) {
		if list := x.Named(i); len(list) > 0 && list[0].Class < HeadingName {
			longest = max(longest, utf8.RuneCountInString(x.names.At(i)))
		}
	}
	return longest
}

// NameDict returns the dictionary of folded names, for prefix and fuzzy walks.
func (x *Index) NameDict() *dict.Dict { return &x.names }

// NamesByPage says that the file lies elsewhere and has more names than are read at once.
func (x *Index) NamesByPage() bool { return x.File.Remote() && x.firstNames.Len() > 0 }

// Named returns the nodes that have the name of that ordinal, strongest class first.
func (x *Index) Named(ordinal uint32) []Name {
	from, to := x.nameStarts[0].Pair(ordinal, x.nameNodes[0].Rows)
	list := make([]Name, 0, min(to-from, 64))
	for i := from; i < to; i++ {
		n := Name{Class: NameClass(x.nameNodes[nameClass].U8(uint32(i))),
			Node: NodeID(x.nameNodes[nameNode].U32(uint32(i)))}
		if int(n.Node) >= x.nodeN {
			format.Fail(tagNameNodes, "node %d of %d", n.Node, x.nodeN)
		}
		list = append(list, n)
	}
	return list
}

// FindName returns the nodes of a folded name, strongest class first.
func (x *Index) FindName(key string) []Name {
	i, ok := x.names.Find(key)
	if !ok {
		return nil
	}
	return x.Named(i)
}

// names checks that every name has nodes, sorted by class and number.
func (v *verifier) names() {
	x := v.x
	if got, longest := x.Meta.LongestName, x.longestName(); got != 0 && got != longest {
		v.Add(tagMeta, "longest_name %d, the names give %d", got, longest)
	}
	for i := range uint32(x.names.Len()) {
		list := x.Named(i)
		if len(list) == 0 {
			v.Add(tagNameStarts, "name %d, %q, has no node", i, x.names.At(i))
		}
		for k := 1; k < len(list); k++ {
			if cmp.Or(cmp.Compare(list[k-1].Class, list[k].Class), cmp.Compare(list[k-1].Node, list[k].Node)) >= 0 {
				v.Add(tagNameNodes, "name %d, %q: its nodes are not sorted", i, x.names.At(i))
				break
			}
		}
	}
}
