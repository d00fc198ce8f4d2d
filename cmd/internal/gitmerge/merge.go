package gitmerge

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"kdd/cmd/internal/install"
	"kdd/format/index"
	"kdd/runtime/wire"
)

// Request is what git says of one artifact that both sides changed: its driver's %O, %A, %B and %P.
type Request struct {
	Base, Ours, Theirs string // files; the result goes into Ours
	Path               string // of the artifact, below the repository's top
	// Build compiles folders to output, with the options of the artifact like
	Build func(ctx context.Context, sources []string, output, like string) error
}

// Merge writes the artifact of the merged sources into q.Ours, or says why it does not: then Ours is as it was.
func Merge(ctx context.Context, q Request) error {
	m := &merge{q: q}
	err := m.run(ctx)
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	sources := "DIR"
	for i, root := range m.roots {
		if root = install.ShellWord(root); i == 0 {
			sources = root
		} else {
			sources += " " + root
		}
	}
	hint := fmt.Sprintf("once the sources are merged: kdd build %s -o %s --like %[2]s && git add %[2]s", sources, install.ShellWord(q.Path))
	return wire.NewError(wire.CodeIO, wire.Clean(q.Path+": not merged: "+err.Error()), wire.Clean(hint)).Because(err)
}

// merge is one run of the driver.
type merge struct {
	q     Request
	top   string   // of the repository
	like  string   // the artifact whose options are taken: a file
	roots []string // folders of its sources, below the top
	tree  string   // the merged commits
	dir   string   // temporary
}

func (m *merge) run(ctx context.Context) error {
	x, err := m.options()
	if err != nil {
		return err
	}
	defer x.File.Close()
	top, err := m.git(ctx, "rev-parse", "--show-toplevel")
	if err != nil {
		return err
	}
	m.top = strings.TrimRight(top, "\r\n")
	conflicts, err := m.mergeCommits(ctx)
	if err != nil {
		return err
	}
	if err := m.findRoots(ctx, x); err != nil {
		return err
	}
	for _, name := range conflicts {
		if slices.ContainsFunc(m.roots, func(root string) bool { return root == "." || name == root || strings.HasPrefix(name, root+"/") }) &&
			path.Ext(name) != ".kddx" {
			return fmt.Errorf("%s is in conflict", name)
		}
	}
	if m.dir, err = os.MkdirTemp("", "kdd-merge-*"); err != nil {
		return err
	}
	defer os.RemoveAll(m.dir)
	return m.build(ctx)
}

// options opens the artifact whose options count: where only one side changed them, that side.
func (m *merge) options() (*index.Index, error) {
	ours, err := index.Open(m.q.Ours)
	if err != nil {
		return nil, fmt.Errorf("the file of this side: %w", err)
	}
	theirs, err := index.Open(m.q.Theirs)
	if err != nil {
		ours.File.Close()
		return nil, fmt.Errorf("the file of the other side: %w", err)
	}
	baseHash := ""
	if base, err := index.Open(m.q.Base); err == nil { // else both sides added it
		baseHash = base.Meta.OptionsHash
		base.File.Close()
	}
	a, b := ours.Meta.OptionsHash, theirs.Meta.OptionsHash
	switch {
	case a == b, b == baseHash:
		m.like = m.q.Ours
		theirs.File.Close()
		return ours, nil
	case a == baseHash:
		m.like = m.q.Theirs
		ours.File.Close()
		return theirs, nil
	}
	ours.File.Close()
	theirs.File.Close()
	return nil, errors.New("both sides changed the options of the build, and --like takes those of this side")
}

// mergeCommits merges what git is merging, and names the files that are in conflict.
func (m *merge) mergeCommits(ctx context.Context) (conflicts []string, err error) {
	var heads []string
	for _, variable := range os.Environ() { // git names the sides of a merge so
		name, _, _ := strings.Cut(variable, "=")
		if commit, found := strings.CutPrefix(name, "GITHEAD_"); found {
			heads = append(heads, commit)
		}
	}
	if len(heads) != 1 {
		return nil, errors.New("git says what is merged only in a plain \"git merge\" of one branch")
	}
	out, err := m.git(ctx, "-c", "merge.kddx.driver=false", "merge-tree", "--write-tree", "--name-only", "--no-messages", "-z", "HEAD", heads[0])
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return nil, err
	}
	list := strings.Split(strings.TrimRight(out, "\x00"), "\x00")
	m.tree = list[0]
	return list[1:], nil
}

