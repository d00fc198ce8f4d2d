package text

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// oddTexts are seeds for the fuzz targets and inputs of the property tests.
var oddTexts = []string{
	"", " ", "a", "don't l'heure dell'arte O'Brien's rock'n'roll a'b'c'd", "useState HTTPServer IPv4 aB1C2d3E4",
	"foo_bar.baz-qux v1.2.3 V10.0 --no-cache --a__b-- __init__ ___ @scope/pkg @a/b/c @x C++ C# i++; x#y",
	"検索エンジンAPIを使う 한글 React를 ﾊﾟｿｺﾝ 猫 \u1112\u1161\u11ab 々ー・ー", "ภาษาไทยเป็นภาษา ກຳລັງ ភាសាខ្មែរ မြန်မာဘာသာ ๑๒๓",
	"é e\u0301 ﬁ ﷺ ŉ ½ ² İı ß ẞ ǅ", "\u0301\u0301a\u0301 \u00ad\u200d x\u00ady", "a\xffb \xc3\xc3 \xe4\xb8 \xf0\x9f\x98", "ᾳ ΐ ς Ё й",
	"مُحَمَّد ـــ إلى ٢٠٢٤ שָׁלוֹם", "👍🏽 🇩🇪 1️⃣ ❤️ ©", "a.b.c.d.e.f.g_h-i", "x" + strings.Repeat(".a", 50), strings.Repeat("é", 200), strings.Repeat("中", 100),
	strings.Repeat("aB", 300), strings.Repeat("a-", 300), "a" + strings.Repeat("\u0301", 300), "ก" + strings.Repeat("\u0e48", 100) + "ก",
	"\x00\x01 \x1b[0m", "@", "--", "-", "_", "'", "l'", "l''x", "’’", "@a/", "--é", "__é__", "@é/x", "ＦＯＯ＿bar－baz", "ʼn ʼʼ aʼb", "2Ébc ²İß fooÉÉb",
}

// checkTokens checks what holds for the tokens of any text.
func checkTokens(t *testing.T, text string, tokens []Token) {
	t.Helper()
	pos, start, valid := -1, 0, utf8.ValidString(text)
	for i, token := range tokens {
		switch {
		case token.Start < start || token.End <= token.Start || token.End > len(text):
			t.Fatalf("token %d of %q: bytes %d to %d, after one at %d, of %d", i, text, token.Start, token.End, start, len(text))
		case token.End-token.Start > maxWordBytes+utf8.UTFMax:
			t.Fatalf("token %d of %q: %d bytes", i, text, token.End-token.Start)
		case int(token.Pos) != pos && int(token.Pos) != pos+1:
			t.Fatalf("token %d of %q: position %d after %d", i, text, token.Pos, pos)
		case int(token.Pos) == pos && !token.Part && !token.Whole:
			t.Fatalf("token %d of %q: %q shares position %d and is no part", i, text, token.Fold, pos)
		case token.Fold == "" || len(token.Fold) > maxTermBytes || len(token.Lower) > maxTermBytes:
			t.Fatalf("token %d of %q: term %q", i, text, token.Fold)
		case !utf8.ValidString(token.Fold) || !utf8.ValidString(token.Lower):
			t.Fatalf("token %d of %q: term %q of %q is not UTF-8", i, text, token.Fold, token.Lower)
		case strings.ContainsAny(token.Fold, " \t\n\x00\x01'"):
			t.Fatalf("token %d of %q: term %q", i, text, token.Fold)
		case !utf8.RuneStart(text[token.Start]) || token.End < len(text) && valid && !utf8.RuneStart(text[token.End]):
			t.Fatalf("token %d of %q: bytes %d to %d cut a character", i, text, token.Start, token.End)
		}
		pos, start = int(token.Pos), token.Start
	}
}

// general returns the tokens of text without the fast path and without memory.
func general(text string) []Token {
	analyzer := New()
	analyzer.general = true
	return analyzer.Tokens(nil, text)
}

