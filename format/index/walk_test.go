package index

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"
	"testing"

	"kdd/format"
)

// parts are walks over all accessors of an index; each writes what it reads.
var parts = []struct {
	name string
	walk func(w io.Writer, x *Index)
}{
	{"meta", func(w io.Writer, x *Index) {
		fmt.Fprintf(w, "%+v %s %v\n", *x.Meta, x.File.ID(), x.File.Trailers())
	}},
	{"documents", func(w io.Writer, x *Index) {
		for d := range DocID(x.Docs()) {
			fmt.Fprintln(w, x.DocPath(d), x.DocTitle(d), x.DocNodeID(d), x.DocFrontID(d), x.DocKind(d), x.DocDomain(d), x.DocStatus(d), x.DocLanguage(d), x.DocDate(d),
				x.DocChunkType(d), x.docLayer(d), x.DocTitleTokens(d), x.docLines(d), x.DocSize(d), x.DocRoot(d), x.DocSHA256(d), x.DocTags(d), x.DocAliases(d))
			fmt.Fprintln(w, pairOf(x.DocText(d)), pairOf(x.DocSections(d)), pairOf(x.DocChunks(d)))
			fmt.Fprintln(w, pairOf(x.FindDoc(x.DocPath(d))))
		}
	}},
	{"sections", func(w io.Writer, x *Index) {
		for s := range SectionID(x.Sections()) {
			fmt.Fprintln(w, x.Section(s), x.SectionAnchor(s), x.SectionLevel(s), x.SectionHeading(s), pairOf(x.SectionParent(s)), x.SectionPathTokens(s), x.SectionEnd(s), pairOf(x.SectionChunks(s)), x.DocOfSection(s))
		}
	}},
	{"chunks", func(w io.Writer, x *Index) {
		for c := range ChunkID(x.Chunks()) {
			fmt.Fprintln(w, x.Chunk(c), x.ChunkTokens(c), x.ChunkSHA256(c), x.DocOfChunk(c), x.SectionOfChunk(c))
		}
	}},
	{"text", func(w io.Writer, x *Index) {
		r := x.Text.Reader()
		for d := range DocID(x.Docs()) {
			from, to := x.DocText(d)
			w.Write(x.AppendText(nil, r, d, 0, to-from))
		}
	}},
	{"terms", func(w io.Writer, x *Index) {
		for i, key := range x.TermDict().From("") {
			fmt.Fprintf(w, "%d %q %d\n", i, key, x.ListOf(TermID(i)))
			fmt.Fprintln(w, pairOf(x.Term(string(key))))
		}
	}},
	{"postings", func(w io.Writer, x *Index) {
		var rows, freqs [blockPostings]uint32
		for t := range TermID(x.Terms()) {
			rec := x.Postings(t)
			fmt.Fprintln(w, rec.Chunks)
			for f := range rec.Fields {
				p := &rec.Fields[f]
				for i := range p.Blocks() {
					n := p.Decode(i, rows[:], freqs[:])
					fmt.Fprintln(w, pairOf(p.Block(i)), rows[:n], freqs[:n])
					if p.Placed() {
						fmt.Fprintln(w, p.Positions(nil, i, freqs[:n]))
					}
				}
			}
		}
	}},
	{"links", func(w io.Writer, x *Index) {
		for i := range uint32(x.LinkTexts()) {
			fmt.Fprintln(w, x.LinkText(i), x.LinkStats(i))
		}
	}},
	{"names", func(w io.Writer, x *Index) {
		for i, key := range x.NameDict().From("") {
			fmt.Fprintf(w, "%q %v %v\n", key, x.Named(i), x.FindName(string(key)))
		}
	}},
	{"facets", func(w io.Writer, x *Index) {
		for _, f := range x.FacetFields() {
			values, docs := x.FacetValues(f)
			fmt.Fprintln(w, f, values, docs)
			for _, v := range values {
				fmt.Fprintln(w, x.Facet(f, v).ToArray())
			}
		}
	}},
	{"graph", func(w io.Writer, x *Index) {
		for n := range NodeID(x.Nodes()) {
			fmt.Fprintln(w, x.NodeDoc(n), x.NodeSection(n), x.NodeIsDoc(n), x.NodeIsSection(n))
			if !x.NodeIsDoc(n) && !x.NodeIsSection(n) {
				fmt.Fprintln(w, x.ExtraNode(n))
			}
			from, to := x.Out(n, n)
			for e := from; e < to; e++ {
				t, bad := x.EdgeType(e)
				fmt.Fprintln(w, x.EdgeFrom(e), x.EdgeTo(e), *t, bad, x.EdgeText(e), pairOf(x.EdgeRelation(e)))
				found, doc, line := x.EdgeSource(e)
				fmt.Fprintln(w, found, doc, line)
			}
			from, to = x.In(n, n)
			for place := from; place < to; place++ {
				fmt.Fprintln(w, x.EdgeFrom(x.InEdge(place)))
			}
		}
	}},
	{"findings", func(w io.Writer, x *Index) {
		for i := range uint32(x.Findings()) {
			fmt.Fprintln(w, x.Finding(i))
		}
	}},
	{"front matter", func(w io.Writer, x *Index) {
		for d := range DocID(x.Docs()) {
			fmt.Fprintln(w, x.FrontMatter(d))
		}
	}},
	{"pairs", func(w io.Writer, x *Index) {
		for i := range uint32(x.Pairs()) {
			fmt.Fprintln(w, x.Pair(i))
		}
		fmt.Fprintln(w, x.PairChunks(PairHash("react", "hook")))
		for d := range DocID(x.Docs()) {
			fmt.Fprintln(w, x.DocPairs(d).May(PairHash("react", "hook")), x.DocPairs(d).filter)
		}
	}},
	{"duplicates", func(w io.Writer, x *Index) {
		for c := range ChunkID(x.Chunks()) {
			fmt.Fprintln(w, pairOf(x.DuplicateLeader(c)), slices.Collect(x.Duplicates(c)))
		}
	}},
}