// findRoots looks for the folders of the sources: where the artifact says that they lie below the top of their repository,
// else beside it and above. It takes the folder that has most of a few of its documents.
func (m *merge) findRoots(ctx context.Context, x *index.Index) error {
	for root := range x.Meta.Roots {
		hint := path.Clean(cmp.Or(filepath.ToSlash(x.RootHint(root)), "."))
		if !filepath.IsLocal(hint) {
			return fmt.Errorf("its sources are outside of the repository: %s", hint)
		}
		candidates := []string{hint}
		for dir := path.Dir(m.q.Path); dir != "." && dir != "/"; dir = path.Dir(dir) {
			candidates = append(candidates, path.Join(dir, hint))
		}
		found, best := "", 0
		probes := probed(x, root)
		for _, at := range candidates {
			score := 0
			for _, name := range probes {
				if m.isBlob(ctx, path.Join(at, name)) {
					score++
				}
			}
			if score > best {
				found, best = at, score
			}
		}
		if found == "" {
			return fmt.Errorf("its sources are not in the repository: no folder %s with its documents", hint)
		}
		if file := path.Join(found, x.Meta.Roots[root].Base); m.isBlob(ctx, file) { // one document may be a source too
			found = file
		}
		m.roots = append(m.roots, found)
	}
	return nil
}

// isBlob reports whether the commit of this side has a file.
func (m *merge) isBlob(ctx context.Context, name string) bool {
	kind, err := m.git(ctx, "cat-file", "-t", "HEAD:"+name)
	return err == nil && strings.TrimSpace(kind) == "blob"
}

// probes is how many documents of a root are looked for.
const probes = 5

// probed returns up to probes documents of a root, spread over all of them, by their paths below it.
func probed(x *index.Index, root int) (names []string) {
	var all []index.DocID
	for d := range index.DocID(x.Docs()) {
		if x.DocRoot(d) == root {
			all = append(all, d)
		}
	}
	for i := range min(len(all), probes) {
		name := x.DocPath(all[i*len(all)/min(len(all), probes)])
		if len(x.Meta.Roots) > 1 {
			name = strings.TrimPrefix(name, x.Meta.Roots[root].Base+"/")
		}
		names = append(names, name)
	}
	return names
}

// build writes the sources of the merged tree to the temporary folder, as a checkout would, and compiles them.
func (m *merge) build(ctx context.Context) error {
	top := filepath.Join(m.dir, "tree", filepath.Base(m.top))
	if err := errors.Join(os.MkdirAll(filepath.Join(top, ".git"), 0o700), os.Mkdir(filepath.Join(m.dir, "out"), 0o700)); err != nil {
		return err
	}
	at := []string{"GIT_INDEX_FILE=" + filepath.Join(m.dir, "index")}
	if _, err := m.gitWith(ctx, at, nil, "read-tree", m.tree); err != nil {
		return err
	}
	var roots []string
	for _, root := range m.roots {
		roots = append(roots, ":(literal)"+root)
	}
	files, err := m.gitWith(ctx, at, nil, append([]string{"ls-files", "-s", "-z", "--"}, roots...)...)
	if err != nil {
		return err
	}
	for entry := range strings.SplitSeq(files, "\x00") {
		if strings.HasPrefix(entry, "160000 ") {
			_, name, _ := strings.Cut(entry, "\t")
			return fmt.Errorf("%s is a submodule", name)
		}
	}
	// Ignore files of the folders above count too.
	names, err := m.gitWith(ctx, at, nil, append([]string{"ls-files", "-z", "--", ":(glob)**/.gitignore", ":(glob)**/.kddignore"}, roots...)...)
	if err != nil {
		return err
	}
	_, err = m.gitWith(ctx, at, strings.NewReader(names), "checkout-index", "-q", "-f", "-z", "--stdin",
		"--prefix="+filepath.ToSlash(top)+"/")
	if err != nil {
		return err
	}
	output := filepath.Join(m.dir, "out", path.Base(m.q.Path))
	if err := copyFile(output, m.like); err != nil { // vectors of texts that are the same are taken from there
		return err
	}
	var sources []string
	for _, root := range m.roots {
		sources = append(sources, filepath.Join(top, filepath.FromSlash(root)))
	}
	if err := m.q.Build(ctx, sources, output, m.like); err != nil {
		return err
	}
	return copyFile(m.q.Ours, output)
}

func copyFile(to, from string) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}

func (m *merge) git(ctx context.Context, args ...string) (string, error) {
	return m.gitWith(ctx, nil, nil, args...)
}

// gitWith runs git with variables and input of its own, and returns what it prints, which may be something with an error
// too.
func (m *merge) gitWith(ctx context.Context, env []string, in io.Reader, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", args...)
	var out, told bytes.Buffer
	cmd.Dir, cmd.Stdin, cmd.Stdout, cmd.Stderr = m.top, in, &out, &told
	cmd.Env = append(append(cmd.Environ(), "LC_ALL=C"), env...)
	err := cmd.Run()
	if err == nil {
		return out.String(), nil
	}
	line, _, _ := strings.Cut(strings.TrimSpace(told.String()), "\n")
	for len(args) > 2 && args[0] == "-c" {
		args = args[2:]
	}
	return out.String(), fmt.Errorf("git %s: %w%s", args[0], err, prefixed(": ", line))
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
