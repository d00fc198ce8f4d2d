package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"kdd/compiler"
)

// asTool makes the test's binary the tool: it is started as a process of its own that way.
const asTool = "KDDQ_TEST_TOOL"

func TestMain(m *testing.M) {
	if os.Getenv(asTool) != "" {
		main()
	}
	os.Exit(m.Run())
}

// artifact is the compiled handbook, made once.
var artifact = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "kddq-process")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	output := filepath.Join(dir, "docs.kddx")
	if _, err := compiler.Build(context.Background(),
		compiler.Options{Sources: []string{"../../testdata/corpora/handbook"}, Output: output, NoVectors: true,
			Version: "1.0.0"}); err != nil {
		return nil, err
	}
	return os.ReadFile(output)
})

// session is a process "kddq mcp" and its pipes.
type session struct {
	*exec.Cmd
	in     io.WriteCloser
	stdout io.Closer
	out    *bufio.Reader
	err    *bytes.Buffer
}

// start starts "kddq mcp" in a folder of its own that holds the artifact.
func start(t testing.TB, dir string) *session {
	t.Helper()
	s := &session{Cmd: exec.CommandContext(t.Context(), os.Args[0], "mcp", "-i", filepath.Join(dir, "docs.kddx")),
		err: &bytes.Buffer{}}
	s.Env = append(os.Environ(), asTool+"=1")
	s.Dir, s.Stderr = dir, s.err
	in, err := s.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := s.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.in, s.stdout, s.out = in, out, bufio.NewReader(out)
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	return s
}

