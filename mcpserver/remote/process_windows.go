package remote

import (
	"os/exec"
	"strconv"
	"syscall"

	"golang.org/x/sys/windows"
)

// separate gives the child a process group of its own: a Ctrl-C on the terminal does not reach it.
func separate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// terminateGroup does nothing: a child without a console can only be told to end by the end of its input.
func terminateGroup(*exec.Cmd) {}

// killGroup ends the child and what it started.
func killGroup(cmd *exec.Cmd) {
	exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
	cmd.Process.Kill()
}
