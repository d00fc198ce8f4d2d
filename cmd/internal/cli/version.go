package cli

import (
	"fmt"
	goruntime "runtime"

	"kdd/format"
)

func versionCommand() *Command {
	return &Command{
		Name:     "version",
		Group:    GroupMore,
		Summary:  "print the version",
		Help:     "Prints the version of the program, the format version it writes and reads, and what it was built with.",
		Examples: []string{"version"},
		Run: func(c *Call) error {
			_, err := fmt.Fprintf(c.Stdout, "%s %s (format %d, %s, %s/%s)\n",
				c.Tool.Name, Version, format.Version, goruntime.Version(), goruntime.GOOS, goruntime.GOARCH)
			return err
		},
	}
}
