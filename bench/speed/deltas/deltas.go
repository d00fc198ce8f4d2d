// Package deltas measures what small edits cost whoever keeps or fetches each build of an artifact.
//
//	go run ./bench/speed deltas -kdd BIN [-vectors] [-model NAME] [-cache DIR] [-n 10] [-seed 1] [-out DIR] FOLDER
//
// A copy of the folder is built and committed to a git repository of its own; then one line of one document is edited,
// the copy built again and committed, -n times, each in another document. Printed are, for each commit, how much the
// repository grew after "git gc", and for each block what changed:
//
//   - delta: bytes of git's compressed difference between the two builds of the block, as its packs hold them
//   - pages: bytes of the pages of 4 KiB, counted from the block's start, that are nowhere at a page's start in the block
//     before: what a reader fetches that compares pages by their hashes
//   - moved: of those, what is in the block before at some other place
//
// pulled is how many bytes a reader of the build asks its host for who has the build before (format.File.Adopt).
//
// With -vectors the copy is built with vectors, which are taken from -cache where they are there.
package deltas

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kdd/bench/internal/harness"
	"kdd/format"
	"kdd/format/index"
)

// settings are the command line.
type settings struct {
	kdd, model, cache, out, build string
	vectors                       bool
	n                             int
	seed                          uint64
}

// Run measures the edits of one folder.
func Run(args []string, stdout, stderr io.Writer) int {
	return harness.Run("deltas", args, stderr, func(flags *flag.FlagSet) harness.Work {
		var s settings
		flags.StringVar(&s.kdd, "kdd", "bin/kdd", "the kdd binary")
		flags.StringVar(&s.model, "model", "", "model, by name or folder")
		flags.StringVar(&s.cache, "cache", "", "folder of vectors made before (default: the user's cache)")
		flags.StringVar(&s.out, "out", "", "folder that keeps the tables")
		flags.StringVar(&s.build, "build", "", "further flags of the builds, with spaces between; PREVIOUS stands for the build before")
		flags.BoolVar(&s.vectors, "vectors", false, "build with vectors")
		flags.IntVar(&s.n, "n", 10, "edits")
		flags.Uint64Var(&s.seed, "seed", 1, "of the edits")
		return func(ctx context.Context) error {
			if flags.NArg() != 1 || s.n < 1 {
				return harness.ErrUsage
			}
			r, err := s.measure(ctx, flags.Arg(0), stderr)
			if err != nil {
				return err
			}
			raw, err := json.MarshalIndent(r, "", " ")
			if err != nil {
				return err
			}
			return harness.Report(stdout, s.out, harness.Result{Title: "Deltas", Command: "speed deltas", Args: args,
				Version: harness.Version(s.kdd), Body: r.text(), Files: map[string]string{"raw.json": string(raw) + "\n"}})
		}
	})
}

// report is what was measured.
type report struct {
	FileBytes int64    `json:"file_bytes"` // of the last build
	Commits   []commit `json:"commits"`
}

// commit is one edit, built and committed.
type commit struct {
	Edit
	Growth int64             `json:"growth_bytes"` // of the repository
	Pull   int64             `json:"pull_bytes"`   // that a reader with the build before asks for
	Blocks map[string]change `json:"blocks"`
}

// change is what became of one block.
type change struct {
	Bytes int `json:"bytes"`
	Delta int `json:"delta_bytes"`
	Pages int `json:"pages_bytes"` // of pages that are new
	Moved int `json:"moved_bytes"` // of those, what the block before has elsewhere
}

func (s *settings) measure(ctx context.Context, folder string, log io.Writer) (*report, error) {
	dir, err := os.MkdirTemp("", "kdd-deltas")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	corpus := filepath.Join(dir, "corpus")
	if err := os.CopyFS(corpus, os.DirFS(folder)); err != nil {
		return nil, err
	}
	edits, err := Plan(corpus, s.n, s.seed)
	if err != nil {
		return nil, err
	}
	repo, err := newRepository(ctx, filepath.Join(dir, "repository"))
	if err != nil {
		return nil, err
	}
	r := &report{}
	var size int64
	var before map[string][]byte
	var old []byte
	for i := -1; i < len(edits); i++ {
		c := commit{}
		if i >= 0 {
			c.Edit = edits[i]
			if err := c.Edit.apply(corpus); err != nil {
				return nil, err
			}
		}
		if err := s.compile(ctx, corpus, filepath.Join(dir, "docs.kddx"), repo.file(), i < 0); err != nil {
			return nil, err
		}
		after, err := blocks(repo.file())
		if err != nil {
			return nil, err
		}
		grown, err := repo.commit(ctx, fmt.Sprintf("edit %d", i+1))
		if err != nil {
			return nil, err
		}
		data, err := os.ReadFile(repo.file())
		if err != nil {
			return nil, err
		}
		if i >= 0 {
			c.Growth = grown - size
			if c.Pull, err = pulled(old, data); err != nil {
				return nil, err
			}
			if c.Blocks, err = repo.compare(ctx, before, after); err != nil {
				return nil, err
			}
			r.Commits = append(r.Commits, c)
			fmt.Fprintf(log, "%s %s:%d: %d bytes, %d pulled\n", c.Kind, c.Path, c.Line, c.Growth, c.Pull)
		}
		size, before, old = grown, after, data
	}
	info, err := os.Stat(repo.file())
	if err != nil {
		return nil, err
	}
	r.FileBytes = info.Size()
	return r, nil
}

