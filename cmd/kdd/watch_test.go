package main

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// background is a program that a script runs beside its other commands.
type background struct {
	cmd   *exec.Cmd
	lines chan string // of both its outputs; closed when it has ended
	end   func() error
}

// backgrounds holds that of each script, by the script's folder.
var backgrounds sync.Map

// watching starts a program beside the script: watching kdd watch docs -o docs.kddx
func watching(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: watching PROGRAM ARGS")
	}
	b := &background{cmd: exec.Command(scriptProgram(ts, args[0]), args[1:]...), lines: make(chan string, 1000)}
	b.cmd.Dir = ts.MkAbs(".")
	for _, name := range []string{"PATH", "HOME", "TMPDIR", "KDD_MODELS", "XDG_CACHE_HOME"} {
		b.cmd.Env = append(b.cmd.Env, name+"="+ts.Getenv(name))
	}
	r, w, err := os.Pipe()
	ts.Check(err)
	b.cmd.Stdout, b.cmd.Stderr = w, w
	ts.Check(b.cmd.Start())
	w.Close()
	go func() {
		defer close(b.lines)
		for in := bufio.NewScanner(r); in.Scan(); {
			b.lines <- in.Text()
		}
		r.Close()
	}()
	b.end = sync.OnceValue(b.cmd.Wait)
	backgrounds.Store(ts.Getenv("WORK"), b)
	ts.Defer(func() {
		b.cmd.Process.Kill()
		b.end()
	})
}

func backgroundOf(ts *testscript.TestScript) *background {
	b, ok := backgrounds.Load(ts.Getenv("WORK"))
	if !ok {
		ts.Fatalf("nothing is watching")
	}
	return b.(*background)
}

// until waits for a line of what watching has started; a group of the pattern becomes URL: until 'listening on (\S+)'
func until(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: until PATTERN")
	}
	pattern, err := regexp.Compile(args[0])
	ts.Check(err)
	b, late := backgroundOf(ts), time.After(time.Minute)
	for {
		select {
		case line, more := <-b.lines:
			if !more {
				ts.Fatalf("it has ended (%v) without a line that matches %s", b.end(), args[0])
			}
			ts.Logf("%s", line)
			if found := pattern.FindStringSubmatch(line); len(found) > 1 {
				ts.Setenv("URL", found[1])
				return
			} else if found != nil {
				return
			}
		case <-late:
			ts.Fatalf("no line that matches %s", args[0])
		}
	}
}

// watchedEnd sends a signal to what watching has started and wants an exit code; what it said since goes to stdout:
// watched INT 0
func watchedEnd(ts *testscript.TestScript, neg bool, args []string) {
	signals := map[string]os.Signal{"INT": os.Interrupt, "TERM": syscall.SIGTERM}
	if neg || len(args) != 2 || signals[args[0]] == nil {
		ts.Fatalf("usage: watched INT|TERM CODE")
	}
	want, err := strconv.Atoi(args[1])
	ts.Check(err)
	b := backgroundOf(ts)
	ts.Check(b.cmd.Process.Signal(signals[args[0]]))
	for line := range b.lines {
		_, err := io.WriteString(ts.Stdout(), line+"\n")
		ts.Check(err)
	}
	got := 0
	var exit *exec.ExitError
	if err := b.end(); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}
