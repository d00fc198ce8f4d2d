// Package pairs makes questions for "fit evidence" out of retrieval sets: each question twice, once over documents that
// answer it and once over the same documents without those that do, and over the documents of the other sets.
//
//	go run ./bench/fit pairs -o OUT [-parts 8] NAME=CORPUS,QUERIES,QRELS... [NAME...]
//
// QUERIES has id, text and, if any, the path of the document that the text is from; QRELS has id and path of a document that
// answers. Questions are cut into parts, and each part gets a copy of the corpus without the documents that its
// questions are from, NAME-k, and one without those that answer them as well, NAME-k-without. What is absent there is really absent:
// from the dictionary, the frequencies of words, and what links call it. Both are folders below OUT, to be built with
// kdd build; where no document is left out of the first, it is the corpus itself, as NAME. OUT/questions.tsv has the questions,
// with the kinds answerable, absent and other-topic. A NAME given twice adds questions; one
// without files is a corpus that only the questions of the others are asked of.
//
// Another document may answer what is called absent here, so a share of it that is not refused is no error.
package pairs

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kdd/bench/internal/harness"
)

// fewWords is what a question has at least: shorter ones are names, and any document with the name answers.
const fewWords = 3

// set is one retrieval set.
type set struct {
	name, corpus string
	asked        []asked
}

// asked is one question of a set.
type asked struct {
	id, text, from string
	answers        []string
}

// Run writes the corpora and their questions.
func Run(args []string, _, stderr io.Writer) int {
	return harness.Run("pairs", args, stderr, func(flags *flag.FlagSet) harness.Work {
		out := flags.String("o", "", "folder to write to")
		parts := flags.Int("parts", 8, "parts that the questions of a set are cut into")
		return func(context.Context) error {
			if *out == "" || *parts < 1 || flags.NArg() == 0 {
				return harness.Wrong("got -o %q, -parts %d and %d sets, want a folder, a number above 0, and NAME=CORPUS,QUERIES,QRELS", *out, *parts, flags.NArg())
			}
			return writeSets(*out, *parts, flags.Args())
		}
	})
}

// writeSets reads the sets that args name, and writes their corpora and questions to a folder.
func writeSets(out string, parts int, args []string) error {
	var sets []set
	for _, arg := range args {
		name, rest, has := strings.Cut(arg, "=")
		if !has {
			sets = append(sets, set{name: name})
			continue
		}
		files := strings.Split(rest, ",")
		if len(files) != 3 || name == "" {
			return harness.Wrong("got %q, want NAME=CORPUS,QUERIES,QRELS", arg)
		}
		list, err := readSet(files[1], files[2])
		if err != nil {
			return err
		}
		if i := slices.IndexFunc(sets, func(s set) bool { return s.name == name }); i >= 0 {
			for j := range list {
				list[j].id += "+"
			}
			sets[i].asked = append(sets[i].asked, list...)
		} else {
			sets = append(sets, set{name: name, corpus: files[0], asked: list})
		}
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var b strings.Builder
	for i := range sets {
		if err := sets[i].write(&b, out, parts); err != nil {
			return err
		}
		for j := range sets {
			if i == j {
				continue
			}
			for _, q := range sets[i].asked {
				line(&b, sets[i].name+"-"+q.id+"@"+sets[j].name, sets[j].name, "other-topic", "-", q.text)
			}
		}
	}
	return os.WriteFile(filepath.Join(out, "questions.tsv"), []byte(b.String()), 0o644)
}

// line writes a question as "fit evidence" reads it.
func line(b *strings.Builder, id, corpus, kind, expected, text string) {
	fmt.Fprintf(b, "%s\tpairs\t%s\ten\t%s\t%s\t%s\n", id, corpus, kind, expected, text)
}

// readSet returns the questions that have an answer and enough words.
func readSet(queries, qrels string) ([]asked, error) {
	answers := map[string][]string{}
	rows, err := table(qrels, 2)
	if err != nil {
		return nil, err
	}
	for _, c := range rows {
		answers[c[0]] = append(answers[c[0]], c[1])
	}
	if rows, err = table(queries, 2); err != nil {
		return nil, err
	}
	var list []asked
	for _, c := range rows {
		q := asked{id: c[0], text: strings.TrimSpace(c[1]), answers: answers[c[0]]}
		if len(c) > 2 {
			q.from = c[2]
		}
		if len(q.answers) > 0 && len(strings.Fields(q.text)) >= fewWords {
			list = append(list, q)
		}
	}
	return list, nil
}

// table reads a file of columns, least at least in each line.
func table(path string, least int) ([][]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var rows [][]string
	for l := range strings.Lines(string(data)) {
		l = strings.TrimRight(l, "\r\n")
		if l == "" || l[0] == '#' {
			continue
		}
		c := strings.Split(l, "\t")
		if len(c) < least {
			return nil, fmt.Errorf("%s: got %d columns, want %d: %s", path, len(c), least, l)
		}
		rows = append(rows, c)
	}
	return rows, nil
}

// write copies a corpus for each part, and adds the part's questions. Those with the same first answer are in one part.
func (s *set) write(b *strings.Builder, out string, parts int) error {
	var firsts []string
	for _, q := range s.asked {
		if !slices.Contains(firsts, q.answers[0]) {
			firsts = append(firsts, q.answers[0])
		}
	}
	slices.Sort(firsts)
	for k := range min(parts, len(firsts)) {
		var mine []asked
		from, answers := map[string]bool{}, map[string]bool{}
		for _, q := range s.asked {
			if slices.Index(firsts, q.answers[0])%parts == k {
				mine = append(mine, q)
				from[q.from] = true
			}
		}
		mine = slices.DeleteFunc(mine, func(q asked) bool { // the document that answers it is one that another question is from
			return slices.ContainsFunc(q.answers, func(a string) bool { return from[a] })
		})
		for _, q := range mine {
			for _, a := range q.answers {
				answers[a] = true
			}
		}
		delete(from, "")
		with, without := s.name, fmt.Sprintf("%s-%d-without", s.name, k)
		if len(from) > 0 {
			with = fmt.Sprintf("%s-%d", s.name, k)
			if err := s.copy(filepath.Join(out, with), func(path string) bool { return from[path] }); err != nil {
				return err
			}
		}
		if err := s.copy(filepath.Join(out, without), func(path string) bool { return from[path] || answers[path] }); err != nil {
			return err
		}
		for _, q := range mine {
			line(b, s.name+"-"+q.id, with, "answerable", cmp.Or(q.answers[0], "-"), q.text)
			line(b, s.name+"-"+q.id+"-without", without, "absent", "-", q.text)
		}
	}
	return nil
}

// copy writes the corpus to a folder, without what is left out.
func (s *set) copy(to string, out func(path string) bool) error {
	return filepath.WalkDir(s.corpus, func(file string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		path, err := filepath.Rel(s.corpus, file)
		if err != nil || out(filepath.ToSlash(path)) {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		target := filepath.Join(to, path)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		return os.WriteFile(target, data, 0o644)
	})
}
