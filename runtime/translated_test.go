package runtime

import (
	"math"
	"strings"
	"testing"

	"kdd/format/index"
	"kdd/runtime/artifact"
	"kdd/runtime/search"
	"kdd/runtime/search/fuse"
	"kdd/runtime/search/query"
	"kdd/runtime/wire"
)

// TestTranslatedQuery: what a question in another language than most documents finds, what its words weigh beside a
// vector, and that a document in its own language comes before one that says the same.
func TestTranslatedQuery(t *testing.T) {
	english := tree{
		"cache.md":  "# Clear the cache\n\nDelete the folder of the cache when a file is damaged.\n",
		"server.md": "# Start the server\n\nThe server listens to a port, and it reads its settings from a file.\n",
		"users.md":  "# Add users\n\nAn administrator adds users, and gives each of them a password.\n",
	}
	both := tree{"es.md": "# Vaciar la caché\n\nBorra la carpeta de la caché cuando un archivo está dañado, y no hagas nada más.\n"}
	for name, text := range english {
		both[name] = text
	}
	spanish := tree{
		"cache.md":  "# Vaciar la caché\n\nBorra la carpeta de la caché cuando un archivo está dañado, y no hagas nada más.\n",
		"server.md": "# Arrancar el servidor\n\nEl servidor escucha en un puerto, y lee su configuración cuando arranca.\n",
		"users.md":  "# Añadir usuarios\n\nUn administrador añade los usuarios, y le da a cada uno una contraseña.\n",
	}
	german := tree{"es.md": "# Den Ordner leeren\n\nWenn eine Datei im Ordner beschädigt ist, wird die Datei gelöscht, und sonst wird nichts gemacht.\n"}
	for name, text := range spanish {
		german[name] = text
	}
	tests := []struct {
		name, query, mode string
		docs              tree
		first             string // "" = nothing is found
		translated, leans bool   // words weigh LexicalText
		foreign           bool   // the English ones lose something
	}{
		{"by words", "cómo borrar la carpeta de la caché", search.ModeLexical, english, "cache.md", true, false, false},
		{"beside vectors", "cómo borrar la carpeta de la caché", search.ModeHybrid, english, "cache.md", true, true, false},
		{"German", "wie lösche ich die Datei im Cache", search.ModeHybrid, english, "cache.md", true, true, false},
		{"English", "how to delete the folder of the cache", search.ModeHybrid, english, "cache.md", false, false, false},
		{"its own language first, by words", "cómo borrar la carpeta de la caché", search.ModeLexical, both, "es.md", true, false, true},
		{"its own language first", "cómo borrar la carpeta de la caché", search.ModeHybrid, both, "es.md", true, true, true},
		{"nothing of the kind in its own language", "añadir un usuario con una contraseña", search.ModeLexical, both, "users.md", true, false, true},
		{"through English, by words", "wie lösche ich die Datei in dem Ordner", search.ModeLexical, spanish, "cache.md", true, false, false},
		{"through English, beside vectors", "如何删除文件", search.ModeHybrid, spanish, "cache.md", true, true, false},
		{"through English, beside its own language", "wie lösche ich die Datei in dem Ordner", search.ModeLexical, german, "es.md", true, false, true},
		{"no glossary", "miten poistan kansion", search.ModeLexical, english, "", false, false, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := serve(t, withVectors(t, test.docs.compile(t), "distilled", "archivo", "carpeta"))
			resp := searched(t, s, wire.SearchRequest{Query: test.query, Mode: test.mode, Explain: true})
			weights := weightsOf(t, s)
			if test.first == "" {
				if len(resp.Results) > 0 {
					t.Errorf("%q finds %s", test.query, resp.Results[0].Path)
				}
				return
			}
			if len(resp.Results) == 0 || resp.Results[0].Path != test.first {
				t.Fatalf("%q finds %d, want %s first: %v", test.query, len(resp.Results), test.first, resp.Results)
			}
			said := strings.Contains(strings.Join(resp.Warnings, "|"), "read in the language of the documents too")
			if said != test.translated {
				t.Errorf("warnings %q", resp.Warnings)
			}
			for _, hit := range resp.Results {
				lost, weighed := 0.0, false
				sum := 0.0
				for _, part := range hit.Explain.Parts {
					sum += part.Value * part.Weight
					switch part.Name {
					case "section bm25":
						weighed = true
						if test.leans != (part.Weight == weights.LexicalText) {
							t.Errorf("%s: words weigh %g, want %g: %v", hit.Path, part.Weight, weights.LexicalText, test.leans)
						}
					case "in another language":
						lost = part.Weight
					}
				}
				if math.Abs(sum-hit.Explain.Raw) > 0.01 {
					t.Errorf("%s: the parts are %g, the raw score is %g", hit.Path, sum, hit.Explain.Raw)
				}
				if !weighed {
					t.Errorf("%s: no part says what words weigh: %v", hit.Path, hit.Explain.Parts)
				}
				want := 0.0
				if test.foreign && hit.Path != "es.md" {
					want = -fuse.OtherLanguage * weights.Stale
				}
				if lost != want {
					t.Errorf("%s loses %g for its language, want %g", hit.Path, lost, want)
				}
			}
		})
	}
}

