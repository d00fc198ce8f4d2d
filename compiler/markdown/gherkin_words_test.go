package markdown

import (
	"strings"
	"testing"
)

func TestGherkinWords(t *testing.T) {
	known := map[string]gherkinWord{}
	for _, l := range gherkinLanguages {
		for kind, list := range []string{featureWord: l.feature, ruleWord: l.rule, backgroundWord: l.background, scenarioWord: l.scenario, examplesWord: l.examples} {
			for word := range strings.SplitSeq(strings.ToLower(list), "|") {
				if was := known[word]; word != "" && was != noWord && was != gherkinWord(kind) {
					t.Errorf("%q begins two things", word)
				}
				if len(word) >= maxKeyword || strings.TrimSpace(word) != word {
					t.Errorf("%q has %d bytes, want less than %d and no space around it", word, len(word), maxKeyword)
				}
				if word != "" {
					known[word] = gherkinWord(kind)
				}
			}
		}
	}
}

// TestGherkinLanguages reads a feature in each language: a background, an outline with examples, a scenario.
func TestGherkinLanguages(t *testing.T) {
	for _, l := range gherkinLanguages {
		for word := range strings.SplitSeq(l.scenario, "|") {
			feature, _, _ := strings.Cut(l.feature, "|")
			background, _, _ := strings.Cut(l.background, "|")
			examples, _, _ := strings.Cut(l.examples, "|")
			source := "@UC-1\n" + feature + ": f\n\n  " + background + ":\n    * x\n\n  @a\n  " + word + ": one\n    * y <n>\n\n    " +
				examples + ":\n      | n |\n      | 1 |\n\n  " + word + ": two\n    * z\n"
			doc := Parse("a.feature", []byte(source))
			var got []string
			for _, s := range doc.Sections[1:] {
				if s.Scenario {
					got = append(got, s.Heading)
				}
			}
			if strings.Join(got, " ") != "one two" || len(doc.Sections) != 5 || len(doc.Diags) > 0 {
				t.Errorf("%s, %s: %d sections, scenarios %q, %v, want 5, one and two, no findings", feature, word, len(doc.Sections), got, doc.Diags)
			}
		}
	}
}
