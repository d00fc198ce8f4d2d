package compiler

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"kdd/compiler/diag"
	"kdd/compiler/source"
	"kdd/format"
)

// AutoCommit is the value of Options.Commit that asks git for the last commit that touched the sources.
const AutoCommit = "auto"

// provenance returns the trailer's bytes; none if no commit was asked for.
func provenance(ctx context.Context, o *Options, tree *source.Tree) ([]byte, error) {
	p := format.Provenance{Commit: o.Commit, Roots: hints(tree.Roots)}
	if o.Commit == "" && p.Roots == nil {
		return nil, nil
	}
	if o.Commit == AutoCommit {
		if err := askGit(ctx, tree, &p); err != nil {
			return nil, err
		}
	}
	b, err := json.Marshal(&p)
	if err != nil {
		return nil, err
	}
	return format.AppendTrailer(nil, format.TagProvenance, b), nil
}

// hints returns where the source folders lie below the tops of their repositories; nil if that is where their names say.
func hints(roots []source.Root) []string {
	list := make([]string, len(roots))
	other := false
	for i, r := range roots {
		list[i] = r.Hint
		other = other || r.Hint != r.Base
	}
	if !other {
		return nil
	}
	return list
}

// askGit asks git for the last commit that touched the sources, and whether documents differ from it.
func askGit(ctx context.Context, tree *source.Tree, p *format.Provenance) error {
	dir := tree.Roots[0].Abs
	paths := []string{"--"}
	for _, r := range tree.Roots {
		if path := r.Abs; r.File {
			paths = append(paths, filepath.Join(path, r.Base))
		} else {
			paths = append(paths, path)
		}
	}
	line, err := git(ctx, dir, append([]string{"log", "-1", "--no-show-signature", "--format=%H %cI"}, paths...)...)
	if err != nil {
		return err
	}
	var found bool
	if p.Commit, p.Date, found = strings.Cut(strings.TrimSpace(line), " "); !found {
		return diag.Cure("commit them, or leave the flag out", "--source-commit: no commit touches the sources")
	}
	if err := known(ctx, dir, p.Commit); err != nil {
		return err
	}
	filters, err := withoutFilters(ctx, dir)
	if err != nil {
		return err
	}
	status, err := git(ctx, dir, slices.Concat(filters, []string{"status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--ignore-submodules=all"}, paths)...)
	if err != nil || status == "" {
		return err
	}
	top, err := git(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	p.Dirty = dirty(status, strings.TrimRight(top, "\r\n"), tree)
	return nil
}

// known fails if a clone's history ends at the commit: there it seems to have made every file that there is, so that it
// need not be the last one that touched the sources, and a whole clone would name another.
func known(ctx context.Context, dir, commit string) error {
	path, err := git(ctx, dir, "rev-parse", "--git-path", "shallow")
	if err != nil {
		return err
	}
	if path = strings.TrimRight(path, "\r\n"); !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	ends, err := os.ReadFile(path)
	if err != nil { // it is there in shallow clones only
		return nil
	}
	if slices.Contains(strings.Fields(string(ends)), commit) {
		return diag.Cure("fetch the history (git fetch --unshallow), or "+nameCommit, "--source-commit: the clone is shallow: which commit touched the sources last is not known")
	}
	return nil
}

// dirty reports whether "git status" lists a document that is compiled, or one that was deleted. Other files in the
// folder, such as the artifact itself, do not make the sources dirty.
func dirty(status, top string, tree *source.Tree) bool {
	compiled := make(map[string]bool, len(tree.Files))
	for i := range tree.Files {
		f := &tree.Files[i]
		compiled[realPath(filepath.Join(tree.Roots[f.Dir].Abs, filepath.FromSlash(f.Rel)))] = true
	}
	top = realPath(filepath.FromSlash(top))
	for entry := range strings.SplitSeq(status, "\x00") {
		if len(entry) < 4 {
			continue
		}
		state, name := entry[:2], entry[3:]
		gone := strings.Contains(state, "D") && slices.Contains(source.DefaultExtensions(), strings.ToLower(filepath.Ext(name)))
		if gone || compiled[filepath.Join(top, filepath.FromSlash(name))] {
			return true
		}
	}
	return false
}

// realPath returns a path without symbolic links, or as it is.
func realPath(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// withoutFilters returns options for git that turn the filters off which its configuration names: "git status" would
// run them over changed files, and a repository that somebody unpacked brings both the filter and the .gitattributes
// that ask for it. So a document that is stored filtered counts as changed once it was touched.
func withoutFilters(ctx context.Context, dir string) ([]string, error) {
	names, err := git(ctx, dir, "config", "--includes", "--null", "--name-only", "--get-regexp", `^filter\.`)
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == 1 { // there is none
			return nil, nil
		}
		return nil, err
	}
	var options []string
	for name := range strings.SplitSeq(strings.TrimSuffix(names, "\x00"), "\x00") {
		driver := name[:strings.LastIndexByte(name, '.')]
		if strings.Contains(driver, "=") { // "-c" would take the name apart there
			return nil, diag.Cure(nameCommit, "--source-commit: git's configuration has a filter %q", driver)
		}
		options = append(options, "-c", driver+".clean=", "-c", driver+".process=", "-c", driver+".required=false")
	}
	return options, nil
}

// nameCommit is the cure where git cannot tell.
const nameCommit = "name the commit yourself with --source-commit=HASH"

// git runs git in dir and returns what it prints. What the repository's configuration could make it run, the transports
// with which it would fetch objects that a partial clone lacks, and the locks that it would take, are turned off.
func git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--literal-pathspecs", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(cmd.Environ(), "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none", "LC_ALL=C")
	out, err := cmd.Output()
	if err == nil {
		return string(out), nil
	}
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if errors.Is(err, exec.ErrNotFound) {
		return "", diag.Cure(nameCommit, "--source-commit: git is not installed")
	}
	reason := err.Error()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		lines := strings.Split(strings.TrimSpace(string(exit.Stderr)), "\n")
		// warnings come before
		at := max(0, slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "fatal: ") }))
		reason = cmp.Or(lines[at], reason)
	}
	if strings.Contains(reason, "not a git repository") {
		return "", diag.Cure(nameCommit, "--source-commit: the sources are in no git repository")
	}
	return "", diag.Cure(nameCommit, "%w", &gitError{fmt.Sprintf("--source-commit: git %s: %s", subcommand(args), reason), err})
}

// gitError is git's own failure, in one line.
type gitError struct {
	text  string
	cause error
}

// Error returns the line.
func (e *gitError) Error() string { return e.text }

// Unwrap returns how git ended.
func (e *gitError) Unwrap() error { return e.cause }

// subcommand returns what git was told to do, behind its options.
func subcommand(args []string) string {
	for len(args) > 2 && args[0] == "-c" {
		args = args[2:]
	}
	return args[0]
}
