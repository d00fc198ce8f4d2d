package text

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// cut returns all sentences, each as long as End says.
func cut(r *SentenceRules, s string) []string {
	var list []string
	for from := 0; from < len(s); {
		end := r.End(s, from)
		list = append(list, s[from:end])
		from = end
	}
	return list
}

func TestSentenceRules(t *testing.T) {
	rules := map[string]*SentenceRules{"plain": &PlainSentences, "coarse": &CoarseSentences, "markdown": &MarkdownSentences}
	for _, test := range []struct{ name, rules, text, want string }{
		{"empty", "plain markdown coarse", "", ""},
		{"no mark", "plain markdown coarse", "No end", "No end"},
		{"white space after the mark is the next one's", "plain markdown coarse", "One. Two!  Three", "One.| Two!|  Three"},
		{"several marks", "plain markdown coarse", "Really?! Yes... So", "Really?!| Yes...| So"},
		{"decimal", "plain markdown coarse", "It is 1.5 km. Yes", "It is 1.5 km.| Yes"},
		{"what closes with it", "plain markdown coarse", `He said "go." Then`, `He said "go."| Then`},
		{"small letter", "plain markdown", "kdd build! and more", "kdd build! and more"},
		{"small letter", "coarse", "kdd build! and more", "kdd build!| and more"},
		{"abbreviation", "plain markdown", "See e.g. The other. Next", "See e.g. The other.| Next"},
		{"abbreviation", "coarse", "See e.g. The other. Next", "See e.g.| The other.| Next"},
		{"abbreviation of chunks", "markdown", "See Figs. 3 of it. Next", "See Figs. 3 of it.| Next"},
		{"abbreviation of answers alone", "plain", "See ex. The other. Next", "See ex.| The other.| Next"},
		{"abbreviation of answers alone", "markdown", "См. Раздел. Дальше", "См. Раздел.| Дальше"},
		{"initial", "plain markdown", "J. Smith wrote. He did", "J. Smith wrote.| He did"},
		{"the pronoun", "markdown", "So do I. You do", "So do I.| You do"},
		{"line end", "plain coarse", "one\nTwo. Three", "one\n|Two.| Three"},
		{"line end", "markdown", "one\nTwo. Three", "one\nTwo.| Three"},
		{"line ends of other systems", "coarse", "one\r\ntwo\u2028three", "one\r|\n|two\u2028|three"},
		{"Japanese", "plain markdown coarse", "今日は。明日！次", "今日は。|明日！|次"},
		{"quoted Japanese", "plain coarse", "「はい。」次", "「はい。」|次"},
		{"quoted Japanese", "markdown", "「はい。」次", "「はい。」次"},
		{"Hindi", "markdown coarse", "पहला। दूसरा", "पहला।| दूसरा"},
		{"Armenian", "markdown", "Մեկ։ Երկու", "Մեկ։| Երկու"},
		{"code", "markdown", "Use `a. B` here. Then", "Use `a. B` here.| Then"},
		{"code that is never closed", "markdown", "A ` " + strings.Repeat("x", 300) + ". Then", "A ` " + strings.Repeat("x", 300) + ".| Then"},
		{"parentheses", "markdown", "It (see A. Then B. And) ends. Then", "It (see A. Then B. And) ends.| Then"},
		{"emphasis that closes", "markdown", "**文。**次", "**文。**|次"},
		{"emphasis that opens", "markdown", "文。**次**", "文。|**次**"},
		{"quote marks of a line", "markdown", "> One.\n> Two", "> One.|\n> Two"},
		{"code begins a sentence", "markdown", "Stop. `go` runs", "Stop.| `go` runs"},
		{"emphasis before a small letter", "markdown", "Stop. *go on*", "Stop. *go on*"},
	} {
		for name := range strings.FieldsSeq(test.rules) {
			if got := strings.Join(cut(rules[name], test.text), "|"); got != test.want {
				t.Errorf("%s, %s: %q is cut as %q, want %q", test.name, name, test.text, got, test.want)
			}
		}
	}
}

func TestEndsBefore(t *testing.T) {
	for _, test := range []struct {
		before string
		want   bool
	}{
		{"", false}, {"One.", false}, {"One. ", true}, {"One? ", false}, {"line\n", true}, {"word ", false}, {"前の文。", true}, {"前の文！", true},
		{"पहला वाक्य।", true}, {"سؤال؟ ", true}, {"1.", false},
	} {
		if got := EndsBefore(test.before); got != test.want {
			t.Errorf("EndsBefore(%q) = %t, want %t", test.before, got, test.want)
		}
	}
}

// TestSentencesOfHostileText: cutting takes linear time where looking ahead, or back for a word, would be quadratic.
func TestSentencesOfHostileText(t *testing.T) {
	for _, part := range []string{" ", ")", ".", ". ", "a.", "a. ", ".)", "(", "`", "。", "。*", "*", "\u00a0", "\xff", "e.g. "} {
		text := "a." + strings.Repeat(part, 300_000/len(part))
		for name, rules := range map[string]*SentenceRules{"plain": &PlainSentences, "coarse": &CoarseSentences, "markdown": &MarkdownSentences} {
			start := time.Now()
			got := strings.Join(cut(rules, text), "")
			if took := time.Since(start); got != text || took > 5*time.Second {
				t.Errorf("%s: 300 kB of %q took %v, whole: %t", name, part, took, got == text)
			}
		}
	}
}

func FuzzSentences(f *testing.F) {
	f.Add("One. Two `a. B` (c. D). 三。", 0)
	f.Add("\xff.\xff e.g. \u2028。**", 3)
	f.Fuzz(func(t *testing.T, text string, from int) {
		if from < 0 || from >= len(text) || !utf8.RuneStart(text[from]) {
			return
		}
		for _, rules := range []*SentenceRules{&PlainSentences, &CoarseSentences, &MarkdownSentences} {
			end := rules.End(text, from)
			if end <= from || end > len(text) {
				t.Fatalf("End(%q, %d) = %d, want more and at most %d", text, from, end, len(text))
			}
			if utf8.ValidString(text) && end < len(text) && !utf8.RuneStart(text[end]) {
				t.Fatalf("End(%q, %d) = %d, inside a character", text, from, end)
			}
		}
	})
}

// TestAbbreviationLists: words are as End looks them up, and none is in both lists.
func TestAbbreviationLists(t *testing.T) {
	first, all := wordsOf(abbreviationWords), wordsOf(abbreviationWords, furtherAbbreviations)
	further := wordsOf(furtherAbbreviations)
	if len(first)+len(further) != len(all) || len(first) == 0 || len(further) == 0 {
		t.Errorf("%d and %d words, together %d", len(first), len(further), len(all))
	}
	for word := range all {
		if word != strings.ToLower(word) || strings.HasSuffix(word, ".") {
			t.Errorf("%q, want small letters and no full stop at its end", word)
		}
	}
	for _, word := range []string{"e.g", "bzw", "núm"} {
		if !first[word] {
			t.Errorf("%q is not among the abbreviations", word)
		}
	}
}
