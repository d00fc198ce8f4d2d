package distil

import (
	"context"
	"testing"
)

// BenchmarkTrain learns from as much as the documentation of a large library has: 5,000 chunks and 10,000 sentences.
func BenchmarkTrain(b *testing.B) {
	s := newSample(1, 30_000, 384, 5000)
	for i := range s.input.Chunks { // longer texts: each chunk goes on with those after it
		for k := 1; k < 5; k++ {
			s.input.Chunks[i] = append(s.input.Chunks[i][:len(s.input.Chunks[i]):len(s.input.Chunks[i])], s.input.Chunks[(i+k*997)%5000]...)
		}
	}
	vectors, err := s.teach(b.Context(), Sentences(s.input.Bodies, Defaults().SentenceCount))
	if err != nil {
		b.Fatal(err)
	}
	s.input.Teacher = func(context.Context, []Sentence) ([]float32, error) { return vectors, nil }
	b.ReportAllocs()
	for b.Loop() {
		_, r, err := Train(b.Context(), &s.input, nil)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(r.Entries), "entries")
		b.ReportMetric(float64(r.Seen+r.Pairs), "columns")
	}
}
