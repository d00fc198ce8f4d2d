package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kdd/runtime"
	"kdd/runtime/artifact"
	"kdd/runtime/lock"
	"kdd/runtime/trust"
	"kdd/runtime/wire"
)

func addCommand() *Command {
	return &Command{
		Name: "add", Group: GroupPublish, Usage: "[NAME] SOURCE", MinArgs: 1, MaxArgs: 2,
		Summary: "pin an artifact in kdd.lock, which is asked where no other is named",
		Help: "SOURCE is https://HOST/FILE.kddx, the manifest of its parts (.kddx.json), oci://HOST/NAME:TAG, or a file below the " +
			"folder of kdd.lock. The artifact is fetched and verified, and the lock keeps its root hash: in that folder and below it " +
			"every command and server without -i answers from all artifacts of the lock, each by its NAME (default: what SOURCE is " +
			"called). With --key one of the keys has to have signed it, now and whenever the pin moves.",
		Examples: []string{"add docs oci://ghcr.io/you/docs:main", "add react https://docs.example.com/react.kddx --key react.pub"},
		Flags: func() []Flag {
			return append([]Flag{
				{Name: "key", Type: List, Value: "FILE", Help: "public keys of minisign or OpenSSH, which the lock keeps"},
				{Name: "signed-as", Value: "NAME", Help: "the name that it has to be signed under"},
			}, lockFlags(textOrJSON("of the report"))...)
		},
		Run: runAdd,
	}
}

func fetchCommand() *Command {
	return &Command{
		Name: "fetch", Group: GroupPublish, Usage: "[NAME...]", MaxArgs: -1,
		Summary: "get and verify the artifacts that kdd.lock pins",
		Help: "What is missing or damaged is downloaded to the user's cache (KDD_CACHE), and every artifact is checked: its root hash, " +
			"every byte, and the signature if the lock has keys. Queries need no network then. A source that has another artifact " +
			"now is an error, and the lock stays as it is: \"update\" moves pins. A download that stops goes on at the next try.",
		Examples: []string{"fetch", "fetch react --quiet", "fetch --check"},
		Flags: func() []Flag {
			return append([]Flag{
				{Name: "check", Type: Switch, Help: "download nothing; exit 3 if an artifact is missing or not what the lock pins"},
			}, lockFlags(textOrJSON("of the report"))...)
		},
		Run: runFetch,
	}
}

func updateCommand() *Command {
	return &Command{
		Name: "update", Group: GroupPublish, Usage: "[NAME...]", MaxArgs: -1,
		Summary: "move the pins of kdd.lock to what the sources have now, and say what has changed",
		Help: "Fetches and verifies what each source has, writes its root hash into the lock, and says what the artifact has beside the " +
			"one that was pinned, as \"diff\" does. If the lock has keys, one of them has to have signed the new artifact, with no " +
			"older date. Pages that both have are not downloaded again.",
		Examples: []string{"update", "update react --dry-run", "update --format md"},
		Flags: func() []Flag {
			return append([]Flag{
				{Name: "allow-older", Type: Switch, Help: "take an artifact that is signed with an older date than the pinned one"},
				{Name: "dry-run", Type: Switch, Help: "leave the lock as it is"},
				{Name: "limit", Aliases: []string{"k"}, Value: "N", Default: "10", Help: "how many changes of each kind to list; 0 = all"},
			}, lockFlags(Flag{Name: "format", Enum: []string{"text", "md", "json"}, Default: "text", Help: "of the report"})...)
		},
		Run: runUpdate,
	}
}

// lockFlags are those of all three.
func lockFlags(format Flag) []Flag {
	return []Flag{
		{Name: "lock", Value: "FILE", Help: "the lock (default: kdd.lock in this folder or above, inside the same repository)"},
		format,
		{Name: "quiet", Aliases: []string{"q"}, Type: Switch, Help: "no report, no notes"},
	}
}

