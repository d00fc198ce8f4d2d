package remote

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"kdd/runtime/wire"
)

const (
	// A child has this long to end after the end of its input, and again after the signal to end.
	graceTime = 1 * time.Second
	// stderrBytes is how many bytes are kept of the end of a child's standard error.
	stderrBytes = 4 << 10
	// shownLines is how many lines of it are shown for a failing server.
	shownLines = 3
)

// process is a running child. Its standard error is read until it ends.
type process struct {
	cmd    *exec.Cmd
	in     *os.File // its standard input
	out    *os.File // its standard output
	err    *os.File
	tail   tail
	exited chan struct{} // closed when it has been waited for
	stderr chan struct{} // closed when all of standard error has been read
	once   sync.Once
}

// start runs the command of a stdio server.
func start(r *resolved, getenv func(string) string) (*process, error) {
	path, err := r.program()
	if err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return nil, fmt.Errorf("command %q was not found in PATH", wire.Clean(r.Command))
		}
		return nil, fmt.Errorf("command %q: %w", wire.Clean(r.Command), err)
	}
	p := &process{cmd: exec.Command(path, r.Args...), exited: make(chan struct{}), stderr: make(chan struct{})}
	p.cmd.Dir, p.cmd.Env = r.Dir, childEnv(r.Env, getenv)
	separate(p.cmd)
	var theirs [3]*os.File
	defer func() {
		for _, f := range theirs {
			if f != nil {
				f.Close()
			}
		}
	}()
	closeOurs := func() {
		for _, f := range []*os.File{p.in, p.out, p.err} {
			if f != nil {
				f.Close()
			}
		}
	}
	if theirs[0], p.in, err = os.Pipe(); err == nil {
		if p.out, theirs[1], err = os.Pipe(); err == nil {
			p.err, theirs[2], err = os.Pipe()
		}
	}
	if err != nil {
		closeOurs()
		return nil, err
	}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = theirs[0], theirs[1], theirs[2]
	if err := p.cmd.Start(); err != nil {
		closeOurs()
		return nil, fmt.Errorf("command %q does not start: %w", wire.Clean(r.Command), err)
	}
	go func() {
		defer close(p.stderr)
		io.Copy(&p.tail, p.err)
	}()
	go func() {
		defer close(p.exited)
		p.cmd.Wait()
		killGroup(p.cmd) // processes that the child left behind
	}()
	return p, nil
}

// program returns the file of the command.
func (r *resolved) program() (string, error) {
	path := r.Command
	if !filepath.IsAbs(path) && r.Dir != "" && strings.ContainsAny(path, `/\`) {
		path = filepath.Join(r.Dir, path)
	}
	return exec.LookPath(path)
}

// childEnv is the whole environment of a child.
func childEnv(own map[string]string, getenv func(string) string) []string {
	names := []string{"PATH", "HOME", "LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC", "LC_TIME"}
	if goruntime.GOOS == "windows" { // programs do not start without these variables
		names = append(names, "SystemRoot", "SystemDrive", "PATHEXT", "COMSPEC", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TEMP", "TMP")
	}
	env := []string{}
	for _, name := range names {
		if value := getenv(name); value != "" {
			if _, given := own[name]; !given {
				env = append(env, name+"="+value)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		env = append(env, name+"="+own[name])
	}
	return env
}

// stop ends the child: it closes its input, then sends a signal, then kills it. When stop returns, its process group is
// gone. With now it kills the child at once.
func (p *process) stop(now bool) {
	p.once.Do(func() {
		p.in.Close()
		if !now && !p.gone(graceTime) {
			terminateGroup(p.cmd)
			p.gone(graceTime)
		}
		killGroup(p.cmd)
		p.gone(10 * graceTime) // only a process that hangs in the kernel stays longer
		p.out.Close()
		// It does not wait for other processes that hold the pipe.
		select {
		case <-p.stderr:
		case <-time.After(graceTime / 10):
		}
		p.err.Close()
	})
}

// gone waits at most d for the child to end.
func (p *process) gone(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-p.exited:
		return true
	case <-timer.C:
		return false
	}
}

// state says how the child ended, "" while it runs.
func (p *process) state() string {
	select {
	case <-p.exited:
		return p.cmd.ProcessState.String()
	default:
		return ""
	}
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	data []byte
}

// Write keeps the last stderrBytes of all that was written. It never fails, and is safe for concurrent use.
func (t *tail) Write(data []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(data) >= stderrBytes {
		t.data = append(t.data[:0], data[len(data)-stderrBytes:]...)
		return len(data), nil
	}
	if over := len(t.data) + len(data) - stderrBytes; over > 0 {
		t.data = append(t.data[:0], t.data[over:]...)
	}
	t.data = append(t.data, data...)
	return len(data), nil
}

// lines returns the last lines that are not blank, neutralised, shortened and without secrets.
func (t *tail) lines(r *resolved) string {
	t.mu.Lock()
	text := string(t.data)
	t.mu.Unlock()
	var kept []string
	for line := range strings.Lines(r.redact(strings.ToValidUTF8(text, "\uFFFD"))) {
		if line = strings.Join(strings.Fields(wire.Clean(line)), " "); line != "" {
			kept = append(kept, wire.Shorten(line, 200))
		}
	}
	return strings.Join(kept[max(0, len(kept)-shownLines):], "\n")
}