func folder(t testing.TB) string {
	t.Helper()
	data, err := artifact()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "docs.kddx"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

const greeting = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

func search(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"kdd_search","arguments":{"query":"how does authentication work"}}}`, id)
}

func (s *session) send(t testing.TB, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if _, err := io.WriteString(s.in, line+"\n"); err != nil {
			t.Fatalf("send %.80s: %v; stderr %s", line, err, s.err)
		}
	}
}

// answer reads one answer and returns its id and, of an error, its code.
func (s *session) answer(t testing.TB) (id string, code int) {
	t.Helper()
	line, err := s.out.ReadBytes('\n')
	if err != nil {
		t.Fatalf("answer: %v; stderr %s", err, s.err)
	}
	var a struct {
		ID    json.RawMessage
		Error struct{ Code int }
	}
	if err := json.Unmarshal(line, &a); err != nil {
		t.Fatalf("answer %.200s: %v", line, err)
	}
	return string(a.ID), a.Error.Code
}

// end closes the input and waits for the process, which has to end well.
func (s *session) end(t testing.TB) {
	t.Helper()
	s.in.Close()
	rest, err := io.ReadAll(s.out)
	if err != nil || len(rest) > 0 {
		t.Errorf("behind the end: %s, %v", rest, err)
	}
	if err := s.Wait(); err != nil || s.err.Len() > 0 {
		t.Errorf("the process ends with %v: %s", err, s.err)
	}
}

// descriptors returns how many files this process has open, -1 where that cannot be told.
func descriptors() int {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return -1
	}
	return len(entries)
}

// files returns the names in a folder.
func files(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// cycle starts a process, asks it once and lets it end.
func cycle(t testing.TB, dir string) {
	s := start(t, dir)
	s.send(t, greeting, search(1))
	for _, want := range []string{"0", "1"} {
		if id, code := s.answer(t); id != want || code != 0 {
			t.Errorf("answer to %s with code %d, want %s", id, code, want)
		}
	}
	s.end(t)
}

func TestStartCallStop(t *testing.T) {
	dir := folder(t)
	cycle(t, dir)
	before := descriptors()
	for range 20 {
		cycle(t, dir)
	}
	if after := descriptors(); after > before {
		t.Errorf("%d descriptors after, %d before", after, before)
	}
	if got := files(t, dir); !slices.Equal(got, []string{"docs.kddx"}) {
		t.Errorf("the folder holds %q, want the artifact alone", got)
	}
}

// BenchmarkStartCallStop is a client that starts a process for each call: make cycles runs it 1,000 times.
func BenchmarkStartCallStop(b *testing.B) {
	dir := folder(b)
	cycle(b, dir)
	before := descriptors()
	var took []time.Duration
	for b.Loop() {
		begin := time.Now()
		cycle(b, dir)
		took = append(took, time.Since(begin))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	if after := descriptors(); after > before {
		b.Errorf("%d descriptors after, %d before", after, before)
	}
}

// What is killed at any moment of a call leaves nothing, and the next process answers.
func TestKilledMidCall(t *testing.T) {
	dir := folder(t)
	for i := range 10 {
		s := start(t, dir)
		s.send(t, greeting)
		if i%2 == 0 {
			s.answer(t)
		}
		for id := range 20 {
			s.send(t, search(id+1))
		}
		if err := s.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		s.Wait()
	}
	if got := files(t, dir); !slices.Equal(got, []string{"docs.kddx"}) {
		t.Errorf("the folder holds %q, want the artifact alone", got)
	}
	cycle(t, dir)
}

// A client that dies closes both ends of its pipes; one that only stops reading, or goes without closing its input,
// must not keep the process either.
func TestAClientThatDiesLeavesNoProcess(t *testing.T) {
	dir := folder(t)
	for _, test := range []struct {
		name                            string
		answers                         int // that are read before it goes; 64 kB of a pipe hold about fifteen
		closesInput, closesOutput, asks bool
		most                            time.Duration
	}{
		{"reads all, closes its input", 40, true, false, false, 1900 * time.Millisecond},
		{"reads some, closes its input", 2, true, false, false, 3800 * time.Millisecond},
		{"dies", 2, true, true, false, 1900 * time.Millisecond},
		{"dies after all answers", 40, true, true, false, 1900 * time.Millisecond},
		{"stops reading, asks on", 40, false, true, true, 1900 * time.Millisecond},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := start(t, dir)
			s.send(t, greeting)
			s.answer(t)
			for id := range 40 {
				s.send(t, search(id+1))
			}
			for range test.answers {
				s.answer(t)
			}
			begin := time.Now()
			if test.closesOutput {
				s.stdout.Close()
			}
			if test.closesInput {
				s.in.Close()
			}
			if test.asks {
				s.send(t, search(99))
			}
			watchdog := time.AfterFunc(20*time.Second, func() { s.Process.Kill() })
			s.Wait()
			if took := time.Since(begin); !watchdog.Stop() || took > test.most {
				t.Errorf("the process ended after %v, want %v at most", took, test.most)
			}
		})
	}
}

func TestManyCallsInFlight(t *testing.T) {
	s := start(t, folder(t))
	s.send(t, greeting)
	s.answer(t)
	var lines strings.Builder
	for id := range 200 {
		lines.WriteString(search(id+1) + "\n")
	}
	go io.WriteString(s.in, lines.String())
	seen := map[string]bool{}
	for range 200 {
		id, code := s.answer(t)
		if code != 0 {
			t.Errorf("call %s: error %d", id, code)
		}
		seen[id] = true
	}
	if len(seen) != 200 {
		t.Errorf("%d calls are answered, want 200", len(seen))
	}
	s.end(t)
}

// 100 MB of garbage in lines, one line as long again, half a message, one 10,000 deep, an argument of 1 MB: each is
// answered, and the process serves on in little memory.
func TestHostileInput(t *testing.T) {
	s := start(t, folder(t))
	s.send(t, greeting)
	s.answer(t)
	junk := strings.Repeat("\x00\"'\\ garbage", 1<<20/12)
	go func() {
		for range 100 {
			io.WriteString(s.in, junk+"\n")
		}
		for range 100 {
			io.WriteString(s.in, junk)
		}
		io.WriteString(s.in, "\n"+`{"jsonrpc":"2.0","id":1,"meth`+"\n")
		deep := strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)
		io.WriteString(s.in, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"kdd_search","arguments":`+deep+"}}\n")
		io.WriteString(s.in, `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"kdd_search","arguments":{"query":"`+strings.Repeat("x", 1<<20)+"\"}}}\n")
		io.WriteString(s.in, search(4)+"\n")
	}()
	got := map[string]int{}
	for range 105 {
		id, code := s.answer(t)
		got[fmt.Sprint(id, " ", code)]++
	}
	want := map[string]int{"null -32700": 101, "null -32600": 2, "3 0": 1, "4 0": 1}
	for key, n := range want {
		if got[key] != n {
			t.Errorf("%d answers %q, want %d; all: %v", got[key], key, n, got)
		}
	}
	if status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.Process.Pid)); err == nil {
		for line := range strings.Lines(string(status)) {
			if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
				var kB int
				if fmt.Sscan(rest, &kB); kB > mostMemory {
					t.Errorf("peak memory %d kB, want at most %d", kB, mostMemory)
				}
				t.Logf("peak memory%s", rest)
			}
		}
	}
	s.end(t)
}
