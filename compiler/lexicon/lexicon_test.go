package lexicon

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kdd/format/index"
	"kdd/format/text"
)

var words = strings.Fields(`run running runs runner Index indexes indexing order orders the of and is a was casa casas código
	useMemo use-memo RF-AUTH-001 foo_bar foo.bar C++ x86 don't l'idée 日本語 索引を作る 文 東京 ไทย Straße straße ARN ﬁne 3.14 v1.2.3 a-a a-a-a __init__ é e`)

// randomDocuments makes n documents in several languages, some without sections, chunks or text.
func randomDocuments(rng *rand.Rand, n int) ([]Document, []Link) {
	raw := func(most int) string {
		list := make([]string, rng.IntN(most+1))
		for i := range list {
			list[i] = words[rng.IntN(len(words))]
		}
		return strings.Join(list, [...]string{" ", ", ", "\n"}[rng.IntN(3)])
	}
	languages := []text.Lang{"en", "en", "en", "es", "de", "ja", ""}
	docs := make([]Document, n)
	for i := range docs {
		d := &docs[i]
		d.Language, d.Title = languages[rng.IntN(len(languages))], raw(4)
		for range rng.IntN(4) {
			s := Section{}
			for range rng.IntN(3) {
				s.Path = append(s.Path, raw(3))
			}
			for range rng.IntN(4) {
				s.Chunks = append(s.Chunks, raw(40))
			}
			d.Sections = append(d.Sections, s)
		}
		d.Bytes = rng.IntN(500)
	}
	links := make([]Link, rng.IntN(20))
	for i := range links {
		links[i] = Link{Target: index.NodeID(i), Text: raw(5), Count: uint32(1 + i), Language: languages[rng.IntN(len(languages))]}
	}
	return docs, links
}

// TestAgainstNaive compares Build with an index by maps, over random documents, and over numbers of processors.
func TestAgainstNaive(t *testing.T) {
	defer func(before int) { segmentPostings = before }(segmentPostings)
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 3))
		segmentPostings = []int{1, 100, 1 << 20}[seed%3]
		docs, links := randomDocuments(rng, []int{0, 1, 2, 7, 40}[seed%5])
		n := newNaive(docs, links)
		var first *Lexicon
		for _, processors := range []int{1, 2, 4, 16} {
			before := goruntime.GOMAXPROCS(processors)
			lx, err := Build(t.Context(), slices.Clone(docs), links)
			goruntime.GOMAXPROCS(before)
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = lx
				compare(t, lx, n, links)
			} else if diff := cmp.Diff(first, lx, cmpopts.EquateEmpty(), cmp.Transformer("joined", joinAll)); diff != "" {
				t.Errorf("seed %d: GOMAXPROCS %d differs:\n%s", seed, processors, diff)
			}
			if t.Failed() {
				t.Fatalf("with seed %d", seed)
			}
		}
	}
}

// joinAll returns all lists, each in memory of its own.
func joinAll(l *Lists) []index.List {
	all := make([]index.List, l.Len())
	for i := range all {
		all[i] = *l.Reader()(i)
	}
	return all
}

func compare(t *testing.T, lx *Lexicon, n *naive, links []Link) {
	t.Helper()
	for _, lengths := range []struct {
		name      string
		got, want []uint32
	}{{"title", lx.TitleTokens, n.title}, {"path", lx.PathTokens, n.path}, {"body", lx.BodyTokens, n.body}} {
		if !slices.Equal(lengths.got, lengths.want) {
			t.Errorf("%s lengths %v, want %v", lengths.name, lengths.got, lengths.want)
		}
	}
	if want := slices.Sorted(maps.Keys(n.places)); !slices.Equal(lx.Terms, want) {
		t.Fatalf("terms %q, want %q", lx.Terms, want)
	}
	read := lx.Lists.Reader()
	for i, term := range lx.Terms {
		got, want := *read(int(lx.TermList[i])), n.list(term)
		if stem := n.companion(term); stem != "" {
			at, _ := slices.BinarySearch(lx.Terms, stem)
			switch same := samePostings(&want, ptr(n.list(stem))); {
			case same != (lx.TermList[i] == uint32(at)):
				t.Errorf("%q shares the list of %q: %t, want %t", term, stem, !same, same)
			case !same:
				for f := range want.Fields {
					want.Fields[f].Positions = nil // they are among the stem's
				}
			}
		} else if lx.TermList[i] != uint32(i) {
			t.Errorf("%q shares a list, want its own", term)
		}
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", term, diff)
		}
	}
	want := map[uint32]uint32{}
	for pair, chunks := range n.pairs {
		want[index.PairHash(pair[0], pair[1])] += uint32(len(chunks))
	}
	maps.DeleteFunc(want, func(_, chunks uint32) bool { return chunks < index.MinPairChunks })
	got := map[uint32]uint32{}
	for i, p := range lx.Pairs {
		if got[p.Hash] = p.Chunks; i > 0 && p.Hash <= lx.Pairs[i-1].Hash {
			t.Errorf("pair %08x is not above the one before", p.Hash)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pairs (-want +got):\n%s", diff)
	}
	for d, hashes := range n.filters {
		if want := index.PairFilter(hashes); !slices.Equal(lx.PairFilters[d], want) {
			t.Errorf("document %d: filter %x, want %x", d, lx.PairFilters[d], want)
		}
	}
	if len(lx.Links) != len(links) {
		t.Fatalf("%d link texts, want %d", len(lx.Links), len(links))
	}
	for i, l := range lx.Links {
		want := index.LinkText{Target: links[i].Target, Text: links[i].Text, Tokens: n.link[i], Count: links[i].Count, IDF: l.IDF}
		if l != want || math.Abs(float64(l.IDF)-n.idf[i]) > 1e-4 {
			t.Errorf("link %d: %+v, want %+v with idf %g", i, l, want, n.idf[i])
		}
	}
}

