package compiler

import (
	"context"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"

	"kdd/compiler/source"
	"kdd/format"
)

// Provenance is the provenance trailer: where the sources came from. It lies outside the root hash, so that the same
// sources give the same artifact whatever commit they are of.
type Provenance struct {
	Commit string `json:"source_commit,omitempty"`
	Date   string `json:"source_date,omitempty"` // of the commit, RFC 3339
	Dirty  bool   `json:"dirty,omitempty"`       // the sources differ from the commit
}

// provenance returns the trailer's bytes; none if no commit was asked for.
func provenance(ctx context.Context, o *Options, roots []source.Root) ([]byte, error) {
	if o.Commit == "" {
		return nil, nil
	}
	p := Provenance{Commit: o.Commit}
	if o.Commit == "auto" {
		if err := p.fromGit(ctx, roots); err != nil {
			return nil, err
		}
	}
	b, err := json.Marshal(&p)
	if err != nil {
		return nil, err
	}
	return format.AppendTrailer(nil, format.TagProvenance, b), nil
}

// fromGit asks git for the last commit that touched the sources.
func (p *Provenance) fromGit(ctx context.Context, roots []source.Root) error {
	git := func(dir string, args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = dir
		out, err := cmd.Output()
		if err != nil {
			return "", fmt.Errorf("--source-commit: git %s in %s: %w; name the commit yourself with --source-commit=HASH", args[0], dir, err)
		}
		return strings.TrimSpace(string(out)), nil
	}
	dir := roots[0].Abs
	paths := []string{"--"}
	for _, r := range roots {
		paths = append(paths, r.Abs)
	}
	line, err := git(dir, append([]string{"log", "-1", "--format=%H %cI"}, paths...)...)
	if err != nil {
		return err
	}
	var found bool
	if p.Commit, p.Date, found = strings.Cut(line, " "); !found {
		return fmt.Errorf("--source-commit: no commit touches the sources; commit them, or leave the flag out")
	}
	status, err := git(dir, append([]string{"status", "--porcelain"}, paths...)...)
	if err != nil {
		return err
	}
	p.Dirty = status != ""
	return nil
}