// lockPath returns the lock that a command is about.
func (c *Call) lockPath() (string, error) {
	if path := c.Text("lock"); path != "" {
		return path, nil
	}
	path, err := lock.Find("")
	if err != nil || path == "" {
		return lock.FileName, err
	}
	if dir, err := os.Getwd(); err == nil {
		if here, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(here) {
			return here, nil
		}
	}
	return path, nil
}

func runAdd(c *Call) error {
	path, err := c.lockPath()
	if err != nil {
		return err
	}
	source := c.Args[len(c.Args)-1]
	e := lock.Entry{Name: artifact.NameOf(source), SignedAs: c.Text("signed-as")}
	if len(c.Args) == 2 {
		e.Name = c.Args[0]
	}
	if err := lock.CheckName(e.Name); err != nil && len(c.Args) == 1 {
		return hinted(usageError("%s gives no name for the artifact", wire.Quote(source)), "name it: add NAME SOURCE")
	}
	if e.Source, err = sourceFrom(filepath.Dir(path), source); err != nil {
		return err
	}
	for _, file := range c.List("key") {
		keys, err := trust.KeyLines(file)
		if err != nil {
			return wire.From(wire.CodeInvalidInput, "--key: ", err)
		}
		e.Keys = append(e.Keys, keys...)
	}
	report, err := runtime.Add(c.Context, c.serviceConfig(), c.lockRequest(path), e)
	return c.lockReport(report, err)
}

// sourceFrom writes a path that a user has typed as the lock in a folder has it. A URL stays.
func sourceFrom(folder, source string) (string, error) {
	if strings.Contains(source, "://") {
		return source, nil
	}
	host, _, slash := strings.Cut(source, "/")
	isHost := slash && strings.ContainsAny(host, ".:") && strings.Trim(host, ".") != ""
	if isHost && !artifact.Exists(source) {
		return "", hinted(usageError("%s: no such file", wire.Clean(source)),
			fmt.Sprintf("did you mean %q or %q?", "oci://"+source, "https://"+source))
	}
	from, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	file, err := filepath.Abs(source)
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(from, file); err == nil {
		return filepath.ToSlash(rel), nil
	}
	return filepath.ToSlash(file), nil // on another volume, which is refused
}

func runFetch(c *Call) error {
	path, err := c.lockPath()
	if err != nil {
		return err
	}
	q := c.lockRequest(path)
	q.Names, q.Check = c.Args, c.Switch("check")
	report, err := runtime.Fetch(c.Context, c.serviceConfig(), q)
	return c.lockReport(report, err)
}

func runUpdate(c *Call) error {
	path, err := c.lockPath()
	if err != nil {
		return err
	}
	if _, err := c.Count("limit", 0); err != nil {
		return err
	}
	q := c.lockRequest(path)
	q.Names, q.DryRun, q.Older = c.Args, c.Switch("dry-run"), c.Switch("allow-older")
	report, err := runtime.Update(c.Context, c.serviceConfig(), q)
	return c.lockReport(report, err)
}

// lockRequest is the part of a request that all three have. On a terminal the way of a download is shown.
func (c *Call) lockRequest(path string) runtime.LockRequest {
	q := runtime.LockRequest{Path: path}
	if Terminal(c.Stderr) && !c.Switch("quiet") {
		var last time.Time
		q.Progress = func(name string, done, total int64) {
			if now := time.Now(); now.Sub(last) > 100*time.Millisecond {
				last = now
				fmt.Fprintf(c.Stderr, "\r\x1b[K%s: %s of %s", name, Size(done), Size(total))
			}
		}
	}
	return q
}

