package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"kdd/runtime"
	"kdd/runtime/eval"
	"kdd/runtime/wire"
)

// evalCommand is the operation's command with what only a command has: files, a baseline, a comparison, an exit code.
func evalCommand(op *runtime.Operation) *Command {
	c := operationCommand(op)
	c.Group = GroupCheck
	c.Usage = "[QUESTIONS [JUDGEMENTS]]"
	c.MaxArgs = 2
	c.Help = "Asks every question and prints nDCG@10, MRR@10, hits and recall by document and by section, beside plain " +
		"BM25 and a keyword grep. Without files the questions are those that the index carries (\"kdd build --golden\").\n" +
		"QUESTIONS are lines of id, text, excluded paths, group, parted by tabs, or BEIR's JSON lines. JUDGEMENTS are " +
		"lines of id, path, anchor or \"-\", gain; BEIR's TSV; or TREC's qrels. A folder stands for both; " +
		"docs/EVALUATION.md says more. --compare takes " + sideForms + "."
	c.Examples = []string{"eval queries.tsv qrels.tsv -i docs.kddx",
		"eval -i docs.kddx --gate nDCG@10=.76 --gate section.nDCG@10=.48",
		"eval queries.tsv qrels.tsv --compare old.kddx new.kddx"}
	flags := c.Flags
	c.Flags = func() []Flag {
		list := flags()
		findFlag(list, "group").Help =
			`column of QUESTIONS; prefix: the part of an id before its last "-"; none (default group)`
		return append(list,
			Flag{Name: "baseline", Value: "RUN", Help: "a run to compare with: TREC's, or of --save"},
			Flag{Name: "compare", Type: Pair, Value: "A B",
				Help: "two artifacts or settings: B is measured and compared with A"},
			Flag{Name: "save", Value: "RUN", Help: "write what was answered: id, rank, path, anchor"},
			Flag{Name: "verbose", Type: Switch, Help: "list every question, the worst first, and all won or lost"})
	}
	c.Run = func(call *Call) error { return runEval(call, op) }
	return c
}

func runEval(c *Call, op *runtime.Operation) error {
	q, err := evalRequest(c, op)
	if err != nil {
		return err
	}
	config := c.serviceConfig()
	if err := comparePair(c.List("compare"), q, &config); err != nil {
		return err
	}
	service := runtime.New(config)
	defer service.Close()
	bar := newCounter(c)
	q.Progress = bar.set
	report, err := service.Eval(c.Context, *q)
	bar.clear()
	if err != nil {
		return err
	}
	if file := c.Text("save"); file != "" {
		if err := saveRun(file, report, c.Args); err != nil {
			return err
		}
	}
	if err := c.print(report); err != nil {
		return err
	}
	return gateError(report)
}

// evalRequest returns the request that the arguments and the files in them make.
func evalRequest(c *Call, op *runtime.Operation) (*wire.EvalRequest, error) {
	args, err := operationArgs(c, op)
	if err != nil {
		return nil, err
	}
	group := c.Text("group")
	fromFile := group != "" && group != "prefix" && group != "none"
	if fromFile {
		if len(c.Args) == 0 {
			return nil, usageError("--group %s names a column of a file with questions; of those in the index it takes "+
				"prefix or none", group)
		}
		delete(args, "group")
	} else {
		group = ""
	}
	request, err := op.Decode(args)
	if err != nil {
		return nil, err
	}
	q := request.(*wire.EvalRequest)
	if q.Every = c.Switch("verbose"); q.Every && !c.Given("worst") {
		q.Worst = int(op.Param("worst").Max)
	}
	if len(c.Args) > 0 {
		parsed, err := ParseQuestions(c.Context, c.Args, group)
		if err != nil {
			return nil, err
		}
		q.Questions = parsed.Set
		q.Questions.Name = setName(c.Args[0])
	}
	if file := c.Text("baseline"); file != "" {
		if q.Baseline, err = readRun(c.Context, file); err != nil {
			return nil, err
		}
		q.Older = filepath.Base(file)
	}
	return q, nil
}

// comparePair puts the two sides of --compare into the request, and the artifacts that they name into the configuration.
// Without a pair it does nothing.
func comparePair(pair []string, q *wire.EvalRequest, config *runtime.Config) error {
	if len(pair) == 0 {
		return nil
	}
	if len(pair) != 2 {
		return usageError("--compare takes two values, got %d", len(pair))
	}
	var files [2]string
	for i, text := range pair {
		side, file, err := parseSide(text)
		if err != nil {
			return err
		}
		if file != "" && len(config.Index) > 0 {
			return usageError("--compare %s names an artifact: leave -i out", wire.Clean(text))
		}
		q.Sides, files[i] = append(q.Sides, side), file
	}
	names := sideNames(files)
	for i, file := range files {
		if file != "" {
			q.Sides[i].Index = names[i]
			config.Index = append(config.Index, names[i]+"="+file)
		}
	}
	if pair[0] == pair[1] {
		return usageError("--compare takes two values that differ, got %q twice", wire.Clean(pair[0]))
	}
	if (files[0] == "") != (files[1] == "") {
		return usageError("--compare takes two artifacts or two settings, got %q and %q", wire.Clean(pair[0]),
			wire.Clean(pair[1]))
	}
	return nil
}

// gateError says which gates were not reached; nil if all were.
func gateError(report *wire.EvalReport) error {
	if report.Failing == 0 {
		return nil
	}
	var short []string
	for _, g := range report.Gates {
		if !g.OK {
			name := g.Gate
			if at := strings.LastIndexByte(name, '='); at >= 0 {
				name = name[:at]
			}
			short = append(short, fmt.Sprintf("%s is %.4f, want %s", name, g.Got, strconv.FormatFloat(g.Want, 'f', -1, 64)))
		}
	}
	return foundError("not reached: " + strings.Join(short, "; "))
}