func FuzzTokens(f *testing.F) {
	for _, text := range oddTexts {
		f.Add(text, "x")
	}
	f.Add("a-", "b")
	f.Fuzz(func(t *testing.T, first, second string) {
		analyzer := New()
		a, b := analyzer.Tokens(nil, first), analyzer.Tokens(nil, second)
		checkTokens(t, first, a)
		if slow := general(first); !slices.Equal(a, slow) {
			t.Errorf("Tokens(%q) = %+v, want %+v as without the fast path", first, a, slow)
		}
		// A line break separates: the tokens of two lines are those of each.
		want, pos := slices.Clone(a), uint32(0)
		if len(a) > 0 {
			pos = a[len(a)-1].Pos + 1
		}
		for _, token := range b {
			token.Pos += pos
			token.Start += len(first) + 1
			token.End += len(first) + 1
			want = append(want, token)
		}
		if got := analyzer.Tokens(nil, first+"\n"+second); !slices.Equal(got, want) {
			t.Errorf("Tokens of %q and %q in two lines = %+v, want %+v", first, second, got, want)
		}
		for _, token := range a {
			if again := makeForms(token.Fold).fold; !token.CJK && isSimple(token.Fold) && again != token.Fold {
				t.Errorf("term %q of %q folds to %q", token.Fold, first, again)
			}
		}
	})
}

// FuzzNormalForms: a text has the same terms however its accents, syllables and vowels are composed.
func FuzzNormalForms(f *testing.F) {
	for _, text := range oddTexts {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		composed, decomposed := norm.NFC.String(text), norm.NFD.String(text)
		if !utf8.ValidString(text) || len(decomposed) > maxWordBytes { // a longer word is cut at a byte
			return
		}
		terms := func(text string) (list []string) {
			for _, token := range New().Tokens(nil, text) {
				list = append(list, token.Fold, token.ExactTerm(), StemTerm("es", New().Stem("es", token.Lower)))
			}
			return list
		}
		if a, b := terms(composed), terms(decomposed); !slices.Equal(a, b) {
			t.Errorf("terms of %+q = %q, decomposed (%+q) %q", composed, a, decomposed, b)
		}
	})
}

func FuzzStem(f *testing.F) {
	for _, text := range oddTexts {
		f.Add(text)
	}
	for _, word := range []string{"generously", "descripción", "installées", "kitaplarımızdan", "யாழ்ப்பாணத்தில்", "والمكتبات", "t-bhean", "yy", "ии", "aeiouaeiou"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		analyzer := New()
		for _, lang := range languages() {
			stem := analyzer.Stem(lang, word)
			if !utf8.ValidString(stem) || len(stem) > maxTermBytes+16 {
				t.Errorf("Stem(%q, %q) = %q", lang, word, stem)
			}
			if again := analyzer.Stem(lang, word); again != stem {
				t.Errorf("Stem(%q, %q) = %q, and then %q", lang, word, stem, again)
			}
			_ = IsStop(lang, stem)
		}
	})
}

func FuzzDetect(f *testing.F) {
	for _, text := range oddTexts {
		f.Add(text)
	}
	f.Add("```\ncode\n``` the `span` [a](b) http://c")
	f.Fuzz(func(t *testing.T, text string) {
		for _, lang := range []Lang{Detect(text), queryLanguage(text, nil), queryLanguage(text, []Lang{"es", "en", "ja"})} {
			if lang != "" && ParseLang(string(lang)) != lang {
				t.Errorf("language of %q: %q", text, lang)
			}
		}
	})
}

// TestTokensAppends: Tokens leaves what dst holds alone, and counts positions from 0 all the same.
func TestTokensAppends(t *testing.T) {
	analyzer := New()
	dst := analyzer.Tokens(nil, "one two")
	dst = analyzer.Tokens(dst, "three")
	if len(dst) != 3 || dst[0].Fold != "one" || dst[2].Fold != "three" || dst[2].Pos != 0 {
		t.Errorf("Tokens appended = %+v", dst)
	}
}

// TestTokensOfHugeRuns: a quarter of a million bytes without a space are cut to bounded tokens, in linear time.
func TestTokensOfHugeRuns(t *testing.T) {
	analyzer := New()
	units := []string{"a", "aB", "A", "é", "中", "ก", "a-", "a.", "_", "a_", "-", "--a", "@", "@a", "@a/", "a'", "l'", "\u0301", "a\u0301", "1", "\xff", "é.", "ʼ", "c++"}
	for _, unit := range units {
		text := strings.Repeat(unit, (256<<10)/len(unit))
		checkTokens(t, text, analyzer.Tokens(nil, text))
	}
	text := strings.Repeat("x", 80_000)
	tokens := analyzer.Tokens(nil, text)
	if want := (len(text) + maxWordBytes - 1) / maxWordBytes; len(tokens) != want || int(tokens[len(tokens)-1].Pos) != want-1 {
		t.Errorf("80,000 letters give %d tokens, want %d", len(tokens), want)
	}
}
