package modeltest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path"
	"strings"
)

// Files are a model by the paths of its files.
type Files = map[string][]byte

// Static is a small table of word vectors.
type Static struct {
	Rows      int
	Dim       int
	Model2Vec bool // its form, in place of a module's
	Tokenizer []byte
	Seed      uint64
}

// Vectors are the rows [Rows, Dim]; the first is zero, as that of padding may be.
func (s *Static) Vectors() []float32 {
	rng := rand.New(rand.NewPCG(s.Seed, 9))
	rows := make([]float32, s.Rows*s.Dim)
	for i := range rows {
		if x := float32(rng.NormFloat64()); i >= s.Dim {
			rows[i] = x
		}
	}
	return rows
}

// Files returns the table as a model of its own.
func (s *Static) Files() Files {
	name := map[bool]string{true: "embeddings", false: "embedding.weight"}[s.Model2Vec]
	m := &Model{DType: "F32", tensors: map[string]tensor{name: {[]int{s.Rows, s.Dim}, s.Vectors()}}}
	files := Files{"model.safetensors": m.safetensors("", ""), "tokenizer.json": s.Tokenizer}
	if s.Model2Vec {
		files[configFile] = encode(map[string]any{"model_type": "model2vec", "architectures": []string{"StaticModel"}, "normalize": true})
		return files
	}
	return merge(Files{"modules.json": encode([]pairModule{{0, "0", "0_StaticEmbedding", models + "StaticEmbedding"}})},
		below("0_StaticEmbedding", files))
}

const (
	configFile = "config.json"
	models     = "sentence_transformers.models."
)

type pairModule struct {
	Index int    `json:"idx"`
	Name  string `json:"name"`
	Path  string `json:"path"`
	Type  string `json:"type"`
}

// Router returns a model whose queries go through one model and whose documents through another.
func Router(queries, documents Files) Files {
	types, structure := map[string]string{}, map[string][]string{}
	all := Files{}
	for side, files := range map[string]Files{"query": queries, "document": documents} {
		var modules []pairModule
		if err := json.Unmarshal(files["modules.json"], &modules); err != nil {
			panic(err)
		}
		for i, m := range modules {
			kind := strings.TrimPrefix(m.Type, models)
			if kind == "Normalize" {
				continue
			}
			id := fmt.Sprintf("%s_%d_%s", side, i, kind)
			types[id] = m.Type
			structure[side] = append(structure[side], id)
			for name, data := range files {
				base := path.Base(name)
				if path.Dir(name) == path.Join(".", m.Path) && base != "modules.json" && base != promptsFile && base != "README.md" {
					all[path.Join(id, base)] = data
				}
			}
		}
	}
	all["router_config.json"] = encode(map[string]any{"types": types, "structure": structure,
		"parameters": map[string]any{"default_route": "document", "allow_empty_key": true}})
	all["modules.json"] = encode([]pairModule{{0, "0", "", models + "Router"}, {1, "1", "1_Normalize", models + "Normalize"}})
	for _, name := range []string{promptsFile, "README.md"} {
		for _, files := range []Files{documents, queries} {
			if data, ok := files[name]; ok {
				all[name] = data
			}
		}
	}
	return all
}

const promptsFile = "config_sentence_transformers.json"

// Asym returns a model whose one encoder has a dense module for queries and another for documents: those of m in turn,
// which has two that take vectors of Hidden numbers and give as many.
func Asym(m *Model) Files {
	files := m.Files()
	all := Files{}
	types, structure := map[string]string{}, map[string][]string{"query": {"1_Dense"}, "doc": {"2_Dense"}}
	for name, data := range files {
		if folder, base := path.Split(name); strings.HasSuffix(folder, "_Dense/") {
			id := map[string]string{"2_Dense/": "1_Dense", "3_Dense/": "2_Dense"}[folder]
			types[id] = models + "Dense"
			all[path.Join("2_Asym", id, base)] = data
		} else {
			all[name] = data
		}
	}
	all["2_Asym/config.json"] = encode(map[string]any{"types": types, "structure": structure,
		"parameters": map[string]any{"allow_empty_key": true}})
	all["modules.json"] = encode([]pairModule{{0, "0", "", models + "Transformer"}, {1, "1", "1_Pooling", models + "Pooling"},
		{2, "2", "2_Asym", models + "Asym"}, {3, "3", "3_Normalize", models + "Normalize"}})
	return all
}

func below(folder string, files Files) Files {
	all := Files{}
	for name, data := range files {
		all[path.Join(folder, name)] = data
	}
	return all
}

func merge(all ...Files) Files {
	m := Files{}
	for _, files := range all {
		for name, data := range files {
			m[name] = data
		}
	}
	return m
}