func pairOf[A, B any](a A, b B) string { return fmt.Sprint(a, " ", b) }

// walk returns a digest of what each part reads, or the error it ends with.
func walk(x *Index) map[string]string {
	out := map[string]string{}
	for _, p := range parts {
		h := fnv.New128a()
		err := format.Guard(func() error {
			p.walk(h, x)
			return nil
		})
		out[p.name] = fmt.Sprintf("%x", h.Sum(nil))
		if err != nil {
			out[p.name] = "error: " + err.Error()
			if !errors.Is(err, format.ErrCorrupt) {
				out[p.name] = "wrong error: " + err.Error()
			}
		}
	}
	return out
}

// openBytes opens the index of a file in memory.
func openBytes(data []byte) (*Index, error) {
	f, err := format.OpenBytes(data)
	if err != nil {
		return nil, err
	}
	return New(f)
}

// sameOrCorrupt checks that a damaged file gives the intact one's answers or says that it is corrupt.
func sameOrCorrupt(t testing.TB, what string, intact map[string]string, data []byte) {
	t.Helper()
	x, err := openBytes(data)
	if err != nil {
		if !sentinel(err) {
			t.Errorf("%s: open = %v, which is no sentinel", what, err)
		}
		return
	}
	for part, got := range walk(x) {
		if strings.HasPrefix(got, "error: ") {
			continue
		}
		if got != intact[part] {
			t.Errorf("%s: %s gives %s, want %s or a corrupt index", what, part, got, intact[part])
		}
	}
}

func sentinel(err error) bool {
	return errors.Is(err, format.ErrCorrupt) || errors.Is(err, format.ErrVersion) || errors.Is(err, format.ErrNotKddx) || errors.Is(err, format.ErrTooBig)
}

// soundOrCorrupt checks that a file whose hashes are right, whatever it says, gives answers or ends with a
// CorruptError of the accessor that found the contradiction: never with a run-time panic.
func soundOrCorrupt(t testing.TB, what string, data []byte) {
	t.Helper()
	x, err := openBytes(data)
	if err != nil {
		if !sentinel(err) || strings.Contains(err.Error(), "broke off") {
			t.Errorf("%s: open = %v, which is no sentinel", what, err)
		}
		return
	}
	for part, got := range walk(x) {
		if strings.Contains(got, "broke off") || strings.HasPrefix(got, "wrong") {
			t.Errorf("%s: %s ends with %s", what, part, got)
		}
	}
}
