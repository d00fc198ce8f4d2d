package peers

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"kdd/bench/internal/harness"
	"kdd/bench/speed/peers/corpus"
	"kdd/format"
	"kdd/format/index"
)

// What the engines that compare vectors read in a folder: rows of float32 of unit length.
const (
	vectorsFile      = "vectors.f32"
	queryVectorsFile = "query-vectors.f32"
	dimFile          = "dim.txt"
)

// source gives vectors: rows that are there, and their query encoder if they have one.
type source struct {
	rows    []float32 // [n, dim], of unit length
	dim     int
	seed    uint64
	model   *index.Model
	meta    *index.Meta // nil without a query encoder
	blocks  []format.RawBlock
	from    string // what the rows are
	failure error
}

// The rows without an artifact, of as many dimensions as those of kdd's own model.
const (
	randomRows = 4096
	randomDim  = 384
)

// openRows takes the rows of an artifact, or random ones if path is "". The source that is returned beside an error
// gives that error to whom it is asked to feed.
func openRows(path string, seed uint64) (*source, error) {
	if path == "" {
		s := &source{dim: randomDim, seed: seed, from: strconv.Itoa(randomRows) + " random rows", rows: make([]float32, randomRows*randomDim)}
		random := rand.New(rand.NewPCG(seed, 3))
		for i := range s.rows {
			s.rows[i] = float32(random.NormFloat64())
		}
		s.model = &index.Model{Name: "random", Dim: randomDim, Normalize: true}
		return s, nil
	}
	s := &source{seed: seed}
	x, err := index.Open(path)
	if err == nil {
		defer x.File.Close()
		err = s.read(x)
	}
	if err != nil {
		s.failure = fmt.Errorf("-rows: %s: %w", filepath.Base(path), err)
	}
	return s, s.failure
}

// read takes the rows of an artifact, and the blocks of its query encoder.
func (s *source) read(x *index.Index) error {
	stored, err := x.Vectors()
	if err != nil {
		return err
	}
	if stored == nil || stored.Count < 3 || x.Meta.Model == nil {
		return errors.New("it has no vectors, or fewer than three")
	}
	rows, scales, _ := stored.Stored(false)
	s.rows, s.dim, s.model = index.DequantiseRows(rows, scales, stored.Dim), stored.Dim, x.Meta.Model
	s.from = fmt.Sprintf("the %d rows of an artifact", stored.Count)
	for _, e := range x.File.Entries() {
		switch e.Tag {
		case index.TagVocab, index.TagTable, index.TagExact, index.TagSelfTest:
			s.blocks, s.meta = append(s.blocks, raw(x, e)), x.Meta
		}
	}
	return nil
}

// raw copies a block.
func raw(x *index.Index, e format.Entry) format.RawBlock {
	return format.RawBlock{Tag: e.Tag, Critical: e.Critical, Rows: e.Rows, Data: slices.Clone(x.File.Block(e.Tag).All())}
}

// origin says what the vectors are.
func (s *source) origin(err error) string {
	if err != nil {
		return "none (" + oneLine(err.Error()) + ")"
	}
	return fmt.Sprintf("%s, each with %g of the difference of two others as noise", s.from, corpus.Noise)
}

// mute says why there is no query encoder; nil if there is one.
func (s *source) mute() error {
	if s.meta == nil {
		return errors.New("random rows have no query encoder; -rows names an artifact that has one")
	}
	return nil
}

// make returns n rows: random ones of those that are there, with noise, of unit length.
//
// Shapes: [n, dim].
func (s *source) make(stream uint64, n int) []float32 {
	out := make([]float32, n*s.dim)
	random := rand.New(rand.NewPCG(s.seed, 4+stream))
	pick := func() []float32 {
		at := random.IntN(len(s.rows)/s.dim) * s.dim
		return s.rows[at : at+s.dim]
	}
	for i := range n {
		corpus.Blend(out[i*s.dim:(i+1)*s.dim], pick(), pick(), pick())
	}
	return out
}

