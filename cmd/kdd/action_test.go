package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v3"

	"kdd/cmd/internal/release/pack"
	"kdd/compiler/publish/signing"
)

// compositeAction is what GitHub reads of an action.yml with steps.
type compositeAction struct {
	Inputs  map[string]struct{ Default string }
	Outputs map[string]struct{ Value string }
	Runs    struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	Name, ID, If, Shell, Run, Uses string
	Env, With                      map[string]string
}

// actionRun is one run of an action: what its expressions may ask, and whether a step has failed.
type actionRun struct {
	ts     *testscript.TestScript
	values map[string]string
	failed bool
	log    strings.Builder
	after  []func()
}

// action runs the steps of an action.yml as GitHub does, with stand-ins below $WORK/runner for the actions that it uses:
// action DIR [INPUT=VALUE...], or INPUT=@FILE. What steps print is the standard output; outputs are in the file
// "outputs".
func action(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) == 0 {
		ts.Fatalf("usage: action DIR [INPUT=VALUE...]")
	}
	var a compositeAction
	dir := ts.MkAbs(args[0])
	text, err := os.ReadFile(filepath.Join(dir, "action.yml"))
	ts.Check(err)
	ts.Check(yaml.Unmarshal(text, &a))
	runner := filepath.Join(ts.Getenv("WORK"), "runner")
	r := &actionRun{ts: ts, values: map[string]string{
		"runner.temp": runner + "/temp", "runner.tool_cache": runner + "/tools", "github.token": ts.Getenv("TOKEN"),
		"github.action_repository": "you/kdd", "github.run_id": cmp.Or(ts.Getenv("RUN"), "1"), "github.run_attempt": "1",
	}}
	for name, in := range a.Inputs {
		r.values["inputs."+name] = r.expand(in.Default)
	}
	for _, arg := range args[1:] {
		name, value, ok := strings.Cut(arg, "=")
		if _, known := a.Inputs[name]; !ok || !known {
			ts.Fatalf("%s has no input %s", args[0], name)
		}
		if file, ok := strings.CutPrefix(value, "@"); ok {
			value = ts.ReadFile(file)
		}
		r.values["inputs."+name] = value
	}
	// A job begins without the files of the one before, but for caches and tools.
	ts.Check(os.RemoveAll(r.values["runner.temp"]))
	ts.Check(os.MkdirAll(r.values["runner.temp"], 0o777))
	for _, step := range a.Runs.Steps {
		r.step(dir, runner, step)
	}
	for _, f := range r.after {
		if !r.failed {
			f()
		}
	}
	var outputs []string
	for name, out := range a.Outputs {
		outputs = append(outputs, name+"="+r.expand(out.Value)+"\n")
	}
	slices.Sort(outputs)
	ts.Check(os.WriteFile(ts.MkAbs("outputs"), []byte(strings.Join(outputs, "")), 0o666))
	fmt.Fprint(ts.Stdout(), r.log.String())
	if r.failed != neg {
		ts.Fatalf("%s: failed is %t, want %t:\n%s", args[0], r.failed, neg, r.log.String())
	}
}

