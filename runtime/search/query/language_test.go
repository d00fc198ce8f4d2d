package query

import (
	"slices"
	"strings"
	"testing"

	"kdd/compiler/corpustest"
	"kdd/format/index"
	"kdd/format/text"
	"kdd/runtime/wire"
)

var spanishText = map[string]string{
	"es1.md": "# Validación de documentos\n\nLas reglas comprueban que cada documento cumple los criterios de aceptación antes de guardarse.\n",
	"es2.md": "# Búsqueda\n\nLa búsqueda recorre el índice y ordena los resultados según su relevancia para el usuario.\n",
}

var englishText = map[string]string{
	"en1.md": "# Rendering\n\nThe component renders again when the state of the reducer changes, and the effect runs after that.\n",
	"en2.md": "# Search\n\nThe index is searched by the words of the query, and the results are sorted by their relevance to the user.\n",
}

func union2(a, b map[string]string) map[string]string {
	all := map[string]string{}
	for _, m := range []map[string]string{a, b} {
		for k, v := range m {
			all[k] = v
		}
	}
	return all
}

// TestLanguageOfQuery: what the words say, else the filter, else the language whose lexicon has them.
func TestLanguageOfQuery(t *testing.T) {
	spanish, english := corpustest.Index(t, spanishText), corpustest.Index(t, englishText)
	mixed := corpustest.Index(t, union2(spanishText, englishText))
	tests := []struct {
		name  string
		x     *index.Index
		text  string
		asked []text.Lang
		want  text.Lang
	}{
		{"its own words", spanish, "cómo se validan los documentos", nil, "es"},
		{"in capitals", spanish, "COMO SE VALIDAN LOS DOCUMENTOS", nil, "es"},
		{"in capitals against the index", spanish, "HOW ARE THE DOCUMENTS VALIDATED", nil, "en"},
		{"its own words against the index", spanish, "how are the documents validated", nil, "en"},
		{"its own words against the filter", spanish, "how are the documents validated", []text.Lang{"es"}, "en"},
		{"short, of a Spanish index", spanish, "validacion documento", nil, "es"},
		{"one word", spanish, "criterios", nil, "es"},
		{"one word inflected", spanish, "criterio", nil, "es"},
		{"short, of an English index", english, "rendering component", nil, "en"},
		{"short, Spanish of two", mixed, "criterios busqueda", nil, "es"},
		{"short, English of two", mixed, "reducer state", nil, "en"},
		{"unknown words", spanish, "quux gizmo", nil, ""},
		{"mostly unknown words", spanish, "documento quux gizmo", nil, ""},
		{"unknown words, but a filter", mixed, "quux gizmo", []text.Lang{"es"}, "es"},
		{"a filter of two says nothing", mixed, "quux gizmo", []text.Lang{"es", "en"}, ""},
		{"words of a glossary, Spanish", english, "borrar archivo", nil, "es"},
		{"words of a glossary, English", spanish, "delete folder", nil, "en"},
		{"words of a glossary among stop words", english, "borrar un archivo de la caja", nil, "es"},
		{"words of a glossary among words of the index", english, "component reducer state borrar", nil, "en"},
		{"a letter that the index's language lacks", english, "ñandú", nil, ""},
		{"letters of several languages", english, "ménagère gâchette", nil, ""},
		{"letters of several languages, and words of a glossary", english, "état général", nil, "fr"},
		{"a script of its own", english, "문서 검색", []text.Lang{"es"}, "ko"},
		{"a long text by its beginning", mixed, strings.Repeat("how are the documents validated ", 33) + strings.Repeat("cómo se validan los documentos ", 90), nil, "en"},
		{"nothing", english, "42 🦊", nil, ""},
		{"number and filter", english, "42", []text.Lang{"en"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			q := Read([]*index.Index{tt.x}, tt.text, Options{Plain: true, Asked: tt.asked})[0]
			if q.Language != tt.want {
				t.Errorf("language of %q, asked for %q = %q, want %q", tt.text, tt.asked, q.Language, tt.want)
			}
		})
	}
}

