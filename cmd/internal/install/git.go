package install

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"kdd/runtime/wire"
)

// GitRequest asks for the repository of the working folder to be set up for artifacts, or for that to be undone.
type GitRequest struct {
	Context context.Context
	DryRun  bool // change nothing, show what would change
}

// AttributesLine is the line of .gitattributes that names the drivers: an artifact is no text, git compares what
// textconv prints of it, and the merge driver takes neither side.
const AttributesLine = "*.kddx -text diff=kddx merge=kddx"

// setting is a key of git's configuration.
type setting struct{ key, value string }

// settings are the drivers in the repository's own configuration: git takes no commands from files that are committed.
func (e *Env) settings() []setting {
	asks, builds := e.program("kddq"), e.program("kdd")
	return []setting{
		{"diff.kddx.textconv", asks + " textconv"},
		{"diff.kddx.binary", "true"}, // of patches that are to be applied
		{"difftool.kddx.cmd", `if test -s "$LOCAL" && test -s "$REMOTE"; then ` + asks +
			` diff "$LOCAL" "$REMOTE"; else echo "$MERGED: added or removed"; fi`},
		{"merge.kddx.name", "rebuild an artifact of its merged sources"},
		{"merge.kddx.driver", builds + " merge %O %A %B %P"},
		{"merge.kddx.recursive", "binary"},
	}
}

// program returns how a shell starts kdd or kddq: by name where it is on PATH, else by the path of the running program
// or of the one beside it.
func (e *Env) program(name string) string {
	running := strings.TrimSuffix(filepath.Base(e.Executable), ".exe")
	if _, err := e.LookPath(name); err == nil && !e.Self {
		return name
	}
	path := e.Executable
	if running != name && (running == "kdd" || running == "kddq") {
		if running == "kdd" && name == "kddq" {
			return ShellWord(path) // it has the same commands
		}
		path = strings.TrimSuffix(path, filepath.Base(path)) + name + strings.TrimPrefix(filepath.Base(path), running)
		if !exists(path) {
			return name
		}
	}
	return ShellWord(path)
}

