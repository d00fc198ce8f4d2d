package model

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/modeltest"
)

// tokenizers of the tests of format/encoder, whose ids are proven there.
func testTokenizer(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "format", "encoder", "testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// familyModels are small models in the shapes of the families that are supported.
func familyModels(t *testing.T) map[string]*modeltest.Model {
	words, unigram := testTokenizer(t, "small-tokenizer.json"), testTokenizer(t, "unigram.json")
	cased := []byte(strings.Replace(strings.Replace(string(words), `"lowercase":true`, `"lowercase":false`, 1), `"handle_chinese_chars":true`, `"handle_chinese_chars":false`, 1))
	return map[string]*modeltest.Model{
		"minilm": modeltest.New(modeltest.MiniLM, words), "bge": modeltest.New(modeltest.BGE, words), "e5": modeltest.New(modeltest.E5, cased),
		"gte": modeltest.New(modeltest.GTE, words), "xlmr": modeltest.New(modeltest.XLMR, unigram),
		"arctic": modeltest.New(modeltest.Arctic, words), "leaf": modeltest.New(modeltest.LEAF, words),
		"labse": modeltest.New(modeltest.LaBSE, words), "distiluse": modeltest.New(modeltest.DistilUSE, words),
	}
}

// Each family is imported with what its files say, and its vectors are those of plain loops over the weights: by the Go
// transformer, and by ONNX Runtime where it is.
func TestImportFamilies(t *testing.T) {
	for name, m := range familyModels(t) {
		t.Run(name, func(t *testing.T) {
			src := filepath.Join(t.TempDir(), "model")
			if err := m.Write(src); err != nil {
				t.Fatal(err)
			}
			o := ImportOptions{Dir: t.TempDir(), Name: name}
			got, err := Import(t.Context(), src, o)
			if err != nil {
				t.Fatal(err)
			}
			want := map[string]Info{
				"minilm": {Pooling: "mean", MaxTokens: 48, Positions: 64, Languages: []string{"en"}, Licence: "apache-2.0"},
				"bge":    {Pooling: "cls", MaxTokens: 512, Positions: 512, Languages: []string{"en"}, Licence: "mit", Prefixes: Prefixes{Query: searchPrompt}},
				"e5":     {Pooling: "mean", MaxTokens: 100, Positions: 128, Languages: []string{}, Prefixes: Prefixes{"query: ", "passage: "}},
				"gte":    {Pooling: "max", MaxTokens: 64, Positions: 80, Languages: []string{}},
				"xlmr":   {Pooling: "mean", MaxTokens: 128, Positions: 128, Languages: []string{"en", "no", "pt", "zh"}, Licence: "mit", Prefixes: Prefixes{"query: ", "passage: "}},
				"arctic": {Pooling: "cls", MaxTokens: 96, Positions: 96, Languages: []string{}, Prefixes: Prefixes{Query: "find the ships: "}},
				"leaf": {Pooling: "mean", MaxTokens: 48, Positions: 64, Languages: []string{}, Prefixes: Prefixes{Query: "query: "},
					Dense: []Dense{{File: "dense-1.safetensors", In: 16, Out: 24, Bias: true, Activation: "identity"}}},
				"labse": {Pooling: "cls", MaxTokens: 64, Positions: 64, Languages: []string{},
					Dense: []Dense{{File: "dense-1.safetensors", In: 20, Out: 20, Bias: true, Activation: "tanh"}}},
				"distiluse": {Pooling: "mean", MaxTokens: 64, Positions: 64, Languages: []string{},
					Dense: []Dense{{File: "dense-1.safetensors", In: 24, Out: 19, Bias: true, Activation: "tanh"},
						{File: "dense-2.safetensors", In: 19, Out: 12, Activation: "identity"}}},
			}[name]
			want.Architecture, want.Dim, want.Vocab = m.Type, m.Dim(), m.Vocab
			have := Info{Pooling: got.Pooling, MaxTokens: got.MaxTokens, Positions: got.Positions, Languages: got.Languages, Licence: got.Licence,
				Prefixes: got.Prefixes, Architecture: got.Architecture, Dim: got.Dim, Vocab: got.Info.Vocab, Dense: slices.Clone(got.Dense)}
			for i := range have.Dense {
				have.Dense[i].source = ""
			}
			if diff := cmp.Diff(want, have, cmp.AllowUnexported(Dense{})); diff != "" {
				t.Errorf("info differs (-want +got):\n%s", diff)
			}
			if err := got.Verify(t.Context()); err != nil {
				t.Errorf("Verify = %v, want none", err)
			}
			vocab, err := got.Vocab()
			if err != nil {
				t.Fatal(err)
			}
			for _, kind := range []engine.Kind{engine.Go, engine.ONNX} {
				e, _, err := got.Engine(engine.Options{Kind: kind})
				if errors.Is(err, engine.ErrNoLibrary) {
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				defer e.Close()
				for _, text := range []string{"", "the harbour", "Zürich, 東京 and the lighthouse keeper's ships", strings.Repeat("count the ships ", 40)} {
					ids := vocab.EncodeWithSpecials(nil, got.Prefixes.Document+text, got.MaxTokens)
					v, want := make([]float32, m.Dim()), m.Forward(ids)
					if err := e.Embed(v, ids); err != nil {
						t.Fatal(err)
					}
					var dot, length float64
					for i := range v {
						dot += float64(v[i]) * want[i]
						length += float64(v[i]) * float64(v[i])
					}
					if cosine := dot / math.Sqrt(length); !(cosine >= .9999) {
						t.Errorf("%s: %d ids of %.20q have cosine %.6f with plain loops, want .9999", engine.ID(e), len(ids), text, cosine)
					}
				}
			}
		})
	}
}

func TestFamilyPrefixes(t *testing.T) {
	e5 := Prefixes{"query: ", "passage: "}
	for _, tt := range []struct {
		name string
		want Prefixes
	}{
		{"intfloat/e5-base-v2", e5}, {"intfloat/multilingual-e5-small", e5}, {"multilingual_e5_large", e5}, {"E5-Small", e5},
		{"intfloat/multilingual-e5-large-instruct", Prefixes{instructPrompt, ""}},
		{"BAAI/bge-base-en-v1.5", Prefixes{searchPrompt, ""}}, {"BAAI/bge-large-zh", Prefixes{chinesePrompt, ""}},
		{"Snowflake/snowflake-arctic-embed-xs", Prefixes{searchPrompt, ""}}, {"mixedbread-ai/mxbai-embed-large-v1", Prefixes{searchPrompt, ""}},
		{"Snowflake/snowflake-arctic-embed-l-v2.0", Prefixes{"query: ", ""}},
		{"sentence-transformers/all-MiniLM-L6-v2", Prefixes{}}, {"thenlper/gte-small", Prefixes{}}, {"BAAI/bge-m3", Prefixes{}}, {"owner/note5-base", Prefixes{}}, {"", Prefixes{}},
	} {
		if got := familyPrefixes("other", tt.name); got != tt.want {
			t.Errorf("familyPrefixes(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestCardLanguages(t *testing.T) {
	for _, tt := range []struct {
		name, card string
		want       []string
	}{
		{"none", "# a model", nil},
		{"no language", "---\nlicense: mit\n---\n", nil},
		{"one", "---\nlanguage: en\n---\n", []string{"en"}},
		{"quoted", "---\r\nlanguage: \"de\"\r\n---\r\n", []string{"de"}},
		{"list", "---\nlanguage:\n- multilingual\n- fr\n- en-GB\n- zh_TW\n- fr\n---\n", []string{"en", "fr", "zh"}},
		{"inline list", "---\nlanguage: [ja, ko]\n---\n", []string{"ja", "ko"}},
		{"Norwegian", "---\nlanguage: [no, nn]\n---\n", []string{"nn", "no"}},
		{"three letters", "---\nlanguage: deu\n---\n", []string{"de"}},
		{"multilingual only", "---\nlanguage: multilingual\n---\n", nil},
		{"code", "---\nlanguage: [code]\n---\n", nil},
		{"not YAML", "---\nlanguage: [en\n---\n", nil},
		{"a map", "---\nlanguage: {a: b}\n---\n", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, known := cardLanguages(tt.card); !slices.Equal(got, tt.want) || known != (tt.want != nil) {
				t.Errorf("cardLanguages = %q, %v, want %q", got, known, tt.want)
			}
		})
	}
}

func TestParseLanguages(t *testing.T) {
	for _, tt := range []struct {
		list string
		want []string
		err  string
	}{
		{"any", []string{}, ""},
		{" all", []string{}, ""},
		{"en", []string{"en"}, ""},
		{"zh-TW, de,en,de", []string{"de", "en", "zh"}, ""},
		{"", nil, `language "", want codes`},
		{"en,,de", nil, `language ""`},
		{"english", nil, `language "english"`},
		{"xx1", nil, `language "xx1"`},
	} {
		got, err := ParseLanguages(tt.list)
		if tt.err == "" && (err != nil || !slices.Equal(got, tt.want)) || tt.err != "" && (err == nil || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("ParseLanguages(%q) = %q, %v, want %q, %q", tt.list, got, err, tt.want, tt.err)
		}
	}
}
