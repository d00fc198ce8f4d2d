package index

import (
	"cmp"
	"sort"
	"strings"

	"kdd/format"
	"kdd/format/internal/table"
	"kdd/format/text"
)

// Columns of the documents table, FORMAT.md §10.3. String columns hold ordinals of the strings block.
const (
	docPath = iota
	docTitle
	docNode
	docID
	docKind
	docDomain
	docStatus
	docLanguage
	docDate
	docChunkType
	docLayer // layer + 1
	docTitleTokens
	docRoot
	docLines
	docSize
	docText     // rising: bytes of text before the document; one row more than documents, as the next three
	docSections // rising: sections before it
	docChunks   // rising: chunks before it
	docLists    // rising: rows of the list table before it
)

// Columns of the list table: tags and aliases by document.
const (
	listKind = iota // tagList or aliasList
	listValue
)

const (
	tagList   = 0
	aliasList = 1
)

// maxLayer is the highest layer of a document.
const maxLayer = 4

func (e *encoder) docs() {
	c := e.content
	n := len(c.Docs)
	t := table.New(n + 1)
	num := func(get func(d *Doc) uint64) {
		t.Plain(func(i int) uint64 {
			if i == n {
				return 0
			}
			return get(&c.Docs[i])
		})
	}
	str := func(get func(d *Doc) string) { num(func(d *Doc) uint64 { return e.str(get(d)) }) }
	str(func(d *Doc) string { return d.Path })
	str(func(d *Doc) string { return d.Title })
	str(func(d *Doc) string { return d.NodeID })
	str(func(d *Doc) string { return d.ID })
	str(func(d *Doc) string { return d.Kind })
	str(func(d *Doc) string { return d.Domain })
	str(func(d *Doc) string { return d.Status })
	str(func(d *Doc) string { return d.Language })
	str(func(d *Doc) string { return d.Date })
	num(func(d *Doc) uint64 { return uint64(d.ChunkType) })
	num(func(d *Doc) uint64 { return uint64(d.Layer + 1) })
	num(func(d *Doc) uint64 { return uint64(d.TitleTokens) })
	num(func(d *Doc) uint64 { return uint64(d.Root) })
	num(func(d *Doc) uint64 { return uint64(d.Lines) })
	num(func(d *Doc) uint64 { return d.Size })
	t.Rising(func(i int) uint64 { return c.Texts.starts[i] })
	t.Rising(func(i int) uint64 {
		if i == n {
			return uint64(len(c.Sections))
		}
		return uint64(c.Docs[i].FirstSection)
	})
	t.Rising(func(i int) uint64 {
		if i == n {
			return uint64(len(c.Chunks))
		}
		return uint64(c.Docs[i].FirstChunk)
	})
	type item struct {
		kind  uint64
		value string
	}
	var items []item
	t.Rising(func(i int) uint64 {
		at := len(items)
		if i < n {
			for _, v := range c.Docs[i].Tags {
				items = append(items, item{tagList, v})
			}
			for _, v := range c.Docs[i].Aliases {
				items = append(items, item{aliasList, v})
			}
		}
		return uint64(at)
	})
	e.block(tagDocs, uint64(n), t.Bytes())
	l := table.New(len(items))
	l.Plain(func(i int) uint64 { return items[i].kind })
	l.Plain(func(i int) uint64 { return e.str(items[i].value) })
	e.block(tagDocLists, uint64(len(items)), l.Bytes())
	hashes := make([]byte, 0, 32*n)
	for i := range c.Docs {
		hashes = append(hashes, c.Docs[i].SHA256[:]...)
	}
	e.block(tagDocHashes, uint64(n), hashes)
}

// strs collects every string that the documents hold, for the strings block.
func (d *Doc) strs() []string {
	list := []string{d.Path, d.Title, d.NodeID, d.ID, d.Kind, d.Domain, d.Status, d.Language, d.Date}
	return append(append(list, d.Tags...), d.Aliases...)
}

// Docs returns the number of documents.
func (x *Index) Docs() int { return x.docN }

func (x *Index) docStr(d DocID, column int) string {
	x.checkDoc(d)
	return x.rowString(tagDocs, x.docs, uint32(d), column)
}

