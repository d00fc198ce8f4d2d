package harness

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"time"
)

// Cost is what a process took, from its start to its end.
type Cost struct {
	Wall, CPU time.Duration
	Peak      int64 // bytes of memory; 0 where the system does not tell
}

// Process runs a program to its end and returns its standard output. A program that exits with another code than 0, or
// prints nothing, is an error, which has what it wrote to standard error.
func Process(ctx context.Context, name string, args ...string) ([]byte, Cost, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	var out, messages bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &messages
	start := time.Now()
	err := cmd.Run()
	cost := Cost{Wall: time.Since(start)}
	if err == nil && out.Len() == 0 {
		err = fmt.Errorf("%s printed nothing", name)
	}
	if text := tail(messages.String()); err != nil && text != "" {
		err = fmt.Errorf("%w: %s", err, text)
	}
	if err != nil {
		return nil, cost, err
	}
	cost.CPU, cost.Peak = cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), Peak(cmd.ProcessState)
	return out.Bytes(), cost, nil
}
