package index

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kdd/format"
	"kdd/format/internal/table"
)

// named says whether Verify tells that something is wrong with the file.
func named(t testing.TB, data []byte) bool {
	t.Helper()
	problems, err := verifyBytes(data)
	if err != nil && !sentinel(err) {
		t.Errorf("Verify = %v, which is no sentinel", err)
	}
	for _, p := range problems {
		if p.Block == "" || p.Text == "" || p.Offset < 0 || strings.Contains(p.Text, "broke off") {
			t.Errorf("Verify gives the problem %+v, want a block, a place and a reason", p)
		}
	}
	return err != nil || len(problems) > 0
}

func withTrailers(data []byte) []byte {
	data = format.AppendTrailer(bytes.Clone(data), format.TagProvenance, []byte(`{"source_commit":"1"}`))
	return format.AppendTrailer(data, format.Tag{'S', 'I', 'G', 'N'}, []byte("signed"))
}

func TestVerifyNamesEveryByte(t *testing.T) {
	data := withTrailers(image(t, generate(8, 3)))
	if problems, err := verifyBytes(data); err != nil || problems != nil {
		t.Fatalf("Verify of the intact file = %v, %v, want none", problems, err)
	}
	f, err := format.OpenBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	length := int(binary.LittleEndian.Uint64(data[16:])) // without trailers
	places := map[int]bool{}
	add := func(from, to, step int) {
		for i := from; i < to; i += step {
			places[i] = true
		}
	}
	add(0, 128+len(f.Entries())*64, 1)
	add(length, len(data), 1)
	for _, e := range f.Entries() {
		add(int(e.Offset), int(e.Offset+min(e.Length, 40)), 13)
		// the padding's first bytes too
		add(max(0, int(e.Offset+e.Length)-9), min(len(data), int(e.Offset+e.Length)+9), 1)
		add(max(0, int(e.Offset)-1), int(e.Offset), 1)
	}
	r := rand.New(rand.NewPCG(9, 9))
	for i := range places {
		if i >= len(data) {
			continue
		}
		bit := byte(1) << r.IntN(8)
		data[i] ^= bit
		if !named(t, data) {
			t.Errorf("Verify names nothing with bit %#02x of byte %d changed", bit, i)
		}
		data[i] ^= bit
	}
	for range 60 {
		if n := r.IntN(len(data)); !named(t, data[:n]) && n != length && n != length+48+21 {
			t.Errorf("Verify names nothing in the first %d bytes of %d", n, len(data))
		}
	}
	if !named(t, append(bytes.Clone(data), 0)) {
		t.Error("Verify names nothing with a byte after the last trailer")
	}
}

// Every damage is named by its block, and the others are not blamed.
func TestVerifyBlock(t *testing.T) {
	data := image(t, generate(8, 20))
	f, err := format.OpenBytes(data)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range f.Entries() {
		if e.Length == 0 {
			continue
		}
		bad := bytes.Clone(data)
		bad[e.Offset+e.Length/2] ^= 0x10
		problems, err := verifyBytes(bad)
		if err != nil || len(problems) == 0 {
			t.Errorf("Verify with block %s changed = %v, %v, want its name", e.Tag, problems, err)
			continue
		}
		for _, p := range problems {
			if p.Block != e.Tag.String() || p.Offset < int64(e.Offset) || p.Offset > int64(e.Offset+e.Length) {
				t.Errorf("Verify with block %s [%d, +%d) changed = %v", e.Tag, e.Offset, e.Length, p)
			}
		}
	}
	// Two at once: both.
	bad := bytes.Clone(data)
	for _, tag := range []format.Tag{tagDocs, tagText} {
		bad[f.Block(tag).Offset+100] ^= 1
	}
	problems, _ := verifyBytes(bad)
	if len(problems) != 2 || problems[0].Block != "DOCS" || problems[1].Block != "TEXT" {
		t.Errorf("Verify with two blocks changed = %v, want DOCS and TEXT", problems)
	}
}

// verifyTells asks that Verify reports a problem of a block whose text holds want; with no block, that it reports none.
func verifyTells(t *testing.T, data []byte, block, want string) {
	t.Helper()
	problems, err := verifyBytes(data)
	told := func(p format.Problem) bool { return p.Block == block && strings.Contains(p.Text, want) }
	if err != nil || block == "" && problems != nil || block != "" && !slices.ContainsFunc(problems, told) {
		t.Errorf("Verify = %v, %v, want block %q and %q", problems, err, block, want)
	}
}

