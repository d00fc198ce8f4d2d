package encoder

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// tableSpec is a table with each form, seeded. Pieces that are a multiple of 7 have no row.
func tableSpec(dim, pieces, pairs int, seed uint64) *TableSpec {
	rng := rand.New(rand.NewPCG(seed, 3))
	spec := &TableSpec{Dim: dim, Pieces: pieces}
	for form := FormInt8; form <= FormBasis; form++ {
		s := TableRows{Form: form}
		width := dim
		if form == FormBasis {
			width = min(dim, 5)
			s.Basis = randomFloats(rng, width*dim)
		}
		for id := range int32(pieces) {
			if id%7 > 0 && RowForm(id%4)+1 == form {
				s.Pieces = append(s.Pieces, id)
				s.Values = append(s.Values, randomFloats(rng, width)...)
			}
		}
		spec.Rows = append(spec.Rows, s)
	}
	seen := map[[2]int32]bool{}
	for len(spec.Pairs) < pairs {
		p := [2]int32{int32(rng.IntN(pieces)), int32(rng.IntN(pieces))}
		if !seen[p] {
			seen[p] = true
			spec.Pairs = append(spec.Pairs, p)
			spec.PairValues = append(spec.PairValues, randomFloats(rng, dim)...)
		}
	}
	return spec
}

func openTable(tb testing.TB, spec *TableSpec) *Table {
	tb.Helper()
	b, err := AppendTable(nil, spec)
	if err != nil {
		tb.Fatal(err)
	}
	t, err := OpenTable(Memory(b))
	if err != nil {
		tb.Fatal(err)
	}
	if err := t.Verify(); err != nil {
		tb.Fatal(err)
	}
	return t
}

// naiveTable holds the rows that were given, as maps; naiveTable.embed is the definition of Table.Embed.
type naiveTable struct {
	dim   int
	rows  map[int32][]float32
	pairs map[[2]int32][]float32
}

func newNaiveTable(spec *TableSpec) *naiveTable {
	n := &naiveTable{spec.Dim, map[int32][]float32{}, map[[2]int32][]float32{}}
	for _, s := range spec.Rows {
		width := len(s.Values) / max(len(s.Pieces), 1)
		for i, id := range s.Pieces {
			row := s.Values[i*width : (i+1)*width]
			if s.Form == FormBasis {
				full := make([]float32, spec.Dim)
				for k, c := range row {
					for d := range full {
						full[d] += c * s.Basis[k*spec.Dim+d]
					}
				}
				row = full
			}
			n.rows[id] = row
		}
	}
	for i, p := range spec.Pairs {
		n.pairs[p] = spec.PairValues[i*spec.Dim : (i+1)*spec.Dim]
	}
	return n
}

func (n *naiveTable) embed(ids []int32) (sum []float64, known int) {
	sum = make([]float64, n.dim)
	counts, pairCounts := map[int32]float64{}, map[[2]int32]float64{}
	for i, id := range ids {
		if counts[id]++; n.rows[id] != nil {
			known++
		}
		if i > 0 {
			pairCounts[[2]int32{ids[i-1], id}]++
		}
	}
	for id, tf := range counts {
		for d, v := range n.rows[id] {
			sum[d] += tf * float64(v)
		}
	}
	for p, tf := range pairCounts {
		for d, v := range n.pairs[p] {
			sum[d] += tf * float64(v)
		}
	}
	return sum, known
}

