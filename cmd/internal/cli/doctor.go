package cli

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"kdd/cmd/internal/install"
	"kdd/runtime"
	"kdd/runtime/wire"
)

// doctorCommand is the operation's command with an exit code. It reads no kdd.yaml before it runs: one that is broken
// is a finding.
func doctorCommand(op *runtime.Operation) *Command {
	c := operationCommand(op)
	c.Group = GroupCheck
	c.ConfigDir = nil
	c.Help = "Looks at the artifact (found, opens, every byte, the query encoder's self-test), its sources, memory, " +
		"kdd.yaml, the environment and the hosts that the server is registered with, says what to do for each thing that " +
		"is wrong, and exits with 3 then."
	return c
}

// checks are what the program has to say to doctor beside the Service: kdd.yaml, the environment, the hosts, and what the
// tool adds.
func (o *Options) checks(ctx context.Context) []wire.Check {
	checks := append([]wire.Check{checkConfig(), o.checkEnvironment()}, checkRegistrations(machine())...)
	if o.toolChecks != nil {
		checks = append(checks, o.toolChecks(ctx)...)
	}
	return checks
}

// checkConfig reads the kdd.yaml that a query here would read.
func checkConfig() wire.Check {
	config, err := readConfig(WorkingDir(nil))
	switch {
	case err != nil:
		return wire.CheckOf("config", "", err)
	case config.Path == "":
		return wire.Check{Name: "config", OK: true, Detail: "no " + configName + " in the working folder"}
	}
	return wire.Check{Name: "config", OK: true, Detail: config.Path + " is read"}
}

// variables are the names of all variables of the environment that the tools read, those of a model hub aside.
func variables() []string {
	return slices.Concat([]string{"KDD_MODELS", "KDD_ONNXRUNTIME", tokenVariable, keyVariable}, environment, runtime.RemoteVariables,
		runtime.TrustVariables)
}

// compiling are the names of the variables that kdd alone reads.
var compiling = []string{"HF_ENDPOINT", "HF_TOKEN", "KDD_EMBED_KEY", "KDD_SHARD", "KDD_SHARDS", "KDD_KEY_PASSWORD"}

// checkEnvironment says which variables are in effect, and which were meant to be.
func (o *Options) checkEnvironment() wire.Check {
	var set []string
	for _, name := range environment {
		if v := o.getenv(name); v != "" {
			set = append(set, name+"="+v)
		}
	}
	c := wire.Check{Name: "environment", OK: true}
	known := append(variables(), compiling...)
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		if value == "" || !strings.HasPrefix(name, "KDD_") || slices.Contains(known, name) {
			continue
		}
		if near := wire.Nearest(name, known); near != "" {
			set, c.Hint = append(set, name+" is no variable of kdd"), "did you mean "+near+"?"
		}
	}
	c.Detail = strings.Join(set, ", ")
	if len(set) == 0 {
		c.Detail = "no variable is set"
	}
	if root := o.getenv("KDD_ROOT"); root != "" && dirIsNone(root) {
		c.OK, c.Hint = false, "KDD_ROOT names no folder: set it to where the sources are, or unset it"
	}
	return c
}

// checkRegistrations looks at the servers that hosts would start.
func checkRegistrations(env *install.Env) []wire.Check {
	var checks []wire.Check
	for _, r := range env.Registrations() {
		if err := env.Check(&r); err != nil {
			checks = append(checks, wire.CheckOf("registration", "", err))
			continue
		}
		command := strings.Join(append([]string{r.Entry.Command}, r.Entry.Args...), " ")
		checks = append(checks, wire.Check{Name: "registration", OK: true,
			Detail: fmt.Sprintf("%s, %s: %s in %s: %s", r.Host.Name, r.Scope, r.Name, r.Path, command)})
	}
	if len(checks) == 0 {
		checks = append(checks, wire.Check{Name: "registration", OK: true, Detail: "no host has the MCP server",
			Hint: `"kddq install claude" registers it, for example`})
	}
	return checks
}