func (x *Index) checkDoc(d DocID) {
	if int(d) >= x.docN {
		format.Fail(tagDocs, "document %d of %d", d, x.docN)
	}
}

// DocPath returns a document's path, relative to the source folder, with forward slashes.
func (x *Index) DocPath(d DocID) string { return x.docStr(d, docPath) }

// DocTitle returns a document's title.
func (x *Index) DocTitle(d DocID) string { return x.docStr(d, docTitle) }

// DocNodeID returns the id of the document's node.
func (x *Index) DocNodeID(d DocID) string { return x.docStr(d, docNode) }

// DocFrontID returns the id that the document's front matter gives, or "".
func (x *Index) DocFrontID(d DocID) string { return x.docStr(d, docID) }

// DocKind returns a document's kind.
func (x *Index) DocKind(d DocID) string { return x.docStr(d, docKind) }

// DocDomain returns a document's domain, or "".
func (x *Index) DocDomain(d DocID) string { return x.docStr(d, docDomain) }

// DocStatus returns a document's status, or "".
func (x *Index) DocStatus(d DocID) string { return x.docStr(d, docStatus) }

// DocLanguage returns a document's language (ISO 639-1), or "".
func (x *Index) DocLanguage(d DocID) string { return x.docStr(d, docLanguage) }

// StemLanguage returns the language that a document's words are stemmed in, or "".
func (x *Index) StemLanguage(d DocID) string {
	return cmp.Or(x.DocLanguage(d), MainLanguage(x.Meta.Languages))
}

// DocDate returns a document's date as its front matter gives it, or "".
func (x *Index) DocDate(d DocID) string { return x.docStr(d, docDate) }

// DocChunkType returns the type of a document's chunks.
func (x *Index) DocChunkType(d DocID) string {
	x.checkDoc(d)
	return x.word("chunk type", x.Meta.ChunkTypes, x.docs[docChunkType].At(uint32(d)))
}

// docLayer returns a document's layer, 0 to 4, or -1.
func (x *Index) docLayer(d DocID) int {
	x.checkDoc(d)
	v := x.docs[docLayer].At(uint32(d))
	if v > maxLayer+1 {
		format.Fail(tagDocs, "document %d has layer %d, at most %d", d, v-1, maxLayer)
	}
	return int(v) - 1
}

// DocTitleTokens returns the length of a document's title in tokens.
func (x *Index) DocTitleTokens(d DocID) uint32 {
	x.checkDoc(d)
	return x.docs[docTitleTokens].U32(uint32(d))
}

// docLines returns the number of lines of a document.
func (x *Index) docLines(d DocID) uint32 {
	x.checkDoc(d)
	return x.docs[docLines].U32(uint32(d))
}

// DocSize returns the size in bytes of the file that was compiled.
func (x *Index) DocSize(d DocID) uint64 {
	x.checkDoc(d)
	return x.docs[docSize].At(uint32(d))
}

// DocRoot returns which of Meta.Roots the document is below.
func (x *Index) DocRoot(d DocID) int {
	x.checkDoc(d)
	r := x.docs[docRoot].At(uint32(d))
	if r >= uint64(len(x.Meta.Roots)) {
		format.Fail(tagDocs, "source folder %d of %d", r, len(x.Meta.Roots))
	}
	return int(r)
}

// DocSHA256 returns the hash of the file that was compiled.
func (x *Index) DocSHA256(d DocID) (sum [32]byte) {
	x.checkDoc(d)
	copy(sum[:], x.docHashes.Range(uint64(d)*32, 32))
	return sum
}

// DocText returns where a document's text lies: bytes [from, to) of the text of all documents, MaxDocumentBytes at most.
func (x *Index) DocText(d DocID) (from, to uint64) {
	from, to = x.docs[docText].Pair(uint32(d), x.Text.total)
	if to-from > MaxDocumentBytes {
		format.Fail(tagDocs, "document %d has %d bytes of text, at most %d", d, to-from, MaxDocumentBytes)
	}
	return from, to
}

