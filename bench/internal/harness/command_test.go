package harness

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"strings"
	"testing"
)

func TestRun(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		err  error
		code int
		said string // begins stderr
	}{
		{"done", []string{"-n", "3", "a"}, nil, 0, ""},
		{"failed", []string{"-n", "3", "a"}, errors.New("no disk"), 1, "weigh: no disk\n"},
		{"does not go together", []string{"-n", "3", "a"}, fmt.Errorf("x: %w", ErrUsage), 2, "Usage of weigh:\n  -n int"},
		{"wrong", []string{"-n", "3", "a"}, Wrong("form: got %q", "x"), 2, "weigh: form: got \"x\"\n"},
		{"no flag", []string{"-m"}, nil, 2, "flag provided but not defined: -m\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var stderr strings.Builder
			code := Run("weigh", test.args, &stderr, func(flags *flag.FlagSet) Work {
				n := flags.Int("n", 0, "how often")
				return func(ctx context.Context) error {
					if *n != 3 || flags.Arg(0) != "a" || ctx.Err() != nil {
						t.Errorf("got n %d, arguments %q, context %v", *n, flags.Args(), ctx.Err())
					}
					return test.err
				}
			})
			if code != test.code || !strings.HasPrefix(stderr.String(), test.said) || test.said == "" && stderr.Len() > 0 {
				t.Errorf("Run(%q) = %d, prints %q, want %d, %q", test.args, code, stderr.String(), test.code, test.said)
			}
		})
	}
}
