package vector

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kdd/format/index"
)

func randomUnits(rng *rand.Rand, rows, dim int) []float32 {
	v := make([]float32, rows*dim)
	for i := range rows {
		row := v[i*dim : (i+1)*dim]
		var sum float64
		for k := range row {
			row[k] = float32(rng.NormFloat64())
			sum += float64(row[k]) * float64(row[k])
		}
		for k := range row {
			row[k] /= float32(math.Sqrt(sum))
		}
	}
	return v
}

// open returns the view of vectors in a file that has nothing else but as many empty chunks.
func open(t testing.TB, vectors []float32, dim int, floats bool) *View {
	t.Helper()
	rows, scales := index.QuantiseRows(vectors, dim)
	if !floats {
		vectors = nil
	}
	c := &index.Content{
		Meta:     index.Meta{ChunkTypes: []string{"DEFAULT"}, Roots: []index.Root{{Base: "d"}}},
		Docs:     []index.Doc{{Path: "a.md", NodeID: "doc:a.md"}},
		Sections: []index.Section{{}},
		Chunks:   make([]index.Chunk, len(scales)),
		Texts:    index.PackTexts([][]byte{[]byte("x")}),
		Extra:    index.VectorBlocks(rows, scales, vectors, dim),
	}
	image, err := index.Encode(c)
	if err != nil {
		t.Fatal(err)
	}
	path := t.TempDir() + "/v.kddx"
	f := create(t, path)
	if _, err := image.WriteTo(f); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	x, err := index.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.File.Close() })
	v, err := x.Vectors()
	if err != nil {
		t.Fatal(err)
	}
	return &View{v}
}

// TestDotsAgree compares the fast dot products with the plain loop, bit for bit, over every dimension that can be.
func TestDotsAgree(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for dim := 1; dim <= index.MaxDim; dim++ {
		rows := make([]byte, 5*dim)
		q := make([]int16, (dim+15)/16*16)
		for i := range rows {
			rows[i] = byte(rng.Uint32())
		}
		for i := range dim {
			q[i] = int16(rng.IntN(1<<14) - 1<<13)
		}
		got, want := make([]int32, 5), make([]int32, 5)
		dots(got, q, rows, dim)
		dotsPlain(want, q, rows, dim)
		if !slices.Equal(got, want) {
			t.Fatalf("dots(dim %d) = %v, want %v", dim, got, want)
		}
	}
}

// TestDotsExtremes checks that no input overflows: the largest values at the largest dimension.
func TestDotsExtremes(t *testing.T) {
	rows, q := make([]byte, index.MaxDim), make([]int16, index.MaxDim)
	for i := range rows {
		rows[i], q[i] = 0x80, 1<<13
	}
	got := make([]int32, 1)
	dots(got, q, rows, index.MaxDim)
	if want := int64(-128) * (1 << 13) * index.MaxDim; int64(got[0]) != want {
		t.Errorf("dots(extremes) = %d, want %d", got[0], want)
	}
}

func TestHammingAgrees(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	sketches := make([]byte, 100*48)
	for i := range sketches {
		sketches[i] = byte(rng.Uint32())
	}
	q := make([]uint64, 6)
	for i := range q {
		q[i] = rng.Uint64()
	}
	got, want := make([]uint16, 100), make([]uint16, 100)
	hamming(got, q, sketches)
	hammingPlain(want, q, sketches)
	if !slices.Equal(got, want) {
		t.Errorf("hamming = %v, want %v", got, want)
	}
}

// TestCosinesAgree compares the scan with float64 dot products of what the rows stand for.
func TestCosinesAgree(t *testing.T) {
	const dim, n = 384, 700
	rng := rand.New(rand.NewPCG(5, 6))
	vectors := randomUnits(rng, n, dim)
	v := open(t, vectors, dim, true)
	quantised, scales := index.QuantiseRows(vectors, dim)
	stored := index.DequantiseRows(quantised, scales, dim)
	query := randomUnits(rng, 1, dim)
	got := make([]float32, n)
	if _, err := v.Cosines(context.Background(), NewQuery(query), Ranges{{0, 10}, {50, n}}, got); err != nil {
		t.Fatal(err)
	}
	for i := range n {
		var want, exact float64
		for k := range dim {
			want += float64(query[k]) * float64(stored[i*dim+k])
			exact += float64(query[k]) * float64(vectors[i*dim+k])
		}
		if i >= 10 && i < 50 {
			if got[i] != 0 {
				t.Errorf("row %d is no candidate but has cosine %g", i, got[i])
			}
			continue
		}
		if math.Abs(float64(got[i])-want) > 1e-4 {
			t.Errorf("cosine of row %d = %g, want %g", i, got[i], want)
		}
		if math.Abs(float64(got[i])-exact) > 5e-3 {
			t.Errorf("cosine of row %d = %g, the vector's is %g", i, got[i], exact)
		}
	}
}

