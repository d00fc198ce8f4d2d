// Command distil measures how well the distilled query encoder stands in for the transformer.
//
//	go run ./bench/distil [-model NAME] [-cache DIR] [-variants LIST] SET...
//
// A SET is a folder with corpus/, queries.tsv and qrels.tsv (query id, text, excluded paths; query id, path, anchor or
// "-", gain). Chunks are made and embedded as a build does it; then each variant of the recipe is trained and its query
// vectors are compared with the transformer's: mean cosine, and nDCG@10 of ranking by vectors alone, by document and by
// section (a file has its best chunk's cosine). -queries names other query files of the sets.
// Columns: fit is Report.Fit, sec the time of Train without the teacher's, MB the growth of the heap; unk is the share of
// the queries' wordpieces that the corpus lacks, unk-q that of queries with such a piece. With -parts sizes are means.
//
// LIST is variants parted by semicolons, a variant NAME or NAME:KEY=VALUE,... with the keys seen, pairform, unseen
// (int8, int4, signs, none), unseencount, scale, pairs, pairweight, sentences, steps, pseudo, teacher, noshares (true).
// Vectors are kept in -cache.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	goruntime "runtime"
	"runtime/metrics"
	"strings"
	"time"

	"kdd/bench/internal/command"
	"kdd/compiler/distil"
	"kdd/compiler/embedding/engine"
	"kdd/compiler/embedding/model"
	"kdd/format/encoder"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// settings are the command line.
type settings struct {
	model, library, cache, queries string
	parts                          int
	variants                       []variant
	sets                           []string
}

func run(args []string, stdout, stderr io.Writer) int {
	var s settings
	return command.Run("distil", args, stderr, func(flags *flag.FlagSet) command.Work {
		flags.StringVar(&s.model, "model", "", "model, by name or folder")
		flags.StringVar(&s.library, "library", "", "ONNX Runtime's shared library")
		flags.StringVar(&s.cache, "cache", "", "folder that keeps vectors between runs; none by default")
		flags.StringVar(&s.queries, "queries", "queries.tsv", "query file of the sets")
		flags.IntVar(&s.parts, "parts", 1, "cut each set into so many small corpora, and ask each what it can answer")
		list := flags.String("variants", "recipe", "what to train")
		return func(ctx context.Context) error {
			var err error
			if s.variants, err = parseVariants(*list); err != nil {
				return command.Wrong("%v", err)
			}
			if s.sets = flags.Args(); len(s.sets) == 0 {
				return command.ErrUsage
			}
			return measure(ctx, stdout, &s)
		}
	})
}

// measure prints the table of each set.
func measure(ctx context.Context, w io.Writer, s *settings) error {
	m, err := model.Find(s.model, "")
	if err != nil {
		return err
	}
	v, err := m.Vocab()
	if err != nil {
		return err
	}
	prior, err := m.Prior()
	if err != nil {
		return err
	}
	e, _, err := m.Engine("float32", engine.Options{Library: s.library})
	if err != nil {
		return err
	}
	defer e.Close()
	t := &embedder{model: m, vocab: v, engine: e, prior: prior, cache: s.cache}
	fmt.Fprintf(w, "model %s %.12s, %s\n", m.Name, m.SHA256, engine.ID(e))
	for _, folder := range s.sets {
		if err := measureSet(ctx, w, s, t, folder); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(folder), err)
		}
	}
	return nil
}

// measureSet prints the table of one set.
func measureSet(ctx context.Context, w io.Writer, s *settings, t *embedder, folder string) error {
	c, err := loadSet(ctx, t, folder, s.queries)
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%s: %d documents, %d bytes, %d chunks, %d queries (%s), %d parts\n", filepath.Base(folder), len(c.paths), c.bytes, len(c.ids), len(c.queries), s.queries, s.parts)
	if s.parts > 1 { // the parts' sentences are among those of the whole
		if err := t.remember(ctx, c.bodies); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%-24s %7s %7s %7s %7s %8s %6s %6s %6s %6s %5s %6s %6s\n",
		"encoder", "cosine", "doc", "section", "fit", "bytes", "seen", "pairs", "unseen", "sec", "MB", "unk", "unk-q")
	parts := c.split(s.parts)
	var sum result
	for _, part := range parts {
		r, err := measureExact(ctx, t, part)
		if err != nil {
			return err
		}
		sum.add(r)
	}
	sum.print(w, "transformer")
	for _, v := range s.variants {
		sum = result{}
		for _, part := range parts {
			r, err := measureVariant(ctx, t, part, v)
			if err != nil {
				return err
			}
			sum.add(r)
		}
		sum.print(w, v.name)
	}
	return nil
}

// result is what was measured: sums over queries, and over parts.
type result struct {
	parts                         int
	queries, docs, sections       float64
	cosine, doc, section          float64
	fit, seconds, heap            float64
	bytes, seen, pairs, unseen    int
	pieces, unknown, unknownQuery float64
}

func (r *result) add(o result) {
	r.parts++
	r.queries, r.docs, r.sections = r.queries+o.queries, r.docs+o.docs, r.sections+o.sections
	r.cosine, r.doc, r.section = r.cosine+o.cosine, r.doc+o.doc, r.section+o.section
	r.fit, r.seconds, r.heap = r.fit+o.fit, r.seconds+o.seconds, max(r.heap, o.heap)
	r.bytes, r.seen, r.pairs, r.unseen = r.bytes+o.bytes, r.seen+o.seen, r.pairs+o.pairs, r.unseen+o.unseen
	r.pieces, r.unknown, r.unknownQuery = r.pieces+o.pieces, r.unknown+o.unknown, r.unknownQuery+o.unknownQuery
}