// Contents that contradict themselves, in files whose hashes are right.
func TestVerifyContent(t *testing.T) {
	tests := []struct {
		name  string
		edit  func(c *Content)
		block string
		want  string
	}{
		{"lengths", func(c *Content) { c.Meta.Lengths.Chunks++ }, "META", "lengths"},
		{"languages", func(c *Content) { c.Meta.Languages[0].Documents++ }, "META", "language"},
		{"kinds", func(c *Content) { c.Meta.Kinds = append(c.Meta.Kinds, "x") }, "META", "kinds"},
		{"warnings", func(c *Content) { c.Meta.Warnings++ }, "META", "warnings"},
		{"source bytes", func(c *Content) { c.Meta.SourceBytes++ }, "META", "bytes of sources"},
		{"paths out of order", func(c *Content) { c.Docs[0].Path, c.Docs[1].Path = c.Docs[1].Path, c.Docs[0].Path }, "DOCS", "not sorted"},
		{"lines", func(c *Content) { c.Docs[2].Lines++ }, "DOCS", "lines"},
		{"chunks before their section", func(c *Content) { c.Docs[3].FirstChunk++ }, "DOCS", "chunks begin"},
		{"root", func(c *Content) { c.Docs[3].Root = 1 }, "DOCS", "column root"},
		{"layer", func(c *Content) { c.Docs[3].Layer = 7 }, "DOCS", "column layer"},
		{"chunk type", func(c *Content) { c.Docs[3].ChunkType = 2 }, "DOCS", "column chunk_type"},
		{"hash of a text", func(c *Content) { c.Docs[2].SHA256[3] ^= 1 }, "TEXT", "stored SHA-256"},
		{"parent", func(c *Content) { c.Sections[1].Parent++ }, "SECS", "parent"},
		{"section outside of its parent", func(c *Content) { c.Sections[1].End = c.Sections[0].End + 1 }, "SECS", "does not lie"},
		{"section lines", func(c *Content) { c.Sections[1].LineEnd = c.Sections[0].LineEnd + 1 }, "SECS", "lines"},
		{"own section", func(c *Content) { c.Sections[0].Anchor = "a" }, "SECS", "own"},
		{"level 0 inside", func(c *Content) { c.Sections[1].Level = 0 }, "SECS", "level 0"},
		{"chunk outside of its section", func(c *Content) { c.Chunks[1].End += 100_000 }, "CHNK", "does not lie"},
		{"chunk lines", func(c *Content) { c.Chunks[1].LineEnd += 100_000 }, "CHNK", "lines"},
		{"chunk tokens", func(c *Content) { c.Chunks[1].BodyTokens += 100 }, "META", "lengths"},
		{"chunks of a list", func(c *Content) { memory(c)[titled(c)].Chunks++ }, "POST", "chunks"},
		{"link texts out of order", func(c *Content) { slices.Reverse(c.Links) }, "LNKT", "not sorted"},
		{"link target", func(c *Content) { c.Links[len(c.Links)-1].Target = 1 << 20 }, "LNKT", "column target"},
		{"idf", func(c *Content) { c.Links[0].IDF = -1 }, "LNKT", "idf"},
		{"name class", func(c *Content) {
			c.Names = append([]Name{{Key: "", Class: 2, Node: 1}, {Key: "", Class: 1, Node: 1}}, c.Names...)
		}, "NMND", "not sorted"},
		{"name node", func(c *Content) { c.Names[0].Node = 1 << 20 }, "NMND", "column node"},
		{"empty facet", func(c *Content) { c.Facets[0].Docs = nil }, "FBMP", "no document"},
		{"facet of no document", func(c *Content) { c.Facets[0].Docs = []uint32{1000} }, "FBMP", "id 1000"},
		{"node section", func(c *Content) { c.Nodes[0].Section = SectionID(len(c.Sections) - 1); c.Nodes[0].Doc = 0 }, "GNOD", "section"},
		{"node in the section behind its document", func(c *Content) { c.Nodes[0].Doc, c.Nodes[0].Section = 0, c.Docs[1].FirstSection }, "GNOD", "section"},
		{"node in the section before its document", func(c *Content) { c.Nodes[0].Doc, c.Nodes[0].Section = 1, c.Docs[1].FirstSection-1 }, "GNOD", "section"},
		{"edge type", func(c *Content) { c.Edges[0].Type = 9 }, "GEDG", "column type"},
		{"edge document", func(c *Content) { c.Edges[0].Doc = 999 }, "GEDG", "column document"},
		{"severity", func(c *Content) { c.Findings[0].Severity = 3 }, "FIND", "column severity"},
		{"field line", func(c *Content) { c.Fields[0].Line = 1 << 20 }, "FMFD", "line"},
		{"longest name", func(c *Content) { c.Meta.LongestName = 1000 }, "META", "longest_name"},
		{"pairs out of order", func(c *Content) { c.Pairs[0], c.Pairs[1] = c.Pairs[1], c.Pairs[0] }, "PAIR", "not above"},
		{"pair in one chunk", func(c *Content) { c.Pairs[2].Chunks = 1 }, "PAIR", "in 1 chunks"},
		{"pair in too many chunks", func(c *Content) { c.Pairs[2].Chunks = 100_000 }, "PAIR", "in 100000 chunks"},
		{"filters of other documents", func(c *Content) { c.PairFilters = c.PairFilters[1:] }, "PFOF", "rows"},
		// lists may lack positions
		{"term's list", func(c *Content) { memory(c)[0].Fields[BodyField].Positions = nil }, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := generate(10, 30)
			tt.edit(c)
			verifyTells(t, image(t, c), tt.block, tt.want)
		})
	}
}

