package compiler

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/compiler/filetest"
)

// The shape of the small model: its wordpieces are single letters and digits, so that it reads any ASCII text.
const (
	smallHidden    = 16
	smallInner     = 32
	smallPositions = 64
	smallTokens    = 48
)

// smallPieces are the wordpieces of the small model. The words at the end stand in the order of BERT's vocabularies, so
// that the build knows how common a piece is.
func smallPieces() []string {
	pieces := []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", ",", "-", "the", "of"}
	for _, c := range "abcdefghijklmnopqrstuvwxyz0123456789" {
		pieces = append(pieces, string(c), "##"+string(c))
	}
	return append(pieces, "people", "language", "restaurant", "crab")
}

// smallModel imports a BERT encoder with one layer and seeded random weights, and returns its folder. The Go
// transformer evaluates it in microseconds. documents is the prefix that it wants before a text.
func smallModel(t *testing.T, seed uint64, documents string) string {
	t.Helper()
	pieces := smallPieces()
	shapes := map[string][]int{
		"embeddings.word_embeddings.weight":       {len(pieces), smallHidden},
		"embeddings.position_embeddings.weight":   {smallPositions, smallHidden},
		"embeddings.token_type_embeddings.weight": {2, smallHidden},
	}
	for name, d := range map[string][2]int{
		"attention.self.query": {smallHidden, smallHidden}, "attention.self.key": {smallHidden, smallHidden},
		"attention.self.value": {smallHidden, smallHidden}, "attention.output.dense": {smallHidden, smallHidden},
		"intermediate.dense": {smallInner, smallHidden}, "output.dense": {smallHidden, smallInner},
	} {
		shapes["encoder.layer.0."+name+".weight"], shapes["encoder.layer.0."+name+".bias"] = d[:], d[:1]
	}
	for _, name := range []string{"embeddings.", "encoder.layer.0.attention.output.", "encoder.layer.0.output."} {
		shapes[name+"LayerNorm.weight"], shapes[name+"LayerNorm.bias"] = []int{smallHidden}, []int{smallHidden}
	}
	header := map[string]any{}
	var data []byte
	rng := rand.New(rand.NewPCG(seed, 1))
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		n := 1
		for _, d := range shapes[name] {
			n *= d
		}
		start := len(data)
		for range n {
			x := rng.NormFloat64() / 3
			if strings.HasSuffix(name, "LayerNorm.weight") {
				x++
			}
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(x)))
		}
		header[name] = map[string]any{"dtype": "F32", "shape": shapes[name], "data_offsets": []int{start, len(data)}}
	}
	head := encodeJSON(t, header)
	weights := append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...), data...)
	src := filepath.Join(t.TempDir(), fmt.Sprintf("small-%d", seed))
	filetest.Write(t, src, map[string]string{
		"config.json": fmt.Sprintf(`{"architectures": ["BertModel"], "model_type": "bert", "hidden_act": "gelu", "hidden_size": %d,
			"num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": %d, "vocab_size": %d, "max_position_embeddings": %d,
			"type_vocab_size": 2, "layer_norm_eps": 1e-12}`, smallHidden, smallInner, len(pieces), smallPositions),
		"modules.json": `[{"idx": 0, "path": "", "type": "sentence_transformers.models.Transformer"},
			{"idx": 1, "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
			{"idx": 2, "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}]`,
		"1_Pooling/config.json":     `{"pooling_mode_cls_token": false, "pooling_mode_mean_tokens": true}`,
		"sentence_bert_config.json": fmt.Sprintf(`{"max_seq_length": %d}`, smallTokens),
		"README.md":                 "---\nlanguage: en\nlicense: apache-2.0\n---\n# a model\n",
		"tokenizer.json":            smallTokenizer(t, pieces),
		"model.safetensors":         string(weights),
	})
	m, err := model.Import(t.Context(), src, model.ImportOptions{
		Dir: filepath.Join(t.TempDir(), "models"), Engine: engine.Options{Kind: engine.Go}, Prefixes: &model.Prefixes{Document: documents},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m.Path
}

// smallTokenizer returns a WordPiece tokenizer.json.
func smallTokenizer(t *testing.T, pieces []string) string {
	vocab := map[string]int{}
	for i, p := range pieces {
		vocab[p] = i
	}
	var added []any
	for i, p := range pieces[:5] {
		added = append(added, map[string]any{"id": i, "content": p, "special": true, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false})
	}
	special := func(s string) any { return map[string]any{"SpecialToken": map[string]any{"id": s, "type_id": 0}} }
	token := func(s string, id int) any {
		return map[string]any{"id": s, "ids": []int{id}, "tokens": []string{s}}
	}
	return string(encodeJSON(t, map[string]any{
		"version": "1.0", "truncation": nil, "padding": nil, "added_tokens": added,
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"post_processor": map[string]any{"type": "TemplateProcessing", "pair": []any{},
			"single":         []any{special("[CLS]"), map[string]any{"Sequence": map[string]any{"id": "A", "type_id": 0}}, special("[SEP]")},
			"special_tokens": map[string]any{"[CLS]": token("[CLS]", 2), "[SEP]": token("[SEP]", 3)}},
		"decoder": map[string]any{"type": "WordPiece", "prefix": "##", "cleanup": true},
		"model":   map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocab},
	}))
}

func encodeJSON(t *testing.T, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// withVectors returns options that build with the model in a folder, by the Go transformer and without a cache.
func withVectors(dir, model string) Options {
	return Options{Sources: []string{dir}, Model: model, Engine: string(engine.Go), CacheDir: "-", Version: "test"}
}

func symlink(t *testing.T, target, name string) {
	t.Helper()
	if err := os.Symlink(target, name); err != nil {
		t.Fatal(err)
	}
}
