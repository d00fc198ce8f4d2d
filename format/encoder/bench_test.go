package encoder

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// english is seeded text that splits into about 1.3 pieces a word with BERT's vocabulary, as documentation does.
func english(words int) string {
	const common = "the of to and a in is that for on with as it be are this by from or an at not can have which will if when each value " +
		"file index document search query result text vector section build reader writer memory column table Function Component " +
		"Returns rendering serializer deduplicated useMemo tokenization idempotent well-known (example) data, used: kept."
	list := strings.Fields(common)
	rng := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for i := range words {
		if b.WriteString(list[rng.IntN(len(list))]); i%17 == 16 {
			b.WriteString(".\n")
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func BenchmarkEncode(b *testing.B) {
	v := bertVocab(b)
	var rare strings.Builder
	rng := rand.New(rand.NewPCG(3, 4))
	for range 10_000 {
		for range 4 + rng.IntN(12) {
			rare.WriteByte('a' + byte(rng.IntN(26)))
		}
		rare.WriteByte(' ')
	}
	for _, tt := range []struct{ name, text string }{
		{"english", english(50_000)},
		{"french", strings.Repeat("Les élèves étaient déjà arrivés à l'école où naît la forêt; ça suffit. ", 2000)},
		{"chinese", strings.Repeat("索引文件把所有的文档编译成一个不可变的文件。", 2000)},
		{"random-letters", rare.String()},
	} {
		b.Run(tt.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(tt.text)))
			ids := make([]int32, 0, len(tt.text))
			for b.Loop() {
				ids = v.Encode(ids[:0], tt.text)
			}
			b.ReportMetric(float64(len(ids)), "pieces/op")
		})
		b.Run(tt.name+"/count", func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(tt.text)))
			for b.Loop() {
				v.Count(tt.text)
			}
		})
	}
	b.Run("query", func(b *testing.B) {
		b.ReportAllocs()
		var ids []int32
		for b.Loop() {
			ids = v.Encode(ids[:0], "how do I skip re-rendering a child when props are the same")
		}
		b.ReportMetric(float64(len(ids)), "pieces/op")
	})
}

func BenchmarkOpenVocab(b *testing.B) {
	data, err := bertVocab(b).AppendBinary(nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := OpenVocab(data); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(data)), "file-bytes")
}

func BenchmarkTransformer(b *testing.B) {
	vocab, exact := bertVocab(b), miniLM(b)
	data := AppendQuantized(nil, exact)
	small, err := OpenQuantized(data)
	if err != nil {
		b.Fatal(err)
	}
	texts := []struct{ name, text string }{
		{"ids=13", "how do I skip rendering a child when props are the same"},
		{"ids=256", english(400)},
	}
	for _, m := range []struct {
		name string
		t    *Transformer
	}{{"float32", exact}, {"int8", small}} {
		for _, tt := range texts {
			b.Run(m.name+"/"+tt.name, func(b *testing.B) {
				ids := vocab.EncodeWithSpecials(nil, tt.text, 256)
				dst := make([]float32, 384)
				b.ReportAllocs()
				for b.Loop() {
					if err := m.t.Embed(dst, ids); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(len(ids)), "ids")
			})
		}
	}
	b.Run("open-int8", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := OpenQuantized(data); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(data)), "file-bytes")
	})
	b.Run("open-and-first-query-int8", func(b *testing.B) {
		ids, dst := vocab.EncodeWithSpecials(nil, texts[0].text, 256), make([]float32, 384)
		for b.Loop() {
			m, err := OpenQuantized(data)
			if err != nil {
				b.Fatal(err)
			}
			if err := m.Embed(dst, ids); err != nil {
				b.Fatal(err)
			}
		}
	})
}
