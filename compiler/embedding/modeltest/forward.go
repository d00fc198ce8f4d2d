package modeltest

import (
	"fmt"
	"math"
)

// Forward returns the unit vector of a text, evaluated in plain loops over float64 (Devlin et al. 2019): what every
// engine must agree with. The ids are the text's with its special tokens.
func (m *Model) Forward(ids []int32) []float64 {
	m.fill()
	h, x := m.Hidden, make([][]float64, len(ids))
	for t, id := range ids {
		x[t] = make([]float64, h)
		for i := range h {
			x[t][i] = m.at("embeddings.word_embeddings.weight", int(id)*h+i) +
				m.at("embeddings.position_embeddings.weight", (m.Offset+t)*h+i) + m.at("embeddings.token_type_embeddings.weight", i)
		}
		m.norm(x[t], "embeddings.LayerNorm")
	}
	for l := range m.Layers {
		p := fmt.Sprintf("encoder.layer.%d.", l)
		mixed := m.attend(x, p+"attention.")
		for t, row := range x {
			y := m.linear(mixed[t], p+"attention.output.dense")
			add(y, row)
			m.norm(y, p+"attention.output.LayerNorm")
			up := m.linear(y, p+"intermediate.dense")
			for i, v := range up {
				up[i] = m.activate(v)
			}
			z := m.linear(up, p+"output.dense")
			add(z, y)
			m.norm(z, p+"output.LayerNorm")
			x[t] = z
		}
	}
	out, sum := make([]float64, h), 0.0
	for i := range out {
		out[i] = x[0][i]
		for t := 1; t < len(x) && m.Pooling != "cls"; t++ {
			if m.Pooling == "max" {
				out[i] = math.Max(out[i], x[t][i])
			} else {
				out[i] += x[t][i]
			}
		}
		if m.Pooling == "mean" {
			out[i] /= float64(len(x))
		}
	}
	for k, d := range m.Dense {
		name, y := denseName(k)+"linear", make([]float64, d.Out)
		for o := range y {
			if d.Bias {
				y[o] = m.at(name+".bias", o)
			}
			for i, v := range out {
				y[o] += v * m.at(name+".weight", o*len(out)+i)
			}
			if d.Tanh {
				y[o] = math.Tanh(y[o])
			}
		}
		out = y
	}
	for _, v := range out {
		sum += v * v
	}
	for i := range out {
		out[i] /= math.Sqrt(sum)
	}
	return out
}

func (m *Model) at(name string, i int) float64 { return float64(m.tensors[name].values[i]) }

func add(dst, x []float64) {
	for i, v := range x {
		dst[i] += v
	}
}

// attend returns the heads' results side by side, before the output matrix.
func (m *Model) attend(x [][]float64, p string) [][]float64 {
	size := m.Hidden / m.Heads
	var q, k, v, out [][]float64
	for _, row := range x {
		q, k = append(q, m.linear(row, p+"self.query")), append(k, m.linear(row, p+"self.key"))
		v = append(v, m.linear(row, p+"self.value"))
	}
	for t := range x {
		mixed := make([]float64, m.Hidden)
		for from := 0; from < m.Hidden; from += size {
			sum := 0.0
			for u := range x {
				dot := 0.0
				for i := from; i < from+size; i++ {
					dot += q[t][i] * k[u][i]
				}
				w := math.Exp(dot / math.Sqrt(float64(size)))
				sum += w
				for i := from; i < from+size; i++ {
					mixed[i] += w * v[u][i]
				}
			}
			for i := from; i < from+size; i++ {
				mixed[i] /= sum
			}
		}
		out = append(out, mixed)
	}
	return out
}

func (m *Model) linear(x []float64, name string) []float64 {
	y := make([]float64, m.tensors[name+".bias"].shape[0])
	for o := range y {
		y[o] = m.at(name+".bias", o)
		for i, v := range x {
			y[o] += v * m.at(name+".weight", o*len(x)+i)
		}
	}
	return y
}

func (m *Model) norm(x []float64, name string) {
	mean, variance := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		variance += (v - mean) * (v - mean) / float64(len(x))
	}
	for i, v := range x {
		x[i] = (v-mean)/math.Sqrt(variance+m.Epsilon)*m.at(name+".weight", i) + m.at(name+".bias", i)
	}
}

func (m *Model) activate(v float64) float64 {
	switch m.Activation {
	case "relu":
		return math.Max(v, 0)
	case "gelu_new":
		return v / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(v+0.044715*v*v*v)))
	}
	return v / 2 * (1 + math.Erf(v/math.Sqrt2))
}