// TestSketchesChoose checks the two-step scan against a full one: the best ten are found, every other candidate has the
// lowest cosine of the chosen, and those that are filled in have their own, if that is not more.
func TestSketchesChoose(t *testing.T) {
	const dim, n = 64, index.ExactRows + 5000
	rng := rand.New(rand.NewPCG(7, 8))
	vectors := randomUnits(rng, n, dim)
	query := randomUnits(rng, 1, dim)
	for i := range 10 { // ten rows near the query
		row := vectors[(i*3000+7)*dim : (i*3000+8)*dim]
		for k := range row {
			row[k] = query[k]*0.9 + row[k]*0.1
		}
	}
	v := open(t, vectors, dim, false)
	all := Ranges{{0, n}}
	got, want := make([]float32, n), make([]float32, n)
	rest, err := v.Cosines(context.Background(), NewQuery(query), all, got)
	if err != nil {
		t.Fatal(err)
	}
	if err := v.exact(context.Background(), NewQuery(query), 0, n, want); err != nil {
		t.Fatal(err)
	}
	if g, w := best(got, all, 10), best(want, all, 10); !slices.Equal(g, w) {
		t.Errorf("best ten = %v, want %v", g, w)
	}
	lowest, exact := slices.Min(got), 0
	for i := range got {
		if got[i] == want[i] {
			exact++
		} else if got[i] != lowest {
			t.Fatalf("row %d = %g, neither its cosine %g nor the lowest chosen one, %g", i, got[i], want[i], lowest)
		}
	}
	if exact < sketched || exact > sketched+10 {
		t.Errorf("%d rows have their exact cosine, want about %d", exact, sketched)
	}
	before := slices.Clone(got)
	runs := Ranges{{3, 4}, {7, 9}, {500, 500 + 3*exactRows}, {n - 1, n}}
	for range 2 { // the second time changes nothing
		for _, run := range runs {
			rest.Fill(run[0], run[1])
		}
	}
	less := 0
	for i, cosine := range got {
		filled := slices.ContainsFunc(runs, func(run [2]uint32) bool { return run[0] <= uint32(i) && uint32(i) < run[1] })
		switch {
		case !filled || before[i] > lowest:
			if cosine != before[i] {
				t.Fatalf("row %d became %g, want %g as before", i, cosine, before[i])
			}
		case cosine != min(want[i], lowest):
			t.Fatalf("row %d = %g after Fill, want %g, at most %g", i, cosine, want[i], lowest)
		case cosine < lowest:
			less++
		}
	}
	if less < 100 {
		t.Errorf("%d rows have a cosine below the lowest chosen one, want some hundred", less)
	}
	rows, err := v.Cosines(context.Background(), NewQuery(query), Ranges{{0, 100}}, got)
	if err != nil || rows != nil {
		t.Errorf("Cosines of few rows leaves %v, %v, want none", rows, err)
	}
}

func TestQuantiseZero(t *testing.T) {
	rows, scales := index.QuantiseRows(make([]float32, 8), 4)
	if !slices.Equal(rows, make([]byte, 8)) || !slices.Equal(scales, make([]float32, 2)) {
		t.Errorf("QuantiseRows(zeros) = %v, %v", rows, scales)
	}
}

func BenchmarkCosines(b *testing.B) {
	const dim, n = 384, 20_000
	rng := rand.New(rand.NewPCG(9, 10))
	v := open(b, randomUnits(rng, n, dim), dim, false)
	q := NewQuery(randomUnits(rng, 1, dim))
	dst := make([]float32, n)
	b.SetBytes(n * dim)
	for b.Loop() {
		if _, err := v.Cosines(context.Background(), q, Ranges{{0, n}}, dst); err != nil {
			b.Fatal(err)
		}
	}
}

// best returns the rows of the largest n values of cosines among the candidates, best first; ties by row.
func best(cosines []float32, candidates Ranges, n int) []uint32 {
	var rows []uint32
	for _, run := range candidates {
		for row := run[0]; row < run[1]; row++ {
			rows = append(rows, row)
		}
	}
	slices.SortStableFunc(rows, func(a, b uint32) int {
		switch {
		case cosines[a] > cosines[b]:
			return -1
		case cosines[a] < cosines[b]:
			return 1
		}
		return 0
	})
	return rows[:min(n, len(rows))]
}
