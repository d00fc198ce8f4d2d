package model

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kdd/compiler/embedding/engine"
)

// The shape of the small model of the tests.
const (
	smallHidden    = 16
	smallInner     = 32
	smallPositions = 16
	smallLayers    = 2
)

var smallPieces = []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "b", "c", "word", "piece", "##s", "##ing", "skip", "render", "the", "."}

// files are a model as a hub has it, by name.
type files map[string][]byte

// smallModel returns a BERT encoder with seeded random weights.
func smallModel() files {
	tensors := map[string][]int{
		"embeddings.word_embeddings.weight":       {len(smallPieces), smallHidden},
		"embeddings.position_embeddings.weight":   {smallPositions, smallHidden},
		"embeddings.token_type_embeddings.weight": {2, smallHidden},
		"embeddings.LayerNorm.weight":             {smallHidden},
		"embeddings.LayerNorm.bias":               {smallHidden},
	}
	for i := range smallLayers {
		p := fmt.Sprintf("encoder.layer.%d.", i)
		for name, d := range map[string][2]int{
			"attention.self.query": {smallHidden, smallHidden}, "attention.self.key": {smallHidden, smallHidden},
			"attention.self.value": {smallHidden, smallHidden}, "attention.output.dense": {smallHidden, smallHidden},
			"intermediate.dense": {smallInner, smallHidden}, "output.dense": {smallHidden, smallInner},
		} {
			tensors[p+name+".weight"], tensors[p+name+".bias"] = d[:], d[:1]
		}
		for _, name := range []string{"attention.output.LayerNorm", "output.LayerNorm"} {
			tensors[p+name+".weight"], tensors[p+name+".bias"] = []int{smallHidden}, []int{smallHidden}
		}
	}
	return files{
		"config.json": []byte(fmt.Sprintf(`{"architectures": ["BertModel"], "model_type": "bert", "hidden_act": "gelu", "hidden_size": %d,
			"num_hidden_layers": %d, "num_attention_heads": 2, "intermediate_size": %d, "vocab_size": %d, "max_position_embeddings": %d,
			"type_vocab_size": 2, "layer_norm_eps": 1e-12}`, smallHidden, smallLayers, smallInner, len(smallPieces), smallPositions)),
		"modules.json": []byte(`[{"idx": 0, "path": "", "type": "sentence_transformers.models.Transformer"},
			{"idx": 1, "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
			{"idx": 2, "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"}]`),
		"1_Pooling/config.json":     []byte(`{"pooling_mode_cls_token": false, "pooling_mode_mean_tokens": true}`),
		"sentence_bert_config.json": []byte(`{"max_seq_length": 12}`),
		"README.md":                 []byte("---\nlanguage: en\nlicense: apache-2.0\n---\n# a model\n"),
		"tokenizer.json":            smallTokenizer(),
		"model.safetensors":         safetensors(tensors, smallValues),
	}
}

// smallTokenizer returns a WordPiece tokenizer.json.
func smallTokenizer() []byte {
	vocab := map[string]int{}
	for i, p := range smallPieces {
		vocab[p] = i
	}
	var added []map[string]any
	for i, p := range smallPieces[:5] {
		added = append(added, map[string]any{"id": i, "content": p, "special": true, "single_word": false, "lstrip": false, "rstrip": false, "normalized": false})
	}
	special := func(s string) map[string]any {
		return map[string]any{"SpecialToken": map[string]any{"id": s, "type_id": 0}}
	}
	data, err := json.Marshal(map[string]any{
		"version": "1.0", "truncation": nil, "padding": nil, "added_tokens": added,
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"post_processor": map[string]any{"type": "TemplateProcessing",
			"single": []any{special("[CLS]"), map[string]any{"Sequence": map[string]any{"id": "A", "type_id": 0}}, special("[SEP]")},
			"pair":   []any{},
			"special_tokens": map[string]any{
				"[CLS]": map[string]any{"id": "[CLS]", "ids": []int{2}, "tokens": []string{"[CLS]"}},
				"[SEP]": map[string]any{"id": "[SEP]", "ids": []int{3}, "tokens": []string{"[SEP]"}}}},
		"decoder": map[string]any{"type": "WordPiece", "prefix": "##", "cleanup": true},
		"model": map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
			"max_input_chars_per_word": 100, "vocab": vocab},
	})
	if err != nil {
		panic(err)
	}
	return data
}

// smallValues returns seeded values for a tensor; those of layer norms lie near one.
func smallValues(name string, n int) []float32 {
	var seed uint64
	for _, c := range name {
		seed = seed*31 + uint64(c)
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	v := make([]float32, n)
	for i := range v {
		v[i] = float32(rng.NormFloat64()) / 3
		if filepath.Ext(name) == ".weight" && filepath.Ext(name[:len(name)-7]) == ".LayerNorm" {
			v[i] += 1
		}
	}
	return v
}

// safetensors returns a file of float32 tensors.
func safetensors(shapes map[string][]int, values func(string, int) []float32) []byte {
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	var data []byte
	for _, name := range slices.Sorted(maps.Keys(shapes)) {
		n := 1
		for _, d := range shapes[name] {
			n *= d
		}
		start := len(data)
		for _, f := range values(name, n) {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(f))
		}
		header[name] = map[string]any{"dtype": "F32", "shape": shapes[name], "data_offsets": []int{start, len(data)}}
	}
	head, err := json.Marshal(header)
	if err != nil {
		panic(err)
	}
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...), data...)
}

// with returns a copy in which a file is replaced, or removed if data is nil.
func (f files) with(name string, data []byte) files {
	c := maps.Clone(f)
	if data == nil {
		delete(c, name)
	} else {
		c[name] = data
	}
	return c
}

// replaced returns a copy in which a text of a file is replaced.
func (f files) replaced(t *testing.T, name, old, new string) files {
	t.Helper()
	if !bytes.Contains(f[name], []byte(old)) {
		t.Fatalf("%s has no %q", name, old)
	}
	return f.with(name, bytes.ReplaceAll(f[name], []byte(old), []byte(new)))
}

// folder writes the files to a folder.
func (f files) folder(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	for _, name := range slices.Sorted(maps.Keys(f)) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f[name], 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// archive writes the files to a zip, below a folder ("" or ending in a slash); edit may change the members.
func (f files) archive(t *testing.T, name, below string, edit func(*zip.Writer)) string {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, name := range slices.Sorted(maps.Keys(f)) {
		w, err := z.Create(below + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(f[name]); err != nil {
			t.Fatal(err)
		}
	}
	if edit != nil {
		edit(z)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, buf.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// goOptions imports into a folder of the test with the Go engine, so that results do not depend on what is installed.
func goOptions(t *testing.T) ImportOptions {
	t.Helper()
	t.Setenv(engine.LibraryVariable, "")
	return ImportOptions{Dir: t.TempDir(), Engine: engine.Options{Kind: engine.Go}}
}
