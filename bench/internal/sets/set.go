package sets

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kdd/runtime/eval"
)

// The query files of a set; the second is optional.
const (
	QueriesFile   = "queries.tsv"
	SentencesFile = "queries.sent.tsv"
	qrelsFile     = "qrels.tsv"
)

// Set is a corpus with questions and judgements.
type Set struct {
	Name   string
	Corpus string // folder
	files  map[string][]eval.Question
	judged map[eval.Place]string // a question that names it
}

// has reports whether dir has a file or folder of one of the names.
func has(dir string, names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		_, err := os.Stat(filepath.Join(dir, name))
		return err == nil
	})
}

// Find returns the sets that dirs name: each a set itself, or a folder of sets, in the order of their names. In such a
// folder judgements without a corpus are no set: their corpus is not part of the repository.
func Find(dirs []string) ([]*Set, error) {
	var sets []*Set
	for _, dir := range dirs {
		folders, err := Folders(dir)
		if err != nil {
			return nil, err
		}
		if len(folders) != 1 || folders[0] != dir {
			folders = slices.DeleteFunc(folders, func(sub string) bool { return !has(sub, "corpus", "corpus.path") })
		}
		if len(folders) == 0 {
			return nil, fmt.Errorf("%s: no set: neither it nor a folder in it has a %s and a corpus", dir, qrelsFile)
		}
		for _, folder := range folders {
			s, err := Load(folder)
			if err != nil {
				return nil, err
			}
			sets = append(sets, s)
		}
	}
	return sets, nil
}

// Folders returns dir if it has judgements, else the folders in it that have, in the order of their names.
func Folders(dir string) (folders []string, err error) {
	if has(dir, qrelsFile) {
		return []string{dir}, nil
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if sub := filepath.Join(dir, e.Name()); e.IsDir() && has(sub, qrelsFile) {
			folders = append(folders, sub)
		}
	}
	return folders, err
}

// Load reads the set in dir.
func Load(dir string) (*Set, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	s := &Set{Name: filepath.Base(absolute), Corpus: filepath.Join(dir, "corpus"), files: map[string][]eval.Question{}, judged: map[eval.Place]string{}}
	switch link, err := os.ReadFile(filepath.Join(dir, "corpus.path")); {
	case err == nil:
		s.Corpus = filepath.Join(dir, filepath.FromSlash(strings.TrimSpace(string(link))))
	case !os.IsNotExist(err):
		return nil, err
	}
	if info, err := os.Stat(s.Corpus); err != nil {
		return nil, fmt.Errorf("%w; a set has a folder corpus, or a file corpus.path that names one", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("%s: it is no folder", s.Corpus)
	}
	judgements, err := read(dir, qrelsFile)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{QueriesFile, SentencesFile} {
		questions, err := read(dir, name)
		if os.IsNotExist(err) && name == SentencesFile {
			continue
		}
		if err != nil {
			return nil, err
		}
		parsed := eval.Parse(*questions, judgements, "")
		if err := eval.Err(parsed.Faults); err != nil {
			return nil, err
		}
		s.files[name] = parsed.Set.Questions
		for _, m := range parsed.Marks {
			if !m.Excluded {
				s.judged[m.Place] = m.Question
			}
		}
	}
	return s, nil
}

// read reads a file of the set in dir.
func read(dir, name string) (*eval.File, error) {
	path := filepath.Join(dir, name)
	data, err := os.ReadFile(path)
	return &eval.File{Name: path, Data: data}, err
}

// Files returns the query files that the set has.
func (s *Set) Files() []string {
	names := []string{QueriesFile}
	if s.files[SentencesFile] != nil {
		names = append(names, SentencesFile)
	}
	return names
}

// Queries returns the questions of one of Files.
func (s *Set) Queries(file string) []eval.Question { return s.files[file] }

// Judged returns every place that a question's judgements name, for checks.
func (s *Set) Judged() map[eval.Place]string { return s.judged }
