package index

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEncoderAdvice(t *testing.T) {
	english := &Model{Languages: []string{"en"}}
	of := func(list ...LanguageDocs) Meta {
		return Meta{Encoder: "distilled", EncoderKnown: 0.34, Languages: list, Model: english}
	}
	anyLanguage := of(LanguageDocs{"es", 54})
	anyLanguage.Model = &Model{}
	for _, tt := range []struct {
		name string
		meta Meta
		want string
	}{
		{"distilled from little text", Meta{Encoder: "distilled", EncoderKnown: 0.41}, "41 % of the words"},
		{"distilled from much text", Meta{Encoder: "distilled", EncoderKnown: 0.5}, ""},
		{"how much is not known", Meta{Encoder: "distilled"}, ""},
		{"exact", Meta{Encoder: "exact", EncoderKnown: 0.1}, ""},
		{"none", Meta{Encoder: "none"}, ""},
		{"text that the model knows", of(LanguageDocs{"en", 6}), "34 % of the words"},
		{"text that the model does not know", of(LanguageDocs{"es", 54}), ""},
		{"most text unknown", of(LanguageDocs{"es", 3}, LanguageDocs{"en", 2}), ""},
		{"half of the text unknown", of(LanguageDocs{"en", 2}, LanguageDocs{"es", 2}), "34 % of the words"},
		{"languages that nobody knows", of(LanguageDocs{"", 9}, LanguageDocs{"en", 1}), "34 % of the words"},
		{"a model that names no language", anyLanguage, "34 % of the words"},
	} {
		got := tt.meta.EncoderAdvice()
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: EncoderAdvice() = %q, want %q in it", tt.name, got, tt.want)
		}
	}
}

// TestModelAdvice names what the model does not know, and how much of it there is.
func TestModelAdvice(t *testing.T) {
	english := &Model{Name: "MiniLM", Languages: []string{"en"}}
	for _, tt := range []struct {
		name  string
		model *Model
		docs  []LanguageDocs
		want  string
	}{
		{"no model", nil, []LanguageDocs{{"zh", 9}}, ""},
		{"a model that names no language", &Model{}, []LanguageDocs{{"zh", 9}}, ""},
		{"known", english, []LanguageDocs{{"en", 9}}, ""},
		{"a few", english, []LanguageDocs{{"en", 9}, {"zh", 2}}, ""},
		{"a quarter", english, []LanguageDocs{{"en", 9}, {"zh", 2}, {"ja", 1}},
			"the model MiniLM knows en, and 3 of 12 documents are zh, ja: "},
		{"languages that nobody told do not count", english, []LanguageDocs{{"", 90}, {"zh", 2}},
			"2 of 2 documents are zh: words find those, meanings hardly do. Get a model that knows them, as with \"kdd model pull "},
		{"none told", english, []LanguageDocs{{"", 90}}, ""},
	} {
		got := (&Meta{Languages: tt.docs, Model: tt.model}).ModelAdvice()
		if (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%s: ModelAdvice() = %q, want %q in it", tt.name, got, tt.want)
		}
	}
}

// TestWeightsTable checks that the table has every weight, by its name and in the order of the file, and what JSON that
// lacks one is read as.
func TestWeightsTable(t *testing.T) {
	var w Weights
	names := []string{}
	for i, one := range w.Table() {
		*one.Value = float64(i + 1)
		names = append(names, one.Name)
	}
	v := reflect.ValueOf(w)
	fields := []string{}
	for i := range v.NumField() {
		name := v.Type().Field(i).Tag.Get("json")
		if name == "calibration" {
			continue
		}
		fields = append(fields, name)
		if got := v.Field(i).Float(); got != float64(i+1) {
			t.Errorf("the table sets %s to %g, want %d", name, got, i+1)
		}
	}
	if diff := cmp.Diff(fields, names); diff != "" {
		t.Errorf("Table (-fields +table):\n%s", diff)
	}
	m, err := parseMeta(memoryBlock(t, tagMeta, []byte(`{"weights":{"k1":1.5}}`)))
	if err != nil || m.Weights.K1 != 1.5 || !math.IsNaN(m.Weights.Near) {
		t.Errorf("parseMeta = %v, k1 %g, near %g; want 1.5 and not a number", err, m.Weights.K1, m.Weights.Near)
	}
}
