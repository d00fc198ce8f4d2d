package runtime

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aead.dev/minisign"

	"kdd/format"
	"kdd/format/encoder"
	"kdd/format/index"
	"kdd/format/sign"
	"kdd/runtime/search/vector"
)

// What the tests of runtime/browser read of meaning: files with vectors, and what kdd says of queries.
type (
	meaningFixture struct {
		File    string         `json:"file"`
		Chunks  int            `json:"chunks"`
		Queries []meaningQuery `json:"queries"`
	}
	meaningQuery struct {
		Text string  `json:"text"`
		IDs  []int32 `json:"ids"`
		// Of some queries: the vector, nil if there is none, and the best chunks.
		Whole  bool            `json:"whole,omitempty"`
		Vector []float32       `json:"vector,omitempty"`
		Near   []meaningScores `json:"near,omitempty"`
	}
	// meaningScores are the best chunks of those with numbers of Modulo that are 0, of a file in memory or elsewhere.
	meaningScores struct {
		Modulo    int            `json:"modulo"`
		Elsewhere bool           `json:"elsewhere"`
		Scores    []meaningScore `json:"scores"`
	}
	meaningScore struct {
		Chunk uint32  `json:"chunk"`
		Score float32 `json:"score"`
	}
)

// TestBrowserMeaning has the reader in TypeScript cut texts into pieces, embed them and compare them with chunks as kdd
// does: with WordPiece and Unigram vocabularies, all forms of rows, sketches and clusters.
func TestBrowserMeaning(t *testing.T) {
	node := browserNode(t)
	dir := t.TempDir()
	base := random(9, 150).compile(t)
	texts := meaningTexts(t)
	var all []meaningFixture
	add := func(name, from string, v *encoder.Vocab, dim int, texts []string) {
		path := filepath.Join(dir, name+".kddx")
		addMeaning(t, from, path, v, dim)
		all = append(all, meaningAnswers(t, path, texts))
	}
	for name, v := range meaningVocabs(t) {
		own := texts
		if name != "wordpiece" && name != "model" { // of the others a share
			own = own[:len(own)/6]
		}
		add(name, base, v, 40, own)
		// The same file with wordpieces by text, of which the pieces of a text are read only.
		if !strings.HasPrefix(name, "unigram") {
			listed := all[len(all)-1]
			listed.File = "listed-" + listed.File
			listPieces(t, filepath.Join(dir, name+".kddx"), filepath.Join(dir, listed.File), nil)
			all = append(all, listed)
		}
	}
	small := meaningVocabs(t)["wordpiece"]
	add("vast", emptyChunks(t, index.ExactRows+1000), small, 24, texts[:60])
	add("few", random(3, 8).compile(t), small, 24, texts[:60])
	if err := os.WriteFile(filepath.Join(dir, "meaning.json"), must(json.Marshal(all)), 0o644); err != nil {
		t.Fatal(err)
	}
	nodeTest(t, node, "meaning", "KDDX_FIXTURES="+dir)
}

// TestBrowserTrust has the reader in TypeScript look at signatures, and read through a cache.
func TestBrowserTrust(t *testing.T) {
	node := browserNode(t)
	dir := t.TempDir()
	vocab := meaningVocabs(t)["wordpiece"]
	addMeaning(t, random(9, 150).compile(t), filepath.Join(dir, "many.kddx"), vocab, 40)
	addMeaning(t, random(3, 8).compile(t), filepath.Join(dir, "few.kddx"), vocab, 24)
	signMeaning(t, dir, filepath.Join(dir, "few.kddx"))
	nodeTest(t, node, "stored", "KDDX_FIXTURES="+dir)
}

