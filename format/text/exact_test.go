package text

import (
	"strings"
	"testing"
)

func TestExactTerm(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"no accents", "resume", ""},
		{"accents", "Résumé", "resume résumé"},
		{"decomposed", "re\u0301sume\u0301", "resume résumé"},
		{"one of two", "resumé", "resume resumé"},
		{"umlaut", "Größe", "grosse größe"},
		{"sharp s alone", "Maße", "masse maße"},
		{"possessive", "Zoë's", "zoe zoë"},
		{"apostrophe alone", "dog's", ""},
		{"Polish", "Łódź", "lodz łódź"},
		{"Vietnamese", "bạn", "ban bạn"},
		{"Turkish", "ışık", "isik ışık"},
		{"Russian", "Ёлка", "елка ёлка"},
		{"Greek", "ευρετήριο", "ευρετηριο ευρετήριο"},
		{"alef", "أحمد", "احمد أحمد"},
		{"points make no difference", "كِتَاب", ""},
		{"Hebrew points make none", "שָׁלוֹם", ""},
		{"nukta makes none", "फ़ाइल", ""},
		{"digits", "٤٢", ""},
		{"width", "ＦＯＯ", ""},
		{"pair of characters", "検索", ""},
		{"long", strings.Repeat("é", maxExactBytes), ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			token := New().Tokens(nil, test.in)[0]
			want := ""
			if fold, form, ok := strings.Cut(test.want, " "); ok {
				want = ExactPrefix(fold) + form
			}
			if got := token.ExactTerm(); got != want {
				t.Errorf("ExactTerm of %q = %q, want %q", test.in, got, want)
			}
		})
	}
	if token := New().Tokens(nil, "año-fiscal")[0]; !token.Whole || token.ExactTerm() != "" {
		t.Errorf("ExactTerm of the whole %q = %q, want none", token.Fold, token.ExactTerm())
	}
	if key := ExactPrefix("resume") + "résumé"; !(StemTerm("zz", "z") < key && key < FirstFold && FirstFold < "0") {
		t.Error("words with accents do not sort between stems and folded forms")
	}
}