// One form at a time, the vector is that of the naive table up to what the form loses.
func TestTableNaive(t *testing.T) {
	for _, tt := range []struct {
		form RowForm
		want float64
	}{{FormInt8, 0.9999}, {FormInt4, 0.985}, {FormSigns, 0.55}, {FormBasis, 0.999}} {
		for _, dim := range []int{1, 8, 31, 32, 33, 100, 384} {
			t.Run(fmt.Sprintf("form=%d/dim=%d", tt.form, dim), func(t *testing.T) {
				spec := tableSpec(dim, 60, 50, uint64(dim))
				spec.Rows = spec.Rows[tt.form-1 : tt.form]
				spec.PairForm = tt.form
				if tt.form == FormBasis {
					spec.PairForm = FormInt8
				}
				table, naive := openTable(t, spec), newNaiveTable(spec)
				rng := rand.New(rand.NewPCG(7, 7))
				for n := range 40 {
					ids := make([]int32, n)
					for i := range ids {
						ids[i] = int32(rng.IntN(62)) - 1 // two of them outside the vocabulary
						if i > 0 && rng.IntN(2) == 0 {
							p := spec.Pairs[rng.IntN(len(spec.Pairs))]
							ids[i-1], ids[i] = p[0], p[1]
						}
					}
					got := make([]float32, dim)
					known := table.Embed(got, ids)
					sum, want := naive.embed(ids)
					if known != want {
						t.Fatalf("Embed(%v) knows %d, want %d", ids, known, want)
					}
					if want == 0 {
						if slices.Max(got) != 0 || slices.Min(got) != 0 {
							t.Fatalf("Embed(%v) = %v, want zeros", ids, got)
						}
						continue
					}
					var dot, length, gotLength float64
					for d := range sum {
						dot, length = dot+sum[d]*float64(got[d]), length+sum[d]*sum[d]
						gotLength += float64(got[d]) * float64(got[d])
					}
					// Few dimensions can cancel; there a form's loss shows as it pleases.
					if c := dot / math.Sqrt(length); dim >= 31 && !(c >= tt.want) {
						t.Errorf("Embed(%v) has cosine %.5f with the naive table, want %g", ids, c, tt.want)
					}
					if math.Abs(gotLength-1) > 1e-5 {
						t.Errorf("Embed(%v) has length² %g, want 1", ids, gotLength)
					}
				}
			})
		}
	}
}

// Rows read back are the rows given, within half a step of their form; pieces without a row have none.
func TestTableRows(t *testing.T) {
	spec := tableSpec(70, 90, 12, 1)
	table, naive := openTable(t, spec), newNaiveTable(spec)
	if table.Dim() != 70 || table.Pieces() != 90 || table.pairs != 12 {
		t.Errorf("Dim, Pieces, Pairs = %d, %d, %d, want 70, 90, 12", table.Dim(), table.Pieces(), table.pairs)
	}
	for id := int32(-1); id <= 90; id++ {
		row := make([]float32, 70)
		has := table.addRow(row, id)
		if has != (naive.rows[id] != nil) || table.Knows(id) != has || (table.Form(id) != 0) != has {
			t.Errorf("piece %d: addRow, Knows, Form = %v, %v, %d, want a row: %v", id, has, table.Knows(id), table.Form(id), naive.rows[id] != nil)
		}
		if !has {
			continue
		}
		if want := RowForm(id%4) + 1; table.Form(id) != want {
			t.Errorf("Form(%d) = %d, want %d", id, table.Form(id), want)
		}
		var top, mean float64
		for _, v := range naive.rows[id] {
			top = max(top, math.Abs(float64(v)))
			mean += math.Abs(float64(v)) / 70
		}
		for d, v := range naive.rows[id] {
			loss := math.Abs(float64(row[d] - v))
			switch table.Form(id) {
			case FormInt8:
				if loss > top/127*0.501 {
					t.Errorf("int8 row %d[%d] = %g, want %g", id, d, row[d], v)
				}
			case FormInt4:
				if loss > top/7*0.6 {
					t.Errorf("int4 row %d[%d] = %g, want %g", id, d, row[d], v)
				}
			case FormSigns:
				if by := float64(row[d]) / math.Copysign(mean, float64(v)); by < .917 || by > 1.091 {
					t.Errorf("sign row %d[%d] = %g, want the sign of %g and about %g", id, d, row[d], v, mean)
				}
			}
		}
	}
}

