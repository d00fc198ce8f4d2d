package load

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
)

// server is a kddq serve of its own.
type server struct {
	cmd  *exec.Cmd
	url  string
	rest chan string // what it wrote behind its first line
}

// start starts kddq serve on any port of the loopback.
func start(kddq, index string, flags ...string) (*server, error) {
	args := append([]string{"serve", "-i", index, "--port", "0", "--format", "json"}, flags...)
	s := &server{cmd: exec.Command(kddq, args...), rest: make(chan string, 1)}
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	lines := bufio.NewReader(stderr)
	first, err := lines.ReadBytes('\n')
	var said struct{ URL string }
	if err != nil || json.Unmarshal(first, &said) != nil || said.URL == "" {
		s.cmd.Process.Kill()
		return nil, fmt.Errorf("serve says %q", first)
	}
	s.url = said.URL
	go func() {
		rest, _ := io.ReadAll(lines)
		s.rest <- string(rest)
	}()
	return s, nil
}

// end asks it to end and returns what it wrote.
func (s *server) end() (string, error) {
	s.cmd.Process.Signal(syscall.SIGTERM)
	rest := <-s.rest
	return rest, s.cmd.Wait()
}

// memory returns the resident memory in MiB, 0 where the system does not say: all of it, and what is private, which
// is all that is not a file's.
func (s *server) memory() (all, private float64) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(data)) {
		var kib float64
		if n, _ := fmt.Sscanf(line, "VmRSS: %f", &kib); n == 1 {
			all = kib / 1024
		}
		if n, _ := fmt.Sscanf(line, "RssAnon: %f", &kib); n == 1 {
			private = kib / 1024
		}
	}
	return all, private
}
