// Command gen packs the lists of package glossary, NAME.tsv of the working folder, into the files that it embeds.
package main

import (
	"fmt"
	"io"
	"os"

	"kdd/format/text"
	"kdd/runtime/search/glossary"
)

func main() { os.Exit(run(os.Args[1:], os.Stderr)) }

func run(args []string, stderr io.Writer) int {
	if len(args) > 0 {
		fmt.Fprintf(stderr, "gen: got %q, want no arguments\n", args[0])
		return 2
	}
	lists := map[text.Lang][]glossary.Entry{}
	for _, lang := range glossary.Languages() {
		tsv, err := os.ReadFile(string(lang) + ".tsv")
		if err == nil {
			lists[lang], err = glossary.Parse(lang, string(tsv))
		}
		if err != nil {
			return fail(stderr, err)
		}
	}
	files, err := glossary.Pack(lists)
	if err != nil {
		return fail(stderr, err)
	}
	for name, parts := range files {
		pack, err := glossary.Compress(parts)
		if err == nil {
			err = os.WriteFile(name+".zst", pack, 0o644)
		}
		if err != nil {
			return fail(stderr, err)
		}
	}
	return 0
}

func fail(stderr io.Writer, err error) int {
	fmt.Fprintf(stderr, "gen: %v\n", err)
	return 1
}