// compile builds the corpus into the file at target. The build does not see the one before unless it is told of it: the
// file is written at another path, which is empty then.
func (s *settings) compile(ctx context.Context, corpus, path, target string, first bool) error {
	form := harness.Lexical
	var more []string
	if s.vectors {
		form = harness.Distilled
		if s.cache != "" {
			more = append(more, "--cache", s.cache)
		}
	}
	for _, flag := range strings.Fields(s.build) {
		if flag == "PREVIOUS" {
			if first {
				more = more[:len(more)-1]
				continue
			}
			flag = target
		}
		more = append(more, flag)
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if _, err := harness.Compile(ctx, s.kdd, s.model, corpus, path, form, more...); err != nil {
		return err
	}
	return os.Rename(path, target)
}

// blocks returns the bytes of an artifact's blocks by tag.
func blocks(path string) (map[string][]byte, error) {
	f, err := format.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := os.ReadFile(path)
	all := map[string][]byte{}
	for _, e := range f.Entries() {
		if e.Offset+e.Length <= uint64(len(data)) {
			all[e.Tag.String()] = data[e.Offset : e.Offset+e.Length]
		}
	}
	return all, err
}

// text prints the commits, then means and medians of the blocks, those with the largest difference first.
func (r *report) text() string {
	var b strings.Builder
	share := func(n int64) string { return fmt.Sprintf("%.2f %%", 100*float64(n)/float64(r.FileBytes)) }
	n := int64(len(r.Commits))
	fmt.Fprintf(&b, "A file of %d bytes, %d commits.\n\n", r.FileBytes, n)
	b.WriteString("| edit | repository grows | of the file | pulled | of the file | differences | new pages " +
		"| new pages, moved left out |\n|---|---:|---:|---:|---:|---:|---:|---:|\n")
	var sum change
	var growth, pull int64
	all := map[string]change{}
	for _, c := range r.Commits {
		here := c.sum()
		for tag, d := range c.Blocks {
			all[tag] = all[tag].plus(d)
		}
		sum = sum.plus(here)
		growth, pull = growth+c.Growth, pull+c.Pull
		fmt.Fprintf(&b, "| %s | %d | %s | %d | %s | %d | %d | %d |\n", c.Kind, c.Growth, share(c.Growth), c.Pull, share(c.Pull),
			here.Delta, here.Pages, here.Pages-here.Moved)
	}
	fmt.Fprintf(&b, "| **mean** | %d | %s | %d | %s | %d | %d | %d |\n", growth/n, share(growth/n), pull/n, share(pull/n),
		int64(sum.Delta)/n, int64(sum.Pages)/n, int64(sum.Pages-sum.Moved)/n)
	growth, pull = r.median(func(c commit) int64 { return c.Growth }), r.median(func(c commit) int64 { return c.Pull })
	fmt.Fprintf(&b, "| **median** | %d | %s | %d | %s | %d | %d | %d |\n\n", growth, share(growth), pull, share(pull),
		r.median(func(c commit) int64 { return int64(c.sum().Delta) }), r.median(func(c commit) int64 { return int64(c.sum().Pages) }),
		r.median(func(c commit) int64 { d := c.sum(); return int64(d.Pages - d.Moved) }))
	tags := make([]string, 0, len(all))
	for tag := range all {
		tags = append(tags, tag)
	}
	slices.SortFunc(tags, func(x, y string) int { return cmp.Or(all[y].Delta-all[x].Delta, strings.Compare(x, y)) })
	b.WriteString("| block, mean of the commits | bytes | difference | median | of all differences | new pages " +
		"| moved left out | median |\n|---|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, tag := range tags {
		d, k, name := all[tag], len(r.Commits), index.BlockName(format.Tag([]byte(tag)))
		fmt.Fprintf(&b, "| %s %s | %d | %d | %d | %.1f %% | %d | %d | %d |\n", tag, name, d.Bytes/k, d.Delta/k,
			r.median(func(c commit) int64 { return int64(c.Blocks[tag].Delta) }),
			100*float64(d.Delta)/float64(max(1, sum.Delta)), d.Pages/k, (d.Pages-d.Moved)/k,
			r.median(func(c commit) int64 { d := c.Blocks[tag]; return int64(d.Pages - d.Moved) }))
	}
	return b.String()
}

// median returns the middle value of the commits, of two the mean.
func (r *report) median(value func(commit) int64) int64 {
	all := make([]int64, len(r.Commits))
	for i, c := range r.Commits {
		all[i] = value(c)
	}
	slices.Sort(all)
	return (all[(len(all)-1)/2] + all[len(all)/2]) / 2
}

// sum returns what became of all blocks.
func (c *commit) sum() (all change) {
	for _, d := range c.Blocks {
		all = all.plus(d)
	}
	return all
}

func (c change) plus(d change) change {
	return change{c.Bytes + d.Bytes, c.Delta + d.Delta, c.Pages + d.Pages, c.Moved + d.Moved}
}