func TestCoarse(t *testing.T) {
	for _, tt := range []struct{ v, want float64 }{
		{1, 1}, {1.01, math.Pow(2, .25)}, {1.19, math.Sqrt2}, {1.5, math.Pow(2, .75)}, {1.7, 2}, {2, 2}, {.0009, 1. / 1024},
		{5e-324, 5e-324}, {3e38, math.Ldexp(1, 128)},
	} {
		if got := coarse(tt.v); math.Abs(got/tt.want-1) > 1e-9 {
			t.Errorf("coarse(%g) = %g, want %g", tt.v, got, tt.want)
		}
	}
	// At or above, and what is coarse stays.
	rng := rand.New(rand.NewPCG(8, 8))
	for range 1000 {
		v := math.Exp(40*rng.Float64() - 20)
		if got := coarse(v); got < v || got > v*1.19 || coarse(got) != got {
			t.Errorf("coarse(%g) = %g, and of that %g", v, got, coarse(got))
		}
	}
}

// Rows that move by a thousandth of their size keep nearly all of their bytes.
func TestTableKeepsBytes(t *testing.T) {
	before := tableSpec(64, 900, 100, 5)
	for i := range before.Rows { // int8 rows and bases are as exact as they can be
		before.Rows[i].Form = []RowForm{FormInt4, FormInt4, FormSigns, FormSigns}[i]
		before.Rows[i].Basis = nil
		before.Rows[i].Values = randomFloats(rand.New(rand.NewPCG(6, uint64(i))), len(before.Rows[i].Pieces)*64)
	}
	before.PairForm = FormInt4
	after := tableSpec(64, 900, 100, 5)
	rng := rand.New(rand.NewPCG(9, 9))
	move := func(dst, src []float32) []float32 {
		for _, v := range src {
			dst = append(dst, v+float32(rng.NormFloat64())*1e-3)
		}
		return dst
	}
	for i := range after.Rows {
		after.Rows[i] = before.Rows[i]
		after.Rows[i].Values = move(nil, before.Rows[i].Values)
	}
	after.PairForm, after.PairValues = FormInt4, move(nil, before.PairValues)
	a, err := AppendTable(nil, before)
	if err != nil {
		t.Fatal(err)
	}
	b, err := AppendTable(nil, after)
	if err != nil {
		t.Fatal(err)
	}
	changed := 0
	for i := range a {
		if a[i] != b[i] {
			changed++
		}
	}
	if changed == 0 || changed > len(a)/50 {
		t.Errorf("%d of %d bytes change, want some, and 2 %% at most", changed, len(a))
	}
}

// Sixteen-bit maps end at 65,534 rows.
func TestTableWide(t *testing.T) {
	for _, n := range []int{65_533, 65_534, 65_535, 65_536} {
		spec := &TableSpec{Dim: 1, Pieces: n, Rows: []TableRows{{Form: FormInt8}}}
		for i := range n {
			spec.Rows[0].Pieces = append(spec.Rows[0].Pieces, int32(n-1-i))
			spec.Rows[0].Values = append(spec.Rows[0].Values, float32(i+1))
		}
		table := openTable(t, spec)
		for _, id := range []int32{0, 1, int32(n - 2), int32(n - 1)} {
			row := make([]float32, 1)
			if table.addRow(row, id); math.Abs(float64(row[0])/float64(n-int(id))-1) > 1e-6 {
				t.Errorf("%d rows: row of %d = %v, want %d", n, id, row, n-int(id))
			}
		}
	}
}

func TestAppendTableDeterministic(t *testing.T) {
	spec := tableSpec(40, 50, 30, 4)
	a, _ := AppendTable(nil, spec)
	// The order of pairs does not matter.
	for i := range spec.Pairs[:15] {
		j := len(spec.Pairs) - 1 - i
		spec.Pairs[i], spec.Pairs[j] = spec.Pairs[j], spec.Pairs[i]
		for d := range 40 {
			v := spec.PairValues
			v[i*40+d], v[j*40+d] = v[j*40+d], v[i*40+d]
		}
	}
	b, _ := AppendTable([]byte("x"), spec)
	if !bytes.Equal(a, b[1:]) {
		t.Error("AppendTable depends on the order of pairs, or on what is before")
	}
}

