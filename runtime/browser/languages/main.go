// Command languages writes what the browser's reader knows of languages: the word lists of package text in one module
// of JavaScript, and the stemmers of the module that kdd stems with in a module each.
package main

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
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
		return fmt.Errorf("got %d arguments, want the folder of word lists, their module and the folder of stemmers", len(args))
	}
	if err := lists(args[0], args[1]); err != nil {
		return err
	}
	return stemmers(args[2])
}

// lists writes the word lists, by language and section.
func lists(dir, out string) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return err
	}
	all := map[string]map[string]string{}
	for _, path := range files {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		sections, name := map[string]string{}, ""
		for line := range strings.Lines(string(data)) {
			switch line = strings.TrimSpace(line); {
			case line == "" || line[0] == '#':
			case line[0] == '[':
				name = strings.Trim(line, "[]")
			default:
				sections[name] = strings.TrimSpace(sections[name] + " " + line)
			}
		}
		all[strings.TrimSuffix(filepath.Base(path), ".txt")] = sections
	}
	text, err := json.Marshal(all) // in the order of its keys
	if err != nil {
		return err
	}
	module := "// Word lists by language and section, of format/text/data. Made by runtime/browser/languages.\n" +
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
