// Package deploy checks the drivers of docs/deploy with the types and linters of the engines that read them. It is a
// module of its own, so that kdd's build needs none of these.
package deploy

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rhysd/actionlint"
	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func read(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestKubernetes decodes the Jobs strictly and checks what the API server would, beyond their types.
func TestKubernetes(t *testing.T) {
	jobs := map[string]*batch.Job{}
	for _, document := range bytes.Split(read(t, "kubernetes.yaml"), []byte("\n---\n")) {
		var job batch.Job
		if err := yaml.UnmarshalStrict(document, &job); err != nil {
			t.Fatal(err)
		}
		if job.APIVersion != "batch/v1" || job.Kind != "Job" {
			t.Errorf("%s %s, want a Job of batch/v1", job.APIVersion, job.Kind)
		}
		if job.Spec.Template.Spec.RestartPolicy != core.RestartPolicyNever {
			t.Errorf("%s: restart policy %q, want Never: a pod failure policy needs it", job.Name, job.Spec.Template.Spec.RestartPolicy)
		}
		volumes := map[string]bool{}
		for _, v := range job.Spec.Template.Spec.Volumes {
			volumes[v.Name] = v.PersistentVolumeClaim != nil
		}
		for _, c := range job.Spec.Template.Spec.Containers {
			for _, m := range c.VolumeMounts {
				if !volumes[m.Name] {
					t.Errorf("%s: container %s mounts %q, which is no volume", job.Name, c.Name, m.Name)
				}
			}
		}
		jobs[job.Name] = &job
	}
	embed, build := jobs["kdd-embed"], jobs["kdd-build"]
	if len(jobs) != 2 || embed == nil || build == nil {
		t.Fatalf("%d jobs, want kdd-embed and kdd-build", len(jobs))
	}
	s := embed.Spec
	if s.CompletionMode == nil || *s.CompletionMode != batch.IndexedCompletion || s.BackoffLimitPerIndex == nil {
		t.Error("kdd-embed is not Indexed, or has no limit of tries for an index")
	}
	container := s.Template.Spec.Containers[0]
	if env := container.Env[0]; env.Name != "KDD_SHARDS" || s.Completions == nil || env.Value != "16" || *s.Completions != 16 {
		t.Errorf("%s=%s for %d completions, want the same", env.Name, env.Value, *s.Completions)
	}
	for _, rule := range s.PodFailurePolicy.Rules {
		if c := rule.OnExitCodes; c != nil && (c.ContainerName == nil || *c.ContainerName != container.Name) {
			t.Errorf("a rule for exit codes of %v, want %s", c.ContainerName, container.Name)
		}
	}
	if build.Spec.Suspend == nil || !*build.Spec.Suspend {
		t.Error("kdd-build is not suspended, so it does not wait for the parts")
	}
	var other batch.Job
	if err := yaml.UnmarshalStrict([]byte("spec: {completion: 3}"), &other); err == nil {
		t.Error("a field that Jobs lack is decoded")
	}
}

// lint returns what actionlint says of a workflow that lies in this repository.
func lint(t *testing.T, data []byte) []string {
	t.Helper()
	linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	project, err := actionlint.NewProject(root)
	if err != nil {
		t.Fatal(err)
	}
	found, err := linter.Lint(filepath.Join(root, ".github/workflows/docs.yml"), data, project)
	if err != nil {
		t.Fatal(err)
	}
	var problems []string
	for _, e := range found {
		problems = append(problems, e.Error())
	}
	return problems
}

// TestGitHub runs actionlint over the workflows. Those that use kdd's actions are given the ones of this repository, whose
// inputs and outputs are then known.
func TestGitHub(t *testing.T) {
	ours := regexp.MustCompile(`OWNER/kdd/(\.github/actions/[a-z-]+)@0{40}`)
	for _, test := range []struct{ file, old, new string }{
		{"github.yml", "needs: embed", "needs: none"},
		{"ci-github.yml", "signed-name:", "signed-names:"},
		{"../../.github/workflows/ci.yml", "runs-on:", "run-on:"},
	} {
		data := ours.ReplaceAll(read(t, test.file), []byte("./$1"))
		for _, problem := range lint(t, data) {
			t.Errorf("%s: %s", test.file, problem)
		}
		if broken := bytes.Replace(data, []byte(test.old), []byte(test.new), 1); len(lint(t, broken)) == 0 {
			t.Errorf("%s: %s in place of %s is not reported", test.file, test.new, test.old)
		}
	}
}

// TestPinned wants each action of others by its commit, with the release that it is beside.
func TestPinned(t *testing.T) {
	uses := regexp.MustCompile(`(?m)^[ -]*uses: (.*)$`)
	pinned := regexp.MustCompile(`^[A-Za-z/._-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	commits := map[string]string{}
	for _, file := range []string{"github.yml", "ci-github.yml", "../../.github/workflows/ci.yml",
		"../../.github/actions/kdd/action.yml", "../../.github/actions/setup-kdd/action.yml"} {
		for _, m := range uses.FindAllStringSubmatch(string(read(t, file)), -1) {
			if !pinned.MatchString(m[1]) {
				t.Errorf("%s uses %s, want OWNER/NAME@COMMIT # vN.N.N", file, m[1])
			}
			action, version, _ := strings.Cut(m[1], "@")
			repo := strings.Join(strings.SplitN(action, "/", 3)[:2], "/")
			if cmp.Or(commits[repo], version) != version {
				t.Errorf("%s uses %s of %s, another file that of %s", file, version, repo, commits[repo])
			} else {
				commits[repo] = version
			}
		}
	}
	if len(commits) < 8 {
		t.Errorf("%d actions of others, want those of all files", len(commits))
	}
}

// TestScreenful keeps each driver to what fits on a screen.
func TestScreenful(t *testing.T) {
	for _, name := range []string{"kubernetes.yaml", "serve.yaml", "compose.yaml", "github.yml", "gitlab.yml",
		"ray_embed.py", "spark_embed.py", "ci-github.yml", "ci-gitlab.yml"} {
		lines := strings.Split(strings.TrimSpace(string(read(t, name))), "\n")
		if len(lines) > 54 {
			t.Errorf("%s has %d lines, at most 54", name, len(lines))
		}
		for i, line := range lines {
			if len(line) > 120 {
				t.Errorf("%s:%d has %d characters, at most 120", name, i+1, len(line))
			}
		}
	}
}