func TestAppendTableErrors(t *testing.T) {
	for _, tt := range []struct {
		name string
		edit func(s *TableSpec)
		want string
	}{
		{"dim", func(s *TableSpec) { s.Dim = 0 }, "table: dim 0 and 50 pieces"},
		{"piece", func(s *TableSpec) { s.Rows[0].Pieces[0] = 50 }, "a row of piece 50, want 0 to 49"},
		{"piece twice", func(s *TableSpec) { s.Rows[1].Pieces[0] = s.Rows[0].Pieces[0] }, "two rows of piece"},
		{"values", func(s *TableSpec) { s.Rows[0].Values = s.Rows[0].Values[1:] }, "numbers for"},
		{"form", func(s *TableSpec) { s.Rows[0].Form = 9 }, "section 0 has form 9"},
		{"no basis", func(s *TableSpec) { s.Rows[3].Basis = nil }, "a basis of 0 numbers in section 3"},
		{"basis of another form", func(s *TableSpec) { s.Rows[0].Basis = s.Rows[3].Basis }, "section 0 has form 1 and a basis"},
		{"not a number", func(s *TableSpec) { s.Rows[2].Values[5] = float32(math.NaN()) }, "section 2: number 5 is NaN"},
		{"pair twice", func(s *TableSpec) { s.Pairs[3] = s.Pairs[7] }, "comes twice"},
		{"pair piece", func(s *TableSpec) { s.Pairs[3][1] = -1 }, "a pair of pieces"},
		{"pair values", func(s *TableSpec) { s.PairValues = nil }, "0 numbers for 30 pairs of 40"},
		{"pair form", func(s *TableSpec) { s.PairForm = FormBasis }, "pairs have form 4"},
		{"infinite pair", func(s *TableSpec) { s.PairValues[2] = float32(math.Inf(1)) }, "number 2 is +Inf"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			spec := tableSpec(40, 50, 30, 4)
			tt.edit(spec)
			if _, err := AppendTable(nil, spec); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("AppendTable = %v, want %q", err, tt.want)
			}
		})
	}
}

func TestOpenTableErrors(t *testing.T) {
	valid, err := AppendTable(nil, tableSpec(40, 50, 30, 4))
	if err != nil {
		t.Fatal(err)
	}
	put := patch(valid)
	checkCorrupt(t, func(b []byte) error { _, err := OpenTable(Memory(b)); return err }, []flaw{
		{"empty", nil, "0 bytes, want a header of 64"},
		{"header only", valid[:64], "want 5 descriptors"},
		{"cut", valid[:len(valid)-1], "its header says"},
		{"longer", append(slices.Clone(valid), 0), "its header says"},
		{"kind", put(0, 2), "kind 2, want 3"},
		{"dim", put(4, 9000), "dim 9000"},
		{"other dim", put(4, 41), "its header says"},
		{"pieces", put(8, 0), "0 pieces"},
		{"sections", put(12, 9), "9 sections"},
		{"pairs", put(16, 1<<31), "pairs, want at most"},
		{"pair rows", put(20, 60), "pairs from row 60 to 90"},
		{"reserved", put(40, 1), "byte 40 of the header"},
		{"form", put(64, 5), "section 0 has form 5"},
		{"rows", put(68, 1<<25), "over 16777216 rows"},
		{"rank of another form", put(72, 1), "section 0 of form 1 has rank 1"},
		{"no rank", put(64+3*16+8, 0), "section 3 of form 4 has rank 0"},
		{"last word", put(76, 1), "the last word of section 0 is 1"},
	})
}

