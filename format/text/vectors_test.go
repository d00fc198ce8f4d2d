package text

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

const formatFile = "../FORMAT.md"

// vectors calls give for each test vector in FORMAT.md whose fence has that name, with all its fields but the last one,
// and compares that with what give returns. With -update it writes what give returns.
func vectors(t *testing.T, fence string, give func(fields []string) string) {
	t.Helper()
	raw, err := os.ReadFile(formatFile)
	if err != nil {
		t.Fatal(err)
	}
	block := regexp.MustCompile("(?s)```" + fence + "\n(.*?)```").FindSubmatchIndex(raw)
	if block == nil {
		t.Fatalf("FORMAT.md has no test vectors of %s", fence)
	}
	var out strings.Builder
	seen := map[string]bool{}
	for line := range strings.Lines(string(raw[block[2]:block[3]])) {
		line = strings.TrimSuffix(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			out.WriteString(line + "\n")
			continue
		}
		fields := strings.Split(line, " | ")
		have := fields[len(fields)-1]
		fields = fields[:len(fields)-1]
		key := strings.Join(fields, " | ")
		if seen[key] {
			t.Errorf("%q is there twice", key)
		}
		seen[key] = true
		want := give(fields)
		if have != want && !*update {
			t.Errorf("%s:\nFORMAT.md %s\nthe code  %s", key, have, want)
		}
		out.WriteString(key + " | " + want + "\n")
	}
	if len(seen) < 5 {
		t.Errorf("%d test vectors of %s, want more", len(seen), fence)
	}
	if *update {
		all := string(raw[:block[2]]) + out.String() + string(raw[block[3]:])
		if err := os.WriteFile(formatFile, []byte(all), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// escapes stand for characters that cannot be seen.
var escapes = regexp.MustCompile(`\\u\{([0-9A-F]+)\}`)

// plain replaces the escapes of a vector.
func plain(s string) string {
	return escapes.ReplaceAllStringFunc(s, func(e string) string {
		var r rune
		fmt.Sscanf(e, `\u{%X}`, &r)
		return string(r)
	})
}

// TestTermVectors compares the terms of FORMAT.md's test vectors with those of the code.
func TestTermVectors(t *testing.T) {
	a := New()
	vectors(t, "terms", func(fields []string) string {
		lang := Lang(strings.TrimSpace(strings.Trim(fields[0], "-")))
		var list []string
		for _, token := range a.Tokens(nil, plain(fields[1])) {
			list = append(list, showTerms(a, lang, &token))
		}
		return strings.Join(list, " ")
	})
}

// showTerms writes a token's position and its terms.
func showTerms(a *Analyzer, lang Lang, t *Token) string {
	s := fmt.Sprintf("%d:%s", t.Pos, t.Fold)
	switch {
	case t.IndexOnly():
		s += "^^"
	case t.CJK:
		s += "^"
	case t.Whole:
		s += "*"
	}
	if lang != "" && !t.Whole && !t.CJK {
		s += "~" + strings.TrimPrefix(StemTerm(lang, a.Stem(lang, t.Lower)), "\x01"+string(lang)+"\x01")
	}
	if exact := t.ExactTerm(); exact != "" {
		s += "=" + strings.TrimPrefix(exact, ExactPrefix(t.Fold))
	}
	return s
}

// TestFoldVectors compares the folded names of FORMAT.md's test vectors with those of the code.
func TestFoldVectors(t *testing.T) {
	vectors(t, "fold", func(fields []string) string { return Fold(plain(fields[0])) })
}

// TestLanguageVectors compares the languages of FORMAT.md's test vectors with those of the code.
func TestLanguageVectors(t *testing.T) {
	vectors(t, "language", func(fields []string) string {
		if lang := Detect(plain(fields[0])); lang != "" {
			return string(lang)
		}
		return "-"
	})
}

// TestAnalyzerFile checks that ANALYZER.md has the version and the endings of the code.
func TestAnalyzerFile(t *testing.T) {
	raw, err := os.ReadFile("ANALYZER.md")
	if err != nil {
		t.Fatal(err)
	}
	file := string(raw)
	if title := fmt.Sprintf("# The analyzer, version %d\n", Version); !strings.HasPrefix(file, title) {
		t.Errorf("ANALYZER.md does not begin with %q", title)
	}
	for lang, endings := range map[Lang][]ending{
		"es": endingsSpanish, "fr": endingsFrench, "it": endingsItalian, "pt": endingsPortuguese, "ro": endingsRomanian,
		"hu": endingsHungarian, "ga": endingsIrish,
	} {
		var list []string
		for _, e := range endings {
			list = append(list, "`"+e.folded+" "+e.spelled+"`")
		}
		row := regexp.MustCompile(`(?m)^\| ` + string(lang) + ` \|.* ` + regexp.QuoteMeta(strings.Join(list, ", ")) + ` \|$`)
		if !row.MatchString(file) {
			t.Errorf("ANALYZER.md has no row of %s that ends in %s", lang, strings.Join(list, ", "))
		}
	}
	for _, lang := range languages() {
		if !regexp.MustCompile(`(?m)^\| (?:[a-z]{2}, )*` + string(lang) + `(?:, [a-z]{2})* \|`).MatchString(file) {
			t.Errorf("ANALYZER.md has no row of the spelling of %s", lang)
		}
	}
}
