// Package modeltest writes small models with seeded random weights, as Hugging Face has them, for tests of what
// imports, builds and queries with models; and it evaluates them in plain loops, as a reference. No weights of real
// models are needed.
//
//	m := modeltest.New(modeltest.XLMR, tokenizer)
//	err := m.Write(dir)
//	want := m.Forward(ids)
//
// It is used by tests and benchmarks only.
package modeltest

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
	"strconv"
	"strings"
)

// Model is a small encoder.
type Model struct {
	Type       string // model_type: "bert", "xlm-roberta"
	Prefix     string // before the tensors' names: "", "bert.", "roberta."
	DType      string // "F32", "F16" or "BF16"
	Hidden     int
	Layers     int
	Heads      int
	Inner      int
	Vocab      int
	Positions  int // rows of the position embeddings
	Offset     int // of them before the first text's: 2 in RoBERTa
	Types      int
	Activation string
	Epsilon    float64
	Pooling    string // "cls", "mean", "max"
	Dense      []Dense
	MaxTokens  int
	Prompts    map[string]string
	Card       string // README.md
	Name       string // _name_or_path
	Tokenizer  []byte
	Seed       uint64

	tensors map[string]tensor
}

// Dense is a module after the pooling.
type Dense struct {
	Out        int
	Bias, Tanh bool
}

type tensor struct {
	shape  []int
	values []float32
}

// Families of models, in their shapes: what differs between them is what import has to tell.
var (
	MiniLM = Model{Type: "bert", DType: "F32", Hidden: 16, Layers: 2, Heads: 2, Inner: 32, Positions: 64, Types: 2, Activation: "gelu",
		Epsilon: 1e-12, Pooling: "mean", MaxTokens: 48, Card: "---\nlanguage: en\nlicense: apache-2.0\n---\n"}
	BGE = Model{Type: "bert", Prefix: "bert.", DType: "F16", Hidden: 24, Layers: 3, Heads: 3, Inner: 40, Positions: 512, Types: 2, Activation: "gelu",
		Epsilon: 1e-12, Pooling: "cls", MaxTokens: 512, Name: "BAAI/bge-small-en-v1.5", Card: "---\nlanguage:\n- en\nlicense: mit\n---\n"}
	E5 = Model{Type: "bert", DType: "BF16", Hidden: 20, Layers: 2, Heads: 5, Inner: 36, Positions: 128, Types: 2, Activation: "gelu_new",
		Epsilon: 1e-12, Pooling: "mean", MaxTokens: 100, Prompts: map[string]string{"query": "query: ", "passage": "passage: "}}
	GTE = Model{Type: "bert", DType: "F32", Hidden: 32, Layers: 1, Heads: 4, Inner: 16, Positions: 80, Types: 1, Activation: "relu",
		Epsilon: 1e-7, Pooling: "max", MaxTokens: 64}
	XLMR = Model{Type: "xlm-roberta", Prefix: "roberta.", DType: "F32", Hidden: 24, Layers: 2, Heads: 4, Inner: 48, Positions: 130, Offset: 2, Types: 1,
		Activation: "gelu", Epsilon: 1e-5, Pooling: "mean", MaxTokens: 128, Name: "intfloat/multilingual-e5-small",
		Card: "---\nlanguage:\n- multilingual\n- en\n- no\n- zh\n- pt-BR\nlicense: mit\n---\n"}
	// Arctic takes the first token's vector, and its prompts are in its files.
	Arctic = Model{Type: "bert", DType: "F32", Hidden: 16, Layers: 2, Heads: 4, Inner: 32, Positions: 96, Types: 2, Activation: "gelu",
		Epsilon: 1e-12, Pooling: "cls", MaxTokens: 96, Prompts: map[string]string{"query": "find the ships: "}}
	// LEAF widens the mean by a dense module, LaBSE sends the first token's vector through one that ends with tanh, and
	// DistilUSE has two.
	LEAF = Model{Type: "bert", DType: "F32", Hidden: 16, Layers: 2, Heads: 2, Inner: 32, Positions: 64, Types: 2, Activation: "gelu",
		Epsilon: 1e-12, Pooling: "mean", Dense: []Dense{{Out: 24, Bias: true}}, MaxTokens: 48, Prompts: map[string]string{"query": "query: "}}
	LaBSE = Model{Type: "bert", DType: "F32", Hidden: 20, Layers: 2, Heads: 4, Inner: 32, Positions: 64, Types: 2, Activation: "gelu",
		Epsilon: 1e-12, Pooling: "cls", Dense: []Dense{{Out: 20, Bias: true, Tanh: true}}, MaxTokens: 64}
	DistilUSE = Model{Type: "bert", DType: "F16", Hidden: 24, Layers: 1, Heads: 3, Inner: 32, Positions: 64, Types: 2, Activation: "gelu",
		Epsilon: 1e-12, Pooling: "mean", Dense: []Dense{{Out: 19, Bias: true, Tanh: true}, {Out: 12}}, MaxTokens: 64}
)

