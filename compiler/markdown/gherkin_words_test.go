package markdown

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gherkin "github.com/cucumber/gherkin/go/v26"
	messages "github.com/cucumber/messages/go/v21"
)

// TestGherkinKeywords checks that a keyword fits its bound, and that no two common languages disagree about one.
func TestGherkinKeywords(t *testing.T) {
	for _, language := range commonLanguages {
		words := gherkinWords{}
		words.add(gherkin.DialectsBuiltin().GetDialect(language))
		if len(words) < 4 {
			t.Errorf("%s has %d keywords", language, len(words))
		}
		for word, kind := range words {
			if other := commonWords()[word]; other != kind {
				t.Errorf("%s: %q begins %d, and in another language %d", language, word, kind, other)
			}
			if len(word) >= maxKeyword || strings.TrimSpace(word) != word {
				t.Errorf("%q has %d bytes, want less than %d and no space around it", word, len(word), maxKeyword)
			}
		}
	}
}

// TestGherkinLanguages reads a feature in each language, a background, an outline with examples and a scenario: without
// the name of the language where it is a common one, and with it.
func TestGherkinLanguages(t *testing.T) {
	rare := []string{"ro", "et", "fa", "sr-Cyrl", "th", "ta", "cy-GB", "is"}
	for _, language := range slices.Concat(commonLanguages, rare) {
		d := gherkin.DialectsBuiltin().GetDialect(language)
		for _, word := range slices.Concat(d.ScenarioKeywords(), d.ScenarioOutlineKeywords()) {
			source := "@UC-1\n" + d.FeatureKeywords()[0] + ": f\n\n  " + d.BackgroundKeywords()[0] + ":\n    * x\n\n  @a\n  " + word + ": one\n    * y <n>\n\n    " +
				d.ExamplesKeywords()[0] + ":\n      | n |\n      | 1 |\n\n  " + word + ": two\n    * z\n"
			sources := []string{"# language: " + language + "\n" + source}
			if !slices.Contains(rare, language) {
				sources = append(sources, source)
			}
			for _, source := range sources {
				doc := Parse("a.feature", []byte(source))
				var got []string
				for _, s := range doc.Sections[1:] {
					if s.Scenario {
						got = append(got, s.Heading)
					}
				}
				if strings.Join(got, " ") != "one two" || len(doc.Sections) != 5 || len(doc.Diags) > 0 {
					t.Errorf("%d sections, scenarios %q, %v, want 5, one and two, no findings:\n%s", len(doc.Sections), got, doc.Diags, source)
				}
			}
		}
	}
}

// TestGherkinAgainstCucumber reads features with Cucumber's parser too: both find the same features, rules, backgrounds
// and scenarios, with their tags.
func TestGherkinAgainstCucumber(t *testing.T) {
	sources := map[string]string{
		"rules": "@a @b\nFeature: f\n  Words of it.\n\n  Background:\n    Given x\n\n  @r\n  Rule: one\n    Background: b\n      Given y\n\n" +
			"    @s # no tag\n    Example: e\n      When z\n\n  Rule: two\n    Scenario: s\n      Then w\n",
		"outline":  "Feature: f\n  Scenario Outline: o\n    Given <n>\n\n    @x\n    Examples: first\n      | n |\n      | 1 |\n\n    @y\n    Scenarios:\n      | n |\n      | 2 |\n",
		"texts":    "Feature: f\n  Scenario: s\n    Given a text\n      \"\"\"json\n      Scenario: not one\n      \"\"\"\n    And a table\n      | Scenario: | @no |\n",
		"Romanian": "# language: ro\nFuncționalitate: f\n  Scenariu: s\n    Dat fiind x\n",
	}
	err := filepath.WalkDir("../../testdata/corpora", func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".feature" {
			return err
		}
		source, err := os.ReadFile(path)
		sources[path] = string(source)
		return err
	})
	if err != nil || len(sources) < 10 {
		t.Fatalf("%d sources, %v", len(sources), err)
	}
	for name, source := range sources {
		want, err := gherkin.ParseGherkinDocument(strings.NewReader(source), (&messages.Incrementing{}).NewId)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var own []string
		for _, s := range Parse("a.feature", []byte(source)).Sections[1:] {
			own = append(own, fmt.Sprintf("%d %s %v", s.Level, s.Heading, s.Tags))
		}
		if theirs := cucumberSections(want.Feature); !slices.Equal(own, theirs) {
			t.Errorf("%s:\n%q, Cucumber has\n%q", name, own, theirs)
		}
	}
}

// TestCucumberPanics pins why lines are not read by Cucumber's parser alone: when this fails, the reason is gone. kdd
// reads the same file.
func TestCucumberPanics(t *testing.T) {
	source := "Feature: f\n  Scenario: s\n    Given " + strings.Repeat("x", 70_000) + "\n"
	defer func() {
		if recover() == nil {
			t.Error("a line of 70 kB makes Cucumber's parser panic no longer")
		}
		if doc := Parse("a.feature", []byte(source)); len(doc.Sections) != 3 || len(doc.Diags) > 0 {
			t.Errorf("%d sections, %v, want 3 and no findings", len(doc.Sections), doc.Diags)
		}
	}()
	_, err := gherkin.ParseGherkinDocument(strings.NewReader(source), (&messages.Incrementing{}).NewId)
	t.Logf("error %v", err)
}

// cucumberSections lists level, name and tags of what kdd makes a section of. Tags of examples belong to their
// scenario.
func cucumberSections(f *messages.Feature) []string {
	var list []string
	add := func(level int, name, keyword string, lists ...[]*messages.Tag) {
		if name == "" {
			name = keyword
		}
		var tags []string
		for _, tag := range slices.Concat(lists...) {
			tags = append(tags, strings.TrimPrefix(tag.Name, "@"))
		}
		list = append(list, fmt.Sprintf("%d %s %v", level, name, tags))
	}
	scenario := func(level int, s *messages.Scenario) {
		tags := [][]*messages.Tag{s.Tags}
		for _, e := range s.Examples {
			tags = append(tags, e.Tags)
		}
		add(level, s.Name, s.Keyword, tags...)
	}
	add(1, f.Name, f.Keyword, f.Tags)
	level := 2
	for _, c := range f.Children {
		switch {
		case c.Background != nil:
			add(level, c.Background.Name, c.Background.Keyword)
		case c.Scenario != nil:
			scenario(level, c.Scenario)
		case c.Rule != nil:
			add(2, c.Rule.Name, c.Rule.Keyword, c.Rule.Tags)
			for _, inner := range c.Rule.Children {
				if inner.Background != nil {
					add(3, inner.Background.Name, inner.Background.Keyword)
				} else if inner.Scenario != nil {
					scenario(3, inner.Scenario)
				}
			}
		}
	}
	return list
}
