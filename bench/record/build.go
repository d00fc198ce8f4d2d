package record

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Artifacts are the ways in which a corpus is compiled for measurements.
const (
	Lexical   = "lexical" // without vectors
	Distilled = "distilled"
	Exact     = "exact"
)

// Build compiles corpus with the kdd binary into dir/NAME-FORM.kddx and returns its path.
func Build(ctx context.Context, kdd, model, corpus, dir, name, form string) (string, error) {
	path := artifact(dir, name, form)
	args := []string{"build", corpus, "-o", path, "--quiet", "--progress", "never"}
	switch form {
	case Lexical:
		args = append(args, "--no-vectors")
	default:
		args = append(args, "--encoder", form)
		if model != "" {
			args = append(args, "--model", model)
		}
	}
	var messages bytes.Buffer
	cmd := exec.CommandContext(ctx, kdd, args...)
	cmd.Stdout, cmd.Stderr = &messages, &messages
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("build of %s (%s): %w: %s", name, form, err, tail(messages.String()))
	}
	if _, err := os.Stat(path); err != nil {
		return "", err
	}
	return path, nil
}

// Kept returns the artifact that Build would write, if dir has it already, and builds it if not. Whether an artifact that is
// there was made of these sources by this kdd is not looked at.
func Kept(ctx context.Context, kdd, model, corpus, dir, name, form string) (string, error) {
	path := artifact(dir, name, form)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	return Build(ctx, kdd, model, corpus, dir, name, form)
}

// artifact is where Build writes to.
func artifact(dir, name, form string) string { return filepath.Join(dir, name+"-"+form+".kddx") }

// tail returns the lines of a failed build's messages that are no findings.
func tail(text string) string {
	var kept []string
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if strings.HasPrefix(line, "kdd") || strings.HasPrefix(line, "hint") {
			kept = append(kept, line)
		}
	}
	if len(kept) == 0 {
		return text[max(0, len(text)-500):]
	}
	return strings.Join(kept, "; ")
}
