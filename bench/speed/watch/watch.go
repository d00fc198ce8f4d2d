// Package watch measures how long an edit takes until a server answers from it.
//
//	go run ./bench/speed watch -kdd BIN [-vectors] [-n N] [-out DIR] CORPUS
//
// The corpus is copied; "kdd serve --watch" builds the copy and serves it. Each round appends a line with a word that
// there is nowhere else to the next document, and asks for the word until a hit has it. The time counts from before the
// file is written.
package watch

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"kdd/bench/internal/harness"
)

// Run prints times from an edit to the answer.
func Run(args []string, stdout, stderr io.Writer) int {
	return harness.Run("watch", args, stderr, func(flags *flag.FlagSet) harness.Work {
		m := &measured{}
		flags.StringVar(&m.kdd, "kdd", "bin/kdd", "the kdd binary")
		flags.BoolVar(&m.vectors, "vectors", false, "build with vectors, by the model that kdd finds")
		flags.IntVar(&m.rounds, "n", 20, "edits")
		out := flags.String("out", "", "folder that keeps the table")
		return func(ctx context.Context) error {
			if flags.NArg() != 1 || m.rounds < 1 {
				return harness.ErrUsage
			}
			text, err := m.measure(ctx, flags.Arg(0))
			if err != nil {
				return err
			}
			return harness.Report(stdout, *out, harness.Result{Title: "From an edit to the answer", Command: "speed watch", Args: args,
				Version: harness.Version(m.kdd), Body: text})
		}
	})
}

type measured struct {
	kdd     string
	vectors bool
	rounds  int
}

func (m *measured) measure(ctx context.Context, corpus string) (string, error) {
	dir, err := os.MkdirTemp("", "kdd-watch")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	docs := filepath.Join(dir, "docs")
	paths, err := copied(docs, corpus)
	if err != nil {
		return "", err
	}
	args := []string{docs, "-o", filepath.Join(dir, "clean.kddx"), "--format", "json"}
	if !m.vectors {
		args = append(args, "--no-vectors")
	}
	begin := time.Now()
	_, cost, err := harness.Process(ctx, m.kdd, append([]string{"build"}, args...)...)
	if err != nil {
		return "", err
	}
	clean := time.Since(begin)
	s, err := m.serve(ctx, docs, filepath.Join(dir, "docs.kddx"))
	if err != nil {
		return "", err
	}
	defer s.end()
	var took []time.Duration
	before := s.processor()
	for round := range m.rounds {
		one, err := s.edit(ctx, paths[round*len(paths)/m.rounds], fmt.Sprintf("zzwatched%dzz", round))
		if err != nil {
			return "", err
		}
		took = append(took, one)
	}
	used := (s.processor() - before) / time.Duration(m.rounds)
	slices.Sort(took)
	var b strings.Builder
	fmt.Fprintf(&b, "%d documents, %d edits of one document each.\n\n| | s |\n|---|---:|\n", len(paths), m.rounds)
	for _, row := range []struct {
		name string
		time time.Duration
	}{
		{"from an edit to the answer, median", harness.Percentile(took, 50)}, {"fastest", took[0]}, {"slowest", took[len(took)-1]},
		{"processor time of the server for each, questions included", used},
		{"a build of the same as a process of its own, wall", clean}, {"its processor time", cost.CPU},
	} {
		fmt.Fprintf(&b, "| %s | %.3f |\n", row.name, row.time.Seconds())
	}
	return b.String(), nil
}

// copied copies the documents of a corpus, so that they can be written, and returns the copies.
func copied(to, from string) (paths []string, err error) {
	err = filepath.WalkDir(from, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() || filepath.Ext(path) != ".md" {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		path = filepath.Join(to, name)
		paths = append(paths, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		return os.WriteFile(path, text, 0o644)
	})
	if err == nil && len(paths) == 0 {
		err = harness.Wrong("%s has no .md file", from)
	}
	return paths, err
}

// server is a "kdd serve --watch".
type server struct {
	cmd *exec.Cmd
	url string
}

// serve starts it and waits until it listens, which is when the first artifact is there.
func (m *measured) serve(ctx context.Context, docs, file string) (*server, error) {
	args := []string{"serve", "--watch", docs, "-i", file, "--port", "0", "--format", "json", "--access-log", "off"}
	if !m.vectors {
		args = append(args, "--no-vectors")
	}
	s := &server{cmd: exec.CommandContext(ctx, m.kdd, args...)}
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(stderr)
	vectors := !m.vectors
	for s.url == "" || !vectors {
		line, err := lines.ReadBytes('\n')
		var said struct {
			URL    string
			Counts struct{ Vectors int }
		}
		if json.Unmarshal(line, &said) == nil && said.URL != "" {
			s.url = said.URL
		}
		vectors = vectors || said.Counts.Vectors > 0
		if err != nil {
			s.cmd.Process.Kill()
			return nil, fmt.Errorf("kdd serve says %q: %w", line, err)
		}
	}
	go io.Copy(io.Discard, lines)
	return s, nil
}

// askEvery is how often the word is asked for: a question takes the processor from the build for a millisecond or two.
const askEvery = 20 * time.Millisecond

// edit appends a word to a document and returns the time until it is found.
func (s *server) edit(ctx context.Context, path, word string) (time.Duration, error) {
	begin := time.Now()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return 0, err
	}
	if _, err = fmt.Fprintf(f, "\n%s\n", word); err == nil {
		err = f.Close()
	}
	for err == nil {
		var found bool
		if found, err = s.has(ctx, word); found {
			return time.Since(begin), nil
		}
		time.Sleep(askEvery)
	}
	return 0, err
}

// has says whether a search for a word finds it.
func (s *server) has(ctx context.Context, word string) (bool, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.url+"/api/v1/search?mode=lexical&query="+word, nil)
	if err != nil {
		return false, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false, err
	}
	defer response.Body.Close()
	var answer struct{ Results []json.RawMessage }
	body, err := io.ReadAll(response.Body)
	if err == nil {
		err = json.Unmarshal(body, &answer)
	}
	return len(answer.Results) > 0, err
}

// processor returns the processor time that the server has used, where the system tells (Linux); else 0.
func (s *server) processor() time.Duration {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	var user, system time.Duration
	if len(fields) > 12 {
		fmt.Sscan(fields[11], &user)
		fmt.Sscan(fields[12], &system)
	}
	const tick = 10 * time.Millisecond // USER_HZ, which Linux shows to programs, is 100
	return (user + system) * tick
}

// end asks the server to end.
func (s *server) end() {
	s.cmd.Process.Signal(syscall.SIGTERM)
	s.cmd.Wait()
}