// titled returns a list that has rows in titles.
func titled(c *Content) int {
	return slices.IndexFunc(memory(c), func(l List) bool { return len(l.Fields[TitleField].Rows) > 0 })
}

// Blocks whose bytes are not what the writer gives, in files whose hashes are right.
func TestVerifyForm(t *testing.T) {
	data := image(t, generate(10, 120))
	x := open(t, data)
	tests := []struct {
		name string
		tag  format.Tag
		edit func(b *format.RawBlock)
		want string
	}{
		{"rows of the directory", tagDocs, func(b *format.RawBlock) { b.Rows++ }, "rows"},
		{"rows of the text", tagText, func(b *format.RawBlock) { b.Rows++ }, "rows"},
		{"rows of postings", tagPostings, func(b *format.RawBlock) { b.Rows++ }, "rows"},
		{"meta with a space", tagMeta, func(b *format.RawBlock) { b.Data = append(b.Data, ' ') }, "form"},
		{"meta that is no JSON", tagMeta, func(b *format.RawBlock) { b.Data = b.Data[1:] }, "invalid"},
		{"table cut", tagDocs, func(b *format.RawBlock) { b.Data = b.Data[:len(b.Data)-1] }, "bytes"},
		{"table's spare bytes", tagEdges, func(b *format.RawBlock) { b.Data[len(b.Data)-1] = 1 }, "shortest form"},
		{"wider column", tagTermLists, func(b *format.RawBlock) { widen(b) }, "shortest form"},
		{"dictionary out of order", tagStrings, func(b *format.RawBlock) { b.Data[8+4*((x.strs.Len()+15)/16)+3] = 0xff }, "not above"},
		{"dictionary with bytes left", tagTerms, func(b *format.RawBlock) { b.Data = append(b.Data, 0) }, "shortest form"},
		{"impact", tagPostings, func(b *format.RawBlock) { impactOf(t, x, b)[0] ^= 0x40 }, "impacts"},
		{"bits after the last position", tagPositions, func(b *format.RawBlock) { b.Data[len(b.Data)-1] |= 0x80 }, ""},
		{"frame size", tagText, func(b *format.RawBlock) { binary.LittleEndian.PutUint32(b.Data[8:], textFrame*2) }, "frames"},
		{"frame of no text", tagText, func(b *format.RawBlock) { binary.LittleEndian.PutUint32(b.Data[textHeader:], 0) }, "frame 0 has 0 bytes"},
		{"frame of less text", tagText, func(b *format.RawBlock) { b.Data[textHeader] ^= 1 }, "bytes of text, want"},
		{"frame of more bytes", tagText, func(b *format.RawBlock) { b.Data[textHeader+4+3] = 0x7f }, "ends at"},
		{"document in two frames", tagText, func(b *format.RawBlock) { splitFirstFrame(t, x, b) }, "in one frame"},
		{"frame checksum", tagText, func(b *format.RawBlock) { b.Data[textHeader+8] ^= 1 }, "checksum"},
		{"hashes cut", tagChunkHash, func(b *format.RawBlock) { b.Data = b.Data[:len(b.Data)-32] }, "hashes"},
		{"bitmap", tagBitmaps, func(b *format.RawBlock) { b.Data[0] ^= 0x7f }, "bitmap"},
		{"incoming edges of other nodes", tagInEdges, func(b *format.RawBlock) {
			recode(b, &x.inEdges[0], func(edges []uint64) { edges[0], edges[len(edges)-1] = edges[len(edges)-1], edges[0] })
		}, "which leads to node"},
		{"incoming edges out of order", tagInEdges, func(b *format.RawBlock) {
			recode(b, &x.inEdges[0], func(edges []uint64) {
				for i := 1; ; i++ {
					if x.EdgeTo(uint32(edges[i])) == x.EdgeTo(uint32(edges[i-1])) {
						edges[i], edges[i-1] = edges[i-1], edges[i]
						return
					}
				}
			})
		}, "is not sorted"},
		{"a name without a node", tagNameStarts, func(b *format.RawBlock) {
			recode(b, &x.nameStarts[0], func(starts []uint64) { starts[1] = starts[0] })
		}, "has no node"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			verifyTells(t, changed(t, data, tt.tag, tt.edit), tt.tag.String(), tt.want)
		})
	}
}