// meaningVocabs are the tokenizers of the encoder's own tests, and that of the model where it is there.
func meaningVocabs(t *testing.T) map[string]*encoder.Vocab {
	t.Helper()
	const folder = "../format/encoder/testdata/"
	list := map[string]*encoder.Vocab{}
	var spec, changes map[string]any
	for _, file := range []struct {
		name string
		to   *map[string]any
	}{{"unigram.json", &spec}, {"unigram-variants.json", &changes}} {
		if err := json.Unmarshal(must(os.ReadFile(folder+file.name)), file.to); err != nil {
			t.Fatal(err)
		}
	}
	compiled := spec["normalizer"]
	changes[""] = map[string]any{}
	for name, change := range changes {
		own := map[string]any{}
		for key, value := range spec {
			own[key] = value
		}
		for key, value := range change.(map[string]any) {
			if n, ok := value.(map[string]any); ok && key == "normalizer" {
				parts := n["normalizers"].([]any)
				for i := range parts {
					if parts[i] == "compiled" {
						parts[i] = compiled
					}
				}
			}
			if key == "byte_fallback" {
				model := map[string]any{key: value}
				for k, v := range spec["model"].(map[string]any) {
					if k != key {
						model[k] = v
					}
				}
				own["model"] = model
			} else if key != "wider" {
				own[key] = value
			}
		}
		list["unigram"+name] = must(encoder.ParseTokenizer(must(json.Marshal(own))))
	}
	file := must(os.ReadFile(folder + "small-tokenizer.json"))
	list["wordpiece"] = must(encoder.ParseTokenizer(file))
	for name, key := range map[string]string{"cased": "lowercase", "unclean": "clean_text"} {
		var other map[string]any
		if err := json.Unmarshal(file, &other); err != nil {
			t.Fatal(err)
		}
		other["normalizer"].(map[string]any)[key] = false
		list[name] = must(encoder.ParseTokenizer(must(json.Marshal(other))))
	}
	if models := os.Getenv("KDD_MODELS"); models != "" {
		path := filepath.Join(models, "all-MiniLM-L6-v2/tokenizer.json")
		list["model"] = must(encoder.ParseTokenizer(must(os.ReadFile(path))))
	}
	list["many"] = manyPieces(t)
	return list
}

// manyPieces is a vocabulary of parts of words of the questions, of which many begin others, and of parts of characters.
func manyPieces(t *testing.T) *encoder.Vocab {
	t.Helper()
	r := rand.New(rand.NewPCG(28, 2))
	seen := map[string]bool{}
	for _, piece := range []string{"##", "#", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "\xc3", "##\x84\xe5"} {
		seen[piece] = true
	}
	for _, text := range meaningTexts(t) {
		for word := range strings.FieldsSeq(strings.ToLower(text)) {
			from := r.IntN(len(word))
			to := from + 1 + r.IntN(min(len(word)-from, 12))
			piece := word[from:to]
			if r.IntN(2) == 0 {
				piece = "##" + piece
			}
			if len(seen) < 20_000 && !strings.Contains(piece, "\x00") {
				seen[piece] = true
			}
		}
	}
	pieces := slices.Sorted(maps.Keys(seen))
	r.Shuffle(len(pieces), func(i, j int) { pieces[i], pieces[j] = pieces[j], pieces[i] })
	return must(encoder.NewVocab(pieces, false))
}