func TestTableVerify(t *testing.T) {
	valid, err := AppendTable(nil, &TableSpec{Dim: 16, Pieces: 32, Rows: []TableRows{{Form: FormInt8, Pieces: []int32{3}, Values: make([]float32, 16)}},
		Pairs: [][2]int32{{1, 2}, {3, 4}}, PairValues: make([]float32, 32)})
	if err != nil {
		t.Fatal(err)
	}
	// Header 64 and two descriptors: the map is at 128, the keys at 192, the scale of section 0 at 256.
	for _, tt := range []struct {
		name string
		at   int
		to   byte
		want string
	}{
		{"as written", 0, 3, ""},
		{"row", 128 + 6, 9, "piece 3 has row 8 of 3"},
		{"order", 192 + 12, 0, "pair 1 is not after"},
		{"piece", 192 + 8, 32, "pair 1 is of pieces 3 and 32 of 32"},
		{"scale", 256 + 3, 0xff, ""},
		{"scale, infinite", 256 + 2, 0x80, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := slices.Clone(valid)
			b[tt.at] = tt.to
			if strings.HasPrefix(tt.name, "scale") {
				b[256+2], b[256+3] = 0x80, 0x7f
				tt.want = "number 0 of section 0 is +Inf"
			}
			table, err := OpenTable(Memory(b))
			if err != nil {
				t.Fatal(err)
			}
			err = table.Verify()
			if tt.want == "" && err != nil || tt.want != "" && (!errors.Is(err, ErrCorrupt) || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("Verify = %v, want %q", err, tt.want)
			}
			if known := table.Embed(make([]float32, 16), []int32{3, 4}); tt.want != "" && known > 1 {
				t.Errorf("Embed knows %d pieces", known)
			}
		})
	}
}

func FuzzOpenTable(f *testing.F) {
	for _, spec := range []*TableSpec{tableSpec(9, 12, 5, 1), tableSpec(33, 6, 0, 2), {Dim: 2, Pieces: 3}} {
		b, err := AppendTable(nil, spec)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		table, err := OpenTable(Memory(data))
		if err != nil {
			if !errors.Is(err, ErrCorrupt) {
				t.Fatalf("OpenTable = %v, want ErrCorrupt", err)
			}
			return
		}
		dst, ids := make([]float32, table.Dim()), []int32{0, 1, 2, 3, 4, 5, 11, -1, 1 << 30}
		known := table.Embed(dst, ids)
		length := 0.0
		for _, v := range dst {
			length += float64(v) * float64(v)
		}
		if known > 0 != (length > 0.5) || length != length {
			t.Fatalf("Embed knows %d and has length² %g", known, length)
		}
		if err := table.Verify(); err != nil && !errors.Is(err, ErrCorrupt) {
			t.Fatalf("Verify = %v, want ErrCorrupt", err)
		}
	})
}

func BenchmarkTable(b *testing.B) {
	spec := tableSpec(384, 30_522, 4000, 1)
	data, err := AppendTable(nil, spec)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("open", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := OpenTable(Memory(data)); err != nil {
				b.Fatal(err)
			}
		}
	})
	table := openTable(b, spec)
	for form := FormInt8; form <= FormBasis; form++ {
		b.Run(fmt.Sprintf("embed/form=%d/ids=13", form), func(b *testing.B) {
			ids := spec.Rows[form-1].Pieces[100:113]
			dst := make([]float32, 384)
			b.ReportAllocs()
			for b.Loop() {
				if table.Embed(dst, ids) != 13 {
					b.Fatal("a piece has no row")
				}
			}
		})
	}
}

// addRow adds a piece's row to dst and reports whether there is one.
func (t *Table) addRow(dst []float32, id int32) bool {
	row, ok := t.row(id)
	if ok {
		s, r := t.section(row)
		t.add(dst[:t.dim], s, r)
	}
	return ok
}
