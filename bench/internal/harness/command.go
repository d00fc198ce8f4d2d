package harness

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// Work is what the program does once its flags are read. ctx ends with an interrupt or SIGTERM.
type Work func(ctx context.Context) error

// ErrUsage is what Work returns where the arguments do not go together: Run prints the flags.
var ErrUsage = errors.New("usage")

// Wrong returns the error of an argument that is not what it has to be: Run prints it.
func Wrong(format string, args ...any) error { return wrong(fmt.Sprintf(format, args...)) }

type wrong string

// Error returns the text.
func (w wrong) Error() string { return string(w) }

// Run calls declare, which declares the flags, parses args, and does the work. It prints errors to stderr behind the
// program's name.
//
// It returns the exit code: 0 success, 1 failure, 2 arguments that are wrong.
func Run(name string, args []string, stderr io.Writer, declare func(flags *flag.FlagSet) Work) int {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(stderr)
	work := declare(flags)
	if flags.Parse(args) != nil {
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := work(ctx)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, ErrUsage):
		flags.Usage()
		return 2
	}
	fmt.Fprintf(stderr, "%s: %v\n", name, err)
	if errors.As(err, new(wrong)) {
		return 2
	}
	return 1
}