// DocSections returns a document's sections [from, to); the first is the document itself.
func (x *Index) DocSections(d DocID) (from, to SectionID) {
	a, b := x.docs[docSections].Pair(uint32(d), uint64(x.sectionN))
	return SectionID(a), SectionID(b)
}

// DocChunks returns a document's chunks [from, to).
func (x *Index) DocChunks(d DocID) (from, to ChunkID) {
	a, b := x.docs[docChunks].Pair(uint32(d), uint64(x.chunkN))
	return ChunkID(a), ChunkID(b)
}

// DocTags returns the tags of a document.
func (x *Index) DocTags(d DocID) []string { return x.docList(d, tagList) }

// DocAliases returns a document's other names.
func (x *Index) DocAliases(d DocID) []string { return x.docList(d, aliasList) }

func (x *Index) docList(d DocID, kind uint64) []string {
	x.checkDoc(d)
	from, to := x.docs[docLists].Pair(uint32(d), x.lists[0].Rows)
	var list []string
	size := 0
	for i := from; i < to; i++ {
		if x.lists[listKind].At(uint32(i)) != kind {
			continue
		}
		value := x.strs.At(x.lists[listValue].U32(uint32(i)))
		if size += factBytes + len(value); size > maxFacts {
			format.Fail(tagDocLists, "the tags or aliases of document %d have more than %d bytes", d, maxFacts)
		}
		list = append(list, value)
	}
	return list
}

// DocOfSection returns the document that a section belongs to. Cost: a binary search.
func (x *Index) DocOfSection(s SectionID) DocID {
	d := x.docs[docSections].Search(uint64(s))
	x.checkDoc(DocID(d))
	return DocID(d)
}

// DocOfChunk returns the document that a chunk belongs to. Cost: a binary search.
func (x *Index) DocOfChunk(c ChunkID) DocID {
	d := x.docs[docChunks].Search(uint64(c))
	x.checkDoc(DocID(d))
	return DocID(d)
}

// FindDoc returns the document of a path. Documents are sorted by path. Cost: a binary search; of a file that lies
// elsewhere a look-up of the path as a name, which reads fewer pages.
func (x *Index) FindDoc(path string) (DocID, bool) {
	if x.File.Remote() {
		for _, n := range x.FindName(text.Fold(path)) {
			if x.NodeIsDoc(n.Node) && x.DocPath(DocID(n.Node)) == path {
				return DocID(n.Node), true
			}
		}
		return 0, false
	}
	d, ok := sort.Find(x.docN, func(i int) int { return strings.Compare(path, x.DocPath(DocID(i))) })
	return DocID(d), ok
}

// word returns an entry of one of the meta block's lists of words.
func (x *Index) word(what string, words []string, i uint64) string {
	if i >= uint64(len(words)) {
		format.Fail(tagMeta, "%s %d of %d", what, i, len(words))
	}
	return words[i]
}

// docs checks the documents: paths ascend, each has its own section, its chunks are those of its sections, and its
// list holds tags before aliases.
func (v *verifier) docs() {
	x := v.x
	before := ""
	for d := range DocID(x.docN) {
		path := x.DocPath(d)
		if d > 0 && path <= before {
			v.Add(tagDocs, "document %d, %q, is not sorted after %q", d, path, before)
		}
		before = path
		from, to := x.DocSections(d)
		if from == to {
			v.Add(tagDocs, "document %d, %q, has no section of its own", d, path)
			continue
		}
		chunk, _ := x.DocChunks(d)
		if at := x.secs[secChunks].At(uint32(from)); at != uint64(chunk) {
			v.Add(tagDocs, "document %d, %q: its chunks begin at %d, those of its sections at %d", d, path, chunk, at)
		}
		x.DocTags(d) // these fail where they are too many
		x.DocAliases(d)
		a, b := x.docs[docLists].Pair(uint32(d), x.lists[0].Rows)
		for i := a + 1; i < b; i++ {
			if x.lists[listKind].At(uint32(i)) < x.lists[listKind].At(uint32(i-1)) {
				v.Add(tagDocLists, "document %d, %q: a tag after an alias", d, path)
			}
		}
	}
}
