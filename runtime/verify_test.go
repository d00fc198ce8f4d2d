package runtime

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/format"
	"kdd/format/encoder"
	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/artifact"
)

// encoderArtifact writes an artifact of one chunk whose query encoder is a table of two pieces.
func encoderArtifact(t *testing.T, test string) string {
	t.Helper()
	vocab, err := encoder.NewVocab([]string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "parcel", "late"}, false)
	if err != nil {
		t.Fatal(err)
	}
	pieces, err := vocab.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	table, err := encoder.AppendTable(nil, &encoder.TableSpec{Dim: 2, Pieces: vocab.Size(), Rows: []encoder.TableRows{
		{Form: encoder.FormInt8, Pieces: []int32{5, 6}, Values: []float32{1, 0, 0, 1}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	c := &index.Content{
		Meta: index.Meta{
			Analyzer: text.Version, ChunkTypes: []string{"DEFAULT"}, Roots: []index.Root{{Base: "d"}}, Encoder: "distilled",
			Model: &index.Model{Name: "tiny", Dim: 2, MaxTokens: 16},
		},
		Docs:     []index.Doc{{Path: "a.md", NodeID: "doc:a.md", Lines: 1, Size: 6, SHA256: [32]byte{}}},
		Sections: []index.Section{{End: 6, LineStart: 1, LineEnd: 1}},
		Chunks:   []index.Chunk{{End: 6, LineStart: 1, LineEnd: 1}},
		Texts:    index.PackTexts([][]byte{[]byte("parcel")}),
	}
	rows, scales := index.QuantiseRows([]float32{1, 0}, 2)
	c.Extra = append(index.VectorBlocks(rows, scales, nil, 2),
		format.RawBlock{Tag: index.TagVocab, Rows: uint64(vocab.Size()), Data: pieces},
		format.RawBlock{Tag: index.TagTable, Rows: uint64(vocab.Size()), Data: table},
		format.RawBlock{Tag: index.TagSelfTest, Rows: 1, Data: []byte(test)})
	image, err := index.Encode(c)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.kddx")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := image.WriteTo(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestVerifyEncoder checks that the self-test of an artifact decides: the same file with another stored vector is
// named.
func TestVerifyEncoder(t *testing.T) {
	tests := []struct {
		name, test string
		want       string // of a problem in ETST; "" = none there
	}{
		{"agrees", `{"text":"parcel late","vector":[0.70710677,0.70710677]}`, ""},
		{"another vector", `{"text":"parcel late","vector":[1,0]}`, "cosine 0.7071"},
		{"unknown text", `{"text":"zebra","vector":[0,0]}`, ""},
		{"no JSON", `{"text`, "self-test"},
		{"a short vector", `{"text":"parcel late","vector":[1]}`, "self-test: a vector of 1, the artifact's have 2"},
		{"a long vector", `{"text":"parcel late","vector":[1,0,0]}`, "self-test: a vector of 3, the artifact's have 2"},
		{"no vector", `{}`, "self-test: a vector of 0, the artifact's have 2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			x, err := index.Open(encoderArtifact(t, test.test))
			if err != nil {
				t.Fatal(err)
			}
			defer x.File.Close()
			err = artifact.VerifyEncoder(x)
			if test.want == "" {
				if err != nil {
					t.Errorf("verifyEncoder = %v, want none", err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), "ETST") {
				t.Errorf("verifyEncoder = %v, want ETST: …%s…", err, test.want)
			}
		})
	}
}

// listPieces gives the artifact at from, which has a distilled encoder of WordPiece, its wordpieces by text.
func listPieces(t testing.TB, from, to string, edit func(blocks []format.RawBlock)) {
	t.Helper()
	x := must(index.Open(from))
	defer x.File.Close()
	vocab := must(encoder.OpenVocab(x.File.Block(index.TagVocab).All()))
	table := must(encoder.OpenTable(x.File.Block(index.TagTable)))
	keys, ok := encoder.PieceKeys(vocab, table)
	if !ok {
		t.Fatal("the vocabulary has no wordpieces by text")
	}
	added, n := encoder.AddedTokens(vocab, table)
	list := index.PieceBlocks(keys, added, n)
	if edit != nil {
		edit(list)
	}
	blocks := append(x.File.Raw(), list...)
	index.Arrange(blocks)
	lay(t, to, blocks)
}

// TestVerifyPieces compares wordpieces by text with vocabulary and table.
func TestVerifyPieces(t *testing.T) {
	path := encoderArtifact(t, `{"text":"parcel late","vector":[0.70710677,0.70710677]}`)
	out := filepath.Join(t.TempDir(), "a.kddx")
	for _, tt := range []struct {
		name string
		edit func(blocks []format.RawBlock)
		want string
	}{
		{"whole", nil, ""},
		{"another row", func(b []format.RawBlock) { b[0].Data[len(b[0].Data)-2]++ },
			`PIEC: string 6 is "parcel\x00\x05\x00\x02\x00", want "parcel\x00\x05\x00\x01\x00"`},
		{"an added token", func(b []format.RawBlock) { b[3].Data[len(b[3].Data)-1]++ }, "PIEA: "},
		{"another header", func(b []format.RawBlock) { b[3].Data[24]++ }, "PIEA: "},
	} {
		listPieces(t, path, out, tt.edit)
		x := must(index.Open(out))
		err := artifact.VerifyEncoder(x)
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: verifyEncoder = %v, want %q", tt.name, err, tt.want)
		}
		x.File.Close()
	}
}

// TestVerifyEncoderRows changes what the directory says of the rows of each of the encoder's blocks.
func TestVerifyEncoderRows(t *testing.T) {
	path := encoderArtifact(t, `{"text":"parcel late","vector":[0.70710677,0.70710677]}`)
	for _, tag := range []format.Tag{index.TagVocab, index.TagTable, index.TagSelfTest} {
		f := must(format.Open(path))
		blocks := f.Raw()
		f.Close()
		blocks[slices.IndexFunc(blocks, func(b format.RawBlock) bool { return b.Tag == tag })].Rows++
		out := filepath.Join(t.TempDir(), "a.kddx")
		lay(t, out, blocks)
		x := must(index.Open(out))
		if err := artifact.VerifyEncoder(x); err == nil || !strings.Contains(err.Error(), tag.String()) || !strings.Contains(err.Error(), "rows") {
			t.Errorf("verifyEncoder with a row more in %s = %v, want an error of its rows", tag, err)
		}
		x.File.Close()
	}
}
