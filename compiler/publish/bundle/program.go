package bundle

import (
	"bytes"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"kdd/compiler/diag"
)

// program is a build of kddq.
type program struct {
	Platform
	path string
}

// findPrograms finds kddq for each platform: in the folder that --kddq names, and beside the running kdd. All that are
// missing are named at once.
func findPrograms(o *Options) ([]program, error) {
	if info, err := os.Stat(o.Programs); o.Programs != "" && (err != nil || !info.IsDir()) {
		return nil, diag.Cure(`name the folder of kddq's release builds, such as dist of "make dist"`, "--kddq %s: no such folder", o.Programs)
	}
	var found []program
	var missing []Platform
	var unfit []string // files that have the name and are not what it says
	folders := slices.DeleteFunc([]string{o.Programs, o.Beside}, func(dir string) bool { return dir == "" })
	for _, p := range o.Platforms {
		at := slices.IndexFunc(folders, func(dir string) bool {
			for _, name := range []string{p.release(o.Version), p.program()} {
				path := filepath.Join(dir, name)
				err := checkProgram(path, p)
				if err == nil {
					found = append(found, program{p, path})
					return true
				}
				if !errors.Is(err, fs.ErrNotExist) && name != p.program() {
					unfit = append(unfit, err.Error())
				}
			}
			return false
		})
		if at < 0 {
			missing = append(missing, p)
		}
	}
	if len(missing) == 0 {
		return found, nil
	}
	names := make([]string, len(missing))
	for i, p := range missing {
		names[i] = p.release(o.Version)
	}
	text := fmt.Sprintf("no kddq for %s: want %s in %s", platformNames(missing), strings.Join(names, ", "),
		strings.Join(folders, " or "))
	if len(unfit) > 0 {
		text += " (" + strings.Join(unfit, "; ") + ")"
	}
	return nil, diag.Cure(`make them with "make dist" in kdd's sources, or take them from its release, and name their folder `+
		"with --kddq DIR", "%s", text)
}

// checkProgram reports why a file is not kddq for that platform, by what Go's linker writes into each program.
func checkProgram(path string, p Platform) error {
	info, err := buildinfo.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err != nil {
		return fmt.Errorf("%s is no program that Go made", path)
	}
	of := func(key string) string {
		at := slices.IndexFunc(info.Settings, func(s debug.BuildSetting) bool { return s.Key == key })
		if at < 0 {
			return "unknown"
		}
		return info.Settings[at].Value
	}
	is := Platform{of("GOOS"), of("GOARCH")}
	switch {
	case !strings.HasSuffix(info.Path, "/cmd/kddq"):
		return fmt.Errorf("%s is %s, not kddq", path, info.Path)
	case is != p:
		return fmt.Errorf("%s is for %s", path, is)
	}
	return nil
}

// try has this machine's kddq of the kit check the artifacts of the kit, if the kit has one. So a kit is not packed with
// a program that is too old, or too new, to read what lies beside it.
func try(ctx context.Context, programs []program, artifacts []artifact) error {
	at := slices.IndexFunc(programs, func(p program) bool { return p.Platform == Machine() })
	if at < 0 {
		return nil
	}
	path, err := filepath.Abs(programs[at].path)
	if err != nil {
		return err
	}
	if info, err := os.Stat(path); err != nil || Machine().OS != "windows" && info.Mode()&0o111 == 0 {
		return err // a download has no mode to run by; the kit gives it one
	}
	args := []string{"verify", "--"}
	for _, a := range artifacts {
		args = append(args, a.path)
	}
	var stderr bytes.Buffer
	c := exec.CommandContext(ctx, path, args...)
	c.Stderr = &stderr
	if err := c.Run(); err != nil {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		said, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		if said == "" {
			said = err.Error()
		}
		return diag.Cure("take kdd and kddq of the same build", "%s cannot read what the kit holds: %s", programs[at].path, said)
	}
	return nil
}