// Dim returns the length of a vector.
func (m *Model) Dim() int {
	if n := len(m.Dense); n > 0 {
		return m.Dense[n-1].Out
	}
	return m.Hidden
}

// New returns a model of a family's shape with a tokenizer.json, whose pieces are counted.
func New(family Model, tokenizer []byte) *Model {
	m := family
	m.Tokenizer = tokenizer
	var f struct {
		Added []struct{ ID int } `json:"added_tokens"`
		Model struct {
			Vocab json.RawMessage
		}
	}
	if err := json.Unmarshal(tokenizer, &f); err != nil {
		panic(err)
	}
	var list []json.RawMessage
	var byName map[string]int
	if json.Unmarshal(f.Model.Vocab, &list) != nil && json.Unmarshal(f.Model.Vocab, &byName) != nil {
		panic("a tokenizer without pieces")
	}
	m.Vocab = max(len(list), len(byName))
	for _, a := range f.Added {
		m.Vocab = max(m.Vocab, a.ID+1)
	}
	return &m
}

// fill makes the weights.
func (m *Model) fill() {
	if m.tensors != nil {
		return
	}
	h := m.Hidden
	m.tensors = map[string]tensor{}
	put := func(name string, shape ...int) {
		n, seed := 1, m.Seed
		for _, d := range shape {
			n *= d
		}
		for _, c := range name {
			seed = seed*31 + uint64(c)
		}
		rng := rand.New(rand.NewPCG(seed, 7))
		v := make([]float32, n)
		for i := range v {
			v[i] = float32(rng.NormFloat64()) / 3
			if strings.HasSuffix(name, "LayerNorm.weight") {
				v[i]++
			}
			v[i] = m.round(v[i])
		}
		m.tensors[name] = tensor{shape, v}
	}
	put("embeddings.word_embeddings.weight", m.Vocab, h)
	put("embeddings.position_embeddings.weight", m.Positions, h)
	put("embeddings.token_type_embeddings.weight", m.Types, h)
	in := h
	for i, d := range m.Dense {
		put(denseName(i)+"linear.weight", d.Out, in)
		if d.Bias {
			put(denseName(i)+"linear.bias", d.Out)
		}
		in = d.Out
	}
	norms := []string{"embeddings."}
	for i := range m.Layers {
		p := fmt.Sprintf("encoder.layer.%d.", i)
		for name, d := range map[string][2]int{
			"attention.self.query": {h, h}, "attention.self.key": {h, h}, "attention.self.value": {h, h}, "attention.output.dense": {h, h},
			"intermediate.dense": {m.Inner, h}, "output.dense": {h, m.Inner},
		} {
			put(p+name+".weight", d[:]...)
			put(p+name+".bias", d[0])
		}
		norms = append(norms, p+"attention.output.", p+"output.")
	}
	for _, p := range norms {
		put(p+"LayerNorm.weight", h)
		put(p+"LayerNorm.bias", h)
	}
}

// round returns what the stored type keeps of a value.
func (m *Model) round(v float32) float32 {
	switch m.DType {
	case "BF16":
		return math.Float32frombits(math.Float32bits(v) &^ 0xffff)
	case "F16":
		return float32(math.Trunc(float64(v)*1024)) / 1024 // exact in F16 below 2
	}
	return v
}

// bits appends a value in the stored type.
func (m *Model) bits(b []byte, v float32) []byte {
	u := math.Float32bits(v)
	switch m.DType {
	case "BF16":
		return binary.LittleEndian.AppendUint16(b, uint16(u>>16))
	case "F16":
		half := uint16(u >> 16 & 0x8000)
		if exp := int(u>>23&0xff) - 127 + 15; exp > 0 {
			half |= uint16(exp)<<10 | uint16(u>>13&0x3ff)
		} else if v != 0 {
			half |= uint16(math.Round(math.Abs(float64(v)) * (1 << 24)))
		}
		return binary.LittleEndian.AppendUint16(b, half)
	}
	return binary.LittleEndian.AppendUint32(b, u)
}