// feed writes vectors of n chunks and of the queries into the folder, finds the k exact neighbours of each query, and
// makes the artifact that has the vectors. It returns what the artifact took.
func (g *given) feed(s *source, n, queries, k int) (cost harness.Cost, err error) {
	if s.failure != nil {
		return cost, s.failure
	}
	rows, asked := s.make(0, n), s.make(1, queries)
	if err := writeVectors(g.folder, s.dim, rows, asked); err != nil {
		return cost, err
	}
	g.exact = nearest(rows, asked, s.dim, k)
	cpu, start := harness.CPU(), time.Now()
	err = s.graft(g.words, g.vectors, rows)
	return harness.Cost{Wall: time.Since(start), CPU: harness.CPU() - cpu}, err
}

// nearest compares each query with every row, and returns the k nearest of each.
func nearest(rows, queries []float32, dim, k int) (exact [][]int) {
	scores := make([]float32, len(rows)/dim)
	for q := range slices.Chunk(queries, dim) {
		for i := range scores {
			var sum [4]float32
			row := rows[i*dim : (i+1)*dim]
			j := 0
			for ; j+4 <= dim; j += 4 {
				sum[0] += row[j] * q[j]
				sum[1] += row[j+1] * q[j+1]
				sum[2] += row[j+2] * q[j+2]
				sum[3] += row[j+3] * q[j+3]
			}
			for ; j < dim; j++ {
				sum[0] += row[j] * q[j]
			}
			scores[i] = sum[0] + sum[1] + sum[2] + sum[3]
		}
		exact = append(exact, best(scores, k))
	}
	return exact
}

// recall is the share of the exact neighbours that are among the hits.
func recall(hits [][]any, exact [][]int) *float64 {
	found, all := 0, 0
	for i, want := range exact {
		all += len(want)
		if i >= len(hits) {
			continue
		}
		for _, row := range want {
			if slices.ContainsFunc(hits[i], func(hit any) bool { n, ok := number(hit); return ok && n == row }) {
				found++
			}
		}
	}
	if all == 0 {
		return nil
	}
	share := float64(found) / float64(all)
	return &share
}

// number is the number of a section, as a result has it.
func number(hit any) (int, bool) {
	n, ok := hit.(float64)
	return int(n), ok
}

// graft writes a copy of an artifact without vectors that has these rows, quantised as a build does, and the source's
// query encoder.
func (s *source) graft(words, out string, rows []float32) error {
	x, err := index.Open(words)
	if err != nil {
		return err
	}
	defer x.File.Close()
	meta := *x.Meta
	meta.Model, meta.Encoder = s.model, index.EncoderNone
	if s.meta != nil {
		meta.Encoder, meta.EncoderKnown, meta.Weights = s.meta.Encoder, s.meta.EncoderKnown, s.meta.Weights
	}
	blocks := x.File.Raw()
	for i := range blocks {
		if blocks[i].Tag == format.Tag([]byte("META")) {
			if blocks[i].Data, err = json.Marshal(&meta); err != nil {
				return err
			}
		}
	}
	blocks = append(blocks, s.blocks...)
	quantised, scales := index.QuantiseRows(rows, s.dim)
	blocks = append(blocks, index.VectorBlocks(quantised, scales, nil, s.dim)...)
	index.Arrange(blocks)
	image, err := format.Lay(blocks)
	if err != nil {
		return err
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	_, err = image.WriteTo(f)
	return errors.Join(err, f.Close())
}

// writeVectors writes the vectors of chunks and queries.
func writeVectors(folder string, dim int, rows, queries []float32) error {
	if err := os.WriteFile(filepath.Join(folder, dimFile), []byte(strconv.Itoa(dim)), 0o644); err != nil {
		return err
	}
	for name, values := range map[string][]float32{vectorsFile: rows, queryVectorsFile: queries} {
		f, err := os.Create(filepath.Join(folder, name))
		if err != nil {
			return err
		}
		w := bufio.NewWriterSize(f, 1<<20)
		err = binary.Write(w, binary.LittleEndian, values)
		if err := errors.Join(err, w.Flush(), f.Close()); err != nil {
			return err
		}
	}
	return nil
}

// readVectors reads a file that writeVectors wrote.
func readVectors(folder, name string) ([]float32, error) {
	data, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return nil, err
	}
	values := make([]float32, len(data)/4)
	_, err = binary.Decode(data, binary.LittleEndian, values)
	return values, err
}
