package cli

import (
	"fmt"
	"math"
	"os"
	"slices"

	"kdd/runtime"
	"kdd/runtime/render"
	"kdd/runtime/wire"
)

// lintCommand is the operation's command with what only a command has: more formats, a baseline, an exit code.
func lintCommand(op *runtime.Operation) *Command {
	c := operationCommand(op)
	c.Group = GroupCheck
	c.Help = "Prints what the build found, one finding a line with its cure, and exits with 3 if there is one at " +
		"--fail-on or worse. --baseline names an older report (--format json --max-bytes 0): what it holds already is " +
		"left out and does not fail. --format sarif is SARIF 2.1.0 for code scanning, github the annotations of a " +
		"workflow; both name files from the top of the repository."
	c.Examples = []string{"lint", "lint guides/auth.md --rules orphans,anchors", "lint --format sarif --fail-on error",
		"lint --baseline lint.json"}
	flags := c.Flags
	c.Flags = func() []Flag {
		list := flags()
		findFlag(list, "format").Enum = op.Formats()
		findFlag(list, "fail-on").Default = "warning"
		return append(list, Flag{Name: "baseline", Value: "FILE", Help: "an older report, as JSON: only what is new counts"})
	}
	c.Run = func(call *Call) error { return runLint(call, op) }
	return c
}

func runLint(c *Call, op *runtime.Operation) error {
	args, err := operationArgs(c, op)
	if err != nil {
		return err
	}
	request, err := op.Decode(args)
	if err != nil {
		return err
	}
	q := *request.(*wire.LintRequest)
	format := c.Text("format")
	q.FailOn = c.Text("fail-on")
	q.Places = slices.Contains(render.LintFormats, format)
	if (forPrograms(format) || q.MaxBytes < 0) && !c.Given("limit") {
		q.Limit = math.MaxInt32
	}
	if file := c.Text("baseline"); file != "" {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if q.Baseline, err = wire.ReadBaseline(file, data); err != nil {
			return err
		}
	}
	service := c.Service()
	defer service.Close()
	report, err := service.Lint(c.Context, q)
	if err != nil {
		return err
	}
	if err := c.print(report); err != nil {
		return err
	}
	if report.Failing == 0 {
		return nil
	}
	what := "findings"
	if report.Failing == 1 {
		what = "finding"
	}
	if q.Baseline != nil {
		what = "new " + what
	}
	return foundError(fmt.Sprintf("%d %s of severity %s or worse", report.Failing, what, q.FailOn))
}

// foundError is ErrFindings in words of its own.
type foundError string

// Error says how many findings there are.
func (e foundError) Error() string { return string(e) }

// Is makes errors.Is(err, ErrFindings) true.
func (e foundError) Is(target error) bool { return target == ErrFindings }
