package peers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kdd/bench/internal/harness"
	"kdd/bench/internal/sets"
	"kdd/bench/speed/peers/corpus"
	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/eval"
	"kdd/runtime/wire"
)

// judgedSet has the nDCG@10 of each engine on one file of questions.
type judgedSet struct {
	name   string
	absent string             // why the set was not asked
	score  map[string]float64 // by engine
	why    map[string]string  // an engine has no score
}

// How much engines are asked for, so that ten documents remain of it: sections, and documents of a search by kdd.
const (
	judgedSections  = 200
	judgedDocuments = 30
)

// judged asks the questions of all sets. A set that is not there, or cannot be compiled, is absent.
func (s *settings) judged(ctx context.Context, picked []engine, stderr io.Writer) (all []judgedSet, err error) {
	for dir := range strings.SplitSeq(s.eval, ",") {
		folders, err := sets.Folders(dir)
		if err == nil && len(folders) == 0 {
			err = errors.New("neither it nor a folder in it has judgements")
		}
		if err != nil {
			all = append(all, judgedSet{name: filepath.Base(dir), absent: err.Error()})
		}
		for _, folder := range folders {
			list, err := s.set(ctx, folder, picked, stderr)
			if ctx.Err() != nil {
				return nil, context.Cause(ctx)
			}
			if err != nil {
				list = []judgedSet{{name: filepath.Base(folder), absent: err.Error()}}
			}
			all = append(all, list...)
		}
	}
	return all, nil
}

// set asks the questions of one set: a result for each of its files.
func (s *settings) set(ctx context.Context, dir string, picked []engine, stderr io.Writer) ([]judgedSet, error) {
	if _, err := sets.Load(dir); err != nil {
		return nil, err
	}
	o := sets.Options{KDD: s.kdd, Artifacts: filepath.Join(s.work, "sets"), Sets: []string{dir}}
	corpora, done, err := o.Corpora(ctx, stderr)
	if err != nil {
		return nil, err
	}
	defer done()
	c := &corpora[0]
	g := &given{folder: filepath.Join(s.work, "sets", c.Set.Name), words: c.Words(), vectors: c.Words()}
	if err := linkCorpus(g.folder, c.Set.Corpus); err != nil {
		return nil, err
	}
	var all []judgedSet
	for _, q := range c.Questions() {
		var texts []string
		for _, question := range q.List {
			texts = append(texts, question.Text)
		}
		if err := export(g.words, g.folder, texts); err != nil {
			return nil, err
		}
		g.unfed = g.embed(c.Paths[harness.Exact], texts)
		g.mute = g.unfed
		places, err := sectionPlaces(g.words)
		if err != nil {
			return nil, err
		}
		set := judgedSet{name: q.Name, score: map[string]float64{}, why: map[string]string{}}
		for _, e := range picked {
			run, err := s.answers(ctx, g, e, q.List, places)
			if err != nil {
				set.why[e.name] = err.Error()
				continue
			}
			scored := eval.Score(q.List, run)
			set.score[e.name] = scored.Document.Mean().NDCG
		}
		all = append(all, set)
	}
	return all, nil
}

// linkCorpus makes the folder, with a link to the corpus in it.
func linkCorpus(folder, corpus string) error {
	absolute, err := filepath.Abs(corpus)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	link := filepath.Join(folder, "corpus")
	if err := os.Remove(link); err != nil && !os.IsNotExist(err) {
		return err
	}
	return os.Symlink(absolute, link)
}

// embed writes the vectors that an artifact has, and those of the texts by the transformer in another one.
func (g *given) embed(exact string, texts []string) error {
	if exact == "" {
		return errors.New("no vectors: there is no model")
	}
	x, err := index.Open(exact)
	if err != nil {
		return err
	}
	defer x.File.Close()
	encode, err := sets.QueryEncoder(x)
	if err != nil {
		return err
	}
	stored, err := x.Vectors()
	if err == nil && (stored == nil || encode == nil) {
		err = errors.New("no vectors: the artifact has none, or no query encoder")
	}
	if err != nil {
		return err
	}
	quantised, scales, _ := stored.Stored(false)
	rows := index.DequantiseRows(quantised, scales, stored.Dim)
	for row := range slices.Chunk(rows, stored.Dim) {
		corpus.Unit(row)
	}
	queries := make([]float32, len(texts)*stored.Dim)
	for i, text := range texts {
		if err := encode(queries[i*stored.Dim:(i+1)*stored.Dim], text); err != nil {
			return err
		}
	}
	return writeVectors(g.folder, stored.Dim, rows, queries)
}

// sectionPlaces returns the place of each chunk of an artifact.
func sectionPlaces(artifact string) ([]eval.Place, error) {
	x, err := index.Open(artifact)
	if err != nil {
		return nil, err
	}
	defer x.File.Close()
	places := make([]eval.Place, x.Chunks())
	for c := range places {
		section := x.SectionOfChunk(index.ChunkID(c))
		places[c] = eval.Place{Path: x.DocPath(x.DocOfSection(section)), Anchor: x.SectionAnchor(section)}
	}
	return places, nil
}

// answers is what an engine ranks for each question.
func (s *settings) answers(ctx context.Context, g *given, e engine, questions []eval.Question, places []eval.Place) (eval.Run, error) {
	run := eval.Run{}
	if e.mode != "" && e.by != byVectors {
		return run, searched(ctx, g, e, questions, run)
	}
	r := s.ask(ctx, g, e, judgedSections, 1)
	if why := r.Absent + r.Failed; why != "" {
		return nil, errors.New(why)
	}
	if len(r.Hits) != len(questions) {
		return nil, fmt.Errorf("%d answers to %d questions", len(r.Hits), len(questions))
	}
	for i, hits := range r.Hits {
		for _, hit := range hits {
			if n, ok := number(hit); ok && n >= 0 && n < len(places) {
				run[questions[i].ID] = append(run[questions[i].ID], places[n])
			}
		}
	}
	return run, nil
}

// searched asks kdd as "quality search" does.
func searched(ctx context.Context, g *given, e engine, questions []eval.Question, run eval.Run) error {
	if e.by != byWords && g.mute != nil {
		return g.mute
	}
	service := runtime.New(runtime.Config{Index: []string{g.artifact(e)}})
	defer service.Close()
	for _, q := range questions {
		hits, err := sets.Hits(ctx, service, wire.SearchRequest{Query: q.Text, Mode: e.mode}, judgedDocuments+len(q.Exclude))
		if err != nil {
			return fmt.Errorf("query %s: %w", q.ID, err)
		}
		run[q.ID] = sets.Places(hits)
	}
	return nil
}
