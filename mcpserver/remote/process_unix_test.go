//go:build !windows

package remote

import (
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestReaped checks that nothing of a child's is left: not itself, which ignores SIGTERM and the end of its input, and
// not what it started, which holds its pipes.
func TestReaped(t *testing.T) {
	f := fleetOf(t, Options{}, "good")
	got, err := f.Call(t.Context(), "mcp__good__orphan", nil)
	if err != nil {
		t.Fatal(err)
	}
	orphan, err := strconv.Atoi(got.Content[0].Text)
	if err != nil {
		t.Fatal(err)
	}
	p := f.members[0].session.process
	if syscall.Kill(orphan, 0) != nil {
		t.Fatal("the child's child is not there")
	}
	begun := time.Now()
	f.Close()
	if took := time.Since(begun); took > 8*time.Second {
		t.Errorf("Close took %s", took)
	}
	if !p.gone(0) && !p.gone(time.Second) {
		t.Error("the child was not waited for")
	}
	// It has been killed; whoever adopted it may take a moment to notice.
	for range 200 {
		if dead(orphan) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the child's child is still there")
}

// TestSilentIsEnded checks that a child that never answered is not left behind.
func TestSilentIsEnded(t *testing.T) {
	// for the child to begin on a busy machine
	for timeout := 400 * time.Millisecond; timeout < time.Minute; timeout *= 4 {
		got, err := fleetOf(t, Options{Timeout: timeout}, "silent").Servers(t.Context())
		if err == nil {
			t.Fatalf("Servers() = %+v, want an error", got)
		}
		if pid, err := strconv.Atoi(got.Servers[0].Stderr); err == nil {
			if !dead(pid) {
				t.Errorf("the child %d is still there", pid)
			}
			return
		}
	}
	t.Error("the child never said its number")
}

// dead says that a process is gone, or a zombie that its new parent has not collected.
func dead(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, state, _ := strings.Cut(string(stat), ") ")
	return err == nil && strings.HasPrefix(state, "Z")
}
