// Package phrases reads lists of words, phrases and patterns that tell what a sentence or question is by its form: a
// file a language, in sections. The compiler has those of sentences, the runtime those of questions; what the sections
// mean is said beside each of them.
//
//	lists, err := phrases.Read(files) // of an embed.FS
//	opening := lists.Words("leaning words")
//
// The package knows no language and decides nothing.
package phrases

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Lazy returns a regular expression that is compiled at its first use. An answer needs half of those of a program, a
// search none.
func Lazy(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}

// Licence is how the first line of each file begins.
const Licence = "# Written for kdd, Apache-2.0."

// Lists hold the entries of the files: by section, then by language. A pair is two entries.
type Lists map[string]map[string][]string

// Read reads the files "data/*.txt" of a program. The error is one in its data: a test has to read them too.
func Read(files fs.FS) (Lists, error) {
	names, err := fs.Glob(files, "data/*.txt")
	if err != nil {
		return nil, err
	}
	l := Lists{}
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err == nil {
			err = l.Add(strings.TrimSuffix(path.Base(name), ".txt"), string(data))
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return l, nil
}

// Add reads the file of one language.
func (l Lists) Add(language, file string) error {
	if !strings.HasPrefix(file, Licence) {
		return fmt.Errorf("line 1: want %q", Licence)
	}
	section := ""
	number := 0
	for line := range strings.Lines(file) {
		number++
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || number == 1:
			continue
		case line[0] == '[' && strings.HasSuffix(line, "]"):
			section = line[1 : len(line)-1]
			if l[section][language] != nil {
				return fmt.Errorf("line %d: section %q is there twice", number, section)
			}
			if l[section] == nil {
				l[section] = map[string][]string{}
			}
			continue
		}
		found, err := parseEntries(section, line)
		if err != nil {
			return fmt.Errorf("line %d: %w", number, err)
		}
		l[section][language] = append(l[section][language], found...)
	}
	return nil
}

// parseEntries returns the entries of a line. The last word of the section's name says what kind they are.
func parseEntries(section, line string) ([]string, error) {
	switch kind := section[strings.LastIndexByte(section, ' ')+1:]; kind {
	case "words":
		return strings.Fields(line), nil
	case "starts", "ends", "inside", "patterns", "text", "pairs":
		var found []string
		for rest := line; strings.HasPrefix(rest, `"`); rest = strings.TrimPrefix(rest, " ") {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				return nil, err
			}
			text, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, err
			}
			found, rest = append(found, text), rest[len(quoted):]
		}
		switch {
		case len(found) == 0 && strings.TrimSpace(line) == line && kind != "pairs":
			return []string{line}, nil
		case kind == "pairs" && len(found) == 2, kind != "pairs" && len(found) == 1:
			return found, nil
		}
	}
	return nil, fmt.Errorf("section %q: got %q", section, line)
}

// All returns the entries of a section in all languages.
func (l Lists) All(section string) []string {
	var list []string
	for _, language := range slices.Sorted(maps.Keys(l[section])) {
		list = append(list, l[section][language]...)
	}
	return list
}

// Words returns the entries of a section as a set.
func (l Lists) Words(section string) map[string]bool {
	set := map[string]bool{}
	for _, w := range l.All(section) {
		set[w] = true
	}
	return set
}

// Pattern returns one expression. Each frame has a %s for the patterns of its section. A section without patterns is
// left out, and so is its frame.
func (l Lists) Pattern(flags string, framed ...Frame) func() *regexp.Regexp {
	var parts []string
	for _, f := range framed {
		if list := l.All(f.Section); len(list) > 0 {
			parts = append(parts, fmt.Sprintf(f.Format, strings.Join(list, "|")))
		}
	}
	return Lazy(flags + strings.Join(parts, "|"))
}

// Frame is what stands around the patterns of a section: Format has a %s for them.
type Frame struct{ Section, Format string }