// Files returns the model's files by name.
func (m *Model) Files() map[string][]byte {
	m.fill()
	architecture := map[string]string{"bert": "BertModel", "roberta": "RobertaModel", "xlm-roberta": "XLMRobertaModel"}[m.Type]
	files := map[string][]byte{
		"config.json": encode(map[string]any{"architectures": []string{architecture}, "model_type": m.Type, "_name_or_path": m.Name, "hidden_act": m.Activation,
			"hidden_size": m.Hidden, "num_hidden_layers": m.Layers, "num_attention_heads": m.Heads, "intermediate_size": m.Inner,
			"vocab_size": m.Vocab, "max_position_embeddings": m.Positions, "type_vocab_size": m.Types, "layer_norm_eps": m.Epsilon,
			"pad_token_id": max(m.Offset-1, 0)}),
		"1_Pooling/config.json": encode(map[string]any{"word_embedding_dimension": m.Hidden,
			"pooling_mode_mean_tokens": m.Pooling == "mean", "pooling_mode_cls_token": m.Pooling == "cls", "pooling_mode_max_tokens": m.Pooling == "max"}),
		"sentence_bert_config.json": encode(map[string]any{"max_seq_length": m.MaxTokens}),
		"README.md":                 []byte(m.Card),
		"tokenizer.json":            m.Tokenizer,
		"model.safetensors":         m.safetensors(m.Prefix, ""),
	}
	type module struct {
		Index int    `json:"idx"`
		Name  string `json:"name"`
		Path  string `json:"path"`
		Type  string `json:"type"`
	}
	var modules []module
	add := func(kind, path string) {
		n := len(modules)
		modules = append(modules, module{n, strconv.Itoa(n), path, "sentence_transformers.models." + kind})
	}
	add("Transformer", "")
	add("Pooling", "1_Pooling")
	in := m.Hidden
	for i, d := range m.Dense {
		folder := fmt.Sprintf("%d_Dense", i+2)
		add("Dense", folder)
		activation := map[bool]string{true: "activation.Tanh", false: "linear.Identity"}[d.Tanh]
		files[folder+"/config.json"] = encode(map[string]any{"in_features": in, "out_features": d.Out, "bias": d.Bias,
			"activation_function": "torch.nn.modules." + activation})
		files[folder+"/model.safetensors"] = m.safetensors("", denseName(i))
		in = d.Out
	}
	add("Normalize", fmt.Sprintf("%d_Normalize", len(modules)))
	files["modules.json"] = encode(modules)
	if strings.Contains(string(m.Tokenizer), `"lowercase":false`) { // transformers goes by this
		files["tokenizer_config.json"] = encode(map[string]any{"do_lower_case": false,
			"tokenize_chinese_chars": strings.Contains(string(m.Tokenizer), `"handle_chinese_chars":true`)})
	}
	if m.Prompts != nil {
		files["config_sentence_transformers.json"] = encode(map[string]any{"prompts": m.Prompts})
	}
	return files
}

// denseName begins the names of the tensors of a dense module.
func denseName(i int) string { return fmt.Sprintf("dense.%d.", i) }

// safetensors returns a file of the tensors whose names begin with part: of the encoder, if that is "".
func (m *Model) safetensors(prefix, part string) []byte {
	header := map[string]any{}
	var data []byte
	for _, name := range slices.Sorted(maps.Keys(m.tensors)) {
		rest, ok := strings.CutPrefix(name, part)
		if !ok || part == "" && strings.HasPrefix(name, "dense.") {
			continue
		}
		t, start := m.tensors[name], len(data)
		for _, v := range t.values {
			data = m.bits(data, v)
		}
		header[prefix+rest] = map[string]any{"dtype": m.DType, "shape": t.shape, "data_offsets": []int{start, len(data)}}
	}
	head := encode(header)
	for len(head)%8 != 0 {
		head = append(head, ' ')
	}
	return append(append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...), data...)
}

// Write writes the files to a folder.
func (m *Model) Write(dir string) error { return Write(dir, m.Files()) }

// Write writes files to a folder.
func Write(dir string, files Files) error {
	for name, data := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}
