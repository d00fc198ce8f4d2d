// Package answers calls every tool of the MCP server with random arguments drawn from an artifact, and checks what
// comes: the tool's output schema, the byte budget, that errors are error.v1 with a code that fits, that text is
// clean, and that the pages after a cursor or an offset end, repeat nothing, and together say what larger pages say.
//
//	go run ./bench/quality answers -n 300 -i docs.kddx [-i more.kddx=FOLDER OF ITS SOURCES]... [-out DIR]
//	go run ./bench/quality answers -n 300 -docs 10000
//
// A third of the calls each has valid arguments, arguments at their limits, and hostile ones. It prints what it
// counted by tool, and exits with 1 if an answer was not as it has to be; -tool and -call repeat a single one.
package answers

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kdd/bench/internal/harness"
	"kdd/runtime"
)

// options are what is asked.
type options struct {
	n, pages, call int
	seed           uint64
	tool           string
}

// Run asks the artifacts and prints a table of each.
func Run(args []string, stdout, stderr io.Writer) int {
	return harness.Run("answers", args, stderr, func(flags *flag.FlagSet) harness.Work {
		var o options
		var files []string
		flags.Func("i", "an artifact, and after = where its sources are; may be there several times", func(s string) error {
			files = append(files, s)
			return nil
		})
		docs := flags.Int("docs", 0, "make a corpus of so many documents, and ask its artifact too")
		keep := flags.String("out", "", "folder that keeps what is printed")
		flags.IntVar(&o.n, "n", 300, "calls of each tool")
		flags.IntVar(&o.pages, "pages", 40, "pages that are followed of one answer; of every tenth ten times as many")
		flags.Uint64Var(&o.seed, "seed", 1, "of the random arguments")
		flags.StringVar(&o.tool, "tool", "", "only this tool")
		flags.IntVar(&o.call, "call", -1, "only the call of this number, shown in full")
		return func(ctx context.Context) error {
			if len(files) == 0 && *docs == 0 || *docs < 0 || flags.NArg() > 0 {
				return harness.Wrong("usage: answers -i FILE.kddx[=SOURCES]... | -docs N [-n N] [-pages N] [-seed N] [-tool NAME [-call N]] [-out DIR]")
			}
			bad, err := askAll(ctx, files, *docs, *keep, args, o, stdout)
			if err == nil && bad > 0 {
				err = fmt.Errorf("%d calls were not answered as they have to be", bad)
			}
			return err
		}
	})
}

// askAll asks each artifact, and one of so many made documents where docs is not 0, and keeps what it prints in a
// folder, if that is named. It returns how many calls were not answered as they have to be.
func askAll(ctx context.Context, files []string, docs int, keep string, args []string, o options, stdout io.Writer) (bad int, err error) {
	dir, err := os.MkdirTemp("", "answers")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(dir)
	if docs > 0 {
		made := filepath.Join(dir, fmt.Sprintf("made-%d.kddx", docs))
		if err := makeCorpus(ctx, filepath.Join(dir, "made"), made, docs); err != nil {
			return 0, err
		}
		files = append(files, made)
	}
	var body strings.Builder
	fmt.Fprintf(&body, "Calls of each tool: %d; answers, their pages, those that were followed to the end, and the largest in bytes. The other calls are\nanswered with the errors that are counted at the end of the line. Calls that were not answered as they have to be stand below.\n", o.n)
	for _, file := range files {
		file, root, _ := strings.Cut(file, "=")
		name := strings.TrimSuffix(filepath.Base(file), ".kddx")
		if len(files) > 1 {
			fmt.Fprintf(stdout, "%s\n", name)
		}
		var table strings.Builder
		start := time.Now()
		n, err := ask(ctx, file, root, dir, o, io.MultiWriter(stdout, &table))
		bad += n
		if err != nil {
			return bad, fmt.Errorf("%s: %w", name, err)
		}
		fmt.Fprintf(&body, "\n## %s\n\n%d calls were not answered as they have to be, in %s.\n\n```\n%s```\n", name, n, time.Since(start).Round(time.Second), table.String())
	}
	if keep == "" {
		return bad, nil
	}
	for i, arg := range args { // of both paths the last part
		if file, root, ok := strings.Cut(arg, "="); ok && root != "" {
			args[i] = filepath.Base(file) + "=" + filepath.Base(root)
		}
	}
	return bad, harness.Keep(keep, harness.Result{Title: "Every answer of every tool", Command: "quality answers", Args: args, Body: body.String()})
}

// maxShown is how many calls of a tool are shown that were not answered as they have to be.
const maxShown = 5

// tally is what was counted of one tool.
type tally struct {
	calls, answers, pages, whole, largest int
	slowest                               time.Duration
	errors                                map[string]int
}