func ptr[T any](v T) *T { return &v }

// TestSharing pins what shares a list, and which positions are kept, on terms that can be read.
func TestSharing(t *testing.T) {
	docs := []Document{
		{Language: "en", Title: "Runs", Sections: []Section{{Chunks: []string{"orders running", "order running orders"}}}},
		{Language: "es", Sections: []Section{{Chunks: []string{"running"}}}},
		{Language: "", Sections: []Section{{Chunks: []string{"plain"}}}},
	}
	lx, err := Build(t.Context(), docs, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	read := lx.Lists.Reader()
	for i, term := range lx.Terms {
		list := read(int(lx.TermList[i]))
		body := list.Fields[index.BodyField]
		got = append(got, fmt.Sprintf("%q = %q rows %v positions %v, %d chunks", term, lx.Terms[lx.TermList[i]], body.Rows, body.Positions, list.Chunks))
	}
	want := []string{
		`"\x01en\x01order" = "\x01en\x01order" rows [0 1] positions [0 0 2], 2 chunks`,
		`"\x01en\x01run" = "\x01en\x01run" rows [0 1] positions [1 1], 2 chunks`,
		`"\x01es\x01running" = "\x01es\x01running" rows [2] positions [0], 1 chunks`,
		`"order" = "order" rows [1] positions [], 1 chunks`,              // always with "order"
		`"orders" = "orders" rows [0 1] positions [], 2 chunks`,          // likewise, but in fewer places
		`"plain" = "plain" rows [3] positions [0], 1 chunks`,             // no language, no stem
		`"running" = "running" rows [0 1 2] positions [1 1 0], 3 chunks`, // two stems: its own positions
		`"runs" = "runs" rows [] positions [], 2 chunks`,                 // through the title
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("terms (-want +got):\n%s", diff)
	}
}

func TestCut(t *testing.T) {
	tests := []struct {
		name  string
		sizes []int
		n     int
		want  []span
	}{
		{"none", nil, 4, nil},
		{"one", []int{10}, 4, []span{{0, 1}}},
		{"empty ones", []int{0, 0, 0}, 4, []span{{0, 3}}},
		{"as many as runs", []int{5, 5}, 2, []span{{0, 2}}},
		{"equal ones", []int{5, 5, 5, 5}, 2, []span{{0, 3}, {3, 4}}},
		{"a large one first", []int{100, 1, 1}, 4, []span{{0, 1}, {1, 3}}},
		{"a large one last", []int{1, 1, 100}, 4, []span{{0, 3}}},
		{"more runs than documents", []int{1, 1}, 100, []span{{0, 1}, {1, 2}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			docs := make([]Document, len(tt.sizes))
			for i, s := range tt.sizes {
				docs[i].Bytes = s
			}
			if got := cut(docs, tt.n); !slices.Equal(got, tt.want) {
				t.Errorf("cut(%v, %d) = %v, want %v", tt.sizes, tt.n, got, tt.want)
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	docs, links := randomDocuments(rand.New(rand.NewPCG(1, 1)), 50)
	if lx, err := Build(ctx, docs, links); !errors.Is(err, context.Canceled) || lx != nil {
		t.Errorf("Build of an ended context = %v, %v", lx, err)
	}
}

func BenchmarkBuild(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	vocabulary := make([]string, 20_000)
	for i := range vocabulary {
		vocabulary[i] = fmt.Sprintf("w%xord%d", rng.Uint32(), i%7)
	}
	docs := make([]Document, 200)
	size := 0
	for i := range docs {
		docs[i].Language, docs[i].Title = "en", vocabulary[i]
		for range 20 {
			var text strings.Builder
			for range 160 {
				text.WriteString(vocabulary[int(math.Pow(rng.Float64(), 3)*float64(len(vocabulary)))] + " ")
			}
			docs[i].Bytes += text.Len()
			docs[i].Sections = append(docs[i].Sections, Section{Chunks: []string{text.String()}})
		}
		size += docs[i].Bytes
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	var lx *Lexicon
	for b.Loop() {
		var err error
		if lx, err = Build(b.Context(), slices.Clone(docs), nil); err != nil {
			b.Fatal(err)
		}
	}
	if len(lx.BodyTokens) != 200*20 {
		b.Errorf("%d chunks, want %d", len(lx.BodyTokens), 200*20)
	}
}
