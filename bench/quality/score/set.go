package score

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The query files of a set; the second is optional.
const (
	QueriesFile   = "queries.tsv"
	SentencesFile = "queries.sent.tsv"
	qrelsFile     = "qrels.tsv"
)

// Query is one question.
type Query struct {
	ID, Text string
	Exclude  []string // paths that are neither found nor relevant
}

// Place is a document, or with an anchor a section of it. A run names the beginning of a document with an empty anchor.
type Place struct{ Path, Anchor string }

// judgement is a row of qrels.tsv.
type judgement struct {
	query string
	place Place // without an anchor where the row has "-"
	gain  int
}

// Set is a corpus with questions and judgements.
type Set struct {
	Name   string
	Corpus string // folder
	files  map[string][]Query
	judged []judgement
}

// Has reports whether dir is a set.
func Has(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, qrelsFile))
	return err == nil
}

// Find returns the sets that dirs name: each a set itself, or a folder of sets, which count in the order of their names.
func Find(dirs []string) ([]*Set, error) {
	var sets []*Set
	for _, dir := range dirs {
		folders := []string{dir}
		if !Has(dir) {
			entries, err := os.ReadDir(dir)
			if err != nil {
				return nil, err
			}
			folders = nil
			for _, e := range entries {
				if sub := filepath.Join(dir, e.Name()); e.IsDir() && Has(sub) {
					folders = append(folders, sub)
				}
			}
			if len(folders) == 0 {
				return nil, fmt.Errorf("%s: no set: neither it nor a folder in it has a %s", dir, qrelsFile)
			}
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

// Load reads the set in dir.
func Load(dir string) (*Set, error) {
	absolute, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	s := &Set{Name: filepath.Base(absolute), Corpus: filepath.Join(dir, "corpus"), files: map[string][]Query{}}
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
	for _, name := range []string{QueriesFile, SentencesFile} {
		queries, err := readQueries(filepath.Join(dir, name))
		if os.IsNotExist(err) && name == SentencesFile {
			continue
		}
		if err != nil {
			return nil, err
		}
		s.files[name] = queries
	}
	err = rows(filepath.Join(dir, qrelsFile), 4, func(f []string) error {
		gain, err := strconv.Atoi(f[3])
		if err != nil {
			return fmt.Errorf("gain: got %q, want a whole number", f[3])
		}
		j := judgement{query: f[0], place: Place{Path: f[1]}, gain: gain}
		if f[2] != "-" {
			j.place.Anchor = f[2]
		}
		s.judged = append(s.judged, j)
		return nil
	})
	return s, err
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
func (s *Set) Queries(file string) []Query { return s.files[file] }

// Judged returns every place that a question's judgements name, for checks.
func (s *Set) Judged() map[Place]string {
	places := map[Place]string{}
	for _, j := range s.judged {
		places[j.place] = j.query
	}
	return places
}

func readQueries(path string) ([]Query, error) {
	var queries []Query
	seen := map[string]bool{}
	err := rows(path, 2, func(f []string) error {
		if seen[f[0]] {
			return fmt.Errorf("query %s is there twice", f[0])
		}
		seen[f[0]] = true
		q := Query{ID: f[0], Text: f[1]}
		if len(f) > 2 {
			q.Exclude = slices.DeleteFunc(strings.Split(f[2], ";"), func(p string) bool { return p == "" })
		}
		queries = append(queries, q)
		return nil
	})
	return queries, err
}

// rows calls each with the fields of every line that is not blank; want is the least number of them.
func rows(path string, want int, each func(fields []string) error) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSuffix(line, "\r")
		if strings.TrimSpace(line) == "" {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) < want {
			return fmt.Errorf("%s:%d: %d fields, want at least %d, parted by tabs", path, i+1, len(fields), want)
		}
		if err := each(fields); err != nil {
			return fmt.Errorf("%s:%d: %w", path, i+1, err)
		}
	}
	return nil
}
