package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// pause waits, but no longer than until a build has ended.
func pause(ended chan error, d time.Duration) {
	select {
	case err := <-ended:
		ended <- err
	case <-time.After(d):
	}
}

// writing waits until a build has begun to write, or has ended.
func (t *trial) writing(ended chan error) {
	for {
		pause(ended, 50*time.Microsecond)
		if len(ended) > 0 {
			return
		}
		left, _ := beside(t.output())
		for _, name := range left {
			if info, err := os.Stat(filepath.Join(filepath.Dir(t.output()), name)); err == nil && info.Size() > 0 {
				return
			}
		}
	}
}

// killed kills a build at n points: half of them from its start to a little after the time that it takes, the others
// while it writes, syncs and renames.
func (t *trial) killed(ctx context.Context) (string, error) {
	counts, littered := map[string]int{}, 0
	for i := range t.n {
		if err := t.putOld(t.output()); err != nil {
			return "", err
		}
		build := t.build(ctx, t.output())
		if err := build.Start(); err != nil {
			return "", err
		}
		ended := make(chan error, 1)
		go func() { ended <- build.Wait() }()
		if i%2 == 0 {
			pause(ended, t.takes*6/5*time.Duration(i)/time.Duration(t.n))
		} else { // the writing is short: these points are within it
			t.writing(ended)
			pause(ended, 2*time.Millisecond*time.Duration(i)/time.Duration(t.n))
		}
		build.Process.Kill()
		killed := <-ended != nil
		edition, err := t.whole(t.output())
		if err != nil {
			return "", fmt.Errorf("killed at point %d: %w", i, err)
		}
		if !killed && edition == "old" {
			return "", fmt.Errorf("point %d: the build succeeded, and the old artifact is there", i)
		}
		left, err := beside(t.output())
		if err != nil {
			return "", err
		}
		if len(left) > 0 {
			littered++
		}
		if err := t.peace(ctx, t.output()); err != nil {
			return "", fmt.Errorf("killed at point %d: %w", i, err)
		}
		if killed {
			edition += ", killed"
		}
		counts[edition]++
	}
	return fmt.Sprintf("%d builds: old %d, new although killed %d, new %d; %d left a temporary file, which the next build removed",
		t.n, counts["old, killed"], counts["new, killed"], counts["new"], littered), nil
}

// refused runs a build that has to fail, and to leave the old artifact alone in its folder.
func (t *trial) refused(ctx context.Context, output string) (string, error) {
	said, err := t.build(ctx, output).CombinedOutput()
	if err == nil {
		return "", errors.New("the build succeeded")
	}
	if err := errors.Join(t.is(output, "old"), alone(output)); err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(said), "\n")
	return strings.ReplaceAll(line, t.dir, "DIR"), nil
}

func (t *trial) readOnlyFile(ctx context.Context) (string, error) {
	if err := t.putOld(t.output()); err != nil {
		return "", err
	}
	if err := os.Chmod(t.output(), 0o444); err != nil {
		return "", err
	}
	said, err := t.refused(ctx, t.output())
	return said, errors.Join(err, os.Chmod(t.output(), 0o644))
}

func (t *trial) readOnlyFolder(ctx context.Context) (string, error) {
	if err := t.putOld(t.output()); err != nil {
		return "", err
	}
	folder := filepath.Dir(t.output())
	if err := os.Chmod(folder, 0o555); err != nil {
		return "", err
	}
	defer os.Chmod(folder, 0o755)
	if probe, err := os.Create(filepath.Join(folder, "probe")); err == nil {
		probe.Close()
		return "", errors.Join(fmt.Errorf("%w: this user may write to any folder", errSkipped), os.Remove(probe.Name()))
	}
	return t.refused(ctx, t.output())
}

// diskFull builds on a file system that has room for the old artifact and a half of the new one.
func (t *trial) diskFull(ctx context.Context) (string, error) {
	const page = 4096
	folder := filepath.Join(t.dir, "disk")
	if err := os.Mkdir(folder, 0o755); err != nil {
		return "", err
	}
	size := (len(t.old)+len(t.new)/2)/page*page + 4*page
	if said, err := exec.CommandContext(ctx, "mount", "-t", "tmpfs", "-o", fmt.Sprintf("size=%d", size), "tmpfs", folder).CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: no small file system can be mounted: %s", errSkipped, strings.TrimSpace(string(said)))
	}
	defer exec.Command("umount", folder).Run()
	output := filepath.Join(folder, "docs.kddx")
	if err := os.WriteFile(output, t.old, 0o644); err != nil {
		return "", err
	}
	said, err := t.refused(ctx, output)
	if err != nil {
		return "", err
	}
	if err := exec.Command("mount", "-o", fmt.Sprintf("remount,size=%d", 4*size), folder).Run(); err != nil {
		return "", err
	}
	return said, t.peace(ctx, output)
}

// changing builds while the sources are cut, written, removed and put back. What comes of it is whole, or the artifact
// from before is untouched.
func (t *trial) changing(ctx context.Context) (said string, err error) {
	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() { stopped <- disturb(t.sources(), stop) }()
	built, failed := 0, 0
	for i := range t.n / 4 {
		if err = t.putOld(t.output()); err != nil {
			break
		}
		var wrong error
		if t.build(ctx, t.output()).Run() == nil {
			built++
			wrong = exec.CommandContext(ctx, t.kddq, "verify", t.output()).Run()
		} else {
			failed++
			wrong = t.is(t.output(), "old")
		}
		if wrong = errors.Join(wrong, alone(t.output())); wrong != nil {
			err = fmt.Errorf("build %d: %w", i, wrong)
			break
		}
	}
	close(stop)
	if err = errors.Join(err, <-stopped, writeSources(t.sources(), "new")); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d builds succeeded, %d failed and left the old artifact", built, failed), t.peace(ctx, t.output())
}

// disturb changes sources at random until stop is closed.
func disturb(dir string, stop <-chan struct{}) error {
	r := rand.New(rand.NewPCG(1, 1))
	for {
		select {
		case <-stop:
			return nil
		default:
		}
		i := r.IntN(documents)
		path := sourceFile(dir, i)
		var err error
		switch r.IntN(4) {
		case 0:
			err = os.Remove(path)
		case 1:
			err = os.Truncate(path, int64(r.IntN(2000)))
		case 2:
			err = os.WriteFile(path, source(i, "other"), 0o644)
		default:
			err = os.WriteFile(path, source(i, "new"), 0o644)
		}
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
}

// together runs several builds of one output at a time.
func (t *trial) together(ctx context.Context) (string, error) {
	const atOnce = 3
	failed := 0
	for i := range t.n / 4 {
		if err := t.putOld(t.output()); err != nil {
			return "", err
		}
		var group sync.WaitGroup
		errs := make([]error, atOnce)
		for k := range errs {
			group.Go(func() { errs[k] = t.build(ctx, t.output()).Run() })
		}
		group.Wait()
		for _, err := range errs {
			if err != nil {
				failed++
			}
		}
		if err := errors.Join(t.is(t.output(), "new"), alone(t.output())); err != nil {
			return "", fmt.Errorf("round %d: %w", i, err)
		}
	}
	if failed > 0 {
		return "", fmt.Errorf("%d of %d builds failed", failed, t.n/4*atOnce)
	}
	return fmt.Sprintf("%d rounds of %d builds", t.n/4, atOnce), t.peace(ctx, t.output())
}