// A block that this kdd does not know is a problem where it is critical.
func TestVerifyUnknownBlock(t *testing.T) {
	data := image(t, generate(8, 20))
	for _, critical := range []bool{false, true} {
		im, err := format.Lay(append(rawBlocks(t, data), format.RawBlock{Tag: format.Tag{'Z', 'Z', 'Z', 'Z'}, Critical: critical, Rows: 1, Data: []byte("new")}))
		if err != nil {
			t.Fatal(err)
		}
		problems, err := verifyBytes(written(t, im))
		told := slices.ContainsFunc(problems, func(p format.Problem) bool { return p.Block == "ZZZZ" && strings.Contains(p.Text, "does not know") })
		if told != critical || !critical && (err != nil || len(problems) > 0) {
			t.Errorf("Verify with an unknown block, critical: %t = %v, %v", critical, problems, err)
		}
	}
}

// recode encodes a table of one column with other values.
func recode(b *format.RawBlock, c *table.Column, edit func(values []uint64)) {
	values := make([]uint64, c.Rows)
	for i := range values {
		values[i] = c.At(uint32(i))
	}
	rising := slices.IsSorted(values) && values[0] == 0
	edit(values)
	table := table.New(len(values))
	if value := func(i int) uint64 { return values[i] }; rising {
		table.Rising(value)
	} else {
		table.Plain(value)
	}
	b.Data = table.Bytes()
}

// widen encodes a table of one plain column with one bit more than it needs.
func widen(b *format.RawBlock) {
	const head = 32 // of the table and of the column
	width, rows := int(b.Data[20]), int(binary.LittleEndian.Uint64(b.Data[8:]))
	old := b.Data[head:]
	wide := make([]byte, (rows*(width+1)+63)/64*8+8)
	for i := range rows * width {
		if old[i/8]>>(i%8)&1 == 1 {
			at := i + i/width
			wide[at/8] |= 1 << (at % 8)
		}
	}
	b.Data = append(bytes.Clone(b.Data[:head]), wide...)
	b.Data[20]++
}

// impactOf returns the impact of the first block of a list of several, in place.
func impactOf(t *testing.T, x *Index, b *format.RawBlock) []byte {
	for i := range uint32(x.limit(listCell)) {
		rec := x.record(i)
		p := &rec.Fields[BodyField]
		if p.N <= blockPostings {
			continue
		}
		at := bytes.Index(b.Data, p.list)
		r := byteReader{tagPostings, p.list}
		r.u32()
		r.u32()
		if p.placed {
			r.u32()
		}
		return b.Data[at+len(p.list)-len(r.b):][:1]
	}
	t.Fatal("no list has several blocks")
	return nil
}

// hostileRuns is how many damaged files the hostile tests try: KDD_FLIPS, else few.
func hostileRuns(t *testing.T) int {
	if s := os.Getenv("KDD_FLIPS"); s != "" {
		n, err := strconv.Atoi(s)
		if err != nil {
			t.Fatalf("KDD_FLIPS=%s: %v", s, err)
		}
		return n
	}
	return 300
}

// damage flips a bit or a few, or cuts the file.
func damage(r *rand.Rand, data []byte) []byte {
	if r.IntN(10) == 0 {
		return bytes.Clone(data[:r.IntN(len(data))])
	}
	bad := bytes.Clone(data)
	for range 1 + r.IntN(3) {
		i := r.IntN(len(bad))
		if r.IntN(8) == 0 {
			i = r.IntN(4096) // header and directory
		}
		bad[i] ^= 1 << r.IntN(8)
	}
	return bad
}

