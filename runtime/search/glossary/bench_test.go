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

// BenchmarkCount is what it costs to see whether a list has a word.
func BenchmarkCount(b *testing.B) {
	for _, lang := range append(Languages(), English) {
		b.Run(string(lang), func(b *testing.B) {
			for b.Loop() {
				Count(lang, []string{"quux"})
			}
		})
	}
}
