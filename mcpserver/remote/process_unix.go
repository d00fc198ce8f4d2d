//go:build !windows

package remote

import (
	"os/exec"
	"syscall"
)

// separate gives the child a process group of its own: a Ctrl-C on the terminal does not reach it, and all that it
// starts can be ended together.
func separate(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func terminateGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

func killGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
