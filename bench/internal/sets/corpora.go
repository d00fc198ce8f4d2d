package sets

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"kdd/bench/internal/harness"
	"kdd/runtime/eval"
)

// Options are the flags of a measurement over sets.
type Options struct {
	KDD, Model, Artifacts, Out string
	Sets, Guard                []string
}

// Run is harness.Run for a program that has the flags of Options and no others.
func Run(name string, args []string, stderr io.Writer, work func(context.Context, *Options) error) int {
	return harness.Run(name, args, stderr, func(flags *flag.FlagSet) harness.Work {
		var o Options
		flags.StringVar(&o.KDD, "kdd", "bin/kdd", "the kdd binary")
		flags.StringVar(&o.Model, "model", "", "model, by name or folder")
		flags.StringVar(&o.Out, "out", "", "folder that keeps the result and the raw output")
		flags.StringVar(&o.Artifacts, "artifacts", "", "folder of artifacts, SET-distilled.kddx and SET-exact.kddx; those that are not there are built into it")
		sets := flags.String("sets", "", "sets, or folders of sets, separated by commas")
		guard := flags.String("guard", "", "sets that are measured and not fitted to, separated by commas")
		return func(ctx context.Context) error {
			if *sets == "" || flags.NArg() > 0 {
				return harness.ErrUsage
			}
			o.Sets = strings.Split(*sets, ",")
			if *guard != "" {
				o.Guard = strings.Split(*guard, ",")
			}
			return work(ctx, &o)
		}
	})
}

// Corpus is a set and its artifacts.
type Corpus struct {
	Set   *Set
	Guard bool              // it is not fitted to
	Paths map[string]string // of the artifacts, by form: distilled and exact, or lexical alone where there is no model
}

// Questions are those of one query file of a set.
type Questions struct {
	Name string // of the set, and of the file if it is not the first
	List []eval.Question
}

// Questions returns the questions of each query file.
func (c *Corpus) Questions() []Questions {
	var all []Questions
	for _, file := range c.Set.Files() {
		name := c.Set.Name
		if file == SentencesFile {
			name += ", sentences"
		}
		all = append(all, Questions{name, c.Set.Queries(file)})
	}
	return all
}

// Words returns the artifact that is searched by words alone.
func (c *Corpus) Words() string {
	return cmp.Or(c.Paths[harness.Distilled], c.Paths[harness.Exact], c.Paths[harness.Lexical])
}

// Corpora builds the artifacts of all sets, or takes those that are there; done removes what is not to be kept. Where
// vectors cannot be had a line on stderr says so.
func (o *Options) Corpora(ctx context.Context, stderr io.Writer) (corpora []Corpus, done func(), err error) {
	remove := func() {}
	dir := o.Artifacts
	if dir == "" {
		if dir, err = os.MkdirTemp("", "kdd-ranking"); err != nil {
			return nil, nil, err
		}
		remove = func() { os.RemoveAll(dir) }
	}
	defer func() {
		if err != nil {
			remove()
		}
	}()
	for i, dirs := range [][]string{o.Sets, o.Guard} {
		found, err := Find(dirs)
		if err != nil {
			return nil, nil, err
		}
		for _, set := range found {
			if slices.ContainsFunc(corpora, func(c Corpus) bool { return c.Set.Name == set.Name }) {
				return nil, nil, fmt.Errorf("two sets are named %s", set.Name)
			}
			c := Corpus{Set: set, Guard: i == 1, Paths: map[string]string{}}
			for _, form := range []string{harness.Distilled, harness.Exact, harness.Lexical} {
				if form == harness.Lexical && len(c.Paths) > 0 {
					break
				}
				path, err := harness.BuildOnce(ctx, o.KDD, o.Model, set.Corpus, dir, set.Name, form)
				switch {
				case err == nil:
					c.Paths[form] = path
				case form == harness.Lexical || ctx.Err() != nil:
					return nil, nil, err
				default:
					fmt.Fprintf(stderr, "%v\ngoing on without the %s encoder\n", err, form)
				}
			}
			corpora = append(corpora, c)
		}
	}
	return corpora, remove, nil
}
