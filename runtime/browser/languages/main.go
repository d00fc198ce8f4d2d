// Command languages writes what the browser's reader knows of languages: the word lists of package text in modules, and
// the stemmers of the module that kdd stems with in a module each.
package main

import (
	"encoding/base64"
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
	if len(args) != 3 {
		return fmt.Errorf("got %d arguments, want the folder of word lists, that of their modules, and that of stemmers", len(args))
	}
	if err := lists(args[0], args[1]); err != nil {
		return err
	}
	return stemmers(args[2])
}

// lists writes the word lists, by language and section, in three modules of a folder. lists.ts has what every query
// needs: the stop words of English, a filter of the function words of other languages in Latin letters, and the
// abbreviations of all languages. latinlists.ts has those languages, otherlists.ts the rest.
func lists(dir, out string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return err
	}
	latin, other := wordLists{}, wordLists{}
	var english string
	var abbreviations, functions []string
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		lang := strings.TrimSuffix(filepath.Base(path), ".txt")
		all := sections(string(data))
		for name, words := range all {
			switch letter, _ := utf8.DecodeRuneInString(words[0]); {
			case strings.HasSuffix(name, "abbreviations"):
				abbreviations = append(abbreviations, words...)
			case lang == "en":
				english = frontCoded(words)
			case unicode.Is(unicode.Latin, letter):
				latin.put(lang, name, frontCoded(words))
				if name == "function words" || all["function words"] == nil { // what a language is told by
					functions = append(functions, words...)
				}
			default:
				other.put(lang, name, strings.Join(words, " ")) // in their order, which counts for some
			}
			if strings.ContainsAny(strings.Join(words, ""), "0123456789") {
				return fmt.Errorf("%s: [%s] has a digit, which the module would take for a length", path, name)
			}
		}
	}
	module := header("what every query needs") + "export const words =" + quoted(english) + ";\n" +
		"/** Abbreviations of all languages. */\nexport const abbreviations =" + quoted(frontCoded(abbreviations)) + ";\n" +
		"/** The function words of languages in Latin letters but English: see english.ts. */\n" +
		"export const others =" + quoted(bloom(functions)) + ";\n"
	if err := os.WriteFile(filepath.Join(out, "lists.ts"), []byte(module), 0o644); err != nil {
		return err
	}
	if err := latin.write(filepath.Join(out, "latinlists.ts"), "of languages in Latin letters but English"); err != nil {
		return err
	}
	return other.write(filepath.Join(out, "otherlists.ts"), "of languages in other letters")
}

// bloom is a Bloom filter of the words that are ASCII, in base64: 6 bits a word and 4 hashes have one in sixteen of other
// words. src/english.ts reads it.
func bloom(words []string) string {
	var ascii []string
	for _, word := range slices.Compact(slices.Sorted(slices.Values(words))) {
		if !strings.ContainsFunc(word, func(r rune) bool { return r > unicode.MaxASCII }) {
			ascii = append(ascii, word)
		}
	}
	bits := make([]byte, len(ascii)*6/8+1)
	for _, word := range ascii {
		for seed := range uint32(4) {
			hash := seed + 1
			for _, c := range []byte(word) {
				hash = (hash ^ uint32(c)) * 0x5bd1e995
				hash ^= hash >> 15
			}
			bit := hash % uint32(8*len(bits))
			bits[bit/8] |= 1 << (bit % 8)
		}
	}
	return base64.StdEncoding.EncodeToString(bits)
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
	module := header("by language and section, "+what) +
		"export const lists: { [language: string]: { [section: string]: string } } = " + string(text) + ";\n"
	return os.WriteFile(out, []byte(module), 0o644)
}

// header begins a module of word lists.
func header(what string) string {
	return "// Word lists: " + what + ". Where a list has digits, each word is the number of characters that it has in\n" +
		"// common with the word before, and the rest of it. Of format/text/data, made by runtime/browser/languages.\n"
}

// quoted is a text as a literal of several lines.
func quoted(text string) string {
	var b strings.Builder
	for part := range slices.Chunk([]rune(text), 110) {
		if b.Len() > 0 {
			b.WriteString(" +")
		}
		fmt.Fprintf(&b, "\n  %q", string(part))
	}
	return b.String()
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
