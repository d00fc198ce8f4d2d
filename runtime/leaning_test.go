package runtime

import (
	"maps"
	"testing"

	"kdd/runtime/search"
	"kdd/runtime/wire"
)

// TestLeaningOnWords: the words of a query weigh more where it is in a language that the encoder, which knows English,
// does not know; also where that is told by the index or the filter alone.
func TestLeaningOnWords(t *testing.T) {
	path := withVectors(t, tree{
		"es.md": "# Validación de documentos\n\nLas reglas comprueban que cada documento cumple los criterios de aceptación. Render component.\n",
		"en.md": "# Rendering\n\nThe component renders again when the state of the reducer changes, and the effect runs. See component.state too.\n",
		"ko.md": "# 검색\n\n문서를 검색하고 결과를 정렬합니다. Render state.\n",
		"ru.md": "# Поиск\n\nПоиск находит документы по словам запроса. Render effect.\n",
		"e2.md": "# Effects\n\nEffects run when they render a component state anew, and clean up before they run again.\n",
		"e3.md": "# Reducers\n\nA reducer takes the component state and an action; they render what it returns.\n",
	}.compile(t), "distilled")
	s := serve(t, path)
	tests := []struct {
		name, query string
		languages   []string
		leans       bool
	}{
		{"English", "when does the component render", nil, false},
		{"English, short", "component state", nil, false},
		{"Spanish", "render los documentos que cumplen", nil, true},
		{"Spanish, short", "render documento criterios", nil, true},
		{"Spanish without accents", "render criterios aceptacion", nil, true},
		{"Korean", "render 문서", nil, true},
		{"Russian", "render поиск документа", nil, true},
		{"language of the filter", "render gizmo", []string{"es"}, true},
		{"English against the filter", "when does the component render", []string{"es"}, false},
		{"no language at all", "render gizmo", nil, false},
		{"identifier", "component.state", nil, true},
		{"identifier and another word", "component.state render", nil, true},
		{"identifier in a question", "when does component.state render", nil, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			q := wire.SearchRequest{Query: test.query, Mode: search.ModeHybrid, Explain: true, Filter: wire.Filter{Languages: test.languages}}
			resp, err := s.Search(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			if len(resp.Results) == 0 || resp.Mode != search.ModeHybrid {
				t.Fatalf("%d results, mode %s, want some, hybrid", len(resp.Results), resp.Mode)
			}
			if scale := resp.Results[0].Explain.Scale; scale != 0 && (!test.leans || test.languages != nil || scale >= 1) {
				t.Errorf("raw scores are scaled by %g, want less than 1 where words weigh more, else none", scale)
			}
			for _, p := range resp.Results[0].Explain.Parts {
				if p.Name == "section bm25" {
					if leans := p.Weight > 3; leans != test.leans {
						t.Errorf("words weigh %g, want to lean on them: %v", p.Weight, test.leans)
					}
					return
				}
			}
			t.Errorf("parts %+v: no section bm25", resp.Results[0].Explain.Parts)
		})
	}
}

// TestLeaningOnWordsOfTexts: the words of a query in English weigh more where most documents are in languages that the
// encoder, which knows English, does not know, and scores are scaled so that they say as much as others.
func TestLeaningOnWordsOfTexts(t *testing.T) {
	spanish := tree{
		"a.md": "# Validación de documentos\n\nLas reglas comprueban que cada documento cumple los criterios de aceptación del component.\n",
		"b.md": "# Estado de los índices\n\nCada índice guarda el estado de los documentos y la fecha en la que se render por última vez.\n",
	}
	english := "# Rendering\n\nThe component renders again when the state of the reducer changes, and the effect runs.\n"
	for _, test := range []struct {
		name  string
		more  tree
		leans bool
	}{
		{"most are Spanish", tree{"en.md": english}, true},
		{"as many are English", tree{"en.md": english, "e2.md": "# Effects\n\nAn effect runs after the component has rendered, and cleans up before it runs again.\n"}, false},
		{"one has no language that is known", tree{"en.md": english, "table.md": "# 1\n\n1 2 3\n"}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			docs := maps.Clone(spanish)
			maps.Copy(docs, test.more)
			resp, err := serve(t, withVectors(t, docs.compile(t), "distilled")).Search(t.Context(), wire.SearchRequest{Query: "when does the component render", Mode: search.ModeHybrid, Explain: true})
			if err != nil || len(resp.Results) == 0 {
				t.Fatalf("%v, %v, want results", resp, err)
			}
			e := resp.Results[0].Explain
			weight := 0.0
			for _, p := range e.Parts {
				if p.Name == "document bm25" {
					weight = p.Weight
				}
			}
			if (weight == 2) != test.leans || (e.Scale != 0 && e.Scale < 1) != test.leans {
				t.Errorf("words weigh %g, scores are scaled by %g, want to lean on words: %v", weight, e.Scale, test.leans)
			}
		})
	}
}

// TestAccentsPreferred: what is written as the query writes it comes first, and all is found either way, whatever else
// speaks for the other text a little.
func TestAccentsPreferred(t *testing.T) {
	s := serve(t, tree{
		"cv.md":   "# Bewerbung\n\nSend your résumé to the office by mail, with all that belongs to it.\n",
		"job.md":  "# Continue\n\nPress enter to resume the job. You can resume it again later.\n",
		"v1.md":   "---\nlanguage: vi\n---\n# Một\n\nTôi bán hàng.\n",
		"v2.md":   "---\nlanguage: vi\n---\n# Hai\n\nĐây là bạn hàng.\n",
		"mass.md": "---\nlanguage: de\n---\n# Eins\n\nDie Masse des Körpers.\n",
		"size.md": "---\nlanguage: de\n---\n# Zwei\n\nDie Maße des Körpers.\n",
		"yo.md":   "---\nlanguage: ru\n---\n# Раз\n\nВсё про небо.\n",
		"ye.md":   "---\nlanguage: ru\n---\n# Два\n\nВсе про нёбо.\n",
	}.compile(t))
	tests := []struct{ query, first, second string }{
		{"résumé", "cv.md", "job.md"}, {"re\u0301sume\u0301", "cv.md", "job.md"}, {"RÉSUMÉ", "cv.md", "job.md"}, {"resume", "job.md", "cv.md"},
		{"bán", "v1.md", "v2.md"}, {"bạn", "v2.md", "v1.md"},
		{"Maße", "size.md", "mass.md"}, {"masse", "mass.md", "size.md"},
		{"нёбо", "ye.md", "yo.md"}, {"небо", "yo.md", "ye.md"},
	}
	for _, test := range tests {
		for _, other := range []string{"", " zzz"} {
			if a, b := rankOf(t, s, search.ModeLexical, test.query+other, test.first), rankOf(t, s, search.ModeLexical, test.query+other, test.second); a != 1 || b != 2 {
				t.Errorf("%q finds %s at %d and %s at %d, want 1 and 2", test.query+other, test.first, a, test.second, b)
			}
		}
	}
}
