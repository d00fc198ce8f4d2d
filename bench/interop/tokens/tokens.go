// Command tokenizer prints the wordpiece ids of every line of every file below a folder. check.py compares them with
// the reference library's.
//
//	go run ./bench/interop tokens -tokenizer MODEL/tokenizer.json FOLDER
//
// A line is PATH:NUMBER, a tab and the ids; number 0 is the whole file as one text. Files that are not UTF-8 are left
// out.
package tokens

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"kdd/bench/internal/harness"
	"kdd/format/encoder"
)

// Run prints the ids.
func Run(args []string, stdout, stderr io.Writer) int {
	return harness.Run("tokenizer", args, stderr, func(flags *flag.FlagSet) harness.Work {
		tokenizer := flags.String("tokenizer", "", "a tokenizer.json, or a vocab.txt of lower-case pieces")
		return func(ctx context.Context) error {
			if flags.NArg() != 1 || *tokenizer == "" {
				return harness.Wrong("got %d folders, want -tokenizer FILE FOLDER", flags.NArg())
			}
			return printIDs(stdout, *tokenizer, flags.Arg(0))
		}
	})
}

func printIDs(w io.Writer, tokenizer, folder string) error {
	data, err := os.ReadFile(tokenizer)
	if err != nil {
		return err
	}
	parse := encoder.ParseTokenizer
	if filepath.Ext(tokenizer) == ".txt" {
		parse = func(data []byte) (*encoder.Vocab, error) { return encoder.ParseVocabText(data, false) }
	}
	vocab, err := parse(data)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	var line []byte
	var ids []int32
	put := func(path string, number int, text string) {
		line = fmt.Appendf(line[:0], "%s:%d\t", path, number)
		ids = vocab.Encode(ids[:0], text)
		for i, id := range ids {
			if i > 0 {
				line = append(line, ' ')
			}
			line = strconv.AppendInt(line, int64(id), 10)
		}
		out.Write(append(line, '\n'))
	}
	err = filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || !utf8.Valid(data) {
			return err
		}
		name, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		text := string(data)
		put(name, 0, text)
		for i, l := range strings.Split(text, "\n") {
			put(name, i+1, l)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return out.Flush()
}