// meaningTexts are all lines of the sets of questions, the texts of the tokenizers' tests, and hostile strings.
func meaningTexts(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, pattern := range []string{"../testdata/relevance/*/*.tsv", "../format/encoder/testdata/*.jsonl"} {
		for _, path := range must(filepath.Glob(pattern)) {
			for line := range strings.Lines(string(must(os.ReadFile(path)))) {
				var golden struct{ Text string }
				if json.Unmarshal([]byte(line), &golden) == nil && golden.Text != "" {
					line = golden.Text
				}
				list = append(list, strings.TrimSuffix(line, "\n"))
			}
		}
	}
	if len(list) < 9000 {
		t.Fatalf("%d texts, want those of all sets of questions", len(list))
	}
	r := rand.New(rand.NewPCG(28, 1))
	odd := strings.Fields("[SEP] <mask> ▁ ## \u0301 \u200d İ ς 各 가 \ufeff \U0001f1e9 \t")
	odd = append(odd, " ")
	for range 2000 {
		var b strings.Builder
		for range 1 + r.IntN(12) {
			switch r.IntN(4) {
			case 0:
				b.WriteByte(byte(r.IntN(128)))
			case 1:
				b.WriteRune(rune(r.IntN(0x3100)))
			case 2:
				b.WriteRune(rune(r.IntN(0x20000)))
			default:
				b.WriteString(odd[r.IntN(len(odd))])
			}
		}
		list = append(list, b.String())
	}
	list = append(list, strings.Repeat("a", 500), strings.Repeat("各", 900), strings.Repeat("a\u0301", 30),
		"[SEP][SEP] [MASK]a a[MASK]")
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// addMeaning writes the artifact with a vocabulary, a table of rows of all forms, and vectors near some of its rows.
func addMeaning(t testing.TB, from, to string, v *encoder.Vocab, dim int) {
	t.Helper()
	x := must(index.Open(from))
	defer x.File.Close()
	r := rand.New(rand.NewPCG(4, 4))
	normal := func(n int) []float32 {
		list := make([]float32, n)
		for i := range list {
			list[i] = float32(r.NormFloat64())
		}
		return list
	}
	const rank = 5
	spec := &encoder.TableSpec{Dim: dim, Pieces: v.Size(), PairForm: encoder.FormInt4, Rows: []encoder.TableRows{
		{Form: encoder.FormInt8}, {Form: encoder.FormInt4}, {Form: encoder.FormSigns},
		{Form: encoder.FormBasis, Basis: normal(rank * dim)}}}
	for id := range int32(v.Size()) {
		if id%11 == 5 {
			continue // it has no row
		}
		rows, width := &spec.Rows[id%4], dim
		if rows.Form == encoder.FormBasis {
			width = rank
		}
		rows.Pieces, rows.Values = append(rows.Pieces, id), append(rows.Values, normal(width)...)
		if id%3 == 0 {
			spec.Pairs = append(spec.Pairs, [2]int32{id, int32(r.IntN(v.Size()))})
			spec.PairValues = append(spec.PairValues, normal(dim)...)
		}
	}
	topics, vectors := normal(50*dim), normal(x.Chunks()*dim)
	for c := range x.Chunks() {
		row, sum := vectors[c*dim:(c+1)*dim], 0.
		for k := range row {
			row[k] += topics[c/7%50*dim+k]
			sum += float64(row[k]) * float64(row[k])
		}
		for k := range row {
			row[k] /= float32(math.Sqrt(sum))
		}
	}
	rows, scales := index.QuantiseRows(vectors, dim)
	blocks := append(x.File.Raw(), index.VectorBlocks(rows, scales, nil, dim)...)
	blocks = append(blocks, format.RawBlock{Tag: index.TagVocab, Rows: uint64(v.Size()), Data: must(v.AppendBinary(nil))},
		format.RawBlock{Tag: index.TagTable, Rows: uint64(v.Size()), Data: must(encoder.AppendTable(nil, spec))})
	var b bytes.Buffer
	must(must(format.Lay(blocks)).WriteTo(&b))
	if err := os.WriteFile(to, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// emptyChunks writes an artifact of one document with so many chunks.
func emptyChunks(t testing.TB, n int) string {
	t.Helper()
	image := must(index.Encode(&index.Content{
		Meta:     index.Meta{ChunkTypes: []string{"DEFAULT"}, Roots: []index.Root{{Base: "d"}}, Analyzer: 2},
		Docs:     []index.Doc{{Path: "a.md", NodeID: "doc:a.md"}},
		Sections: []index.Section{{}},
		Chunks:   make([]index.Chunk, n),
		Texts:    index.PackTexts([][]byte{[]byte("x")}),
	}))
	var b bytes.Buffer
	must(image.WriteTo(&b))
	path := filepath.Join(t.TempDir(), "empty.kddx")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// meaningAnswers asks an artifact texts.
func meaningAnswers(t testing.TB, path string, texts []string) meaningFixture {
	t.Helper()
	x := must(index.Open(path))
	defer x.File.Close()
	vocab := must(encoder.OpenVocab(x.File.Block(index.TagVocab).All()))
	table := must(encoder.OpenTable(x.File.Block(index.TagTable)))
	view := &vector.View{Vectors: must(x.Vectors())}
	f := meaningFixture{File: filepath.Base(path), Chunks: x.Chunks()}
	for i, text := range texts {
		q := meaningQuery{Text: text, IDs: vocab.Encode([]int32{}, text), Whole: i%20 == 0 || len(texts) < 100}
		if q.Whole {
			vec := make([]float32, table.Dim())
			if table.Embed(vec, q.IDs) > 0 {
				q.Vector = vec
			}
		}
		if q.Vector != nil && (i%400 == 0 || len(texts) < 100 && i%4 == 0) {
			for _, modulo := range []int{1, 3} {
				for _, elsewhere := range []bool{false, true} {
					q.Near = append(q.Near, meaningScores{modulo, elsewhere, meaningNear(t, x, view, q.Vector, modulo, elsewhere)})
				}
			}
		}
		f.Queries = append(f.Queries, q)
	}
	return f
}

// meaningNear returns the best fifty chunks of those whose number is a multiple of modulo.
func meaningNear(
	t testing.TB, x *index.Index, view *vector.View, vec []float32, modulo int, elsewhere bool,
) []meaningScore {
	t.Helper()
	q, cosines := vector.NewQuery(vec), make([]float32, view.Count)
	runs := vector.Ranges{{0, uint32(view.Count)}}
	if modulo > 1 {
		runs = nil
		for row := uint32(0); row < uint32(view.Count); row += uint32(modulo) {
			runs = append(runs, [2]uint32{row, row + 1})
		}
	}
	best := func(runs vector.Ranges, n int) (list []meaningScore) {
		for _, run := range runs {
			for row := run[0]; row < run[1]; row++ {
				list = append(list, meaningScore{row, cosines[row]})
			}
		}
		slices.SortStableFunc(list, func(a, b meaningScore) int { return cmp.Compare(b.Score, a.Score) })
		return list[:min(n, len(list))]
	}
	if !elsewhere || view.Count <= 256 {
		must(view.Cosines(t.Context(), q, runs, cosines))
		return best(runs, 50)
	}
	if c := view.Clusters(); c != nil && modulo == 1 {
		view.EstimateNear(q, c, view.Near(q, c, int(math.Ceil(.2*float64(c.Count)))), cosines)
	} else if err := view.Estimate(t.Context(), q, runs, cosines); err != nil {
		t.Fatal(err)
	}
	// As for the hits of a search: of the documents of the likeliest chunks the nearest rows.
	var rows []uint32
	seen := map[index.DocID]bool{}
	for _, s := range best(runs, 112) {
		d := x.DocOfChunk(index.ChunkID(s.Chunk))
		if seen[d] {
			continue
		}
		seen[d] = true
		from, to := x.DocChunks(d)
		var own vector.Ranges
		for row := uint32(from); row < uint32(to); row++ {
			if row%uint32(modulo) == 0 {
				own = append(own, [2]uint32{row, row + 1})
			}
		}
		nearest := best(own, 112)
		if len(rows)+len(nearest) > 2048 {
			break
		}
		for _, n := range nearest {
			rows = append(rows, n.Chunk)
		}
	}
	slices.Sort(rows)
	if err := view.Compare(t.Context(), q, runs, rows, cosines); err != nil {
		t.Fatal(err)
	}
	return best(runs, 50)
}

// signMeaning writes the artifact signed in several ways, and signed.json with what a reader should think of each.
func signMeaning(t *testing.T, dir, path string) {
	t.Helper()
	public, private, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	other, _, err := minisign.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	data := must(os.ReadFile(path))
	f := must(format.OpenBytes(data))
	statement := must(sign.Of(f, "docs")).Text()
	prehashed := func(text []byte) string {
		reader := minisign.NewReader(bytes.NewReader(text))
		must(reader.Read(make([]byte, len(text)+1)))
		return string(reader.SignWithComments(private, "made for a test", "one"))
	}
	plain := string(minisign.SignWithComments(private, statement, "trusted", "untrusted"))
	hashed := prehashed(statement)
	elsewhere := bytes.Replace(statement, []byte("length "), []byte("length 1"), 1)
	type signed struct {
		File string `json:"file"`
		Key  string `json:"key"`
		Name string `json:"name,omitempty"`
		OK   bool   `json:"ok"`
	}
	var list []signed
	add := func(file string, ok bool, key minisign.PublicKey, name string, signatures ...sign.Signature) {
		b := slices.Clone(data)
		if signatures != nil {
			b = must(sign.Append(b, signatures))
		}
		if err := os.WriteFile(filepath.Join(dir, file+".kddx"), b, 0o644); err != nil {
			t.Fatal(err)
		}
		list = append(list, signed{file + ".kddx", "untrusted comment: key\n" + key.String() + "\n", name, ok})
	}
	of := func(text []byte, signature string) sign.Signature {
		return sign.Signature{Statement: string(text), Kind: sign.Minisign, Text: signature}
	}
	add("unsigned", false, public, "")
	add("plain", true, public, "", of(statement, plain))
	add("hashed", true, public, "docs", of(statement, hashed))
	add("second", true, public, "", sign.Signature{Statement: "x", Kind: sign.SSH, Text: "y"}, of(statement, hashed))
	add("named", false, public, "handbook", of(statement, hashed))
	add("other-key", false, other, "", of(statement, hashed))
	add("comment", false, public, "", of(statement, strings.Replace(hashed, "made for", "meant for", 1)))
	add("statement", false, public, "", of(bytes.Replace(statement, []byte("docs"), []byte("dots"), 1), hashed))
	add("swapped", false, public, "", of(elsewhere, prehashed(elsewhere)))
	if err := os.WriteFile(filepath.Join(dir, "signed.json"), must(json.Marshal(list)), 0o644); err != nil {
		t.Fatal(err)
	}
}
