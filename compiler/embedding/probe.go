package embedding

import (
	"encoding/base64"
	"math"
	"strings"
)

// probeTexts are what a model is known by: prose, code, names, other scripts. They must not change, since vectors of
// before are told by theirs.
var probeTexts = []string{
	"How does a gateway check that an access token is still valid?",
	"The lighthouse keeper cleans the lamp every evening and winds the clockwork up.",
	"func (s *Server) Close() error { return errors.Join(s.listener.Close(), s.store.Close()) }",
	"ERR_TOO_MANY_REDIRECTS",
	"Nach fünf Fehlversuchen wird das Konto für fünfzehn Minuten gesperrt.",
	"返品された商品の在庫はいつ更新されますか。",
	"| name | type | default |\n|---|---|---|\n| timeout | duration | 30s |",
	strings.Repeat("A build reads every document, cuts it into chunks and embeds each of them. ", 12),
}

// ProbeTexts are the texts by whose vectors a model is known.
func ProbeTexts() []string { return probeTexts }

// Probe are the vectors of ProbeTexts as a server gave them: rows of int8, as base64. "" is none.
type Probe string

// SameProbe is the least cosine of two vectors of one text by one model. Batches, kernels and int8 rows leave 0.9999;
// a fine-tuned model or other instructions are below 0.99.
const SameProbe = 0.998

// NewProbe makes a probe of vectors of one length.
//
// Shapes: rows [len(ProbeTexts())][dim], of unit length.
func NewProbe(rows [][]float32) Probe {
	var data []byte
	for _, row := range rows {
		largest := 0.0
		for _, v := range row {
			largest = max(largest, math.Abs(float64(v)))
		}
		for _, v := range row {
			data = append(data, byte(int8(math.Round(float64(v)/largest*127))))
		}
	}
	return Probe(base64.StdEncoding.EncodeToString(data))
}

// rows are the numbers of each vector; nil if p is none or was damaged.
func (p Probe) rows() [][]byte {
	data, err := base64.StdEncoding.DecodeString(string(p))
	if err != nil || len(data) == 0 || len(data)%len(probeTexts) != 0 {
		return nil
	}
	dim := len(data) / len(probeTexts)
	rows := make([][]byte, len(probeTexts))
	for i := range rows {
		rows[i] = data[i*dim : (i+1)*dim]
	}
	return rows
}

// Cosine returns the least cosine of two vectors of one text, -1 where they cannot be compared.
func (p Probe) Cosine(o Probe) float64 {
	a, b := p.rows(), o.rows()
	if a == nil || b == nil || len(a[0]) != len(b[0]) {
		return -1
	}
	least := 1.0
	for i := range a {
		var ab, aa, bb float64
		for k := range a[i] {
			x, y := float64(int8(a[i][k])), float64(int8(b[i][k]))
			ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
		}
		if aa == 0 || bb == 0 {
			return -1
		}
		least = min(least, ab/math.Sqrt(aa*bb))
	}
	return least
}

// Same says whether two probes are of one model; those of models that run here have none, and are told by their weights.
func (p Probe) Same(o Probe) bool { return p == o || p.Cosine(o) >= SameProbe }
