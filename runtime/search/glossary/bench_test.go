package glossary

import "testing"

// BenchmarkOpen is what the first question in another language costs.
func BenchmarkOpen(b *testing.B) {
	for _, lang := range Languages() {
		b.Run(string(lang)+" to English", func(b *testing.B) {
			for b.Loop() {
				forth(lang)
			}
		})
	}
	b.Run("English to es", func(b *testing.B) {
		for b.Loop() {
			back("es")
		}
	})
}
