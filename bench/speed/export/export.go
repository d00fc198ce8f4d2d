// Package export measures "kdd export" in each format: time, memory, size.
//
//	go run ./bench/speed export -kdd BIN [-to FORMATS] [-out DIR] FILE.kddx...
//
// Each export is a process of its own. Private memory is sampled while it runs (Linux); the rest of the peak are pages
// of the artifact, which is mapped.
package export

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"kdd/bench/internal/harness"
	"kdd/format/index"
)

// Run prints what exports of each artifact cost.
func Run(args []string, stdout, stderr io.Writer) int {
	return harness.Run("export", args, stderr, func(flags *flag.FlagSet) harness.Work {
		kdd := flags.String("kdd", "bin/kdd", "the kdd binary")
		out := flags.String("out", "", "folder that keeps the tables")
		formats := flags.String("to", "parquet,jsonl,sqlite,pgvector,opensearch,vespa,qdrant,beir", "the formats")
		return func(ctx context.Context) error {
			if flags.NArg() == 0 {
				return harness.ErrUsage
			}
			var text strings.Builder
			for _, file := range flags.Args() {
				if err := measure(ctx, &text, *kdd, file, strings.Split(*formats, ",")); err != nil {
					return fmt.Errorf("%s: %w", file, err)
				}
			}
			return harness.Report(stdout, *out, harness.Result{Title: "Exports", Command: "speed export", Args: args,
				Version: harness.Version(*kdd), Body: text.String()})
		}
	})
}

// measure exports an artifact in each format.
func measure(ctx context.Context, w io.Writer, kdd, file string, formats []string) error {
	x, err := index.Open(file)
	if err != nil {
		return err
	}
	defer x.File.Close()
	vectors, err := x.Vectors()
	if err != nil {
		return err
	}
	what := "without vectors"
	if vectors != nil {
		what = fmt.Sprintf("vectors of %d dimensions", vectors.Dim)
	}
	fmt.Fprintf(w, "## %d chunks, %s, %.0f MB\n\n", x.Chunks(), what, float64(x.File.Bytes())/1e6)
	fmt.Fprint(w, "| format | wall s | processor s | peak MB | of it private MB | export MB |\n|---|---:|---:|---:|---:|---:|\n")
	for _, to := range formats {
		dir, err := os.MkdirTemp("", "kdd-export")
		if err != nil {
			return err
		}
		wall, state, private, err := process(ctx, kdd, "export", file, "--to", to, "-o", filepath.Join(dir, "out"), "--quiet")
		if err == nil {
			fmt.Fprintf(w, "| %s | %.1f | %.1f | %.0f | %.0f | %.0f |\n", to, wall.Seconds(),
				(state.UserTime() + state.SystemTime()).Seconds(), float64(harness.Peak(state))/1e6, float64(private)/1e6,
				float64(size(dir))/1e6)
		}
		os.RemoveAll(dir)
		if err != nil {
			return err
		}
	}
	fmt.Fprintln(w)
	return nil
}

// process runs a program and samples its private memory; 0 where the system does not say.
func process(ctx context.Context, name string, args ...string) (wall time.Duration, state *os.ProcessState, private int64, err error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return 0, nil, 0, err
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			if err != nil {
				err = fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, stderr.String())
			}
			return time.Since(start), cmd.ProcessState, private, err
		case <-tick.C:
			private = max(private, anonymous(cmd.Process.Pid))
		}
	}
}

// anonymous returns the bytes of a process's memory that are no pages of files.
func anonymous(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "\nRssAnon:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0
	}
	kib, _ := strconv.ParseInt(fields[0], 10, 64) // 0 where it is no number
	return kib * 1024
}

// size returns the bytes of all files below a folder.
func size(dir string) (bytes int64) {
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				bytes += info.Size()
			}
		}
		return err
	})
	return bytes
}