// print prints means: over queries; of size, fit and time over parts.
func (r *result) print(w io.Writer, name string) {
	n := max(r.parts, 1)
	fmt.Fprintf(w, "%-24s %7.4f %7.4f %7.4f %7.4f %8d %6d %6d %6d %6.2f %5.0f %6.3f %6.3f\n", name,
		r.cosine/max(r.queries, 1), r.doc/max(r.docs, 1), r.section/max(r.sections, 1),
		r.fit/float64(n), r.bytes/n, r.seen/n, r.pairs/n, r.unseen/n, r.seconds/float64(n), r.heap/1e6, r.unknown/max(r.pieces, 1), r.unknownQuery/max(r.queries, 1))
}

func measureExact(ctx context.Context, t *embedder, c *collection) (result, error) {
	q, err := t.embed(ctx, c.queryTexts())
	r := result{queries: float64(len(c.queries)), cosine: float64(len(c.queries))}
	if err == nil {
		c.rank(q, t.model.Dim, &r)
	}
	return r, err
}

func measureVariant(ctx context.Context, t *embedder, c *collection, v variant) (result, error) {
	exact, err := t.embed(ctx, c.queryTexts())
	if err != nil {
		return result{}, err
	}
	in := t.input(c)
	in.Options = &v.options
	if v.noShares {
		in.Shares = nil
	}
	teacher, waited := in.Teacher, time.Duration(0)
	in.Teacher = func(ctx context.Context, sentences []distil.Sentence) ([]float32, error) {
		start := time.Now()
		defer func() { waited = time.Since(start) }()
		return teacher(ctx, sentences)
	}
	peak := watchHeap()
	start := time.Now()
	b, report, err := distil.Train(ctx, in, nil)
	if err != nil {
		return result{}, err
	}
	seconds := time.Since(start) - waited
	r := result{
		queries: float64(len(c.queries)), fit: report.Fit, bytes: report.Bytes, seen: report.Seen, pairs: report.Pairs,
		unseen: report.Unseen, seconds: seconds.Seconds(), heap: peak(),
	}
	table, err := encoder.OpenTable(b)
	if err != nil {
		return result{}, err
	}
	dim := t.model.Dim
	q := make([]float32, len(exact))
	for i, query := range c.queries {
		ids := t.vocab.Encode(nil, query.Text)
		table.Embed(q[i*dim:(i+1)*dim], ids)
		r.pieces += float64(len(ids))
		missing := 0
		for _, id := range ids {
			if !report.Holds(id) {
				missing++
			}
		}
		r.unknown += float64(missing)
		if missing > 0 {
			r.unknownQuery++
		}
		for k := i * dim; k < (i+1)*dim; k++ {
			r.cosine += float64(q[k]) * float64(exact[k])
		}
	}
	c.rank(q, dim, &r)
	return r, nil
}

// watchHeap returns a function that gives by how many bytes the heap has grown at most since.
func watchHeap() (peak func() float64) {
	size := func() float64 {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(sample)
		return float64(sample[0].Value.Uint64())
	}
	goruntime.GC()
	before, highest := size(), 0.0
	stop, done := make(chan bool), make(chan bool)
	go func() {
		defer close(done)
		for tick := time.NewTicker(5 * time.Millisecond); ; {
			highest = max(highest, size()-before)
			select {
			case <-stop:
				tick.Stop()
				return
			case <-tick.C:
			}
		}
	}()
	return func() float64 {
		close(stop)
		<-done
		return highest
	}
}

// variant is a set of options with a name.
type variant struct {
	name     string
	options  distil.Options
	noShares bool
}

func parseVariants(list string) ([]variant, error) {
	var all []variant
	for text := range strings.SplitSeq(list, ";") {
		name, keys, _ := strings.Cut(text, ":")
		v := variant{name: name, options: distil.Defaults()}
		for pair := range strings.SplitSeq(keys, ",") {
			if pair == "" {
				continue
			}
			if err := v.set(pair); err != nil {
				return nil, fmt.Errorf("variant %s: %w", name, err)
			}
		}
		all = append(all, v)
	}
	return all, nil
}

func (v *variant) set(pair string) error {
	key, value, _ := strings.Cut(pair, "=")
	o := &v.options
	forms := map[string]encoder.RowForm{"int8": encoder.FormInt8, "int4": encoder.FormInt4, "signs": encoder.FormSigns, "none": 0}
	targets := map[string]any{
		"seen": &o.SeenForm, "pairform": &o.PairForm, "unseen": &o.UnseenForm, "unseencount": &o.UnseenCount, "pairs": &o.PairCount,
		"sentences": &o.SentenceCount, "steps": &o.Steps, "pseudo": &o.PseudoChunks, "teacher": &o.TeacherShare,
		"noshares": &v.noShares, "scale": &o.UnseenScale, "pairweight": &o.PairWeight,
	}
	switch p := targets[key].(type) {
	case *encoder.RowForm:
		form, ok := forms[value]
		if !ok {
			return fmt.Errorf("form %q, want int8, int4, signs or none", value)
		}
		*p = form
	case nil:
		return fmt.Errorf("unknown key %q", key)
	default:
		if _, err := fmt.Sscan(value, p); err != nil {
			return fmt.Errorf("%s: %w", pair, err)
		}
	}
	return nil
}
