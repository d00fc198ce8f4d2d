package markdown

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	gherkin "github.com/cucumber/gherkin/go/v26"
)

// commonLanguages are those whose keywords are known in every .feature file, since its "# language:" may be missing or
// wrong. Of a word that means two things the first language decides. The keywords of the others, such as Romanian,
// whose word for examples is the French one for a scenario, are known where the file names its language.
var commonLanguages = strings.Fields("en ar bg ca cs da de el es fi fr he hi hu id it ja ko nl no pl pt ru sk sv tr uk vi zh-CN zh-TW")

// gherkinWords are keywords, in small letters, with what each begins.
type gherkinWords map[string]gherkinWord

// add adds the keywords of a dialect that are not there yet.
func (w gherkinWords) add(d *gherkin.Dialect) {
	for kind, keywords := range map[gherkinWord][]string{
		featureWord: d.FeatureKeywords(), ruleWord: d.RuleKeywords(), backgroundWord: d.BackgroundKeywords(),
		scenarioWord: slices.Concat(d.ScenarioKeywords(), d.ScenarioOutlineKeywords()), examplesWord: d.ExamplesKeywords(),
	} {
		for _, keyword := range keywords {
			if keyword = strings.ToLower(keyword); w[keyword] == noWord {
				w[keyword] = kind
			}
		}
	}
}

// commonWords are the keywords of the common languages.
var commonWords = sync.OnceValue(func() gherkinWords {
	words := gherkinWords{}
	for _, language := range commonLanguages {
		words.add(gherkin.DialectsBuiltin().GetDialect(language))
	}
	return words
})

// gherkinWordsOf returns the keywords of a file: those of the language that a comment at its top names, then the common
// ones.
func gherkinWordsOf(source []byte) gherkinWords {
	for line := range bytes.Lines(source) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' {
			break
		}
		name, language, found := strings.Cut(strings.TrimLeft(string(line), "# \t"), ":")
		if !found || strings.TrimSpace(name) != "language" {
			continue
		}
		dialect := gherkin.DialectsBuiltin().GetDialect(strings.TrimSpace(language))
		if dialect == nil {
			break
		}
		words := gherkinWords{}
		words.add(dialect)
		for word, kind := range commonWords() {
			if words[word] == noWord {
				words[word] = kind
			}
		}
		return words
	}
	return commonWords()
}

// maxKeyword is the length of the longest keyword, in bytes, with some to spare.
const maxKeyword = 64