// ask makes all calls to the artifact, whose sources are in root ("": it is not said where), in the working folder
// dir, prints the table and each call that was not answered as it has to be, and returns how many those were.
func ask(ctx context.Context, file, root, dir string, o options, out io.Writer) (int, error) {
	file, err := filepath.Abs(file)
	if err != nil {
		return 0, err
	}
	v, err := learn(file)
	if err != nil {
		return 0, err
	}
	svc := runtime.New(runtime.Config{Index: []string{file}, Environ: map[string]string{}, Root: root, Dir: dir})
	defer svc.Close()
	s, err := connect(ctx, svc)
	if err != nil {
		return 0, err
	}
	defer s.close()
	c, err := newChecker()
	if err != nil {
		return 0, err
	}
	operations := runtime.Tools()
	bad := 0
	fmt.Fprintf(out, "%-18s %6s %8s %6s %6s %8s %10s  errors\n", "tool", "calls", "answers", "pages", "whole", "bytes", "slowest")
	for i := range operations {
		op := &operations[i]
		if o.tool != "" && o.tool != op.Tool {
			continue
		}
		t, shown := &tally{errors: map[string]int{}}, 0
		for n := range o.n {
			if o.call >= 0 && n != o.call {
				continue
			}
			wrong, err := oneCall(c, s, op, v, o, n, t, out)
			if err != nil {
				return bad + 1, fmt.Errorf("%s -call %d: %w", op.Tool, n, err)
			}
			if len(wrong) > 0 {
				bad++
				if shown++; shown > maxShown {
					continue
				}
				fmt.Fprintf(out, "-tool %s -call %d: %s\n", op.Tool, n, strings.Join(wrong[:min(3, len(wrong))], "\n\t"))
			}
		}
		var codes []string
		for code, n := range t.errors {
			codes = append(codes, fmt.Sprintf("%s %d", code, n))
		}
		slices.Sort(codes)
		fmt.Fprintf(out, "%-18s %6d %8d %6d %6d %8d %10s  %s\n", op.Tool, t.calls, t.answers, t.pages, t.whole, t.largest, t.slowest.Round(time.Millisecond), strings.Join(codes, ", "))
	}
	return bad, nil
}

// oneCall makes the call of a number, which decides its arguments, and all that follow from it.
func oneCall(c *checker, s *session, op *runtime.Operation, v *vocabulary, o options, n int, t *tally, out io.Writer) ([]string, error) {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s %d", op.Tool, n)
	r := rand.New(rand.NewPCG(o.seed, h.Sum64()))
	k := kind(n % int(kinds))
	args := arguments(r, op, v, k)
	start := time.Now()
	got, err := s.call(op.Tool, args)
	if err != nil {
		return nil, fmt.Errorf("%w: %.500s", err, args)
	}
	t.calls++
	t.slowest = max(t.slowest, time.Since(start))
	t.largest = max(t.largest, len(got.StructuredContent), len(got.Content[0].Text))
	a, wrong := c.check(op.Tool, k, args, got)
	if o.call >= 0 {
		fmt.Fprintf(out, "%s %s\n%s\n%s\n%s\n", op.Tool, k, args, got.Content[0].Text, got.StructuredContent)
	}
	if a.code != "" {
		t.errors[a.code]++
	} else {
		t.answers++
		t.pages++
	}
	if a.code == "" && (a.cursor != "" || a.next > 0) {
		limit := o.pages
		if n%10 == 0 {
			limit = 10 * o.pages
		}
		all, more, err := c.follow(s, op.Tool, k, args, a, limit)
		if err != nil {
			return nil, fmt.Errorf("%w: %.500s", err, args)
		}
		wrong = append(wrong, more...)
		t.pages += all.pages - 1
		if all.whole {
			t.whole++
			more, err := again(c, s, op, k, args, all, limit)
			if err != nil {
				return nil, err
			}
			wrong = append(wrong, more...)
		}
	}
	if len(wrong) > 0 {
		wrong[0] = fmt.Sprintf("%s %.300s: %s", k, args, wrong[0])
	}
	return wrong, nil
}

// again asks for the same in pages as large as there are, and compares: the same items in the same order, but those
// that were too large for a page.
func again(c *checker, s *session, op *runtime.Operation, k kind, args json.RawMessage, all *chain, limit int) ([]string, error) {
	large := with(args, "max_bytes", 65536)
	got, err := s.call(op.Tool, large)
	if err != nil {
		return nil, err
	}
	first, wrong := c.check(op.Tool, k, large, got)
	if first.code != "" {
		return append(wrong, "in larger pages: "+first.code), nil
	}
	whole, more, err := c.follow(s, op.Tool, k, large, first, limit)
	wrong = append(wrong, more...)
	switch {
	case err != nil:
		return wrong, err
	case all.leftOut || whole.leftOut:
	case !slices.Equal(byList(all.items), byList(whole.items)):
		wrong = append(wrong, fmt.Sprintf("%d pages have %d items, %d larger ones have %d: %s", all.pages, len(all.items), whole.pages, len(whole.items), firstDifference(byList(all.items), byList(whole.items))))
	case all.markdown.String() != whole.markdown.String():
		wrong = append(wrong, "the parts of the text are not the text")
	}
	return wrong, nil
}

// byList puts the items of each list together: every page has its part of each.
func byList(items []string) []string {
	slices.SortStableFunc(items, func(a, b string) int {
		a, _, _ = strings.Cut(a, " ")
		b, _, _ = strings.Cut(b, " ")
		return strings.Compare(a, b)
	})
	return items
}

// firstDifference says where two lists begin to differ.
func firstDifference(a, b []string) string {
	for i := range max(len(a), len(b)) {
		if i >= len(a) || i >= len(b) || a[i] != b[i] {
			return fmt.Sprintf("item %d is %q, and %q", i+1, append(a, "")[min(i, len(a))], append(b, "")[min(i, len(b))])
		}
	}
	return "none"
}