func TestHostileFlips(t *testing.T) {
	data := image(t, generate(11, 25))
	intact := walk(open(t, data))
	r := rand.New(rand.NewPCG(12, 12))
	for i := range hostileRuns(t) {
		bad := damage(r, data)
		if bytes.Equal(bad, data) {
			continue // two flips of one bit
		}
		if !named(t, bad) {
			t.Errorf("run %d: Verify names nothing", i)
		}
		sameOrCorrupt(t, "run "+strconv.Itoa(i), intact, bad)
	}
}

// The same with all hashes made right again, as by somebody who means harm.
func TestHostileSealed(t *testing.T) {
	data := image(t, generate(11, 25))
	list := rawBlocks(t, data)
	r := rand.New(rand.NewPCG(13, 13))
	for i := range hostileRuns(t) {
		bad := slices.Clone(list)
		b := &bad[r.IntN(len(bad))]
		b.Data = bytes.Clone(b.Data)
		for range 1 + r.IntN(3) {
			if len(b.Data) > 0 {
				k := r.IntN(len(b.Data))
				if r.IntN(3) == 0 {
					k = min(k, r.IntN(64))
				}
				b.Data[k] = byte(r.Uint32())
			}
		}
		if r.IntN(6) == 0 {
			b.Data = b.Data[:r.IntN(len(b.Data)+1)]
		}
		im, err := format.Lay(bad)
		if err != nil {
			t.Fatal(err)
		}
		sealed := written(t, im)
		named(t, sealed)
		soundOrCorrupt(t, "run "+strconv.Itoa(i)+" block "+b.Tag.String(), sealed)
	}
}

func TestVerify(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.kddx")
	if err := os.WriteFile(path, image(t, generate(1, 2)), 0o644); err != nil {
		t.Fatal(err)
	}
	if problems, err := Verify(path); err != nil || problems != nil {
		t.Errorf("Verify = %v, %v, want none", problems, err)
	}
	if _, err := Verify(path + "x"); !os.IsNotExist(err) {
		t.Errorf("Verify of no file = %v, want not found", err)
	}
}

// FuzzFile changes bytes of a whole file, with and without making its hashes right again.
func FuzzFile(f *testing.F) {
	data := image(f, generate(11, 4))
	intact := walk(open(f, data))
	list := rawBlocks(f, data)
	f.Add(uint32(100), byte(1), uint8(0), []byte{})
	f.Add(uint32(9000), byte(0x80), uint8(3), []byte{1, 2, 3})
	f.Add(uint32(20), byte(0xff), uint8(20), []byte("text"))
	f.Fuzz(func(t *testing.T, at uint32, flip byte, block uint8, patch []byte) {
		if flip != 0 {
			bad := bytes.Clone(data)
			bad[int(at)%len(bad)] ^= flip
			if !named(t, bad) {
				t.Fatalf("Verify names nothing with byte %d changed", int(at)%len(bad))
			}
			sameOrCorrupt(t, "flip", intact, bad)
		}
		sealed := append([]format.RawBlock(nil), list...)
		b := &sealed[int(block)%len(sealed)]
		if len(b.Data) == 0 || len(patch) == 0 {
			return
		}
		b.Data = bytes.Clone(b.Data)
		copy(b.Data[int(at)%len(b.Data):], patch)
		im, err := format.Lay(sealed)
		if err != nil {
			t.Fatal(err)
		}
		bad := written(t, im)
		named(t, bad)
		soundOrCorrupt(t, "sealed block "+b.Tag.String(), bad)
	})
}

// splitFirstFrame packs the text with the first document in two frames.
func splitFirstFrame(t *testing.T, x *Index, b *format.RawBlock) {
	from, to := x.DocText(0)
	if to-from < 2 {
		t.Fatalf("the first document has %d bytes, want 2", to-from)
	}
	var all []byte
	if err := format.Guard(func() error { all = x.Text.Reader().read(nil, 0, x.Text.size()); return nil }); err != nil {
		t.Fatal(err)
	}
	p := &Texts{starts: []uint64{0, uint64(len(all))}}
	ends := []uint64{1}
	for _, f := range x.Text.frames {
		ends = append(ends, f.start+uint64(f.raw))
	}
	p.pack([][]byte{all}, ends)
	b.Data = p.block
}