// weightsOf returns the weights of a service's only artifact.
func weightsOf(t *testing.T, s *Service) (w index.Weights) {
	t.Helper()
	err := s.with(t.Context(), func(set *artifact.Set) error {
		w = set.Artifacts[0].Meta.Weights
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// TestTranslatedQuestion: what a question that is translated asks for counts as one in the documents' language: it is
// answered, or the right section is named, where they have the answer, and what they lack speaks against that.
func TestTranslatedQuestion(t *testing.T) {
	f := tree{
		"ports.md": "# Ports\n\nThe server listens to port 8080. To change the port, set `PORT` before the server is started.\n",
		"users.md": "# Users\n\nAn administrator adds users. A password has at least twelve characters.\n",
	}
	spanish := tree{
		"ports.md": "# Puertos\n\nEl servidor escucha en el puerto 8080. Para cambiar el puerto hay que definir `PORT` antes de que arranque el servidor.\n",
		"users.md": "# Usuarios\n\nUn administrador añade los usuarios. Una contraseña tiene como mínimo doce caracteres.\n",
	}
	for _, test := range []struct {
		docs     tree
		question string
		leadsTo  string
	}{
		{f, "¿cuántos caracteres tiene una contraseña?", "users.md"},
		{f, "¿cómo cambio el puerto del servidor?", "ports.md"},
		{spanish, "wie ändere ich den Port des Servers?", "ports.md"},
		{spanish, "combien de caractères a un mot de passe ?", "users.md"},
		{spanish, "如何更改服务器的端口？", "ports.md"},
	} {
		s := serve(t, test.docs.compile(t))
		resp, err := s.Ask(t.Context(), wire.AskRequest{Query: test.question})
		if err != nil {
			t.Fatal(err)
		}
		if resp.Outcome == wire.OutcomeRefused || resp.Retrieval.Sections[0].Path != test.leadsTo {
			t.Errorf("%q leads to %v, want %s: %s", test.question, resp.Retrieval.Sections, test.leadsTo, resp.Answer)
		}
	}
}

// TestReading: the text that a question's vector is made of, by what the encoder knows (English) and what it is.
func TestReading(t *testing.T) {
	english := tree{"cache.md": "# Clear the cache\n\nDelete the folder of the cache when a file is damaged, and start the server again.\n"}
	spanish := tree{"es.md": "# Vaciar la caché\n\nBorra la carpeta de la caché cuando un archivo está dañado, y no hagas nada más.\n"}
	const asked, pregunta = "how to delete the folder of the cache", "cómo borrar la carpeta de la caché"
	for _, test := range []struct {
		name, encoder string
		docs          tree
		question      string
		itself        bool   // the question as it is is read
		word          string // of the translation; "" = it is not read
	}{
		{"its own language", index.EncoderDistilled, english, asked, true, ""},
		{"a language that the encoder does not know", index.EncoderDistilled, english, pregunta, false, "folder"},
		{"the same, by the transformer", index.EncoderExact, english, pregunta, false, "folder"},
		{"documents that the encoder does not know", index.EncoderDistilled, spanish, asked, true, "carpeta"},
		{"the same, by the transformer", index.EncoderExact, spanish, asked, true, ""},
		{"neither is known", index.EncoderDistilled, spanish, pregunta, true, ""},
	} {
		s := serve(t, withVectors(t, test.docs.compile(t), test.encoder))
		err := s.with(t.Context(), func(set *artifact.Set) error {
			a := set.Artifacts[0]
			q := query.Read(set.Indexes(), test.question, query.Options{Plain: true})[0]
			text := search.EmbeddedText(a, q)
			if itself := strings.Contains(text, test.question); itself != test.itself || test.word == "" && text != test.question || !strings.Contains(text, test.word) {
				t.Errorf("%s: %q is read as %q, want the question: %v, %q of its translation", test.name, test.question, text, test.itself, test.word)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
