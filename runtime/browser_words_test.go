package runtime

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kdd/format/text"
)

// browserAnalysis is what the reader in TypeScript has to make of text: tokens and stems as kdd makes them.
type browserAnalysis struct {
	Lines []browserLine                `json:"lines"`
	Stems map[string]map[string]string `json:"stems"` // by language and lower form
	Folds map[string]string            `json:"folds"`
}

// browserLine is a text and its tokens: folded form, lower form, position, term with accents, and flags.
type browserLine struct {
	Text   string   `json:"text"`
	Tokens [][6]any `json:"tokens"`
}

// stemLanguages are the languages that have a stemmer, and one that has none.
var stemLanguages = strings.Fields("ar da de en es fi fr ga hu it nl no pt ro ru sv ta tr pl")

// TestBrowserAnalyzer has the reader in TypeScript cut all lines of all corpora, the test vectors of FORMAT.md and some
// odd texts, and stem all of their words in all languages.
func TestBrowserAnalyzer(t *testing.T) {
	node, dir := browserNode(t), t.TempDir()
	all := browserAnalysis{Stems: map[string]map[string]string{}, Folds: map[string]string{}}
	for _, lang := range stemLanguages {
		all.Stems[lang] = map[string]string{}
	}
	a := text.New()
	seen := map[string]bool{}
	for _, line := range browserLines(t) {
		if seen[line] {
			continue
		}
		seen[line] = true
		one := browserLine{Text: line, Tokens: [][6]any{}}
		for _, tok := range a.Tokens(nil, line) {
			flags := btoi(tok.Whole) + 2*btoi(tok.Part) + 4*btoi(tok.CJK) + 8*btoi(tok.Lone)
			written := line[tok.Start:tok.End]
			one.Tokens = append(one.Tokens, [6]any{tok.Fold, tok.Lower, tok.Pos, tok.ExactTerm(), flags, written})
			if tok.Whole || tok.CJK {
				continue
			}
			for _, lang := range stemLanguages {
				all.Stems[lang][tok.Lower] = a.Stem(text.Lang(lang), tok.Lower)
			}
		}
		all.Lines, all.Folds[line] = append(all.Lines, one), text.Fold(line)
	}
	t.Logf("%d lines, %d words in each of %d languages", len(all.Lines), len(all.Stems["en"]), len(stemLanguages))
	if len(all.Lines) < 4000 || len(all.Stems["en"]) < 5000 {
		t.Errorf("%d lines and %d words, want 4,000 and 5,000", len(all.Lines), len(all.Stems["en"]))
	}
	path := filepath.Join(dir, "analysis.json")
	if err := os.WriteFile(path, must(json.Marshal(all)), 0o644); err != nil {
		t.Fatal(err)
	}
	nodeTest(t, node, "analyzer", "KDDX_ANALYSIS="+path)
}

// browserLines are the lines of all corpora, of the format's description and of the analyzer's.
func browserLines(t *testing.T) (lines []string) {
	t.Helper()
	lines = []string{
		"ﬁne ﬀ ＦＯＯ＿ＢＡＲ İstanbul'da ǅ ǈ ʼn Ǆ", "a'b'c d’e’f l'l'l", strings.Repeat("a.", 40), strings.Repeat("x", 300),
		strings.Repeat("é", 100) + " " + strings.Repeat("aB", 70), "@a/b @a @-/b x@y/z --a ---b __c___ ___d", "C++ c#. F#x A++1",
		"v1.2 V10.3.4 v1a.2 v1", "🙂‍💻 é̀ ् क्ष", "x\u200dy \u00adsoft", "ｶﾞ ﾞ 々〆 ㍻ ㎏ ㎞/h ㏂", "௧௨ ๑๒ 𝟘𝟙 ²³ Ⅷ",
		"IPv4 URLs aBCd ABCd1Ef 2Fa x2Fa", "\ufffd\ufffe", "ﷺ ﷻ", "ẞ ß ſ ﬅ", "Ω Å K", "Ĳ ĳ ŀ ŉ",
	}
	paths := []string{"../format/FORMAT.md", "../format/text/ANALYZER.md"}
	err := filepath.WalkDir("../testdata/corpora", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".md") {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		for line := range strings.Lines(strings.ToValidUTF8(string(must(os.ReadFile(path))), "")) {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}