// lockReport prints a report. What failed is told as other errors are, and the first of them gives the exit code; of a
// check that is 3.
func (c *Call) lockReport(r *wire.LockReport, err error) error {
	if Terminal(c.Stderr) && !c.Switch("quiet") {
		fmt.Fprint(c.Stderr, "\r\x1b[K")
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return path
	}
	if err != nil {
		return err
	}
	asJSON := c.Text("format") == "json"
	if !c.Switch("quiet") || asJSON {
		if err := c.printLock(r); err != nil {
			return err
		}
	}
	var failed error
	for i := range r.Artifacts {
		if p := r.Artifacts[i].Problem; p != nil {
			if failed = cmp.Or(failed, error(p)); !asJSON {
				c.Report(p, false)
			}
		}
	}
	if failed != nil && c.Command.Name == "fetch" && c.Switch("check") {
		failed = ErrFindings
	}
	if failed != nil {
		return Silent{failed}
	}
	return nil
}

// printLock prints a report in the form that was asked for.
func (c *Call) printLock(r *wire.LockReport) error {
	limit := 0
	if c.Command.Name == "update" {
		limit, _ = c.Count("limit", 0)
	}
	var out string
	switch c.Text("format") {
	case "json":
		out = string(wire.Encode(r)) + "\n"
	case "md":
		out = lockMarkdown(r, limit)
	default:
		out = lockText(r, limit)
	}
	_, err := fmt.Fprint(c.Stdout, out)
	return err
}

// lockText has a line for each artifact, and what has changed below those that moved.
func lockText(r *wire.LockReport, limit int) string {
	var b strings.Builder
	for i := range r.Artifacts {
		a := &r.Artifacts[i]
		if a.Problem != nil {
			continue // told on standard error
		}
		fmt.Fprintf(&b, "%s: %s, %s\n", a.Name, lockState(a), strings.Join(lockFacts(a), ", "))
		if a.Note != "" {
			fmt.Fprintf(&b, "%s\n", wire.Clean(a.Note))
		}
		if a.Diff != nil {
			b.WriteString(diffBody(a.Diff, limit) + "\n")
		}
	}
	switch path := wire.Clean(r.Lock); {
	case r.Changed && r.DryRun:
		fmt.Fprintf(&b, "%s would be changed\n", path)
	case r.Changed:
		fmt.Fprintf(&b, "%s was written\n", path)
	}
	return b.String()
}

// lockState is the state of an artifact, in words.
func lockState(a *wire.LockArtifact) string {
	id := shortRoot(a.Root)
	switch {
	case a.State == wire.LockMoved:
		return shortRoot(a.From) + " -> " + id
	case a.State == wire.LockAdded && a.From != "":
		return fmt.Sprintf("%s %s in place of %s", a.State, id, shortRoot(a.From))
	}
	return a.State + " " + id
}

// shortRoot is the index id of a root hash.
func shortRoot(root string) string { return root[:min(16, len(root))] }

// lockFacts are what else is told of an artifact.
func lockFacts(a *wire.LockArtifact) []string {
	facts := []string{Size(a.Bytes)}
	if a.DownloadedBytes > 0 {
		facts = append(facts, Size(a.DownloadedBytes)+" downloaded")
	}
	if a.ReusedBytes > 0 {
		facts = append(facts, Size(a.ReusedBytes)+" were here")
	}
	if a.Key != "" {
		facts = append(facts, fmt.Sprintf("signed as %q by %s", wire.Clean(a.SignedAs), wire.Clean(a.Key)))
	}
	return facts
}

// lockMarkdown is a comment for a pull request that moves pins.
func lockMarkdown(r *wire.LockReport, limit int) string {
	var b strings.Builder
	for i := range r.Artifacts {
		a := &r.Artifacts[i]
		switch {
		case a.Problem != nil:
			fmt.Fprintf(&b, "### %s: failed\n\n%s\n\n", a.Name, codeSpan(wire.Clean(a.Problem.Error())))
		case a.Diff != nil:
			fmt.Fprintf(&b, "%s\n", diffMarkdown(a.Name, a.Diff, limit))
		default:
			fmt.Fprintf(&b, "### %s: %s\n\n", a.Name, lockState(a))
			if a.Note != "" {
				fmt.Fprintf(&b, "%s\n\n", codeSpan(wire.Clean(a.Note)))
			}
		}
	}
	return b.String()
}
