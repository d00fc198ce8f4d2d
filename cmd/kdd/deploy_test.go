package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"go.yaml.in/yaml/v3"
)

// deployed is what a driver in docs/deploy says of a job, for GitHub, GitLab or Kubernetes.
type deployed struct {
	Metadata struct{ Name string }
	Jobs     map[string]struct {
		Env   map[string]string
		Steps []struct{ Run string }
	}
	Spec struct {
		Template struct {
			Spec struct {
				Containers []struct {
					Command []string
					Env     []struct{ Name, Value string }
				}
			}
		}
	}
	Others map[string]yaml.Node `yaml:",inline"` // of GitLab, jobs too
}

// steps writes what a driver's job runs as a shell script, with the working folder in place of /data and flags added to
// kdd's: steps FILE JOB SCRIPT [FLAG...]. TEST_NAME in the environment is the value of GitLab's variable NAME.
func steps(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: steps FILE JOB SCRIPT [FLAG...]")
	}
	lines := []string{"set -e"}
	for decoder := yaml.NewDecoder(strings.NewReader(ts.ReadFile(args[0]))); ; {
		var d deployed
		if err := decoder.Decode(&d); err == io.EOF {
			break
		} else {
			ts.Check(err)
		}
		for name, value := range d.Jobs[args[1]].Env {
			value = strings.NewReplacer("${{ strategy.job-index }}", "$JOB_INDEX", "${{ strategy.job-total }}", "$JOB_TOTAL").Replace(value)
			lines = append(lines, "export "+name+"="+value)
		}
		for _, step := range d.Jobs[args[1]].Steps {
			lines = append(lines, step.Run)
		}
		if job, ok := d.Others[args[1]]; ok {
			var j struct {
				Variables map[string]string
				Before    []string `yaml:"before_script"`
				Script    []string
			}
			ts.Check(job.Decode(&j))
			for name, value := range j.Variables {
				lines = append(lines, fmt.Sprintf("export %s=${TEST_%s-'%s'}", name, name, value))
			}
			lines = append(append(lines, j.Before...), j.Script...)
		}
		if d.Metadata.Name == args[1] {
			for _, c := range d.Spec.Template.Spec.Containers {
				for _, e := range c.Env {
					lines = append(lines, "export "+e.Name+"="+e.Value)
				}
				lines = append(lines, "'"+strings.Join(c.Command, "' '")+"'")
			}
		}
	}
	flags := strings.Join(args[3:], " ")
	script := strings.ReplaceAll(strings.Join(lines, "\n"), "/data/", "")
	for _, command := range []string{"kdd embed docs", "kdd build docs", "'kdd' 'embed' 'docs'", "'kdd' 'build' 'docs'"} {
		script = strings.ReplaceAll(script, command, command+" "+flags)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), []byte(script+"\n"), 0o666))
}