// step runs one step, or says that it is skipped.
func (r *actionRun) step(dir, runner string, step actionStep) {
	if !r.holds(step.If) {
		fmt.Fprintf(&r.log, "[skipped] %s\n", step.Name)
		return
	}
	fmt.Fprintf(&r.log, "[step] %s\n", step.Name)
	if step.Uses != "" {
		r.uses(runner, step)
		return
	}
	if step.Shell != "bash" || strings.Contains(step.Run, "${{") {
		r.ts.Fatalf("step %q: shell %q and run %q, want bash and no expression", step.Name, step.Shell, step.Run)
	}
	out := filepath.Join(runner, "out")
	r.ts.Check(os.WriteFile(out, nil, 0o666))
	env := []string{"GITHUB_ACTIONS=true", "GITHUB_ACTION_PATH=" + dir, "GITHUB_OUTPUT=" + out,
		"GITHUB_STEP_SUMMARY=" + r.ts.MkAbs("summary.md"), "GITHUB_PATH=" + r.ts.MkAbs("path"),
		"GITHUB_ENV=" + r.ts.MkAbs("env")}
	for name, value := range step.Env {
		env = append(env, name+"="+r.expand(value))
	}
	err := r.ts.Exec("env", append(env, "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step.Run)...)
	r.log.WriteString(r.ts.ReadFile("stdout") + r.ts.ReadFile("stderr"))
	if err != nil {
		fmt.Fprintf(&r.log, "[failed] %s\n", step.Name)
		r.failed = true
	}
	told, err := os.ReadFile(out)
	r.ts.Check(err)
	for line := range strings.Lines(string(told)) {
		if name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "="); ok {
			r.values["steps."+step.ID+".outputs."+name] = value
		} else if line != "\n" {
			r.ts.Fatalf("step %q: output %q, want NAME=VALUE", step.Name, line)
		}
	}
}

var (
	expression = regexp.MustCompile(`\$\{\{\s*(.*?)\s*\}\}`)
	comparison = regexp.MustCompile(`^(\S+) (==|!=) '([^']*)'$`)
	pinned     = regexp.MustCompile(`^([A-Za-z-]+/[A-Za-z/-]+)@[0-9a-f]{40}$`)
)

// value returns what an expression of one name is. What a step has not said is empty, as on GitHub.
func (r *actionRun) value(name string) string {
	v, ok := r.values[name]
	if !ok && !strings.HasPrefix(name, "steps.") {
		r.ts.Fatalf("no value for %s", name)
	}
	return v
}

func (r *actionRun) expand(text string) string {
	return expression.ReplaceAllStringFunc(text, func(m string) string {
		return r.value(expression.FindStringSubmatch(m)[1])
	})
}

// holds says whether a step runs: without "!cancelled()" only if none has failed.
func (r *actionRun) holds(condition string) bool {
	if m := expression.FindStringSubmatch(condition); m != nil {
		condition = m[1]
	}
	all, always := true, false
	for term := range strings.SplitSeq(condition, " && ") {
		switch m := comparison.FindStringSubmatch(term); {
		case term == "":
		case term == "!cancelled()":
			always = true
		case m != nil:
			all = all && (r.value(m[1]) == m[3]) == (m[2] == "==")
		default:
			r.ts.Fatalf("condition %q is none that this runner knows", term)
		}
	}
	return all && (always || !r.failed)
}

// uses stands in for an action of others.
func (r *actionRun) uses(runner string, step actionStep) {
	m := pinned.FindStringSubmatch(step.Uses)
	if m == nil {
		r.ts.Fatalf("step %q uses %s, want a commit", step.Name, step.Uses)
	}
	paths := strings.Fields(r.expand(step.With["path"]))
	key := r.expand(step.With["key"])
	switch m[1] {
	case "actions/cache/restore":
		r.restore(runner, paths, key, r.expand(step.With["restore-keys"]))
	case "actions/cache/save":
		r.save(runner, paths, key)
	case "actions/cache":
		r.restore(runner, paths, key, "")
		r.after = append(r.after, func() { r.save(runner, paths, key) })
	case "actions/upload-artifact":
		for _, path := range paths {
			if _, err := os.Stat(r.ts.MkAbs(path)); err == nil {
				r.copy(r.ts.MkAbs(path), filepath.Join(runner, "uploads", r.expand(step.With["name"]), filepath.Base(path)))
			}
		}
	case "github/codeql-action/upload-sarif":
		var report struct {
			Version string
			Runs    []struct{ Results []json.RawMessage }
		}
		text, err := os.ReadFile(r.ts.MkAbs(r.expand(step.With["sarif_file"])))
		r.ts.Check(err)
		r.ts.Check(json.Unmarshal(text, &report))
		if report.Version != "2.1.0" || len(report.Runs) != 1 {
			r.ts.Fatalf("SARIF %s with %d runs, want 2.1.0 with one", report.Version, len(report.Runs))
		}
		fmt.Fprintf(&r.log, "%d results in SARIF\n", len(report.Runs[0].Results))
	default:
		r.ts.Fatalf("step %q uses %s, which has no stand-in", step.Name, step.Uses)
	}
}

// restore takes the entry of a key, else the last one that begins with it or with another.
func (r *actionRun) restore(runner string, paths []string, keys ...string) {
	entries, _ := os.ReadDir(filepath.Join(runner, "cache"))
	for _, key := range keys {
		for _, e := range slices.Backward(entries) {
			if key == "" || !strings.HasPrefix(e.Name(), strings.ReplaceAll(key, "/", "%")) {
				continue
			}
			for i, path := range paths {
				if from := filepath.Join(runner, "cache", e.Name(), fmt.Sprint(i)); exists(from) {
					r.copy(from, path)
				}
			}
			fmt.Fprintf(&r.log, "cache: %s\n", e.Name())
			return
		}
	}
}

// save keeps what is there of the paths, unless the key is taken.
func (r *actionRun) save(runner string, paths []string, key string) {
	entry := filepath.Join(runner, "cache", strings.ReplaceAll(key, "/", "%"))
	for i, path := range paths {
		if to := filepath.Join(entry, fmt.Sprint(i)); exists(path) && !exists(to) {
			r.copy(path, to)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// copy copies a file or a folder.
func (r *actionRun) copy(from, to string) {
	info, err := os.Stat(from)
	r.ts.Check(err)
	r.ts.Check(os.RemoveAll(to))
	if info.IsDir() {
		r.ts.Check(os.CopyFS(to, os.DirFS(from)))
		return
	}
	data, err := os.ReadFile(from)
	r.ts.Check(err)
	r.ts.Check(os.MkdirAll(filepath.Dir(to), 0o777))
	r.ts.Check(os.WriteFile(to, data, info.Mode()))
}

// signFile writes FILE.minisig, as the checksums of a release are signed: signfile KEY FILE
func signFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: signfile KEY FILE")
	}
	key, err := signing.Load(ts.MkAbs(args[0]), func(string) (string, error) { return "", nil })
	ts.Check(err)
	defer key.Close()
	sig, err := key.SignFile([]byte(ts.ReadFile(args[1])), "checksums of a release of kdd")
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]+".minisig"), sig, 0o666))
}

// zipped packs a program as releases for Windows are packed: zipped ARCHIVE NAME FILE
func zipped(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: zipped ARCHIVE NAME FILE")
	}
	var out bytes.Buffer
	ts.Check(pack.Zip(&out, []pack.File{{Name: args[1], Data: []byte(ts.ReadFile(args[2])), Executable: true}}))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), out.Bytes(), 0o666))
}