func TestAsked(t *testing.T) {
	tests := []struct {
		name string
		f    *wire.Filter
		want []text.Lang
	}{
		{"no filter", nil, nil}, {"any", &wire.Filter{}, nil}, {"one", &wire.Filter{Languages: []string{"ES"}}, []text.Lang{"es"}},
		{"region", &wire.Filter{Languages: []string{"pt-BR", "en"}}, []text.Lang{"pt", "en"}},
	}
	for _, tt := range tests {
		if got := Asked(tt.f); !slices.Equal(got, tt.want) {
			t.Errorf("%s: Asked = %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestStopWordsOfShortQueries: a short query loses the stop words of the language that it is taken for, and no others.
func TestStopWordsOfShortQueries(t *testing.T) {
	mixed := corpustest.Index(t, union2(spanishText, englishText))
	tests := []struct{ name, text, words string }{
		{"Spanish", "los criterios", "criterios"},
		{"Spanish, one stop word of two words", "el índice", "indice"},
		{"English", "the reducer", "reducer"},
		{"a word that is one in the other language", "component a", "component"},
		{"all of them", "para los", "para! los!"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var text string
			for _, w := range Parse([]*index.Index{mixed}, tt.text)[0].Words {
				if text != "" {
					text += " "
				}
				if text += w.Text; w.Stop {
					text += "!"
				}
			}
			if text != tt.words {
				t.Errorf("words of %q: %s, want %s", tt.text, text, tt.words)
			}
		})
	}
}

// TestAccentsOfWords: Exact has the query's own form, or those with accents where it has none; nothing where all that
// fold alike are written alike.
func TestAccentsOfWords(t *testing.T) {
	x := corpustest.Index(t, map[string]string{
		"a.md": "# A\n\nSend the résumé and the naïve plan.\n", "b.md": "# B\n\nTo resume is not to résume.\n", "c.md": "# C\n\nPlain words.\n",
	})
	tests := []struct {
		name, text string
		exact      []string
		accented   bool
	}{
		{"with accents", "résumé", []string{"résumé"}, true},
		{"without", "resume", []string{"résume", "résumé"}, false},
		{"always written so", "naïve", nil, false},
		{"always written so, asked without", "naive", []string{"naïve"}, false},
		{"never written so", "plaín", nil, false},
		{"no accents at all", "plain", nil, false},
		{"unknown", "zzz", nil, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := Parse([]*index.Index{x}, tt.text)[0].Words[0]
			var got []string
			for _, id := range w.Exact {
				key := x.TermDict().At(uint32(id))
				got = append(got, key[len(text.ExactPrefix(w.Text)):])
			}
			slices.Sort(got)
			if !slices.Equal(got, tt.exact) || w.Accented != tt.accented {
				t.Errorf("%q: exact %q, accented %v, want %q, %v", tt.text, got, w.Accented, tt.exact, tt.accented)
			}
		})
	}
}

// TestGrammarWeighsLess: a pair of particles weighs less than a pair of a noun, though as few texts have it, and a noun
// of one syllable is found with any particle.
func TestGrammarWeighsLess(t *testing.T) {
	x := corpustest.Index(t, map[string]string{"a.md": "# 가\n\n서버가 값이 있다.\n", "b.md": "# 나\n\n커버를 연다.\n", "c.md": "# 다\n\n키를 연다.\n"})
	words := Parse([]*index.Index{x}, "서버를")[0].Words
	if len(words) != 2 || words[0].Text != "서버" || words[0].IDF <= 2*words[1].IDF {
		t.Errorf("words of 서버를: %+v, want 서버 to weigh twice as much as 버를", words)
	}
	for _, text := range []string{"값을", "값이", "값에서"} {
		if w := Parse([]*index.Index{x}, text)[0].Words[0]; w.DF == 0 {
			t.Errorf("%s finds nothing, want the text with 값이", text)
		}
	}
}
