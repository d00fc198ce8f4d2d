package cli

import (
	"fmt"
	"io"
	goruntime "runtime"

	"kdd/format"
)

func versionCommand() *Command {
	return &Command{
		Name: "version", Group: GroupMore,
		Summary:  "print the version",
		Help:     "Prints the version of the program, the format version it writes and reads, and what it was built with.",
		Examples: []string{"version"},
		Run: func(c *Call) error {
			_, err := io.WriteString(c.Stdout, versionLine(c.Tool.Name))
			return err
		},
	}
}

// versionLine is what "version" and --version print.
func versionLine(tool string) string {
	return fmt.Sprintf("%s %s (format %d, %s, %s/%s)\n", tool, Version, format.Version, goruntime.Version(),
		goruntime.GOOS, goruntime.GOARCH)
}
