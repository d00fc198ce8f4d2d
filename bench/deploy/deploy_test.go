// Package deploy checks the drivers of docs/deploy with the types and linters of the engines that read them. It is a
// module of its own, so that kdd's build needs none of these.
package deploy

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
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

// TestGitHub runs actionlint over the workflow.
func TestGitHub(t *testing.T) {
	lint := func(data []byte) []string {
		linter, err := actionlint.NewLinter(io.Discard, &actionlint.LinterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		found, err := linter.Lint("github.yml", data, nil)
		if err != nil {
			t.Fatal(err)
		}
		var problems []string
		for _, e := range found {
			problems = append(problems, e.Error())
		}
		return problems
	}
	data := read(t, "github.yml")
	for _, problem := range lint(data) {
		t.Error(problem)
	}
	if broken := bytes.Replace(data, []byte("needs: embed"), []byte("needs: none"), 1); len(lint(broken)) != 1 {
		t.Error("a job that the workflow lacks is not reported")
	}
}

// TestScreenful keeps each driver to what fits on a screen.
func TestScreenful(t *testing.T) {
	for _, name := range []string{"kubernetes.yaml", "serve.yaml", "compose.yaml", "github.yml", "gitlab.yml", "ray_embed.py", "spark_embed.py"} {
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
