package text

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// prose makes size bytes of markdown-like text from a seeded choice of words.
func prose(size int, words string) string {
	random := rand.New(rand.NewPCG(1, 2))
	list := strings.Fields(words)
	var b strings.Builder
	for b.Len() < size {
		for range 8 + random.IntN(12) {
			// The square favours the first words, as texts do.
			b.WriteString(list[int(float64(len(list))*random.Float64()*random.Float64())])
			b.WriteByte(' ')
		}
		b.WriteString("done.\n")
	}
	return b.String()
}

const (
	englishWords = "the of and to in a is that component components state rendering render user users when which with function " +
		"functions `useState` React.memo Effects effect example Example documentation reference (see [link](/a/b.md)) don't you're " +
		"file-based well-known HTTP JavaScript updating updated previous value values **bold** changes, changed. Note: however"
	spanishWords = "el la de que y en los documentos descripción índice búsqueda requisito criterios aceptación según está también " +
		"sección categoría validación usuario [[UC-001-IndexDocument]] BR-DOCUMENT-001 archivos código política después"
	chineseWords = "程序读取文件夹中的文件 然后建立索引 它不需要网络连接 用户可以搜索全文 React组件 状态管理"
)

func BenchmarkTokens(b *testing.B) {
	for _, bench := range []struct{ name, words string }{{"English", englishWords}, {"Spanish", spanishWords}, {"Chinese", chineseWords}} {
		b.Run("language="+bench.name, func(b *testing.B) {
			text := prose(1<<20, bench.words)
			lang := Detect(text)
			analyzer := New()
			var tokens []Token
			stems := 0
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				stems = 0
				tokens = analyzer.Tokens(tokens[:0], text)
				for i := range tokens {
					if !tokens[i].Whole && analyzer.Stem(lang, tokens[i].Lower) != "" {
						stems++
					}
				}
			}
			if stems < len(text)/20 {
				b.Errorf("%d stems of %d bytes", stems, len(text))
			}
		})
	}
}

func BenchmarkDetect(b *testing.B) {
	text := prose(256<<10, englishWords)
	b.ReportAllocs()
	for b.Loop() {
		if Detect(text) != "en" {
			b.Fatal("not English")
		}
	}
}

func BenchmarkDetectQuery(b *testing.B) {
	known := []Lang{"es", "en"}
	b.ReportAllocs()
	for b.Loop() {
		if queryLanguage("cómo se valida un documento de la carpeta", known) != "es" {
			b.Fatal("not Spanish")
		}
	}
}

func BenchmarkIsStop(b *testing.B) {
	for b.Loop() {
		if IsStop("en", "document") || !IsStop("en", "yourself") {
			b.Fatal("wrong")
		}
	}
}
