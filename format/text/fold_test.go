package text

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFold(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"empty", "", ""},
		{"space alone", " \t\n", ""},
		{"nothing to do", "plain name", "plain name"},
		{"case", "Br-Document-001", "br-document-001"},
		{"white space", "  Getting\u00a0\tStarted \n", "getting started"},
		{"accents", "Descripción Técnica", "descripcion tecnica"},
		{"decomposed", "Descripcio\u0301n", "descripcion"},
		{"full folding", "Straße ẞ ﬀ", "strasse ss ff"},
		{"letters with a stroke", "Ærø Łódź Đorđe ħ ŧ þ ŋ", "aero lodz dorde h t th n"},
		{"Turkish", "İI ıi", "ii ii"},
		{"stacked accents", "ế ǟ ǖ", "e a u"},
		{"Greek", "Ἀθήναις ΟΔΟΣ", "αθηναισ οδοσ"},
		{"Cyrillic keeps its letters", "Ёж, Йод, Їжак, за́мок", "еж, йод, їжак, замок"},
		{"width", "ＡＢＣ１２３ ｶﾞ", "abc123 ガ"},
		{"Hangul in parts", "\u1112\u1161\u11ab", "한"},
		{"Arabic", "القُرْآنُ مـــكتبة أحمد", "القران مكتبه احمد"},
		{"digits", "٤٢ ४२ 𝟒𝟐", "42 42 42"},
		{"Hindi keeps its vowels", "हिन्दी", "हिन्दी"},
		{"punctuation stays", "What’s New?", "what's new?"},
		{"hyphens", "well\u2010known", "well-known"},
		{"invisible", "a\u200db\ufeff\u00ad", "ab"},
		{"invalid", "a\xffb", "ab"},
		{"controls", "a\x00b", "a\x00b"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := Fold(test.in); got != test.want {
				t.Errorf("Fold(%q) = %q, want %q", test.in, got, test.want)
			}
		})
	}
}

func TestClassOf(t *testing.T) {
	tests := []struct {
		name string
		in   rune
		want class
	}{
		{"last of ASCII", 0x7f, other}, {"underscore", '_', other}, {"small", 'ß', lower}, {"capital", 'É', upper}, {"title case", 'ǅ', upper},
		{"no case", 'א', letter}, {"Arabic digit", '٣', digit}, {"superscript", '²', digit}, {"fraction", '½', other}, {"accent", 0x301, mark},
		{"joiner", 0x200d, mark}, {"zero-width space", 0x200b, other}, {"Han", '中', pair}, {"Han beyond the plane", 0x20000, pair},
		{"middle dot", '・', other}, {"long mark", 'ー', pair}, {"half-width long mark", 'ｰ', pair}, {"voicing", 0xff9e, mark},
		{"Hangul", '가', pair}, {"Thai", 'ก', pairSouth}, {"Thai digit", '๑', digit}, {"Thai tone", 0xe48, mark}, {"Khmer", 'ក', pairSouth},
		{"emoji", '😀', other}, {"modifier apostrophe", 0x2bc, other}, {"ideographic space", 0x3000, other}, {"ideographic stop", '。', other},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := classOf(test.in); got != test.want {
				t.Errorf("classOf(%U) = %d, want %d", test.in, got, test.want)
			}
		})
	}
}

func FuzzFold(f *testing.F) {
	for _, seed := range []string{"", " Ab\u00a0C ", "İ ß ﷺ", "e\u0301\u0327\u0301", "a\xff\xc3", "한\u11ab", "ﾊﾟ", "ŀl ŉ ΐ", strings.Repeat("\u0301", 100)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		once := Fold(s)
		if !utf8.ValidString(once) {
			t.Errorf("Fold(%q) = %q, not UTF-8", s, once)
		}
		if twice := Fold(once); twice != once {
			t.Errorf("Fold(%q) = %q, and folded again %q", s, once, twice)
		}
		if strings.Contains(once, "  ") || strings.TrimSpace(once) != once {
			t.Errorf("Fold(%q) = %q: white space not collapsed", s, once)
		}
		if upper := Fold(strings.ToUpper(s)); isSimple(s) && upper != once {
			t.Errorf("Fold(ToUpper(%q)) = %q, want %q", s, upper, once)
		}
	})
}

// isSimple reports whether a string is ASCII, where changing case cannot lose anything.
func isSimple(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
