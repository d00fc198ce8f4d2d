// Command languages writes what the browser's reader knows of languages: the word lists of package text in two modules,
// of languages in Latin letters and of others, and the stemmers of the module that kdd stems with in a module each.
package main

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const module = "github.com/blevesearch/snowballstem"

// languages are the packages of the module that kdd stems with.
var languages = map[string]string{
	"ar": "arabic", "da": "danish", "de": "german", "en": "english", "es": "spanish", "fi": "finnish", "fr": "french",
	"ga": "irish", "hu": "hungarian", "it": "italian", "nl": "dutch", "no": "norwegian", "pt": "portuguese",
	"ro": "romanian", "ru": "russian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "languages:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 4 {
		return fmt.Errorf("got %d arguments, want the folder of word lists, their two modules, and the folder of stemmers", len(args))
	}
	if err := lists(args[0], args[1], args[2]); err != nil {
		return err
	}
	return stemmers(args[3])
}

// lists writes the word lists, by language and section. The first module has what every query needs: the languages in
// Latin letters, which are told apart by their words, and all abbreviations, since documents have any. The second has
// the rest.
func lists(dir, latin, other string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return err
	}
	first, second := wordLists{}, wordLists{}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lang := strings.TrimSuffix(filepath.Base(path), ".txt")
		for name, words := range sections(string(data)) {
			switch letter, _ := utf8.DecodeRuneInString(words[0]); {
			case unicode.Is(unicode.Latin, letter), strings.HasSuffix(name, "abbreviations"):
				first.put(lang, name, frontCoded(words))
			default:
				second.put(lang, name, strings.Join(words, " ")) // in their order, which counts for some
			}
			if strings.ContainsAny(strings.Join(words, ""), "0123456789") {
				return fmt.Errorf("%s: [%s] has a digit, which the module would take for a length", path, name)
			}
		}
	}
	if err := first.write(latin, "of languages in Latin letters, and abbreviations of all; each word as the number of\n"+
		"// characters that it has in common with the word before, and the rest of it"); err != nil {
		return err
	}
	return second.write(other, "of languages in other letters")
}

// sections are the words of a list by section.
func sections(list string) map[string][]string {
	all, name := map[string][]string{}, ""
	for line := range strings.Lines(list) {
		switch line = strings.TrimSpace(line); {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			name = strings.Trim(line, "[]")
		default:
			all[name] = append(all[name], strings.Fields(line)...)
		}
	}
	return all
}

// frontCoded writes words, sorted, as what each adds to the one before: a digit and the rest.
func frontCoded(words []string) string {
	var b strings.Builder
	before := []rune(nil)
	for _, word := range slices.Compact(slices.Sorted(slices.Values(words))) {
		letters, n := []rune(word), 0
		for n < min(len(letters), len(before), 9) && letters[n] == before[n] {
			n++
		}
		fmt.Fprintf(&b, "%d%s", n, string(letters[n:]))
		before = letters
	}
	return b.String()
}

// wordLists are lists by language and section.
type wordLists map[string]map[string]string

func (w wordLists) put(lang, section, words string) {
	if w[lang] == nil {
		w[lang] = map[string]string{}
	}
	w[lang][section] = words
}

// write writes the lists as a module, in the order of their names.
func (w wordLists) write(out, what string) error {
	text, err := json.Marshal(w)
	if err != nil {
		return err
	}
	module := "// Word lists by language and section " + what + ".\n// Of format/text/data, made by runtime/browser/languages.\n" +
		"export const lists: { [language: string]: { [section: string]: string } } = " + string(text) + ";\n"
	return os.WriteFile(out, []byte(module), 0o644)
}

// stemmers writes the stemmers.
func stemmers(out string) error {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	for code, name := range languages {
		path := filepath.Join(strings.TrimSpace(string(dir)), name, name+"_stemmer.go")
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		p := printer{}
		p.file(file)
		if p.unknown != "" {
			return fmt.Errorf("%s: unknown syntax: %s", name, p.unknown)
		}
		if err := os.WriteFile(filepath.Join(out, code+".js"), []byte(p.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}
