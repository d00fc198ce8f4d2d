package export

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"kdd/format/index"
)

// beirFiles are the files of an export, below its folder.
var beirFiles = [...]string{"corpus.jsonl", "queries.jsonl", "qrels/test.tsv"}

// beir writes a folder as the BEIR benchmark has it (Thakur et al. 2021): the chunks as corpus, the questions that the
// artifact carries as queries, and as judgements the chunks of the sections and documents that answer them.
type beir struct {
	dir       string
	questions *index.QuestionSet
	file      *os.File
	buffer    *bufio.Writer
	corpus    *lineWriter
	chunks    map[index.Place][]string // ids of the chunks of each judged place
}

func newBEIR(dir string, j *job) (sink, error) {
	f, err := os.Create(filepath.Join(dir, beirFiles[0]))
	if err != nil {
		return nil, err
	}
	b := &beir{dir: dir, questions: j.questions, file: f, buffer: bufio.NewWriterSize(f, bufferBytes),
		chunks: map[index.Place][]string{}}
	b.corpus = newLineWriter(b.buffer)
	if b.questions == nil {
		b.questions = &index.QuestionSet{}
	}
	for i := range b.questions.Questions {
		for _, r := range b.questions.Questions[i].Relevant {
			for _, extension := range index.JudgedExtensions {
				b.chunks[index.Place{Path: r.Path + extension, Anchor: r.Anchor}] = nil
			}
		}
	}
	return b, nil
}

type beirDocument struct {
	ID       string `json:"_id"`
	Title    string `json:"title"` // of the document and the headings of the section
	Text     string `json:"text"`
	Metadata any    `json:"metadata"`
}

// Write writes a chunk as a document of the corpus.
func (b *beir) Write(row *Row) error {
	for _, place := range []index.Place{{Path: row.Path}, {Path: row.Path, Anchor: row.Anchor}} {
		ids, judged := b.chunks[place]
		if judged && (len(ids) == 0 || ids[len(ids)-1] != row.ID) {
			b.chunks[place] = append(ids, row.ID)
		}
	}
	title := row.Title
	for i, heading := range row.HeadingPath {
		if i > 0 || heading != row.Title {
			title += " › " + heading
		}
	}
	return b.corpus.write(beirDocument{row.ID, title, row.Text, struct {
		Path      string `json:"path"`
		Anchor    string `json:"anchor"`
		URL       string `json:"url"`
		FirstLine int32  `json:"first_line"`
		LastLine  int32  `json:"last_line"`
	}{row.Path, row.Anchor, row.URL, row.FirstLine, row.LastLine}})
}

// Close writes the queries and the judgements.
func (b *beir) Close() error {
	if err := errors.Join(b.buffer.Flush(), b.file.Sync(), b.file.Close()); err != nil {
		return err
	}
	if err := os.Mkdir(filepath.Join(b.dir, "qrels"), 0o777); err != nil {
		return err
	}
	if err := b.write(beirFiles[1], b.queries); err != nil {
		return err
	}
	return b.write(beirFiles[2], b.judgements)
}

// write makes a file of the folder.
func (b *beir) write(name string, fill func(*bufio.Writer) error) error {
	f, err := os.Create(filepath.Join(b.dir, filepath.FromSlash(name)))
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	return errors.Join(fill(w), w.Flush(), f.Sync(), f.Close())
}

func (b *beir) queries(w *bufio.Writer) error {
	out := newLineWriter(w)
	for i := range b.questions.Questions {
		q := &b.questions.Questions[i]
		metadata := object{}
		if q.Group != "" {
			metadata["group"] = q.Group
		}
		if len(q.Exclude) > 0 {
			metadata["exclude"] = q.Exclude // paths that count neither as found nor as relevant: the format has no place for them
		}
		err := out.write(struct {
			ID       string `json:"_id"`
			Text     string `json:"text"`
			Metadata object `json:"metadata"`
		}{escapeID(q.ID), q.Text, metadata})
		if err != nil {
			return err
		}
	}
	return nil
}

func (b *beir) judgements(w *bufio.Writer) error {
	fmt.Fprint(w, "query-id\tcorpus-id\tscore\n")
	for i := range b.questions.Questions {
		q := &b.questions.Questions[i]
		gains, ids := map[string]int{}, []string(nil)
		for _, r := range q.Relevant {
			for _, extension := range index.JudgedExtensions {
				for _, id := range b.chunks[index.Place{Path: r.Path + extension, Anchor: r.Anchor}] {
					if gains[id] == 0 {
						ids = append(ids, id)
					}
					gains[id] = max(gains[id], r.Gain)
				}
			}
		}
		for _, id := range ids {
			fmt.Fprintf(w, "%s\t%s\t%d\n", escapeID(q.ID), id, gains[id])
		}
	}
	return nil // the caller's Flush has the first error
}
