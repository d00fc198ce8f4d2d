package harness

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Artifacts are the forms in which a corpus is compiled for measurements.
const (
	Lexical   = "lexical" // without vectors
	Distilled = "distilled"
	Exact     = "exact"
)

// BuildReport is what "kdd build" says of an artifact, and what the build took.
type BuildReport struct {
	FileBytes   uint64 `json:"file_bytes"`
	SourceBytes uint64 `json:"source_bytes"`
	Counts      struct{ Documents, Sections, Chunks, Vectors int }
	Blocks      []Block
	Seconds     map[string]float64 // by phase
	Cost        Cost               `json:"-"`
}

// Block is one block of an artifact.
type Block struct {
	Tag         string
	Bytes, Rows uint64
}

// Compile compiles corpus with the kdd binary into the file at path, in one of the forms; more are further flags.
func Compile(ctx context.Context, kdd, model, corpus, path, form string, more ...string) (*BuildReport, error) {
	args := append([]string{"build", corpus, "-o", path, "--format", "json", "--progress", "never"}, more...)
	switch form {
	case Lexical:
		args = append(args, "--no-vectors")
	default:
		args = append(args, "--encoder", form)
		if model != "" {
			args = append(args, "--model", model)
		}
	}
	out, cost, err := Process(ctx, kdd, args...)
	if err != nil {
		return nil, err
	}
	r := &BuildReport{Cost: cost}
	return r, json.Unmarshal(out, r)
}

// Build compiles corpus into dir/NAME-FORM.kddx and returns its path.
func Build(ctx context.Context, kdd, model, corpus, dir, name, form string) (string, error) {
	path := artifact(dir, name, form)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	if _, err := Compile(ctx, kdd, model, corpus, path, form); err != nil {
		return "", fmt.Errorf("build of %s (%s): %w", name, form, err)
	}
	return path, nil
}

// BuildOnce returns the artifact that Build would write, and builds it if it is not in dir yet. It does not look
// whether an artifact that is there was made of these sources by this kdd.
func BuildOnce(ctx context.Context, kdd, model, corpus, dir, name, form string) (string, error) {
	path := artifact(dir, name, form)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	return Build(ctx, kdd, model, corpus, dir, name, form)
}

// artifact is where Build writes to.
func artifact(dir, name, form string) string { return filepath.Join(dir, name+"-"+form+".kddx") }

// tail returns the lines of a failed program's messages that are no findings, or the end of the messages.
func tail(text string) string {
	var kept []string
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		if strings.HasPrefix(line, "kdd") || strings.HasPrefix(line, "hint") {
			kept = append(kept, line)
		}
	}
	if len(kept) == 0 {
		return strings.TrimSpace(text[max(0, len(text)-500):])
	}
	return strings.Join(kept, "; ")
}
