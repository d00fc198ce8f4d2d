// Package hostile measures the requests that cost most: wide and malformed queries, filters, names and texts.
//
//	go run ./bench/speed hostile -index FILE [-kddq BIN] [-n 5] [-only TEXT] [-out DIR]
//
// The requests are made of the words of the artifact (cases.go). Each is asked -n times in process, and with -kddq as
// often as a whole process; the table has medians and the largest times, a process's processor time (all that tells
// something on a machine that does other things), and what the answer warns of.
package hostile

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"time"

	"kdd/bench/internal/harness"
	"kdd/format/index"
	"kdd/runtime"
	"kdd/runtime/wire"
)

// Run measures the requests and prints a table.
func Run(args []string, stdout, stderr io.Writer) int {
	return harness.Run("hostile", args, stderr, func(flags *flag.FlagSet) harness.Work {
		path := flags.String("index", "", "the artifact")
		kddq := flags.String("kddq", "", "the kddq binary, for whole processes")
		n := flags.Int("n", 5, "times that each request is asked")
		only := flags.String("only", "", "only requests whose operation and name hold this text")
		out := flags.String("out", "", "folder that keeps the table")
		return func(ctx context.Context) error {
			if *path == "" || *n < 1 || flags.NArg() > 0 {
				return harness.ErrUsage
			}
			body, err := measure(ctx, *path, *kddq, *n, *only)
			if err != nil {
				return err
			}
			return harness.Report(stdout, *out, harness.Result{Title: "Hostile requests", Command: "speed hostile", Args: args, Version: harness.Version(*kddq), Body: body})
		}
	})
}

func measure(ctx context.Context, path, kddq string, n int, only string) (string, error) {
	x, err := index.Open(path)
	if err != nil {
		return "", err
	}
	list := slices.DeleteFunc(requests(x), func(r request) bool { return !strings.Contains(r.operation+" "+r.name, only) })
	svc := runtime.New(runtime.Config{Index: []string{path}})
	defer svc.Close()
	var b strings.Builder
	fmt.Fprintf(&b, "%d documents, %d chunks, %d terms; milliseconds of %d rounds.\n\n", x.Docs(), x.Chunks(), x.Terms(), n)
	if err := x.File.Close(); err != nil {
		return "", err
	}
	b.WriteString("| operation | request | median | max | process | processor | warnings |\n|---|---|---:|---:|---:|---:|---|\n")
	for _, r := range list {
		times := make([]time.Duration, n)
		says := ""
		for i := range times {
			start := time.Now()
			answer, err := runtime.OperationNamed(r.operation).Run(ctx, svc, r.args)
			times[i] = time.Since(start)
			if says = warnings(answer); err != nil {
				says = wire.AsError(err).Error()
			}
		}
		process := "– | –"
		if kddq != "" {
			var walls, worked []time.Duration
			for range n {
				start := time.Now()
				cmd := exec.CommandContext(ctx, kddq, line(r, path)...)
				if err := cmd.Run(); cmd.ProcessState == nil || ctx.Err() != nil {
					return "", err
				}
				walls, worked = append(walls, time.Since(start)), append(worked, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
			}
			process = ms(harness.Percentile(walls, 50)) + " | " + ms(harness.Percentile(worked, 50))
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", r.operation, r.name, ms(harness.Percentile(times, 50)), ms(slices.Max(times)), process, strings.ReplaceAll(says, "|", "\\|"))
	}
	return b.String(), nil
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f", float64(d)/1e6) }

// warnings returns what an answer warns of, in short.
func warnings(answer any) string {
	text, err := json.Marshal(answer)
	if err != nil {
		return ""
	}
	var envelope struct {
		Warnings []string `json:"warnings"`
	}
	if json.Unmarshal(text, &envelope) != nil {
		return ""
	}
	for i, w := range envelope.Warnings {
		envelope.Warnings[i] = wire.Shorten(w, 100)
	}
	list := envelope.Warnings
	if len(list) > 4 {
		list = append(slices.Clone(list[:4]), fmt.Sprintf("and %d more", len(list)-4))
	}
	return strings.Join(list, "; ")
}

// line is the command line of a request.
func line(r request, path string) []string {
	args := []string{r.operation, "-i", path}
	var behind []string
	o := runtime.OperationNamed(r.operation)
	for i := range o.Params {
		p := &o.Params[i]
		value, ok := r.args[p.Name]
		if !ok {
			continue
		}
		values, isList := value.([]string)
		if !isList {
			values = []string{fmt.Sprint(value)}
		}
		for _, v := range values {
			v = strings.ReplaceAll(v, "\x00", "")
			if p.Arg {
				behind = append(behind, v)
			} else {
				args = append(args, "--"+strings.ReplaceAll(p.Name, "_", "-")+"="+v)
			}
		}
	}
	return append(append(args, "--"), behind...)
}