// sideForms describes the values that parseSide takes.
const sideForms = "FILE, mode=MODE, diversity=off, or several of these parted by commas"

// parseSide reads one value of --compare.
func parseSide(text string) (side wire.EvalSide, file string, err error) {
	side.Name = text
	for part := range strings.SplitSeq(text, ",") {
		to := &file
		value := part
		for _, setting := range []struct {
			name string
			to   *string
		}{{"mode=", &side.Mode}, {"diversity=", &side.Diversity}} {
			if rest, ok := strings.CutPrefix(part, setting.name); ok {
				to, value = setting.to, rest
			}
		}
		if value == "" || *to != "" {
			return side, "", usageError("--compare takes %s, got %q", sideForms, wire.Clean(text))
		}
		*to = value
	}
	if file != "" {
		side.Name = strings.Replace(text, file, filepath.Base(file), 1)
	}
	return side, file, nil
}

// sideNames returns the names of two compared artifacts in messages: those of their files, or A and B if these are
// equal or cannot be names.
func sideNames(files [2]string) [2]string {
	var names [2]string
	for i, file := range files {
		names[i] = strings.TrimSuffix(filepath.Base(file), ".kddx")
	}
	if names[0] == names[1] || strings.ContainsAny(names[0]+names[1], ":#,=") {
		return [2]string{"A", "B"}
	}
	return names
}

// ParseQuestions reads questions and judgements: from two files, from one that has both, or from the folder of a set.
// group names the column of the groups, "" for the usual one. A line that cannot be read is an error invalid_input: a
// test that lacks some of its questions or answers would measure something else.
func ParseQuestions(ctx context.Context, paths []string, group string) (*eval.Parsed, error) {
	if len(paths) == 1 {
		if info, err := os.Stat(paths[0]); err == nil && info.IsDir() {
			if paths, err = inFolder(paths[0]); err != nil {
				return nil, err
			}
		}
	}
	files := make([]eval.File, len(paths))
	for i, path := range paths {
		data, err := readBounded(ctx, path)
		if err != nil {
			return nil, err
		}
		files[i] = eval.File{Name: path, Data: data}
	}
	var judgements *eval.File
	if len(files) > 1 {
		judgements = &files[1]
	}
	parsed := eval.Parse(files[0], judgements, group)
	if err := eval.Err(parsed.Faults); err != nil {
		return nil, err
	}
	return parsed, nil
}

// The names under which a folder keeps questions and judgements, BEIR's test split among them.
var (
	questionFiles  = []string{"queries.tsv", "queries.jsonl", "questions.tsv", "questions.jsonl"}
	judgementFiles = []string{"qrels.tsv", "qrels/test.tsv", "qrels.txt", "qrels"}
)

// inFolder finds the files of a set.
func inFolder(dir string) ([]string, error) {
	var paths []string
	for _, names := range [][]string{questionFiles, judgementFiles} {
		found := ""
		for _, name := range names {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if info, err := os.Stat(path); found == "" && err == nil && info.Mode().IsRegular() {
				found = path
			}
		}
		if found == "" {
			return nil, usageError("%s: the folder has none of %s", wire.Clean(dir), strings.Join(names, ", "))
		}
		paths = append(paths, found)
	}
	return paths, nil
}

// readBounded reads a file, which may be a pipe, of at most the bytes that a parser takes.
func readBounded(ctx context.Context, path string) ([]byte, error) {
	data, err := readUpTo(ctx, path, eval.MaxFileBytes+1)
	if err == nil && len(data) > eval.MaxFileBytes {
		return nil, wire.NewError(wire.CodeTooLarge, fmt.Sprintf("%s: over %d bytes", path, eval.MaxFileBytes), "")
	}
	return data, err
}

// setName returns the name of a set in a report: the folder if the files have the usual names, else the file.
func setName(path string) string {
	absolute, err := filepath.Abs(path)
	if err != nil {
		return filepath.Base(path)
	}
	folder, base := filepath.Base(filepath.Dir(absolute)), filepath.Base(absolute)
	switch {
	case base == questionFiles[0], base == questionFiles[1]:
		return folder
	case strings.HasPrefix(base, "queries."):
		return folder + "/" + base
	}
	return base
}

// readRun reads the file of a baseline.
func readRun(ctx context.Context, path string) (eval.Run, error) {
	data, err := readBounded(ctx, path)
	if err != nil {
		return nil, err
	}
	return eval.ParseRun(eval.File{Name: path, Data: data})
}

// saveRun writes the answers, down to the last rank that decides a metric.
func saveRun(path string, report *wire.EvalReport, inputs []string) error {
	var b bytes.Buffer
	if err := eval.Run(report.Run).Write(&b, report.Asked, eval.DeepCutoff); err != nil {
		return err
	}
	return writeOutput("save", path, b.Bytes(), inputs...)
}

// counter shows how many of the questions are answered, on terminals only.
type counter struct {
	out   io.Writer
	shown int // parts of a hundred
}

func newCounter(c *Call) *counter {
	if !Terminal(c.Stderr) {
		return &counter{}
	}
	return &counter{out: c.Stderr, shown: -1}
}

// set shows the progress if its percentage has changed.
func (b *counter) set(done, total int) {
	if percent := done * 100 / max(1, total); b.out != nil && percent != b.shown {
		b.shown = percent
		fmt.Fprintf(b.out, "\rasking: %d %%", percent)
	}
}

// clear removes the line from the screen.
func (b *counter) clear() {
	if b.out != nil && b.shown >= 0 {
		fmt.Fprint(b.out, "\r\x1b[K")
	}
}
