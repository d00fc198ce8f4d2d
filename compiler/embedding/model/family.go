package model

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"golang.org/x/text/language"
)

// What searching and bge models for retrieval put before a question, as their cards say.
const (
	searchPrompt   = "Represent this sentence for searching relevant passages: "
	chinesePrompt  = "为这个句子生成表示以用于检索相关文章："
	instructPrompt = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery: "
)

// prefixFamilies are models whose cards ask for prefixes that their files do not hold, by the end of their names.
var prefixFamilies = []struct {
	name     *regexp.Regexp
	prefixes Prefixes
}{
	{regexp.MustCompile(`(^|/)(multilingual-)?e5-(small|base|large)(-v2)?$`), Prefixes{"query: ", "passage: "}},
	{regexp.MustCompile(`(^|/)multilingual-e5-large-instruct$`), Prefixes{instructPrompt, ""}},
	{regexp.MustCompile(`(^|/)bge-(small|base|large)-en(-v1\.5)?$`), Prefixes{searchPrompt, ""}},
	{regexp.MustCompile(`(^|/)bge-(small|base|large)-zh(-v1\.5)?$`), Prefixes{chinesePrompt, ""}},
	{regexp.MustCompile(`(^|/)(snowflake-arctic-embed-(xs|s|m|l|m-v1\.5)|mxbai-embed-(xsmall|large)-v1)$`), Prefixes{searchPrompt, ""}},
	{regexp.MustCompile(`(^|/)snowflake-arctic-embed-l-v2\.0$`), Prefixes{"query: ", ""}},
}

// familyPrefixes returns the prefixes that one of the names asks for, the first that is known.
func familyPrefixes(names ...string) Prefixes {
	for _, name := range names {
		name = strings.ReplaceAll(strings.ToLower(name), "_", "-")
		for _, f := range prefixFamilies {
			if f.name.MatchString(name) {
				return f.prefixes
			}
		}
	}
	return Prefixes{}
}

// cardLanguages returns the languages that a model card's front matter names, as ISO 639 codes, sorted. Known is false
// if it names none; it may then say "multilingual".
func cardLanguages(card string) (codes []string, known bool) {
	var head struct {
		Language any `yaml:"language"`
	}
	if yaml.Unmarshal([]byte(frontMatter(card)), &head) != nil {
		return nil, false
	}
	var names []string
	switch v := head.Language.(type) {
	case string:
		names = strings.Split(v, ",")
	case []any:
		for _, item := range v {
			switch item := item.(type) {
			case string:
				names = append(names, item)
			case bool: // YAML 1.1 reads "no", Norwegian, so
				if !item {
					names = append(names, "no")
				}
			}
		}
	}
	for _, name := range names {
		if code, ok := languageCode(name); ok {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes), len(codes) > 0
}

// languageCode returns the ISO 639 code of a language tag: "en" of "en-GB" and of "eng".
func languageCode(name string) (string, bool) {
	name = strings.TrimSpace(name)
	if n := len(name); n < 2 || n > 3 && !strings.ContainsAny(name, "-_") {
		return "", false // "multilingual", "code"
	}
	tag, err := language.Parse(name)
	if err != nil {
		return "", false
	}
	base, sure := tag.Base()
	if sure == language.No || base.String() == "und" || base.String() == "mul" {
		return "", false
	}
	return base.String(), true
}

// ParseLanguages reads a list of language codes with commas between them; "any" or "all" alone is the empty
// list: taken for a code, all is one of the world's small languages, and a model would know no other.
func ParseLanguages(list string) ([]string, error) {
	codes := []string{}
	switch strings.TrimSpace(list) {
	case "any", "all":
		return codes, nil
	}
	for name := range strings.SplitSeq(list, ",") {
		code, ok := languageCode(name)
		if !ok {
			return nil, fmt.Errorf("language %q, want codes such as en,de,zh, or any", strings.TrimSpace(name))
		}
		codes = append(codes, code)
	}
	slices.Sort(codes)
	return slices.Compact(codes), nil
}

// vocabularyLanguages returns the languages of vocabularies that many models share, told by their size: those of
// bert-base-uncased and -cased (English) and bert-base-chinese. Others, the multilingual ones among them, are not known
// to lack a language: nil.
func vocabularyLanguages(pieces int) []string {
	switch pieces {
	case 30522, 28996:
		return []string{"en"}
	case 21128:
		return []string{"zh"}
	}
	return nil
}

// frontMatter returns the front matter of a model card, without its borders.
func frontMatter(card string) string {
	card = strings.ReplaceAll(card, "\r\n", "\n")
	rest, ok := strings.CutPrefix(card, "---\n")
	if !ok {
		return ""
	}
	head, _, _ := strings.Cut(rest, "\n---")
	return head
}

// namesOf is what config.json calls the model.
func namesOf(config []byte) (kind, name string) {
	var f struct {
		Kind string `json:"model_type"`
		Name string `json:"_name_or_path"`
	}
	if json.Unmarshal(config, &f) != nil {
		return "", ""
	}
	return f.Kind, f.Name
}
