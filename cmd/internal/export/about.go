package export

import (
	"strconv"

	"kdd/format/index"
)

// About is what an export says of the artifact and of the model that its vectors are of.
type About struct {
	MadeBy    string `json:"made_by"`  // the kdd that built the artifact
	IndexID   string `json:"index_id"` // of the artifact
	TreeHash  string `json:"tree_hash"`
	Title     string `json:"title,omitempty"`
	BaseURL   string `json:"base_url,omitempty"`
	Documents int    `json:"documents"`
	Chunks    int    `json:"chunks"`
	Vectors   string `json:"vectors"`         // VectorsNone, VectorsInt8 or VectorsFloat32
	Model     *Model `json:"model,omitempty"` // nil without vectors
}

// The values of About.Vectors.
const (
	VectorsNone    = "none"
	VectorsInt8    = "int8, dequantised" // an int8 row times its scale
	VectorsFloat32 = "float32"           // as the model gave them
)

// Model is the document encoder: what a program has to embed queries with.
type Model struct {
	Name           string `json:"name"`
	SHA256         string `json:"sha256"` // of its weights
	Dim            int    `json:"dim"`
	MaxTokens      int    `json:"max_tokens"`
	Pooling        string `json:"pooling"`
	Normalize      bool   `json:"normalize"` // vectors have length 1, up to the rounding of int8
	QueryPrefix    string `json:"query_prefix"`
	DocumentPrefix string `json:"document_prefix"`
	Precision      string `json:"precision"`
	Engine         string `json:"engine"`
}

// aboutOf returns what the artifact says. v is nil without vectors; wanted is false where they are left out.
func aboutOf(x *index.Index, baseURL string, v *index.Vectors, wanted bool) About {
	m := x.Meta
	a := About{
		MadeBy: clean(m.MadeBy), IndexID: x.File.ID(), TreeHash: clean(m.TreeHash), Title: clean(m.Title),
		BaseURL: clean(baseURL), Documents: x.Docs(), Chunks: x.Chunks(), Vectors: VectorsNone,
	}
	if v == nil || !wanted {
		return a
	}
	a.Vectors = VectorsInt8
	if v.HasFloats() {
		a.Vectors = VectorsFloat32
	}
	a.Model = &Model{Dim: v.Dim}
	if k := m.Model; k != nil {
		*a.Model = Model{
			Name: clean(k.Name), SHA256: clean(k.SHA256), Dim: v.Dim, MaxTokens: k.MaxTokens, Pooling: clean(k.Pooling),
			Normalize: k.Normalize, QueryPrefix: clean(k.Query), DocumentPrefix: clean(k.Prefix),
			Precision: clean(k.Precision), Engine: clean(k.Engine),
		}
	}
	return a
}

// dim returns the dimensions of the vectors, 0 without.
func (a *About) dim() int {
	if a.Model == nil {
		return 0
	}
	return a.Model.Dim
}

// pair is one line of About for a target that keeps texts by name.
type pair struct{ key, value string }

// pairs returns About as texts by name, in a fixed order.
func (a *About) pairs() []pair {
	list := []pair{
		{"kdd.made_by", a.MadeBy}, {"kdd.index_id", a.IndexID}, {"kdd.tree_hash", a.TreeHash},
		{"kdd.title", a.Title}, {"kdd.base_url", a.BaseURL},
		{"kdd.documents", strconv.Itoa(a.Documents)}, {"kdd.chunks", strconv.Itoa(a.Chunks)}, {"kdd.vectors", a.Vectors},
	}
	if m := a.Model; m != nil {
		list = append(list, pair{"kdd.model.name", m.Name}, pair{"kdd.model.sha256", m.SHA256},
			pair{"kdd.model.dim", strconv.Itoa(m.Dim)}, pair{"kdd.model.max_tokens", strconv.Itoa(m.MaxTokens)},
			pair{"kdd.model.pooling", m.Pooling}, pair{"kdd.model.normalize", strconv.FormatBool(m.Normalize)},
			pair{"kdd.model.query_prefix", m.QueryPrefix}, pair{"kdd.model.document_prefix", m.DocumentPrefix},
			pair{"kdd.model.precision", m.Precision}, pair{"kdd.model.engine", m.Engine})
	}
	return list
}
