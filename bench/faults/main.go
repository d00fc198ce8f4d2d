// Command faults disturbs builds: what lies at the output must always be the old artifact or the new one, whole, and
// once a build has ended in peace nothing else may be left beside it.
//
//	go run ./bench/faults -kdd BIN -kddq BIN -n 200
//
// The faults are: kill -9 at n points of a build; an output, and a folder, that may not be written to; a disk that is
// full; sources that change and vanish while they are read; several builds of one output at a time. It prints what each
// came to, and exits with 1 where a rule was broken. What a machine cannot do (a file system of a few pages takes root,
// a folder that refuses takes somebody else) is skipped by name.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"kdd/bench/internal/harness"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	return harness.Run("faults", args, stderr, func(flags *flag.FlagSet) harness.Work {
		t := &trial{stdout: stdout}
		flags.StringVar(&t.kdd, "kdd", "bin/kdd", "the kdd binary, which builds")
		flags.StringVar(&t.kddq, "kddq", "bin/kddq", "the kddq binary, which verifies")
		flags.IntVar(&t.n, "n", 200, "points at which a build is killed; the other faults are tried a fourth as often")
		return func(ctx context.Context) (err error) {
			if flags.NArg() != 0 || t.n < 4 {
				return harness.ErrUsage
			}
			if t.dir, err = os.MkdirTemp("", "faults"); err != nil {
				return err
			}
			defer os.RemoveAll(t.dir)
			return t.all(ctx)
		}
	})
}

// trial has a folder of sources in two editions, and what each is compiled to.
type trial struct {
	kdd, kddq string
	n         int
	stdout    io.Writer

	dir      string
	old, new []byte        // the artifacts of the two editions
	takes    time.Duration // a build
}

// errSkipped says that this machine cannot make a fault.
var errSkipped = errors.New("skipped")

func (t *trial) all(ctx context.Context) error {
	if err := t.prepare(ctx); err != nil {
		return err
	}
	fmt.Fprintf(t.stdout, "a build of %d documents takes %.0f ms, artifacts of %d and %d bytes\n",
		documents, float64(t.takes)/1e6, len(t.old), len(t.new))
	var broken []string
	for _, fault := range []struct {
		name string
		try  func(context.Context) (string, error)
	}{
		{"killed", t.killed}, {"read-only output", t.readOnlyFile}, {"read-only folder", t.readOnlyFolder},
		{"disk full", t.diskFull}, {"changing sources", t.changing}, {"builds at a time", t.together},
	} {
		said, err := fault.try(ctx)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case errors.Is(err, errSkipped):
			said = err.Error()
		case err != nil:
			said, broken = "BROKEN: "+err.Error(), append(broken, fault.name)
		}
		fmt.Fprintf(t.stdout, "%s: %s\n", fault.name, said)
	}
	if len(broken) > 0 {
		return fmt.Errorf("broken: %s", strings.Join(broken, ", "))
	}
	return nil
}

const documents = 300

// prepare compiles both editions of the sources; those of the new one are left.
func (t *trial) prepare(ctx context.Context) error {
	for _, edition := range []struct {
		word string
		to   *[]byte
	}{{"old", &t.old}, {"new", &t.new}} {
		if err := writeSources(t.sources(), edition.word); err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(t.output()), 0o755); err != nil {
			return err
		}
		start := time.Now()
		if said, err := t.build(ctx, t.output()).CombinedOutput(); err != nil {
			return fmt.Errorf("the build: %w: %s", err, said)
		}
		t.takes = time.Since(start)
		var err error
		if *edition.to, err = os.ReadFile(t.output()); err != nil {
			return err
		}
	}
	if bytes.Equal(t.old, t.new) {
		return errors.New("both editions give the same artifact")
	}
	return nil
}

func (t *trial) sources() string { return filepath.Join(t.dir, "docs") }
func (t *trial) output() string  { return filepath.Join(t.dir, "out", "docs.kddx") }

// build is a build of the sources by words.
func (t *trial) build(ctx context.Context, output string) *exec.Cmd {
	return exec.CommandContext(ctx, t.kdd, "build", t.sources(), "-o", output, "--no-vectors", "--quiet")
}

func sourceFile(dir string, i int) string { return filepath.Join(dir, fmt.Sprintf("d%03d.md", i)) }

// source is a document of an edition.
func source(i int, edition string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Document %d, %s\n", i, edition)
	for k := range 8 {
		fmt.Fprintf(&b, "\n## Section %d\n\n%s\n", k, strings.Repeat(fmt.Sprintf("%s word%d state%d. ", edition, i*k, k), 30))
	}
	return b.Bytes()
}

func writeSources(dir, edition string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for i := range documents {
		if err := os.WriteFile(sourceFile(dir, i), source(i, edition), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// putOld puts the old artifact at the output, alone.
func (t *trial) putOld(output string) error {
	if err := os.RemoveAll(filepath.Dir(output)); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(output), 0o755); err != nil {
		return err
	}
	return os.WriteFile(output, t.old, 0o644)
}

// whole checks that the output is the artifact of an edition, and says of which.
func (t *trial) whole(output string) (edition string, err error) {
	data, err := os.ReadFile(output)
	if err != nil {
		return "", err
	}
	if said, err := exec.Command(t.kddq, "verify", output).CombinedOutput(); err != nil {
		return "", fmt.Errorf("verify of what is at the output: %w: %s", err, said)
	}
	switch {
	case bytes.Equal(data, t.old):
		return "old", nil
	case bytes.Equal(data, t.new):
		return "new", nil
	}
	return "", errors.New("what is at the output is whole, but of neither edition")
}

// peace builds once more, undisturbed, and checks that the output is the new artifact, and alone.
func (t *trial) peace(ctx context.Context, output string) error {
	if said, err := t.build(ctx, output).CombinedOutput(); err != nil {
		return fmt.Errorf("the build after it: %w: %s", err, said)
	}
	if err := errors.Join(t.is(output, "new"), alone(output)); err != nil {
		return fmt.Errorf("the build after it: %w", err)
	}
	return nil
}

// is checks that the output is the artifact of an edition.
func (t *trial) is(output, want string) error {
	edition, err := t.whole(output)
	if err == nil && edition != want {
		err = fmt.Errorf("the %s artifact is at the output, want the %s one", edition, want)
	}
	return err
}

// alone checks that nothing else is in the folder of the output.
func alone(output string) error {
	left, err := beside(output)
	if err == nil && len(left) > 0 {
		err = fmt.Errorf("%q is left beside the artifact", left)
	}
	return err
}

// beside names what else is in the folder of the output.
func beside(output string) (names []string, err error) {
	list, err := os.ReadDir(filepath.Dir(output))
	for _, e := range list {
		if e.Name() != filepath.Base(output) {
			names = append(names, e.Name())
		}
	}
	return names, err
}