// ShellWord quotes a word for a shell, where it has to be.
func ShellWord(s string) string {
	s = filepath.ToSlash(s)
	if strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// CanMerge reports whether the merge driver's program is there.
func (e *Env) CanMerge() bool {
	_, err := e.LookPath("kdd")
	return err == nil || e.program("kdd") != "kdd"
}

// InstallGit sets the drivers in the repository's configuration and names them in its .gitattributes. What else is there
// stays as it is. A driver of the same name that starts another program is refused.
func (e *Env) InstallGit(r GitRequest) ([]Result, error) {
	if err := e.inRepository(); err != nil {
		return nil, err
	}
	config := Result{Path: e.configPath(r.Context), Action: Unchanged}
	var change []setting
	for _, s := range e.settings() {
		have, there, err := e.gitValue(r.Context, s.key)
		if err != nil {
			return nil, err
		}
		if there && have == s.value {
			continue
		}
		if there && !ours(s.key, have) {
			return nil, wire.NewError(wire.CodeInvalidInput, fmt.Sprintf("%s: %s is not ours: it is %s", config.Path, s.key,
				wire.Clean(wire.Shorten(have, 80))), "remove it with git config --unset "+s.key+", or keep it and do without kdd's")
		}
		change = append(change, s)
		if there {
			config.Diff += fmt.Sprintf("-%s=%s\n", s.key, have)
			config.Action = Changed
		} else if config.Action == Unchanged {
			config.Action = Added
		}
		config.Diff += fmt.Sprintf("+%s=%s\n", s.key, s.value)
	}
	f, out, err := e.attributes(true)
	if err != nil {
		return nil, err
	}
	if !r.DryRun {
		config.Diff = ""
		for _, s := range change {
			if _, err := e.git(r.Context, "config", "--local", s.key, s.value); err != nil {
				return nil, err
			}
		}
	}
	attributes := Result{Path: f.path, Action: Added}
	if err := f.replaced(&attributes, out, r.DryRun); err != nil {
		return []Result{config}, err
	}
	return []Result{config, attributes}, nil
}

// RemoveGit takes out what InstallGit has set, and nothing else.
func (e *Env) RemoveGit(r GitRequest) ([]Result, error) {
	if err := e.inRepository(); err != nil {
		return nil, err
	}
	config := Result{Path: e.configPath(r.Context), Action: Absent}
	for _, s := range e.settings() {
		have, there, err := e.gitValue(r.Context, s.key)
		if err != nil {
			return nil, err
		}
		if !there || !ours(s.key, have) {
			continue
		}
		config.Action = Removed
		if r.DryRun {
			config.Diff += fmt.Sprintf("-%s=%s\n", s.key, have)
		} else if _, err := e.git(r.Context, "config", "--local", "--unset-all", s.key); err != nil {
			return nil, err
		}
	}
	f, out, err := e.attributes(false)
	if err != nil {
		return []Result{config}, err
	}
	attributes := Result{Path: f.path, Action: Removed}
	switch {
	case bytes.Equal(out, f.data):
		attributes.Action = Absent
	case len(bytes.TrimSpace(out)) == 0 && f.real == f.path:
		attributes.Action = Deleted
	}
	if err := f.replaced(&attributes, out, r.DryRun); err != nil {
		return []Result{config}, err
	}
	return []Result{config, attributes}, nil
}

// ours reports whether a value of one of our keys is one that InstallGit sets, perhaps by another path of the program.
func ours(key, value string) bool {
	switch key {
	case "diff.kddx.textconv":
		return strings.HasSuffix(value, " textconv")
	case "difftool.kddx.cmd":
		return strings.Contains(value, ` diff "$LOCAL" "$REMOTE"`)
	case "merge.kddx.driver":
		return strings.Contains(value, " merge %O %A %B %P")
	}
	return true
}

// attributes loads .gitattributes and returns its text with our line, or without it.
func (e *Env) attributes(with bool) (*file, []byte, error) {
	f, err := load(e.join(e.Top(), ".gitattributes"))
	if err != nil {
		return nil, nil, err
	}
	if !within(e.Top(), f.real) {
		return nil, nil, wire.NewError(wire.CodeInvalidInput, f.path+": a link leads it out of the project, to "+
			wire.Clean(realPath(f.real)), "replace the link by a file")
	}
	var out []byte
	there := false
	for line := range bytes.Lines(f.data) {
		if string(bytes.TrimSpace(line)) == AttributesLine {
			there = true
			if !with {
				continue
			}
		}
		out = append(out, line...)
	}
	if with && !there {
		eol := lineEnding(f.data)
		if len(out) > 0 && out[len(out)-1] != '\n' {
			out = append(out, eol...)
		}
		out = append(out, AttributesLine+eol...)
	}
	return f, out, nil
}

// replaced writes a file's new text, if it is another one, and says what became of the file. r.Action is what it is if
// the text changes. There is no copy of the file as it was: it would be committed with it, and one line changes.
func (f *file) replaced(r *Result, out []byte, dry bool) error {
	if bytes.Equal(out, f.data) {
		r.Action = cmp.Or(map[Action]Action{Added: Unchanged}[r.Action], r.Action)
		return nil
	}
	if err := f.writable(); err != nil {
		return err
	}
	switch {
	case dry:
		r.Diff = unified(f.path, f.data, out, f.info != nil, r.Action != Deleted)
		return nil
	case r.Action == Deleted:
		return f.remove()
	}
	return f.write(out, 0o644)
}

// inRepository fails outside of a repository.
func (e *Env) inRepository() error {
	if exists(filepath.Join(e.Top(), ".git")) {
		return nil
	}
	return wire.NewError(wire.CodeInvalidInput, e.Dir+": in no git repository", "run it in one, or git init")
}

// configPath is the file of the repository's own configuration.
func (e *Env) configPath(ctx context.Context) string {
	path, err := e.git(ctx, "rev-parse", "--git-path", "config")
	if err != nil {
		return e.join(e.Top(), ".git", "config")
	}
	if path = strings.TrimRight(path, "\r\n"); !filepath.IsAbs(path) {
		path = filepath.Join(e.Top(), path)
	}
	return path
}

// gitValue returns the value of a key in the repository's own configuration.
func (e *Env) gitValue(ctx context.Context, key string) (value string, there bool, err error) {
	value, err = e.git(ctx, "config", "--local", "--get", key)
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return "", false, nil
	}
	return strings.TrimSuffix(value, "\n"), err == nil, err
}

// git runs git at the repository's top. Its configuration is changed by git itself, which keeps comments, order and
// spaces.
func (e *Env) git(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	cmd.Dir = e.Top()
	cmd.Env = append(cmd.Environ(), "LC_ALL=C")
	out, err := cmd.Output()
	if err == nil {
		return string(out), nil
	}
	if errors.Is(err, exec.ErrNotFound) {
		return "", wire.NewError(wire.CodeNotFound, "git is not installed", "install it, or write the lines of docs/PUBLISH.md yourself")
	}
	reason := err.Error()
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		reason, _, _ = strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
	}
	return "", wire.NewError(wire.CodeIO, "git "+args[0]+": "+wire.Clean(reason), "").Because(err)
}
